package domain

import "strconv"

// Random sets fields to random values for tests (see package domaintest). Values are valid and
// from small sets, so that records share some.
type Random struct {
	// Int returns a number from 0 to n-1.
	Int func(n int) int
	// Key returns the key of a record of a kind, for categories with a scope unless that is "";
	// "" if there is none.
	Key func(kind Kind, scope Module) string
	// Own is the key of the record. Locales has the locales of its texts, the default one first.
	Own     string
	Locales []string
	// Arbitrary returns any string, and ArbitraryNumber any number. If they are set, values may
	// be invalid.
	Arbitrary       func() string
	ArbitraryNumber func() float64
}

// Record sets all required fields of an empty record, and some others.
func (r *Random) Record(s *Shape, record any) {
	for _, f := range s.Fields {
		if f.Required && r.Arbitrary == nil || r.Int(3) > 0 {
			f.Type.random(r, f, record)
		}
	}
	for _, f := range s.Fields {
		if r.Arbitrary == nil && f.IsEmpty(record) && s.Requires(f, record) {
			f.Type.random(r, f, record)
		}
	}
	s.SetStandards(record)
}

// Edit changes one field of a record, or of a part in it; never a key.
func (r *Random) Edit(s *Shape, record any) {
	var fields []*Field
	for _, f := range s.Fields {
		if !f.key {
			fields = append(fields, f)
		}
	}
	f := fields[r.Int(len(fields))]
	if f.Parts != nil && f.Type != TypeTable && !f.IsEmpty(record) && r.Int(3) > 0 {
		i := r.Int(f.Size(record))
		r.within(f, i, func() { r.Edit(f.Parts, f.Part(record, i)) })
		return
	}
	r.Redraw(s, f, record)
}

// Redraw changes a field of a record; an optional one may be cleared.
func (r *Random) Redraw(s *Shape, f *Field, record any) {
	f.Clear(record)
	if s.Requires(f, record) || r.Int(3) > 0 {
		f.Type.random(r, f, record)
	}
	s.SetStandards(record)
}

// part adds the i-th part of a list.
func (r *Random) part(f *Field, record any, i int) {
	r.within(f, i, func() { r.Record(f.Parts, f.Grow(record)) })
}

// within calls draw with the key of the i-th part of a list.
func (r *Random) within(f *Field, i int, draw func()) {
	outer := r.Own
	r.Own = outer + "_" + f.Name + strconv.Itoa(i)
	draw()
	r.Own = outer
}

// size returns the number of elements of a list.
func (r *Random) size(f *Field) int {
	if f.Required && r.Arbitrary == nil {
		return 1 + r.Int(2)
	}
	return r.Int(3)
}

func (r *Random) choose(from ...string) string { return from[r.Int(len(from))] }

func (r *Random) text(valid ...string) string {
	if r.Arbitrary != nil {
		return r.Arbitrary()
	}
	return r.choose(valid...)
}

func (r *Random) number(valid ...float64) float64 {
	if r.ArbitraryNumber != nil {
		return r.ArbitraryNumber()
	}
	return valid[r.Int(len(valid))]
}

func (r *Random) locales() []string {
	if r.Arbitrary == nil {
		return r.Locales
	}
	var locales []string
	for range r.Int(3) {
		locales = append(locales, r.Arbitrary())
	}
	return unique(locales)
}

// line returns a line with the form of a field, or a key of a record that the field refers to.
func (r *Random) line(f *Field) string {
	switch {
	case r.Arbitrary != nil:
		return r.Arbitrary()
	case f.Refers != "":
		return r.Key(f.Refers, f.Scope)
	case f.Name == formerField:
		return "was_" + r.Own
	case f.Form == nil: // a text
		return r.choose(formAny.samples...)
	case f.Form == formLocale:
		return r.choose(r.Locales...)
	case f.Form.Values() != nil:
		return r.choose(f.Form.Values()...)
	case f.key:
		return r.Own
	case f.Name == idField, f.Form.samples == nil:
		return f.Name + "_" + r.Own
	}
	return r.choose(f.Form.samples...)
}

// lines returns distinct lines.
func (r *Random) lines(f *Field) []string {
	var lines []string
	for range r.size(f) {
		if line := r.line(f); line != "" || r.Arbitrary != nil {
			lines = append(lines, line)
		}
	}
	if r.Arbitrary != nil {
		return lines
	}
	return unique(lines)
}

func unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
