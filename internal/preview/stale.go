package preview

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// Stale are texts that changed in the default locale, whose translations stayed and may be stale.
type Stale struct {
	Kind    domain.Kind `json:"kind"`
	Field   string      `json:"field"`   // `name`, `groups.items.cards.title`
	Locales []string    `json:"locales"` // of the translations
	Records Rows        `json:"records"`
}

// staleIn returns the stale translations of changed records, by kind, field and locales; none if
// the default locale changes.
func staleIn(changes []domain.Change, base, head *domain.Catalog) []Stale {
	if base.DefaultLocale != head.DefaultLocale {
		return []Stale{}
	}
	all := []Stale{}
	before, after := map[domain.Kind]map[string]any{}, map[domain.Kind]map[string]any{}
	for _, c := range changes {
		d := domain.Describe(c.Kind)
		if c.Op != domain.Changed || !changesText(d, c.Fields, head.DefaultLocale) {
			continue
		}
		if before[c.Kind] == nil {
			before[c.Kind], after[c.Kind] = recordsByKey(d, base), recordsByKey(d, head)
		}
		was, is := before[c.Kind][cmp.Or(c.Was, c.Key)], after[c.Kind][c.Key]
		if was == nil || is == nil {
			continue
		}
		for field, locales := range staleTexts(d, c.Fields, was, is, head) {
			if len(locales) == 0 {
				continue
			}
			i := slices.IndexFunc(all, func(s Stale) bool { return s.Kind == c.Kind && s.Field == field && slices.Equal(s.Locales, locales) })
			if i < 0 {
				i = len(all)
				all = append(all, Stale{Kind: c.Kind, Field: field, Locales: locales})
			}
			all[i].Records.add(func() Row { return Row{Key: c.Key} })
		}
	}
	kinds := domain.Kinds()
	slices.SortFunc(all, func(a, b Stale) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)), strings.Compare(a.Field, b.Field), slices.Compare(a.Locales, b.Locales))
	})
	return all
}

func recordsByKey(d *domain.Description, c *domain.Catalog) map[string]any {
	all := make(map[string]any, d.Size(c))
	for i := range d.Size(c) {
		record := d.Record(c, i)
		all[d.Key(record)] = record
	}
	return all
}

// changesText reports whether a text changes in a locale.
func changesText(d *domain.Description, fields []domain.FieldChange, locale string) bool {
	return slices.ContainsFunc(fields, func(f domain.FieldChange) bool { _, ok := textPath(d, f, locale); return ok })
}

// textPath returns the path of a text that changes in a locale, without the locale.
func textPath(d *domain.Description, f domain.FieldChange, locale string) (path string, ok bool) {
	path, ok = strings.CutSuffix(f.Path, "."+locale)
	name := path[:strings.IndexAny(path+".", ".[")]
	of := d.Shape.Field(name)
	return path, ok && f.Old != "" && f.New != "" && of != nil && of.Type != domain.TypeJSON
}

// staleTexts returns the locales of the stale translations of a record, in the order of the catalogue,
// by field.
func staleTexts(d *domain.Description, fields []domain.FieldChange, before, after any, c *domain.Catalog) map[string][]string {
	old, new := textsOf(d, before), textsOf(d, after)
	stale := map[string][]string{}
	for _, f := range fields {
		path, ok := textPath(d, f, c.DefaultLocale)
		if !ok {
			continue
		}
		field := withoutBrackets(path)
		was, is := textWith(old[field], c.DefaultLocale, f.Old), textWith(new[field], c.DefaultLocale, f.New)
		for _, locale := range c.Locales {
			a, written := was.In(locale)
			b, stays := is.In(locale)
			if written && stays && a == b && locale != c.DefaultLocale && !slices.Contains(stale[field], locale) {
				stale[field] = append(stale[field], locale)
			}
		}
	}
	return stale
}

// textsOf returns the texts of a record by field.
func textsOf(d *domain.Description, record any) map[string][]domain.Text {
	all := map[string][]domain.Text{}
	d.Shape.EachText(record, func(field string, t domain.Text) { all[field] = append(all[field], t) })
	return all
}

// textWith returns the first text with a value in a locale, nil for none.
func textWith(texts []domain.Text, locale, value string) domain.Text {
	for _, t := range texts {
		if v, ok := t.In(locale); ok && v == value {
			return t
		}
	}
	return nil
}

// withoutBrackets returns a path without the keys of list elements.
func withoutBrackets(path string) string {
	var out strings.Builder
	depth := 0
	for _, r := range path {
		switch {
		case r == '[':
			depth++
		case r == ']' && depth > 0:
			depth--
		case depth == 0:
			out.WriteRune(r)
		}
	}
	return out.String()
}
