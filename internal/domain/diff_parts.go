package domain

import (
	"cmp"
	"strconv"
	"strings"
)

// part is a field of a record or an element of a list in it, as text.
type part struct {
	name    string
	value   string // of a field without parts of its own
	seen    string // what readers see for it, where that may be the same for two values; else ""
	label   string // what an element is called, for people
	element bool
	figure  bool
	parts   []part
	since   int // see date
}

// difference is a FieldChange in the making. Old or new is the element where one
// is gone from a list or new in it, and both are nil for any other difference.
type difference struct {
	FieldChange
	old, new *part
	list     string // path of that list
	name     name
}

// diffParts compares the parts of one field or record. Fields come in a fixed
// order, so that only the order of elements can differ.
func diffParts(path string, old, new []part) []difference {
	var changes []difference
	pairs := match(old, new, func(p part) string { return p.name }, func(p part) string { return p.label })
	for _, p := range pairs {
		changes = append(changes, diffPart(path, p)...)
	}
	if len(pairs) > 0 && cmp.Or(pairs[0].old, pairs[0].new).element {
		changes = append(changes, diffOrder(path, pairs)...)
	}
	return changes
}

func diffPart(path string, p pair[part]) []difference {
	old, new := cmp.Or(p.old, &part{}), cmp.Or(p.new, &part{})
	switch {
	case old.element != new.element:
		return []difference{{
			FieldChange: FieldChange{Path: path + "[" + p.name.String() + "]", Old: old.label, New: new.label},
			old:         p.old, new: p.new, list: path, name: p.name,
		}}
	case old.element:
		path += "[" + p.name.String() + "]"
	case path == "":
		path = p.name.String()
	default:
		path += "." + p.name.String()
	}
	if old.value != new.value && (old.seen == "" || old.seen != new.seen) {
		return []difference{{FieldChange: FieldChange{Path: path, Old: old.value, New: new.value}}}
	}
	return diffParts(path, old.parts, new.parts)
}

// Constructors of parts, one for each sort of field.

func stringPart(name, value string) part { return part{name: name, value: value} }

func listPart[S ~string](name string, list []S) part { return stringPart(name, joinList(list)) }

func numberPart(name string, v float64) part { return stringPart(name, formatNumber(v)) }

func textPart(name string, t Text) part {
	p := part{name: name}
	for _, tr := range t {
		p.parts = append(p.parts, stringPart(tr.Locale, tr.Value))
	}
	return p
}

func figurePart(name string, f *Figure) part {
	p := part{name: name, figure: true}
	if f != nil {
		p.parts = []part{numberPart("value", f.Value), stringPart("source", f.Source), stringPart("as_of", string(f.AsOf))}
	}
	return p
}

// formatNumber writes v without an exponent, the way editors write numbers.
func formatNumber(v float64) string {
	return strconv.FormatFloat(v+0, 'f', -1, 64) // -0 + 0 is 0
}

// joinList writes a list so that different lists are different texts: an
// element that could be mistaken for another is quoted.
func joinList[S ~string](list []S) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
		if s == "" || strings.ContainsAny(out[i], `,"`) || strings.TrimSpace(out[i]) != out[i] {
			out[i] = strconv.Quote(out[i])
		}
	}
	return strings.Join(out, ", ")
}

// parts returns the fields of a record but for those that it is known by.
func (d *Description) parts(record any) []part {
	return d.Shape.parts(record, d.withDerived(record))
}

// parts is given the record a second time with all ids.
func (s *Shape) parts(record, full any) []part {
	var parts []part
	for _, f := range s.Fields {
		if !f.key {
			parts = append(parts, f.part(record, full))
		}
	}
	return parts
}

func (f *Field) part(record, full any) part {
	switch f.Type {
	case TypeText:
		return textPart(f.Name, *f.text(record))
	case TypeLines:
		return listPart(f.Name, f.lines(record))
	case TypeNumber:
		return numberPart(f.Name, *f.number(record))
	case TypeFigure:
		return figurePart(f.Name, *f.figure(record))
	case TypeParts, TypeTable:
		return f.elements(record, full)
	case TypePart:
		p := part{name: f.Name}
		if f.Size(record) > 0 {
			one := f.Part(record, 0)
			p.parts = f.Parts.parts(one, one)
		}
		return p
	}
	p := stringPart(f.Name, *f.line(record))
	if full != record { // that an id is written down, or no longer, is no difference to readers
		p.seen = *f.line(full)
	}
	return p
}

// elements are the parts of a list in a record.
func (f *Field) elements(record, full any) part {
	p := part{name: f.Name}
	if f.Parts.asLine != nil {
		lines := make([]string, f.Size(record))
		for i := range lines {
			lines[i] = f.Parts.asLine(f.Part(record, i))
		}
		return listPart(f.Name, lines)
	}
	for i := range f.Size(record) {
		element, whole := f.Part(record, i), f.Part(full, i)
		e := part{name: f.Parts.keyOf(element), label: f.Parts.labelOf(element), element: true}
		if f.Type == TypeTable {
			e.value = joinList(f.Parts.Fields[1].lines(element))
			e.label = e.value
		} else {
			e.parts = f.Parts.parts(element, whole)
		}
		p.parts = append(p.parts, e)
	}
	return p
}
