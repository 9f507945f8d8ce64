package domain

import "vitrine/internal/recordjson"

// tableType is a list of parts with two fields, a line and a list of lines, written as a map from
// the first to the second.
type tableType struct{ partsType }

func (f *Field) columns() (name, lines *Field) { return f.Parts.Fields[0], f.Parts.Fields[1] }

func (tableType) write(w *recordWriter, f *Field, record any) {
	name, lines := f.columns()
	w.Object(func() {
		for i := range f.Size(record) {
			part := f.Part(record, i)
			w.Member(*name.Line(part))
			w.Strings(lines.Lines(part))
		}
	})
}

func (tableType) read(r *recordjson.Reader, f *Field, record any) error {
	name, lines := f.columns()
	return r.Object(func(key []byte) error {
		part := f.Grow(record)
		*name.Line(part) = r.Intern(key)
		return lines.Type.read(r, lines, part)
	})
}

func (tableType) part(f *Field, record, _ any) part {
	name, lines := f.columns()
	p := part{name: f.Name}
	for i := range f.Size(record) {
		element := f.Part(record, i)
		value := joinList(lines.Lines(element))
		p.parts = append(p.parts, part{name: *name.Line(element), value: value, label: value, element: true})
	}
	return p
}

func (tableType) addValues(v *Values, path, name string, f *Field, record any) {
	v.parts(path, name, f, record) // their order has no meaning
}

func (tableType) schema(f *Field, s *Schemas) Object {
	name, lines := f.columns()
	return Object{
		{"type", "object"},
		{"propertyNames", name.Form.schema(s, true)},
		{"additionalProperties", Object{{"type", orNull("array")}, {"items", lines.Form.schema(s, true)}}},
	}
}

func (tableType) formName(*Field) string { return "Map. " }

func (tableType) random(r *Random, f *Field, record any) {
	name, lines := f.columns()
	seen := map[string]bool{}
	for _, key := range r.lines(name) {
		if !seen[key] {
			seen[key] = true
			part := f.Grow(record)
			*name.Line(part) = key
			lines.SetLines(part, r.lines(lines))
		}
	}
}
