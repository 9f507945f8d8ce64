// Package domaintest makes catalogues for tests, by the descriptions of their
// fields: a new field is in them.
package domaintest

import (
	"cmp"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// Any makes catalogues of any content, valid or not. As in all that is read,
// lists are nil or have elements, the names in a map and the keys of records
// differ, and a line that has a standard is not empty.
func Any() *rapid.Generator[*domain.Catalog] {
	return rapid.Custom(func(t *rapid.T) *domain.Catalog {
		c := new(domain.Catalog)
		for _, d := range domain.Descriptions() {
			n := 1
			if d.Kind != domain.KindCatalog {
				n = few(t, string(d.Kind))
			}
			for range n {
				fill(t, d.Shape, d.Grow(c))
			}
		}
		Unique(c)
		return c
	})
}

// Unique takes away the records whose key one before them has.
func Unique(c *domain.Catalog) {
	for _, d := range domain.Descriptions() {
		var records []any
		for i := range d.Size(c) {
			records = append(records, d.Record(c, i))
		}
		records = different(records, func(r any) string { return d.Identity(d.Key(r)) })
		d.Fill(c, len(records), func(i int) any { return records[i] })
	}
}

func few(t *rapid.T, label string) int { return rapid.IntRange(0, 3).Draw(t, label) }

func line(t *rapid.T, label string) string { return rapid.String().Draw(t, label) }

// fill gives every field of a record a value or none.
func fill(t *rapid.T, s *domain.Shape, record any) {
	for _, f := range s.Fields {
		switch f.Type {
		case domain.TypeText:
			var text domain.Text
			for _, locale := range names(t, f.Name) {
				text = append(text, domain.Translation{Locale: locale, Value: line(t, f.Name)})
			}
			*f.Text(record) = text
		case domain.TypeLines:
			f.SetLines(record, lines(t, f.Name))
		case domain.TypeNumber:
			*f.Number(record) = rapid.Float64().Draw(t, f.Name)
		case domain.TypeFigure:
			if rapid.Bool().Draw(t, f.Name) {
				*f.Figure(record) = &domain.Figure{
					Value: rapid.Float64().Draw(t, f.Name), Source: line(t, f.Name), AsOf: domain.Date(line(t, f.Name)),
				}
			}
		case domain.TypeJSON:
			*f.Line(record) = rapid.SampledFrom([]string{"", `{}`, `{"b":[1.0,{"a":null}],"a":12345678901234567890}`}).Draw(t, f.Name)
		case domain.TypePart:
			if rapid.Bool().Draw(t, f.Name) {
				fill(t, f.Parts, f.Grow(record))
			}
		case domain.TypeParts:
			for range few(t, f.Name) {
				fill(t, f.Parts, f.Grow(record))
			}
		case domain.TypeTable:
			for _, name := range names(t, f.Name) {
				part := f.Grow(record)
				*f.Parts.Fields[0].Line(part) = name
				f.Parts.Fields[1].SetLines(part, lines(t, f.Name))
			}
		default:
			*f.Line(record) = cmp.Or(line(t, f.Name), f.Standard(record))
		}
	}
}

func lines(t *rapid.T, label string) []string {
	var lines []string
	for range few(t, label) {
		lines = append(lines, line(t, label))
	}
	return lines
}

// names are different lines.
func names(t *rapid.T, label string) []string {
	return different(lines(t, label), func(name string) string { return name })
}

// different returns the first element of each key, nil for none.
func different[E any](list []E, key func(E) string) []E {
	seen := map[string]bool{}
	var out []E
	for _, e := range list {
		if k := key(e); !seen[k] {
			seen[k] = true
			out = append(out, e)
		}
	}
	return out
}
