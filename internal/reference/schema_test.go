// Package reference generates in its tests what editors read about the fields of records: JSON Schemas
// (draft 2020-12) for completion and checks in editors, and the tables of docs/directory.md. Both follow
// from the descriptions of package domain.
//
// The schemas describe shapes only; domain.Check decides validity. A test of package bundle checks
// that a document that violates a schema is rejected by package bundle too.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/recordjson"
)

// Schemas returns the schemas by name without extension: those of files, and those of one record of a
// long list (a line of NDJSON). They refer to each other by file name, such as chain.json.
func Schemas() map[string][]byte {
	files := map[string]object{}
	lists := map[string][]*domain.Description{}
	for _, d := range domain.Descriptions() {
		switch {
		case d.Raw: // its files are no documents
		case d.Long:
			files[d.Names[0]] = recordFile(d)
			files[d.File] = longFile(d)
		case d.List != "":
			lists[d.File] = append(lists[d.File], d)
		default:
			files[d.Names[0]] = recordFile(d)
		}
	}
	for name, kinds := range lists {
		files[name] = listsFile(name, kinds)
	}
	files["catalog"] = files[own]
	delete(files, own)
	out := map[string][]byte{}
	for name, schema := range files {
		out[name] = indented(schema)
	}
	return out
}

// own is the title of the kind of the catalogue's own fields.
const own = "catalogue"

type (
	object = recordjson.Object
	member = recordjson.Member
)

func indented(o object) []byte {
	data, err := o.MarshalJSON()
	var b bytes.Buffer
	if err == nil {
		err = json.Indent(&b, data, "", "  ")
	}
	if err != nil {
		panic(err) // schemas consist of texts, numbers and tested examples
	}
	b.WriteByte('\n')
	return b.Bytes()
}

const draft = "https://json-schema.org/draft/2020-12/schema"

func head(title, about string) object {
	return object{{"$schema", draft}, {"title", title}, {"description", about + "."}}
}

var schemaField = member{"$schema", object{{"description", "Schema for the editor; not part of the catalogue."}}}

// recordFile returns the schema of one record: a file of its own, or a line.
func recordFile(d *domain.Description) object {
	about := d.Shape.About
	var also []member
	if d.Long {
		about += ": an element of " + d.File + ".yaml or a line of " + d.File + ".ndjson"
	} else {
		also = append(also, schemaField)
	}
	s := newSchemas(d.Names[0])
	schema := append(head(capital(d.Names[0]), about), s.record(d.Shape, also...)...)
	if d.Names[0] == own {
		s.definitions = append(s.definitions, sharedSchemas()...)
	}
	if len(s.definitions) > 0 {
		schema = append(schema, member{"$defs", s.definitions})
	}
	return schema
}

// longFile returns the schema of a file that is a long list, bare or under its name.
func longFile(d *domain.Description) object {
	list := object{{"type", orNull("array")}, {"items", reference(d.Names[0] + ".json")}}
	about := capital(d.Plural) + " (" + d.File + ".yaml, " + d.File + ".json, and such files in the folder " + d.File + ")"
	return append(head(capital(d.Plural), about), member{"anyOf", []any{
		append(list, member{"description", "A bare list."}),
		object{
			{"type", "object"},
			{"description", "The list under its name."},
			{"properties", object{schemaField, {d.List, list}}},
			{"additionalProperties", false},
		},
	}})
}

// listsFile returns the schema of a file with lists of records under their names.
func listsFile(name string, kinds []*domain.Description) object {
	s := newSchemas(name)
	properties := object{schemaField}
	var called []string
	for _, d := range kinds {
		called = append(called, d.Plural)
		properties = append(properties, member{d.List, object{
			{"type", orNull("array")}, {"items", s.shape(d.List, d.Shape)}, {"description", capital(d.Plural) + "."},
		}})
	}
	about := capital(strings.Join(called, " and ")) + " (" + name + ".yaml or " + name + ".json)"
	return append(head(capital(name), about),
		member{"type", orNull("object")},
		member{"properties", properties},
		member{"additionalProperties", false},
		member{"$defs", s.definitions},
	)
}

// schemas has the schemas of the shapes that one file refers to. Each shape is defined under the name
// of the first field that has it.
type schemas struct {
	definitions object
	names       map[*domain.Shape]string
	file        string // with the shared definitions, "" for the same file
}

// newSchemas returns the schemas of a file. The schema of the catalogue has the shared definitions.
func newSchemas(name string) *schemas {
	s := &schemas{names: map[*domain.Shape]string{}}
	if name != own {
		s.file = "catalog.json"
	}
	return s
}

// The forms of keys and scopes have shared definitions.
var (
	keyForm   = domain.Describe(domain.KindChain).KeyField.Form
	scopeForm = domain.Describe(domain.KindGroup).Shape.Field("module").Form
)

// shared returns a reference to a definition of sharedSchemas.
func (s *schemas) shared(name string) object { return reference(s.file + "#/$defs/" + name) }

// sharedSchemas returns the definitions of values that fields of many shapes have.
func sharedSchemas() object {
	return object{
		{"text", object{
			{"description", "A text: a string in the default locale, or a map from locale to string."},
			{"anyOf", []any{
				object{{"type", "string"}, {"pattern", `\S`}},
				object{{"type", "object"}, {"additionalProperties", object{{"type", orNull("string")}}}, {"minProperties", 1}},
			}},
			{"examples", []any{"Ethereum", object{{"en", "Ethereum"}, {"zh-hans", "以太坊"}}}},
			{"defaultSnippets", []any{object{{"label", "in several locales"}, {"body", object{{"en", "$1"}, {"zh-hans", "$2"}}}}}},
		}},
		{"key", object{
			{"description", "A key or slug: at most 100 lower-case letters, digits, dots, dashes and underscores, starting with a letter or digit."},
			{"type", "string"},
			{"pattern", keyForm.Pattern},
		}},
		{"scope", object{{"description", "Kind of records that categories classify."}, {"enum", scopeForm.Values()}}},
		{"amount", figureSchema("A figure: an amount of at least 0.", "number")},
		{"count", figureSchema("A figure: a whole number of at least 0.", "integer")},
	}
}

// datePattern matches dates, including those that are not in the calendar.
const datePattern = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"

// figureSchema is the shared definition of figures with a type of number.
func figureSchema(about, number string) object {
	about += " A plain number takes precedence over observed figures. Of figures with source and date, the newest is served."
	value := object{{"type", number}, {"minimum", 0}, {"maximum", domain.MaxNumber}}
	return object{
		{"description", about},
		{"anyOf", []any{
			value,
			object{
				{"type", "object"},
				{"properties", object{
					{"value", append(slices.Clip(value), member{"description", "The number."})},
					{"source", object{{"description", "Source of the number."}, {"type", "string"}, {"pattern", `\S`}, {"examples", []string{"defillama"}}}},
					{"as_of", object{
						{"description", "Date of the number, YYYY-MM-DD."}, {"type", "string"},
						{"pattern", datePattern}, {"format", "date"}, {"examples", []string{"2025-08-17"}},
					}},
				}},
				{"required", []string{"value", "source", "as_of"}},
				{"additionalProperties", false},
			},
			object{{"type", "null"}},
		}},
		{"examples", []any{12, object{{"value", 3602125}, {"source", "public recording"}, {"as_of", "2025-01-09"}}}},
	}
}

// shape defines a shape and returns a reference to it. name is that of the field.
func (s *schemas) shape(name string, shape *domain.Shape) object {
	known, ok := s.names[shape]
	if !ok {
		known = cmp.Or(shape.Term, name)
		s.names[shape] = known
		place := len(s.definitions)
		s.definitions = append(s.definitions, member{known}) // before those that it refers to
		definition := append(object{{"description", shape.About + "."}}, s.record(shape)...)
		s.definitions[place][1] = definition
	}
	return reference("#/$defs/" + known)
}

// record returns the schema of a record of a shape. also are further properties.
func (s *schemas) record(shape *domain.Shape, also ...member) object {
	properties := object(also)
	var required, alternatives []string
	unless := ""
	for _, f := range shape.Fields {
		if f.InFileName {
			continue
		}
		properties = append(properties, member{f.Name, s.field(f)})
		if f.Required {
			required = append(required, f.Name)
		}
		if f.RequiredUnless != "" {
			alternatives, unless = append(alternatives, f.Name), f.RequiredUnless
		}
	}
	record := object{{"type", "object"}, {"properties", properties}}
	if required != nil {
		record = append(record, member{"required", required})
	}
	if alternatives != nil { // required unless the record has an alternative
		there := object{{unless, object{{"type", "string"}, {"minLength", 1}}}}
		record = append(record, member{"anyOf", []any{
			object{{"required", alternatives}},
			object{{"required", []string{unless}}, {"properties", there}},
		}})
	}
	return append(record, member{"additionalProperties", false})
}

func (s *schemas) field(f *domain.Field) object {
	schema := s.value(f)
	if f.Type != domain.TypeFigure && !f.Required {
		schema = optional(schema)
	}
	if f.About != "" {
		schema = append(schema, member{"description", f.About + "."})
	}
	if len(f.Examples) > 0 {
		examples := make([]json.RawMessage, len(f.Examples))
		for i, e := range f.Examples {
			examples[i] = json.RawMessage(e)
		}
		schema = append(schema, member{"examples", examples})
	}
	return schema
}

// value returns the schema of the written form of a field that is required. Shared definitions of
// figures allow null.
func (s *schemas) value(f *domain.Field) object {
	switch f.Type {
	case domain.TypeText:
		return s.shared("text")
	case domain.TypeLines:
		return object{{"type", "array"}, {"items", s.line(f.Form, true)}, {"minItems", 1}}
	case domain.TypeChainID:
		return object{{"type", []string{"string", "integer"}}, {"minimum", 0}, {"minLength", 1}}
	case domain.TypeDate:
		return object{{"type", "string"}, {"pattern", datePattern}, {"format", "date"}}
	case domain.TypeNumber:
		return numberSchema(f)
	case domain.TypeFigure:
		return s.figure(f)
	case domain.TypeJSON:
		schema := object{{"type", "object"}}
		if f.Name == "sources" {
			schema = append(schema, member{"additionalProperties", object{{"type", "string"}, {"pattern", `\S`}}})
		}
		return schema
	case domain.TypePart:
		return s.shape(f.Name, f.Parts)
	case domain.TypeParts:
		return object{{"type", "array"}, {"items", s.shape(f.Name, f.Parts)}, {"minItems", 1}}
	case domain.TypeKeyed:
		return object{
			{"type", "object"},
			{"propertyNames", s.line(f.Parts.Fields[0].Form, true)},
			{"additionalProperties", s.shape(f.Name, f.Parts)},
			{"minProperties", 1},
		}
	case domain.TypeTable:
		return object{
			{"type", "object"},
			{"propertyNames", s.line(f.Parts.Fields[0].Form, true)},
			{"additionalProperties", object{{"type", orNull("array")}, {"items", s.line(f.Parts.Fields[1].Form, true)}}},
		}
	}
	return s.line(f.Form, f.Required)
}

// line returns the schema of a line. Shared definitions are for required lines.
func (s *schemas) line(form *domain.Form, required bool) object {
	switch values := form.Values(); {
	case form == keyForm && required:
		return s.shared("key")
	case form == scopeForm && required:
		return s.shared("scope")
	case values != nil:
		return object{{"enum", values}}
	}
	return object{{"type", "string"}, {"minLength", 1}, {"pattern", cmp.Or(form.Pattern, `\S`)}}
}

func numberSchema(f *domain.Field) object {
	of, minimum, maximum := "number", cmp.Or(f.Min, -domain.MaxNumber), cmp.Or(f.Max, domain.MaxNumber)
	if f.Count {
		of, minimum = "integer", f.Min
	}
	return object{{"type", of}, {"minimum", minimum}, {"maximum", maximum}}
}

func (s *schemas) figure(f *domain.Field) object {
	figure := s.shared("amount")
	if f.Count {
		figure = s.shared("count")
	}
	if f.Required {
		figure = append(figure, member{"not", object{{"type", "null"}}})
	}
	return figure
}

// optional returns the schema of a value that may be null or empty, given that of a required one.
func optional(required object) object {
	if required[0][0] == "$ref" {
		return object{{"anyOf", []any{required, object{{"type", "null"}}}}}
	}
	var schema object
	for _, m := range required {
		switch value := m[1]; m[0] {
		case "minLength", "minItems", "minProperties":
			continue
		case "type":
			m[1] = orNull(value.(string))
		case "enum":
			values := []any{}
			for _, v := range value.([]string) {
				values = append(values, v)
			}
			m[1] = append(values, nil)
		case "pattern":
			if value == `\S` {
				continue
			}
			m[1] = "^$|" + value.(string)
		}
		schema = append(schema, m)
	}
	return schema
}

func orNull(of string) []string { return []string{of, "null"} }

func reference(to string) object { return object{{"$ref", to}} }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
