package domaintest

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// mostSeeds bounds the catalogues in which [Shows] searches for a difference.
const mostSeeds = 60

// Shows requires that each text that show returns for a record of a kind depends on each field:
// the texts of two records that differ only in that field must differ. show returns the texts by
// name. hidden has, by name, the paths of the fields that a text leaves out. Keys are exempt.
func Shows(t *testing.T, kind domain.Kind, hidden map[string][]string, show func(c *domain.Catalog, key string) map[string]string) {
	t.Helper()
	d := domain.Describe(kind)
	for path, f := range fieldsOf("", d.Shape) {
		if path == d.Shape.Fields[0].Name {
			continue
		}
		var alike []string // texts without a difference so far
		pairs := 0
		for seed := 0; seed < mostSeeds && (pairs == 0 || len(alike) > 0); seed++ {
			c := Valid(6).Example(seed)
			edited := WithField(c, d, f, seed)
			changes := domain.Diff(c, edited)
			if len(changes) != 1 || !isOf(changes[0], d, path) {
				continue
			}
			before, after := show(c, changes[0].Key), show(edited, changes[0].Key)
			same := func(name string) bool { return before[name] == after[name] }
			if pairs++; pairs == 1 {
				for name := range before {
					if !slices.Contains(hidden[name], path) {
						alike = append(alike, name)
					}
				}
			}
			alike = slices.DeleteFunc(alike, func(name string) bool { return !same(name) })
		}
		slices.Sort(alike)
		for _, name := range alike {
			t.Errorf("%s: the %s is the same for %d records that differ in %s alone", kind, name, pairs, path)
		}
		if pairs == 0 {
			t.Errorf("%s: no two records differ in %s alone", kind, path)
		}
	}
}

// fieldsOf yields the fields of a shape and of their parts by path, in the order of the shape.
func fieldsOf(prefix string, s *domain.Shape) iter.Seq2[string, *domain.Field] {
	return func(yield func(string, *domain.Field) bool) {
		for _, f := range s.Fields {
			if !yield(prefix+f.Name, f) {
				return
			}
			if f.Parts == nil || f.Type == domain.TypeTable {
				continue
			}
			for path, part := range fieldsOf(prefix+f.Name+".", f.Parts) {
				if !yield(path, part) {
					return
				}
			}
		}
	}
}

// isOf reports whether a change is one of the field at the beginning of a path.
func isOf(change domain.Change, d *domain.Description, path string) bool {
	name, _, _ := strings.Cut(path, ".")
	return change.Kind == d.Kind && change.Op == domain.Changed && !slices.ContainsFunc(change.Fields, func(f domain.FieldChange) bool {
		rest, ok := strings.CutPrefix(f.Path, name)
		return !ok || rest != "" && !strings.ContainsAny(rest[:1], ".[")
	})
}
