package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// Object is a JSON object with ordered members.
type (
	Object []Member
	Member [2]any
)

// MarshalJSON implements [json.Marshaler]. It does not escape < and >.
func (o Object) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m[0]); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m[1]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schemas has the JSON Schemas of the shapes that one file refers to. Each shape is defined under
// the name of the first field that has it.
type Schemas struct {
	definitions Object
	names       map[*Shape]string
	shared      string // location of the shared definitions
}

// NewSchemas returns the schemas of a file. The definitions of [SharedSchemas] are in sharedFile,
// "" for the same file.
func NewSchemas(sharedFile string) *Schemas {
	return &Schemas{names: map[*Shape]string{}, shared: sharedFile + "#/$defs/"}
}

// Definitions returns the definitions made so far.
func (s *Schemas) Definitions() Object { return s.definitions }

// Shared returns a reference to a definition of [SharedSchemas].
func (s *Schemas) Shared(name string) Object { return Object{{"$ref", s.shared + name}} }

// SharedSchemas returns the definitions of values that fields of many shapes have.
func SharedSchemas() Object {
	return Object{
		{"text", textSchema},
		{"key", Object{
			{"description", "A key or slug: at most 100 lower-case letters, digits, dots, dashes and underscores, starting with a letter or digit."},
			{"type", "string"},
			{"pattern", formKey.pattern},
		}},
		{"scope", Object{{"description", "Kind of records that categories classify."}, {"enum", formScope.values}}},
		{"amount", figureSchema("A figure: an amount of at least 0.", "number")},
		{"count", figureSchema("A figure: a whole number of at least 0.", "integer")},
	}
}

// Shape defines a shape and returns a reference to it. name is that of the field.
func (s *Schemas) Shape(name string, shape *Shape) Object {
	known, ok := s.names[shape]
	if !ok {
		known = cmp.Or(shape.Term, name)
		s.names[shape] = known
		place := len(s.definitions)
		s.definitions = append(s.definitions, Member{known}) // before those that it refers to
		s.definitions[place][1] = append(Object{{"description", shape.About + "."}}, s.Record(shape)...)
	}
	return Object{{"$ref", "#/$defs/" + known}}
}

// Record returns the schema of a record of a shape. also are further properties.
func (s *Schemas) Record(shape *Shape, also ...Member) Object {
	properties := Object(also)
	var required, alternatives []string
	unless := ""
	for _, f := range shape.Fields {
		if f.InFileName {
			continue
		}
		properties = append(properties, Member{f.Name, s.field(f)})
		if f.Required {
			required = append(required, f.Name)
		}
		if f.RequiredUnless != "" {
			alternatives, unless = append(alternatives, f.Name), f.RequiredUnless
		}
	}
	record := Object{{"type", "object"}, {"properties", properties}}
	if required != nil {
		record = append(record, Member{"required", required})
	}
	if alternatives != nil { // required unless the record has an alternative
		there := Object{{unless, Object{{"type", "string"}, {"minLength", 1}}}}
		record = append(record, Member{"anyOf", []any{
			Object{{"required", alternatives}},
			Object{{"required", []string{unless}}, {"properties", there}},
		}})
	}
	return append(record, Member{"additionalProperties", false})
}

func (s *Schemas) field(f *Field) Object {
	schema := f.Type.schema(f, s)
	if f.About != "" {
		schema = append(schema, Member{"description", f.About + "."})
	}
	if len(f.Examples) > 0 {
		examples := make([]json.RawMessage, len(f.Examples))
		for i, e := range f.Examples {
			examples[i] = json.RawMessage(e)
		}
		schema = append(schema, Member{"examples", examples})
	}
	return schema
}

func orNull(of string) []string { return []string{of, "null"} }
