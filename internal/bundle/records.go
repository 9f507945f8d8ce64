package bundle

import (
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// decode adds the records of a document (or, in a long list, one record) to c. stem is the name
// of the file without extension.
func (d *decoder) decode(kind *domain.Description, n *node, c *domain.Catalog, stem string) {
	if kind.Long {
		d.record(n, kind.Shape, kind.Grow(c))
		return
	}
	if lists := listsIn(kind.File); len(lists) > 0 {
		d.lists(n, lists, c)
		return
	}
	if kind.Kind == domain.KindCatalog {
		d.locale = defaultLocale(n, d.locale)
	}
	record := kind.Grow(c)
	for _, f := range kind.Shape.Fields {
		if f.InFileName {
			*f.Line(record) = stem
		}
	}
	d.fields(d.document(n, kind.Shape.Name, ""), kind.Shape, record, schemaField)
}

// defaultLocale returns the locale of plain strings in catalog.yaml.
func defaultLocale(n *node, otherwise string) string {
	if v := n.value("default_locale"); v != nil {
		if l := strings.TrimSpace(v.text); l != "" {
			return l
		}
	}
	return otherwise
}

// document is object for a map that is a whole file, which may be empty. list is the probable field of a
// bare list, "" for none.
func (d *decoder) document(n *node, what, list string) *node {
	if n.kind == null || d.bareList(n, what, list) {
		return nil
	}
	return d.object(n, what)
}

// lists decodes a file with lists of records, each under its name.
func (d *decoder) lists(n *node, lists []*domain.Description, c *domain.Catalog) {
	var names []string
	for _, list := range lists {
		names = append(names, list.List)
	}
	m := d.document(n, "a map with "+strings.Join(names, " and "), names[len(names)-1])
	for _, list := range slices.Backward(lists) {
		if d.loneIn(m, list, names) {
			return
		}
	}
	for _, list := range lists {
		for _, item := range d.records(m.value(list.List)) {
			d.record(item, list.Shape, list.Grow(c))
		}
	}
	if m != nil {
		d.onlyFields(m, append([]string{schemaField}, names...)...)
	}
}

// schemaField is a field of files for editors' programs.
const schemaField = "$schema"

// record decodes a map into an empty record of a shape.
func (d *decoder) record(n *node, s *domain.Shape, record any) {
	const short = 60 // bytes that quote does not cut
	if n.kind == text && s.Field("url") != nil && strings.Contains(n.text, "://") && len(n.text) <= short {
		d.wrongType(n, s.Name, `write a map, as {"url": `+quote(n.text)+"}")
		d.fields(nil, s, record)
		return
	}
	d.fields(d.object(n, s.Name), s, record)
}

// fields decodes the fields of a record from a map, nil for none. also are further valid names in
// the map.
func (d *decoder) fields(n *node, s *domain.Shape, record any, also ...string) {
	for _, f := range s.Fields {
		if f.InFileName {
			continue
		}
		value := n.value(f.Name)
		d.field(value, f, record)
		if f.Type == domain.TypeNumber && f.Required && n != nil && (value == nil || value.kind == null) {
			d.lacks(n, f.Name)
		}
	}
	s.SetStandards(record)
	if n == nil {
		return
	}
	for _, key := range n.keys {
		if f := s.Field(key.text); (f == nil || f.InFileName) && !slices.Contains(also, key.text) {
			d.unknown(key, append(also, written(s)...))
		}
	}
}

// written returns the names of the fields that a map may have.
func written(s *domain.Shape) []string {
	var names []string
	for _, f := range s.Fields {
		if !f.InFileName {
			names = append(names, f.Name)
		}
	}
	return names
}

func (d *decoder) field(n *node, f *domain.Field, record any) {
	switch f.Type {
	case domain.TypeText:
		*f.Text(record) = d.localised(n)
	case domain.TypeLines:
		f.SetLines(record, d.strings(n))
	case domain.TypeNumber:
		*f.Number(record) = d.number(n)
	case domain.TypeFigure:
		*f.Figure(record) = d.figure(n, f.Count)
	case domain.TypeJSON:
		*f.Line(record) = d.json(n)
	case domain.TypePart:
		if n != nil && n.kind != null {
			d.record(n, f.Parts, f.Grow(record))
		}
	case domain.TypeParts:
		for _, item := range d.records(n) {
			d.record(item, f.Parts, f.Grow(record))
		}
	case domain.TypeKeyed:
		d.keyed(n, f, record)
	case domain.TypeTable:
		d.table(n, f, record)
	default:
		*f.Line(record) = d.line(n, f)
	}
}

// line decodes a line by its type.
func (d *decoder) line(n *node, f *domain.Field) string {
	if n == nil || n.kind != text && n.kind != number {
		return d.string(n)
	}
	line, wanted, remedy := f.ReadLine(strings.TrimSpace(n.text), n.kind == number)
	if wanted != "" {
		d.wrongType(n, wanted, remedy)
	}
	if f.Type == domain.TypeDate { // records often share dates
		line = d.word(line)
	}
	return line
}

// lacks reports a missing required number: a missing one is not 0.
func (d *decoder) lacks(n *node, name string) {
	d.failed++
	d.report(n, domain.RuleMissingField, name+" is missing or empty", "write the number of "+name)
}

// table decodes parts that are written as a map from their first field to their second.
func (d *decoder) table(n *node, f *domain.Field, record any) {
	d.byKey(n, f, f.Parts.Name, record, func(part any, value *node) {
		f.Parts.Fields[1].SetLines(part, d.strings(value))
	})
}

// keyed decodes parts that are written as a map from their first field to the others.
func (d *decoder) keyed(n *node, f *domain.Field, record any) {
	d.byKey(n, f, "a map to "+f.Parts.Name, record, func(part any, value *node) { d.record(value, f.Parts, part) })
}

// byKey adds a part for each member of a map, sets its first field, and calls decode for the value.
func (d *decoder) byKey(n *node, f *domain.Field, what string, record any, decode func(part any, value *node)) {
	if n == nil || n.kind == null {
		return
	}
	if n.kind != object {
		d.wrongType(n, what, "write "+unquoted(f.Examples[0]))
		return
	}
	d.uniqueKeys(n)
	for i, key := range n.keys {
		if n.indexOf(key.text) == i {
			part := f.Grow(record)
			*f.Parts.Fields[0].Line(part) = key.text
			decode(part, n.items[i])
		}
	}
}

// unquoted converts JSON with only keys to equivalent YAML.
func unquoted(json string) string { return strings.ReplaceAll(json, `"`, "") }
