package bundle

import (
	"strconv"

	"vitrine/internal/domain"
)

// reported has the places of values of the wrong shape, so that they are not also reported as
// missing. A place is a hash of the path of its file, the record of the pass and the path within
// it: hundreds of thousands of places take a few megabytes.
type reported map[placeHash]struct{}

// placeHash is the hash of a place, 64 bits of FNV-1a. If two places collide, a problem at one is
// reported only after the other is corrected. Catalogues without errors have no such places, so
// no problem is lost.
type placeHash uint64

func spotOf(f *file, record int) placeHash {
	return placeHash(14695981039346656037).in(f.path).in(strconv.Itoa(record))
}

func (s placeHash) in(name string) placeHash {
	for i := range len(name) {
		s = (s ^ placeHash(name[i])) * 1099511628211
	}
	return (s ^ 0xff) * 1099511628211 // a byte that UTF-8 does not have separates names
}

// remember adds the nodes of a record that the decoder has reported.
func (r reported) remember(at placeHash, n *node) {
	if n.bad {
		r[at] = struct{}{}
		return // which includes everything below
	}
	for i, item := range n.items {
		name := strconv.Itoa(i)
		if n.kind == object {
			name = n.keys[i].text
		}
		r.remember(at.in(name), item)
	}
}

// has reports whether a place or one of its ancestors was reported.
func (r reported) has(at placeHash, path []string) bool {
	_, ok := r[at]
	for _, name := range path {
		if ok {
			return true
		}
		at = at.in(name)
		_, ok = r[at]
	}
	return ok
}

// reportedAt reports whether the fault at a place was reported already.
func (r *reader) reportedAt(at domain.Ref) bool {
	if len(r.reported) == 0 {
		return false
	}
	f, record, path := r.origin(at)
	return r.reported.has(spotOf(f, record), path)
}
