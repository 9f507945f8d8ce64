// Package domaintest generates catalogues for tests. Records follow the field descriptions, so
// all tests cover new fields.
package domaintest

import (
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// Any generates catalogues of any content, valid or not. As after reading, lists are nil or
// non-empty, names in a map and keys of records are distinct, and a line with a default is not
// empty.
func Any() *rapid.Generator[*domain.Catalog] {
	return rapid.Custom(func(t *rapid.T) *domain.Catalog {
		r := &domain.Random{
			Int:             func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") },
			Arbitrary:       func() string { return rapid.String().Draw(t, "string") },
			ArbitraryNumber: func() float64 { return rapid.Float64().Draw(t, "number") },
		}
		c := new(domain.Catalog)
		for _, d := range domain.Descriptions() {
			n := 1
			if d.Kind != domain.KindCatalog {
				n = rapid.IntRange(0, 3).Draw(t, string(d.Kind))
			}
			for range n {
				r.Record(d.Shape, d.Grow(c))
			}
		}
		Unique(c)
		return c
	})
}

// Unique removes records with the key of an earlier one.
func Unique(c *domain.Catalog) {
	for _, d := range domain.Descriptions() {
		seen := map[string]bool{}
		var records []any
		for i := range d.Size(c) {
			record := d.Record(c, i)
			if key := d.Identity(d.Key(record)); !seen[key] {
				seen[key] = true
				records = append(records, record)
			}
		}
		d.Fill(c, len(records), func(i int) any { return records[i] })
	}
}
