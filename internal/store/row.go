package store

import (
	"bytes"
	"fmt"
	"iter"
	"strings"

	"vitrine/internal/domain"
)

// Row is a record of the editors' layer in an engine.
type Row struct {
	Kind domain.Kind
	Key  string // identifies the record in all revisions; unique within its kind

	// Position is the index of the record within its kind, if editors choose the order (see
	// [domain.Description]). It is 0 for other kinds, so that adding a record writes one version
	// only.
	Position int

	Body   []byte // the record as written by package recordjson, opaque to engines; nil for a tombstone
	Origin string // position as `file:line`, "" if unknown
}

// Rows yields the rows of a catalogue by kind, in the catalogue's order. origin is as in [Draft]
// and may be nil. It stops after the first error: text that is not UTF-8 or a number that is not
// finite, which a checked catalogue does not have. The caller owns the bodies.
func Rows(c *domain.Catalog, origin func(kind domain.Kind, index int) string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w := rowWriter{c: c, origin: origin, yield: yield}
		for _, d := range domain.Descriptions() {
			for i := range d.Size(c) {
				if !w.row(d, i) {
					return
				}
			}
		}
	}
}

// ChangedRows is [Rows] of the records of the new catalogue of a delta that differ.
func ChangedRows(delta *domain.Delta, origin func(kind domain.Kind, index int) string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		_, c := delta.Catalogs()
		w := rowWriter{c: c, origin: origin, yield: yield}
		for _, d := range domain.Descriptions() {
			_, changed := delta.Indices(d.Kind)
			for _, i := range changed {
				if !w.row(d, i) {
					return
				}
			}
		}
	}
}

// rowWriter yields rows of a catalogue.
type rowWriter struct {
	c      *domain.Catalog
	origin func(kind domain.Kind, index int) string
	yield  func(Row, error) bool
	body   []byte // of the last row, for its memory
}

// row yields the row of a record, and returns whether to continue.
func (w *rowWriter) row(d *domain.Description, i int) bool {
	record := d.Record(w.c, i)
	row := Row{Kind: d.Kind, Key: KeyOf(d, record)}
	if d.Ordered {
		row.Position = i
	}
	if w.origin != nil {
		row.Origin = w.origin(d.Kind, i)
	}
	var err error
	if w.body, err = d.Shape.AppendJSON(w.body[:0], record, ""); err != nil {
		w.yield(Row{}, fmt.Errorf("encode %s %q: %w", d.Kind, row.Key, err))
		return false
	}
	row.Body = bytes.Clone(w.body)
	return w.yield(row, nil)
}

// KeyOf returns the key of a record's row.
func KeyOf(d *domain.Description, record any) string {
	if d.Kind == domain.KindCatalog {
		return string(d.Kind)
	}
	return d.Identity(d.Key(record))
}

// idTombstone begins the keys of tombstones for written ids. No record has such a key.
const idTombstone = "_id:"

// IDTombstone returns the key of the tombstone for the written id of a purged record.
func IDTombstone(id string) string { return idTombstone + id }

// IsIDTombstone reports whether a key is one of [IDTombstone].
func IsIDTombstone(key string) bool { return strings.HasPrefix(key, idTombstone) }

// RecordKey returns the key of the row of a record with a key: handles ignore case.
func RecordKey(kind domain.Kind, key string) string {
	if d := domain.Describe(kind); d != nil {
		return d.Identity(key)
	}
	return key
}

// Record returns a pointer to the record of a row, nil for a tombstone. It returns an error if the
// row cannot be decoded.
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
