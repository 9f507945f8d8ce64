// Package preview compares what the API responds from two catalogues: operation by operation
// and locale by locale, which responses change, and how.
//
// It asks the snapshots for the same requests and compares the bodies. It is pure: it knows no
// directory, no store, no HTTP and no clock. All functions are deterministic and safe for
// concurrent use.
//
// Not compared are the search over everything, whose queries cannot be enumerated, filters and
// facets of lists, and operations that do not depend on records (the document and the index).
package preview

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// Limits of a report. Totals count what is left out.
const (
	maxExamples = 10 // of rows that are added, removed, changed or moved
	maxMembers  = 8  // of a changed row
	maxValue    = 80 // code points of a value
)

// Version is one of the two catalogues.
type Version struct {
	Catalog  *domain.Catalog
	Snapshot *snapshot.Snapshot // of Catalog
}

// Report is what changes; it is empty for equal catalogues. Parts without changes are left out.
type Report struct {
	Locales    []string    `json:"locales"`    // that were compared: those of head, then those that only base has
	Records    []Records   `json:"records"`    // in the order of the kinds
	Operations []Operation `json:"operations"` // in the order of the API
	Fallbacks  []Fallback  `json:"fallbacks"`  // by kind, field and locale
	// FallingBack counts the records with new fallbacks, and the locales of these.
	FallingBack FallingBack `json:"fallingBack"`
	Stale       []Stale     `json:"stale"` // by kind and field
}

// FallingBack counts records and locales.
type FallingBack struct {
	Records int `json:"records"`
	Locales int `json:"locales"`
}

// Records are the changed records of a kind, as editors write them.
type Records struct {
	Kind    domain.Kind `json:"kind"`
	Added   Rows        `json:"added,omitzero"`
	Removed Rows        `json:"removed,omitzero"`
	Changed Rows        `json:"changed,omitzero"`
}

// Operation is an operation with responses that change.
type Operation struct {
	Name    string    `json:"operation"` // the operationId
	Path    string    `json:"path"`      // with the parameters of the request
	Changes []Changes `json:"changes"`   // by locales
}

// Changes are the changes of an operation in locales in which the same rows and members change.
// Values are those of the first locale.
type Changes struct {
	Locales []string `json:"locales"`
	Before  int      `json:"before"` // rows, or records with a response of their own
	After   int      `json:"after"`
	Added   Rows     `json:"added,omitzero"`
	Removed Rows     `json:"removed,omitzero"`
	Changed Rows     `json:"changed,omitzero"`
	Moved   Rows     `json:"moved,omitzero"` // the fewest rows that explain another order
}

// Rows are rows of a list, or records, with the first of them as examples.
type Rows struct {
	Total    int   `json:"total"`
	Examples []Row `json:"examples,omitempty"`
}

// Row is a row of a list, or a record.
type Row struct {
	Key     string   `json:"key"`
	Title   string   `json:"title,omitempty"`   // the name or title, if there is one
	Was     string   `json:"was,omitempty"`     // the former key of a renamed record
	At      string   `json:"at,omitempty"`      // file and line of a record, if a caller knows them
	Members []Member `json:"members,omitempty"` // that change
	Omitted int      `json:"omitted,omitempty"` // members that change and are not listed
	From    int      `json:"from,omitempty"`    // place from 1 of a moved row
	To      int      `json:"to,omitempty"`
}

// Member is a member of a row that changes, with its values as JSON. Long values are cut around
// their first difference.
type Member struct {
	Name   string `json:"name"`
	Before string `json:"before,omitempty"` // "" for none
	After  string `json:"after,omitempty"`
}

// IsEmpty reports whether nothing changes.
func (r *Report) IsEmpty() bool {
	return len(r.Records) == 0 && len(r.Operations) == 0 && len(r.Fallbacks) == 0 && len(r.Stale) == 0
}

// Compare returns what changes for readers if head replaces base.
func Compare(base, head Version) *Report {
	c := comparison{base: base, head: head, locales: localesOf(base.Snapshot.Locales(), head.Snapshot.Locales())}
	changes := domain.Diff(base.Catalog, head.Catalog)
	report := &Report{Records: recordsOf(changes, base.Catalog, head.Catalog), Operations: c.operations(), Stale: staleIn(changes, base.Catalog, head.Catalog)}
	report.Fallbacks, report.FallingBack = c.fallbacks()
	for _, in := range c.locales {
		report.Locales = append(report.Locales, in.name)
	}
	return report
}

// ChangedRecords returns the addresses of the records of a kind whose response in head is new or
// different in any locale, sorted. The kind has an operation for one record.
func ChangedRecords(base, head Version, kind query.Kind) []string {
	c := comparison{base: base, head: head, locales: localesOf(base.Snapshot.Locales(), head.Snapshot.Locales())}
	return slices.DeleteFunc(c.addresses(kind), func(address string) bool {
		return !slices.ContainsFunc(c.locales, func(in inLocale) bool { return c.isNew(kind, address, in) })
	})
}

// isNew reports whether head responds differently to a request for a record, and not with an error.
func (c *comparison) isNew(kind query.Kind, address string, in inLocale) bool {
	before, _ := c.base.Snapshot.Record(kind, address, in.base)
	after, ok := c.head.Snapshot.Record(kind, address, in.head)
	return ok && !bytes.Equal(before, after)
}

// comparison holds what is compared.
type comparison struct {
	base, head Version
	locales    []inLocale
}

// inLocale is a locale of either catalogue, and the locales in which both respond to requests for it.
type inLocale struct {
	name       string
	base, head locale.ID
}

// localesOf returns the locales of head, then those that only base has.
func localesOf(base, head *locale.Set) []inLocale {
	var all []inLocale
	for _, name := range head.Names() {
		all = append(all, inLocale{name, base.Match(name), head.Match(name)})
	}
	for _, name := range base.Names() {
		if id := head.Match(name); head.Name(id) != name {
			all = append(all, inLocale{name, base.Match(name), id})
		}
	}
	return all
}

// recordsOf returns the records that differ.
func recordsOf(changes []domain.Change, base, head *domain.Catalog) []Records {
	var all []Records
	for len(changes) > 0 {
		kind, n := changes[0].Kind, 1
		for n < len(changes) && changes[n].Kind == kind {
			n++
		}
		all = append(all, recordsOfKind(kind, changes[:n], base, head))
		changes = changes[n:]
	}
	return all
}

func recordsOfKind(kind domain.Kind, changes []domain.Change, base, head *domain.Catalog) Records {
	of, d := Records{Kind: kind}, domain.Describe(kind)
	var changed picker
	for _, c := range changes {
		switch c.Op {
		case domain.Added:
			of.Added.add(func() Row {
				c.Fields = d.FieldChanges(d.New(), recordOf(d, head, c.Key))
				return changedRecord(c)
			})
		case domain.Removed:
			of.Removed.add(func() Row {
				c.Fields = d.FieldChanges(recordOf(d, base, c.Key), d.New())
				return changedRecord(c)
			})
		default: // the order of nav groups has no key
			changed.add(func() Row { return changedRecord(c) })
		}
	}
	of.Changed = changed.rows()
	for i := range of.Changed.Examples {
		row := &of.Changed.Examples[i]
		row.withElements(d, recordOf(d, base, cmp.Or(row.Was, row.Key)), recordOf(d, head, row.Key))
	}
	return of
}

// recordOf returns the record with a key, which the catalogue has.
func recordOf(d *domain.Description, c *domain.Catalog, key string) any {
	for i := range d.Size(c) {
		if record := d.Record(c, i); d.Key(record) == key {
			return record
		}
	}
	return d.New()
}

// changedRecord returns a record with the fields that differ. Of a list, the first element comes before
// other fields, and further ones after these: one list may have more changes than fit.
func changedRecord(c domain.Change) Row {
	row := Row{Key: c.Key, Was: c.Was}
	elements, nth := map[string]int{}, make([]int, len(c.Fields))
	var places []int
	for i, f := range c.Fields {
		name, _, _ := strings.Cut(f.Path, "[")
		nth[i] = elements[name]
		elements[name]++
		places = append(places, i)
	}
	slices.SortStableFunc(places, func(i, j int) int { return nth[i] - nth[j] })
	for _, i := range places {
		before, after := around(c.Fields[i].Old, c.Fields[i].New)
		row.add(Member{c.Fields[i].Path, before, after})
	}
	return row
}

// add counts a row, and makes an example of it if there is room.
func (r *Rows) add(row func() Row) {
	r.Total++
	if len(r.Examples) < maxExamples {
		r.Examples = append(r.Examples, row())
	}
}

// add adds a member if there is room, and else counts it.
func (r *Row) add(m Member) {
	if len(r.Members) == maxMembers {
		r.Omitted++
		return
	}
	r.Members = append(r.Members, m)
}

// around returns two values, which are cut around their first difference if they are long.
func around(before, after string) (string, string) {
	a, b := []rune(before), []rune(after)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return window(a, same), window(b, same)
}

// window returns the part of a text around a place.
func window(text []rune, at int) string {
	const context = maxValue / 4 // before the place
	if len(text) <= maxValue {
		return string(text)
	}
	from := min(max(0, at-context), len(text)-maxValue)
	cut := string(text[from : from+maxValue])
	if from > 0 {
		cut = "…" + cut
	}
	if from+maxValue < len(text) {
		cut += "…"
	}
	return cut
}
