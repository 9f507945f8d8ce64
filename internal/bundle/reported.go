package bundle

import (
	"strconv"

	"vitrine/internal/domain"
)

// reported are the places of values that could not be read as what they should be,
// so that they are not reported as missing, too. A place is a hash over the path of
// its file, the record of the pass and the path within that: hundreds of thousands
// of places take only some megabytes.
type reported map[spot]struct{}

// spot is a hash of a place, 64 bits of FNV-1a. If two places have the same hash, a
// problem at one is not reported until the one at the other is mended. No problem is
// lost in a catalogue without errors, which has no such places.
type spot uint64

func spotOf(f *file, record int) spot {
	return spot(14695981039346656037).in(f.path).in(strconv.Itoa(record))
}

func (s spot) in(name string) spot {
	for i := range len(name) {
		s = (s ^ spot(name[i])) * 1099511628211
	}
	return (s ^ 0xff) * 1099511628211 // which no UTF-8 has: the end of a name
}

// remember keeps the nodes of a record that the decoder has reported.
func (r reported) remember(at spot, n *node) {
	if n.bad {
		r[at] = struct{}{}
		return // and everything below it
	}
	for i, item := range n.items {
		name := strconv.Itoa(i)
		if n.kind == object {
			name = n.keys[i].text
		}
		r.remember(at.in(name), item)
	}
}

// has reports whether a place or one that it lies in was noted.
func (r reported) has(at spot, path []string) bool {
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

// reportedAt reports whether what is wrong there was reported already.
func (r *reader) reportedAt(at domain.Ref) bool {
	if len(r.reported) == 0 {
		return false
	}
	f, record, path := r.origin(at)
	return r.reported.has(spotOf(f, record), path)
}
