package domain

import (
	"strconv"

	"vitrine/internal/recordjson"
)

// keyedType is a list of parts, written as a map from their first field, a line that is InFileName, to
// the others.
type keyedType struct{ partsType }

func (f *Field) keyOf(record any, i int) *string { return f.Parts.Fields[0].Line(f.Part(record, i)) }

func (keyedType) check(ck *checker, at Ref, f *Field, record any) {
	for i := range f.Size(record) {
		key := *f.keyOf(record, i)
		part := at.in(f.Name, key)
		if key == "" {
			ck.missingField(part, f.Parts.Fields[0])
		}
		ck.fields(part, f.Parts, f.Part(record, i))
	}
}

func (keyedType) write(w *recordWriter, f *Field, record any) {
	w.Object(func() {
		for i := range f.Size(record) {
			w.Member(*f.keyOf(record, i))
			w.record(f.Parts, f.Part(record, i))
		}
	})
}

func (keyedType) read(r *recordjson.Reader, f *Field, record any) error {
	return r.Object(func(key []byte) error {
		part := f.Grow(record)
		*f.Parts.Fields[0].Line(part) = r.Intern(key)
		return f.Parts.read(r, part)
	})
}

func (keyedType) schema(f *Field, s *Schemas) Object {
	of := Object{
		{"type", orNull("object")},
		{"propertyNames", f.Parts.Fields[0].Form.schema(s, true)},
		{"additionalProperties", s.Shape(f.Name, f.Parts)},
	}
	if f.Required {
		of[0] = Member{"type", "object"}
		of = append(of, Member{"minProperties", 1})
	}
	return of
}

func (keyedType) formName(*Field) string { return "Map. " }

func (keyedType) random(r *Random, f *Field, record any) {
	for i := range r.size(f) {
		r.part(f, record, i)
		if r.Arbitrary != nil { // keys must differ
			*f.keyOf(record, i) += strconv.Itoa(i)
		}
	}
}
