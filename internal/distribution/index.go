package distribution

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

const (
	// partSize is the usual maximum size of a file of a full set. A kind with more has several
	// files, of which a publish rewrites the changed ones.
	partSize = 4 << 20
	maxParts = 4096
	// smallPart is that size as long as a kind has at most fewParts files: mirrors of a small catalogue
	// copy little after a change, and the pointer stays small.
	smallPart = 256 << 10
	fewParts  = 8
)

// index describes the lines of a catalogue: their keys, hashes and sizes. It does not hold the
// lines. They are encoded again for the files that need them, which saves a second copy of the
// catalogue in memory. It is immutable, except that a write sets files.
type index struct {
	served  *domain.Catalog
	encoder encoder
	kinds   []*kindIndex // in the order of [domain.Descriptions]
}

// kindIndex describes the lines of one kind, in the order of their keys.
type kindIndex struct {
	of *domain.Description
	kindSet
	sizes []int32 // of the lines with their line breaks
	order []int32 // indices of the records, nil if the records are in the order of their keys
	files []File  // by the hash of the key; an empty path stands for no lines
}

// newIndex returns the index of a served catalogue. before is the index of an earlier one, nil for
// none: only records that differ are encoded.
func newIndex(before *index, served *domain.Catalog) (*index, error) {
	if before != nil && before.served == served {
		return before, nil
	}
	x := &index{served: served, encoder: newEncoder(served)}
	var delta *domain.Delta
	if before != nil {
		delta = domain.DeltaOf(before.served, served)
	}
	for i, d := range domain.Descriptions() {
		k := &kindIndex{of: d}
		var err error
		if before == nil || ofSeveral(d) {
			err = k.encodeAll(&x.encoder)
		} else {
			err = k.update(&x.encoder, before.kinds[i], delta)
		}
		if err != nil {
			return nil, err
		}
		x.kinds = append(x.kinds, k)
	}
	return x, nil
}

// ofSeveral reports whether lines of a kind depend on more than their record: on observed
// endpoints, on other records or on their place. These kinds are small.
func ofSeveral(d *domain.Description) bool {
	return d.Ordered || d.Kind == domain.KindCatalog || d.Kind == domain.KindChain || d.Kind == domain.KindMenu
}

// encodeAll encodes all records.
func (k *kindIndex) encodeAll(e *encoder) error {
	n := k.of.Size(&e.public)
	k.grow(n)
	for i := range n {
		l, err := e.line(k.of, i)
		if err != nil {
			return err
		}
		k.add(l)
	}
	if !slices.IsSorted(k.keys) {
		k.sort()
	}
	joinMemory(k.keys)
	return nil
}

// joinMemory puts the texts of many short strings into one allocation, which saves a third of their
// memory.
func joinMemory(all []string) {
	text := strings.Join(all, "")
	for i, s := range all {
		all[i], text = text[:len(s)], text[len(s):]
	}
}

// sort puts the lines in the order of their keys.
func (k *kindIndex) sort() {
	keys, sums, sizes := k.keys, k.sums, k.sizes
	k.order = make([]int32, len(keys))
	for i := range k.order {
		k.order[i] = int32(i)
	}
	slices.SortFunc(k.order, func(a, b int32) int { return strings.Compare(keys[a], keys[b]) })
	k.grow(len(keys))
	for _, at := range k.order {
		k.keys, k.sums, k.sizes = append(k.keys, keys[at]), append(k.sums, sums[at]), append(k.sizes, sizes[at])
	}
}

// update encodes the records that differ from those of before. Both catalogues have them in the
// order of their keys.
func (k *kindIndex) update(e *encoder, before *kindIndex, delta *domain.Delta) error {
	gone, come := delta.Indices(k.of.Kind)
	if len(gone) == 0 && len(come) == 0 {
		*k = *before
		return nil
	}
	n := k.of.Size(&e.public)
	k.grow(n)
	old := 0
	for i := range n {
		if len(come) > 0 && come[0] == i {
			come = come[1:]
			l, err := e.line(k.of, i)
			if err != nil {
				return err
			}
			k.add(l)
			continue
		}
		for len(gone) > 0 && gone[0] == old {
			gone = gone[1:]
			old++
		}
		k.keys, k.sums, k.sizes = append(k.keys, before.keys[old]), append(k.sums, before.sums[old]), append(k.sizes, before.sizes[old])
		old++
	}
	return nil
}

func (k *kindIndex) grow(n int) {
	k.keys, k.sums, k.sizes = make([]string, 0, n), make([][sha256.Size]byte, 0, n), make([]int32, 0, n)
}

func (k *kindIndex) add(l line) {
	k.keys, k.sums, k.sizes = append(k.keys, l.key), append(k.sums, sha256.Sum256(l.body)), append(k.sizes, int32(len(l.body)+1))
}

// errStale reports that equal records have different lines, such as with the figures 0 and -0.
var errStale = errors.New("the lines of equal records differ")

// line encodes the line at a position. The error is errStale if it has another hash.
func (k *kindIndex) line(e *encoder, position int) ([]byte, error) {
	at := position
	if k.order != nil {
		at = int(k.order[position])
	}
	l, err := e.line(k.of, at)
	if err == nil && sha256.Sum256(l.body) != k.sums[position] {
		err = errStale
	}
	return l.body, err
}

// size returns the size of all lines.
func (k *kindIndex) size() int64 {
	total := int64(0)
	for _, size := range k.sizes {
		total += int64(size)
	}
	return total
}

// set returns the set of all lines.
func (x *index) set() set {
	s := set{}
	for _, k := range x.kinds {
		s[k.of.Kind] = k.kindSet
	}
	return s
}

// find returns the position of a record's line; ok is false if there is none.
func (x *index) find(record id) (k *kindIndex, at int, ok bool) {
	for _, k := range x.kinds {
		if k.of.Kind == record.kind {
			at, ok = slices.BinarySearch(k.keys, record.key)
			return k, at, ok
		}
	}
	return nil, 0, false
}

// deltaLine returns the line of a delta for a record, which was removed if it has no line.
func (x *index) deltaLine(record id) ([]byte, error) {
	k, at, ok := x.find(record)
	if !ok {
		return removal(record.kind, record.key)
	}
	return k.line(&x.encoder, at)
}

// short returns the bases, up to the first with a delta of more bytes than limit.
func (x *index) short(bases []base, limit int64) []base {
	for i, b := range bases {
		size := int64(0)
		for record := range b.changed {
			if k, at, ok := x.find(record); ok {
				size += int64(k.sizes[at])
				continue
			}
			size += int64(len(record.key))
		}
		if size > limit {
			return bases[:i]
		}
	}
	return bases
}

// deltaContent returns the lines of a delta, by kind and key.
func (x *index) deltaContent(b base) ([]byte, error) {
	order := map[domain.Kind]int{}
	for i, kind := range domain.Kinds() {
		order[kind] = i
	}
	ids := make([]id, 0, len(b.changed))
	for record := range b.changed {
		ids = append(ids, record)
	}
	slices.SortFunc(ids, func(a, b id) int { return cmp.Or(order[a.kind]-order[b.kind], strings.Compare(a.key, b.key)) })
	var content []byte
	for _, record := range ids {
		body, err := x.deltaLine(record)
		if err != nil {
			return nil, err
		}
		content = append(append(content, body...), '\n')
	}
	return content, nil
}

// parts returns the lines of each file of a kind, as positions, by the hash of their keys: a record
// stays in its file while others come and go.
func (k *kindIndex) parts() [][]int32 {
	n, size := 1, k.size()
	for n < maxParts && (size/int64(n) > partSize || n < fewParts && size/int64(n) > smallPart) {
		n *= 2
	}
	parts := make([][]int32, n)
	for i, key := range k.keys {
		at := partOf(key, n)
		parts[at] = append(parts[at], int32(i))
	}
	return parts
}

// content returns the lines at positions.
func (k *kindIndex) content(e *encoder, positions []int32) ([]byte, error) {
	size := 0
	for _, i := range positions {
		size += int(k.sizes[i])
	}
	if size > maxContent {
		return nil, fmt.Errorf("a file of %s has %d bytes, more than %d", k.of.Kind, size, maxContent)
	}
	content := make([]byte, 0, size)
	for _, i := range positions {
		body, err := k.line(e, int(i))
		if err != nil {
			return nil, err
		}
		content = append(append(content, body...), '\n')
	}
	return content, nil
}

func partOf(key string, n int) int {
	if n == 1 {
		return 0
	}
	h := uint32(2166136261) // FNV-1a
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return int(h>>8) % n
}
