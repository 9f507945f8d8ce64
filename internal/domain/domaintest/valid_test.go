package domaintest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// TestValidSetsEveryField generates catalogues until each field of each shape had two different
// values. The seeds are fixed, so that it is deterministic.
func TestValidSetsEveryField(t *testing.T) {
	values := map[*domain.Field]map[string]bool{}
	var see func(s *domain.Shape, record any)
	see = func(s *domain.Shape, record any) {
		for _, f := range s.Fields {
			if values[f] == nil {
				values[f] = map[string]bool{}
			}
			if f.IsEmpty(record) {
				continue
			}
			one := &domain.Shape{Fields: []*domain.Field{f}}
			body, err := one.AppendJSON(nil, record, "")
			if err != nil {
				t.Fatal(err)
			}
			if f.InFileName {
				body = []byte(*f.Line(record))
			}
			values[f][string(body)] = true
			if f.Parts != nil && f.Type != domain.TypeTable {
				for i := range f.Size(record) {
					see(f.Parts, f.Part(record, i))
				}
			}
		}
	}
	fixed := map[string]bool{"default_locale": true, "locales": true, "locale": true} // few acceptances have a locale
	var lacking []string
	for seed := range 500 {
		c := Valid(12).Example(seed)
		for _, d := range domain.Descriptions() {
			for i := range d.Size(c) {
				see(d.Shape, d.Record(c, i))
			}
		}
		lacking = nil
		for f, seen := range values {
			if len(seen) < 2 && !fixed[f.Name] && f.Implied == "" {
				lacking = append(lacking, fmt.Sprintf("%s (%s): %v", f.Name, f.About, slices.Collect(maps.Keys(seen))))
			}
		}
		if len(lacking) == 0 {
			t.Logf("%d fields after %d catalogues", len(values), seed+1)
			return
		}
	}
	t.Errorf("fields without two values:\n%s", strings.Join(lacking, "\n"))
}

// TestEdited checks that edits are valid and do not modify the catalogue.
func TestEdited(t *testing.T) {
	differ := 0
	rapid.Check(t, func(t *rapid.T) {
		c := Valid(12).Draw(t, "catalogue")
		before := *c
		edited := Edited(c).Draw(t, "edited")
		if changes := domain.Diff(&before, c); changes != nil {
			t.Fatalf("editing changed the catalogue: %v", changes)
		}
		if domain.Diff(c, edited) != nil {
			differ++
		}
	})
	if differ == 0 {
		t.Error("no edit changed the catalogue")
	}
}
