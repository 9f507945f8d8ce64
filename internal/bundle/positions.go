package bundle

import (
	"cmp"
	"hash/fnv"
	"io"
	"slices"

	"vitrine/internal/domain"
)

// Positions are the positions of the records of a directory by key. They need 16 bytes per record,
// and do not keep the directory. They are immutable.
type Positions struct {
	files   []string
	records []position // ordered by hash
}

// position is the place of a record. Keys are hashed: two with the same hash, which is very unlikely,
// would lead to each other's line.
type position struct {
	hash uint64
	file int32
	line int32
}

// Positions returns the positions of the records of the directory.
func (d *Directory) Positions() *Positions {
	p := new(Positions)
	for _, kind := range domain.Descriptions() {
		for _, s := range d.origins[kind.Kind] {
			p.files = append(p.files, s.file.path)
			for i, line := range s.lines {
				if s.first+i < kind.Size(d.Catalog) {
					hash := hashOf(kind, kind.Key(kind.Record(d.Catalog, s.first+i)))
					p.records = append(p.records, position{hash, int32(len(p.files) - 1), line})
				}
			}
		}
	}
	slices.SortFunc(p.records, func(a, b position) int { return cmp.Compare(a.hash, b.hash) })
	return p
}

// Of returns the file, as a slash path, and the line of the record with a key; "" for none.
func (p *Positions) Of(kind domain.Kind, key string) (file string, line int) {
	d := domain.Describe(kind)
	if d == nil {
		return "", 0
	}
	i, found := slices.BinarySearchFunc(p.records, hashOf(d, key), func(r position, hash uint64) int { return cmp.Compare(r.hash, hash) })
	if !found {
		return "", 0
	}
	return p.files[p.records[i].file], int(p.records[i].line)
}

func hashOf(d *domain.Description, key string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, string(d.Kind)+"\x00"+d.Identity(key))
	return h.Sum64()
}
