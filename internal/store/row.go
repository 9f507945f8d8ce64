package store

import (
	"bytes"
	"fmt"
	"iter"

	"vitrine/internal/domain"
	"vitrine/internal/recordjson"
)

// Row is one record of the editors' layer as an engine keeps it.
type Row struct {
	Kind domain.Kind
	Key  string // names the record over all revisions; unique within its kind

	// Position is the record's place among those of its kind, from 0, where the
	// order is the editors' to choose (see [domain.Description]). It is 0 for
	// all others, so that one record more is one version more.
	Position int

	Body   []byte // the record as package recordjson writes it, opaque to engines; nil where it is gone
	Origin string // where editors wrote it, as `file:line`, "" when not known
}

// Rows yields the rows of a catalogue, by kind, then in the catalogue's order.
// Origin, which may be nil, is as in [Draft]. It stops after the first error: a
// text that is not UTF-8 or a number that is not finite, neither of which a
// checked catalogue has. Bodies belong to the caller.
func Rows(c *domain.Catalog, origin func(kind domain.Kind, index int) string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var body []byte
		for _, d := range domain.Descriptions() {
			for i := range d.Size(c) {
				record := d.Record(c, i)
				row := Row{Kind: d.Kind, Key: KeyOf(d, record)}
				if d.Ordered {
					row.Position = i
				}
				if origin != nil {
					row.Origin = origin(d.Kind, i)
				}
				var err error
				if body, err = recordjson.Append(body[:0], d.Shape, record, ""); err != nil {
					yield(Row{}, fmt.Errorf("encode %s %q: %w", d.Kind, row.Key, err))
					return
				}
				row.Body = bytes.Clone(body)
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// KeyOf returns the key of a record's row: what the rules of a catalogue call
// unique.
func KeyOf(d *domain.Description, record any) string {
	if d.Kind == domain.KindCatalog {
		return string(d.Kind)
	}
	return d.Identity(d.Key(record))
}

// RecordKey returns the key of the row of a record that is called key: handles
// in any case name the same account.
func RecordKey(kind domain.Kind, key string) string {
	if d := domain.Describe(kind); d != nil {
		return d.Identity(key)
	}
	return key
}

// Record returns the record of a row, nil for a tombstone. It is an error if the row
// cannot be read.
func (r Row) Record() (any, error) {
	if r.Body == nil {
		return nil, nil
	}
	var b Builder
	if err := b.Add(r); err != nil {
		return nil, err
	}
	return domain.Describe(r.Kind).Record(&b.read, 0), nil
}
