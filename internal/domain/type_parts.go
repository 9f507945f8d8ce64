package domain

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/recordjson"
)

// partType is a record of another shape, or none; partsType is a list of such records.
type (
	partType  struct{ partsType }
	partsType struct{}
)

func partField[R, P any](name string, shape *Shape, at func(*R) **P) *Field {
	return &Field{
		Name: name, Type: TypePart, Parts: shape,
		Size: func(r any) int {
			if *at(r.(*R)) == nil {
				return 0
			}
			return 1
		},
		Part: func(r any, _ int) any { return *at(r.(*R)) },
		Grow: func(r any) any {
			part := at(r.(*R))
			*part = new(P)
			return *part
		},
		clearParts: func(r any) { *at(r.(*R)) = nil },
		Equal: func(a, b any) bool {
			x, y := *at(a.(*R)), *at(b.(*R))
			if x == nil || y == nil {
				return x == y
			}
			return shape.Equal(x, y)
		},
	}
}

func partsField[R, P any](t Type, name string, shape *Shape, at func(*R) *[]P) *Field {
	return &Field{
		Name: name, Type: t, Parts: shape,
		Size: func(r any) int { return len(*at(r.(*R))) },
		Part: func(r any, i int) any { return &(*at(r.(*R)))[i] },
		Grow: func(r any) any {
			list := at(r.(*R))
			*list = append(*list, *new(P))
			return &(*list)[len(*list)-1]
		},
		clearParts: func(r any) { *at(r.(*R)) = nil },
		Equal: func(a, b any) bool {
			return slices.EqualFunc(*at(a.(*R)), *at(b.(*R)), func(x, y P) bool { return shape.Equal(&x, &y) })
		},
	}
}

func (partsType) isEmpty(f *Field, record any) bool { return f.Size(record) == 0 }

func (partType) check(ck *checker, at Ref, f *Field, record any) {
	ck.fields(at.in(f.Name), f.Parts, f.Part(record, 0))
}

func (partsType) check(ck *checker, at Ref, f *Field, record any) {
	for i := range f.Size(record) {
		ck.fields(at.in(f.Name).at(i), f.Parts, f.Part(record, i))
	}
}

func (partType) write(w *recordWriter, f *Field, record any) { w.record(f.Parts, f.Part(record, 0)) }

func (partsType) write(w *recordWriter, f *Field, record any) {
	w.List(f.Size(record), func(i int) { w.record(f.Parts, f.Part(record, i)) })
}

// read reads a record of the shape.
func (s *Shape) read(r *recordjson.Reader, record any) error {
	err := r.Object(func(name []byte) error {
		f := s.Field(string(name))
		if f == nil || f.InFileName {
			return fmt.Errorf("there is no field %q", name)
		}
		if err := f.Type.read(r, f, record); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.SetStandards(record)
	return nil
}

func (partType) read(r *recordjson.Reader, f *Field, record any) error {
	return f.Parts.read(r, f.Grow(record))
}

func (partsType) read(r *recordjson.Reader, f *Field, record any) error {
	return r.List(func() error { return f.Parts.read(r, f.Grow(record)) })
}

func (partType) part(f *Field, record, _ any) part {
	p := part{name: f.Name}
	if f.Size(record) > 0 {
		one := f.Part(record, 0)
		p.parts = f.Parts.parts(one, one)
	}
	return p
}

func (partsType) part(f *Field, record, full any) part {
	if f.Parts.asLine != nil {
		return stringPart(f.Name, joinList(f.asLines(record)))
	}
	p := part{name: f.Name}
	for i := range f.Size(record) {
		element := f.Part(record, i)
		p.parts = append(p.parts, part{
			name: f.Parts.keyOf(element), label: f.Parts.labelOf(element), element: true,
			parts: f.Parts.parts(element, f.Part(full, i)),
		})
	}
	return p
}

// asLines formats the parts as lines (see [Shape.asLine]).
func (f *Field) asLines(record any) []string {
	lines := make([]string, f.Size(record))
	for i := range lines {
		lines[i] = f.Parts.asLine(f.Part(record, i))
	}
	return lines
}

func (partType) addValues(v *Values, path, name string, f *Field, record any) {
	if f.Size(record) > 0 {
		v.add(Value{Path: path, Name: name})
		v.fields(path, name, f.Parts.Fields, f.Part(record, 0))
	}
}

func (partsType) addValues(v *Values, path, name string, f *Field, record any) {
	if f.Parts.asLine != nil {
		v.lines(path, name, false, f.asLines(record), f.link)
		return
	}
	v.list(v.parts(path, name, f, record))
}

// parts adds the parts of a list or table, and returns their paths.
func (v *Values) parts(path, name string, f *Field, record any) []string {
	parts := make([]any, f.Size(record))
	for i := range parts {
		parts[i] = f.Part(record, i)
	}
	free, link := false, f.link
	var rest []*Field
	for _, f := range f.Parts.Fields {
		if f.key {
			free, link = f.Type.isFree(f), f.link
		} else {
			rest = append(rest, f)
		}
	}
	short := name[strings.LastIndexByte(name, '.')+1:]
	paths := make([]string, len(parts))
	for i, n := range names(parts, f.Parts.keyOf) {
		paths[i] = v.element(path, short, n, free, link)
		v.inner++
		v.fields(paths[i], short, rest, parts[i])
		v.inner--
	}
	return paths
}

func (partsType) appendTexts(texts []string, f *Field, record any) []string {
	for i := range f.Size(record) {
		for _, part := range f.Parts.Fields {
			texts = part.Type.appendTexts(texts, part, f.Part(record, i))
		}
	}
	return texts
}

func (partsType) isFree(*Field) bool { return false }

func (partType) schema(f *Field, s *Schemas) Object {
	if f.Required {
		return s.Shape(f.Name, f.Parts)
	}
	return Object{{"anyOf", []any{s.Shape(f.Name, f.Parts), Object{{"type", "null"}}}}}
}

func (partsType) schema(f *Field, s *Schemas) Object {
	if f.Required {
		return Object{{"type", "array"}, {"items", s.Shape(f.Name, f.Parts)}, {"minItems", 1}}
	}
	return Object{{"type", orNull("array")}, {"items", s.Shape(f.Name, f.Parts)}}
}

func (partType) formName(*Field) string { return "Map. " }

func (partsType) formName(*Field) string { return "List. " }

func (partsType) clear(f *Field, record any) { f.clearParts(record) }

func (partType) random(r *Random, f *Field, record any) { r.Record(f.Parts, f.Grow(record)) }

func (partsType) random(r *Random, f *Field, record any) {
	for i := range r.size(f) {
		r.part(f, record, i)
	}
}
