package domaintest

import "vitrine/internal/domain"

// Complete sets each field without a value in the first record, or part, that may have it. The
// values are deterministic; rules of several fields may not hold. It adds values of new fields to
// the written catalogues of tests.
func Complete(c *domain.Catalog) {
	r := last(c, "completed")
	var fields []*domain.Field
	first := map[*domain.Field]func(){} // nil for a field that some record has
	var visit func(s *domain.Shape, record any)
	visit = func(s *domain.Shape, record any) {
		for _, f := range s.Fields {
			if _, seen := first[f]; !seen {
				fields = append(fields, f)
				first[f] = func() { r.Redraw(s, f, record) }
			}
			if !f.IsEmpty(record) {
				first[f] = nil
			}
			if f.Parts == nil || f.Type == domain.TypeTable {
				continue
			}
			for i := range f.Size(record) {
				visit(f.Parts, f.Part(record, i))
			}
		}
	}
	for _, d := range domain.Descriptions() {
		for i := range d.Size(c) {
			visit(d.Shape, d.Record(c, i))
		}
	}
	for _, f := range fields {
		if set := first[f]; set != nil && f.Implied == "" {
			set()
		}
	}
}

// AddFull adds a record of a kind with values for all fields except references to kinds without
// records. The record is deterministic. It may break rules of the kind other than those of its
// fields.
func AddFull(c *domain.Catalog, d *domain.Description) {
	last(c, keyOf(d, 0)).Record(d.Shape, d.Grow(c))
}

// last returns the source of values that always chooses the last value.
func last(c *domain.Catalog, own string) *domain.Random {
	r := &domain.Random{Int: func(n int) int { return n - 1 }, Own: own, Locales: c.Locales}
	r.Key = func(kind domain.Kind, scope domain.Module) string {
		if kind == domain.KindGroup || kind == domain.KindCategory {
			return (&generator{c: c}).key(r, kind, scope)
		}
		keys := append([]string{""}, domain.Describe(kind).Keys(c)...)
		return keys[len(keys)-1]
	}
	return r
}
