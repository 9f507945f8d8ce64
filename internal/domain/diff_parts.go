package domain

import (
	"cmp"
	"strconv"
	"strings"
)

// part is a field of a record, or an element of a list in it, as text.
type part struct {
	name    string
	value   string // of a field without parts
	seen    string // what readers see, if two values may look the same; else ""
	label   string // name of an element, for readers
	element bool
	figure  bool
	parts   []part
	since   int // see date
}

// difference is a FieldChange under construction. old or new is the removed or added element of a
// list; both are nil for any other difference.
type difference struct {
	FieldChange
	old, new *part
	list     string // path of that list
	name     name
}

// diffParts compares the parts of a field or record. Fields have a fixed order, so only the order
// of elements can differ.
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

func stringPart(name, value string) part { return part{name: name, value: value} }

// joinList formats a list unambiguously: it quotes elements that could be mistaken for others.
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

// parts returns the fields of a record except its key.
func (d *Description) parts(record any) []part {
	return d.Shape.parts(record, d.withDerived(record))
}

// parts gets the record a second time with all ids.
func (s *Shape) parts(record, full any) []part {
	var parts []part
	for _, f := range s.Fields {
		if !f.key {
			parts = append(parts, f.Type.part(f, record, full))
		}
	}
	return parts
}
