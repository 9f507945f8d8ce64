// Package reference makes what editors read about the fields of records: the JSON
// Schemas (draft 2020-12) with which their programs complete and check what they
// write, and the tables of docs/directory.md. All of it comes from the descriptions
// of package domain.
//
// The schemas describe shapes; what they say of a document, package bundle says
// too, and a test there holds the two together. Validity is domain.Check's to judge.
//
// It must not know files: the schemas in the folder schema and the tables are
// written, and held, by the tests of this package.
package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"vitrine/internal/domain"
)

// Schemas returns the schemas by name, without an ending: those of files, and
// those of one record of a long list, which a line of NDJSON is. They refer to one
// another by file name, as chain.json.
func Schemas() map[string][]byte {
	files := map[string]object{}
	lists := map[string][]*domain.Description{}
	for _, d := range domain.Descriptions() {
		switch {
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

// own is what people call the kind of the catalogue's own fields.
const own = "catalogue"

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// marshal writes < and > as they are: nobody puts a schema into a page.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

func indented(o object) []byte {
	data, err := marshal(o)
	var b bytes.Buffer
	if err == nil {
		err = json.Indent(&b, data, "", "  ")
	}
	if err != nil {
		panic(err) // it is made of texts and numbers alone, and of examples that a test reads
	}
	b.WriteByte('\n')
	return b.Bytes()
}

const draft = "https://json-schema.org/draft/2020-12/schema"

func head(title, about string) object {
	return object{{"$schema", draft}, {"title", title}, {"description", about + "."}}
}

var schemaField = member{"$schema", object{{"description", "Schema for the editor; not part of the catalogue."}}}

// definitions are the shapes that a file refers to, by the name of the field
// that has them first.
type definitions struct {
	all   object
	names map[*domain.Shape]string
	file  string
}

func newDefinitions(file string) *definitions {
	return &definitions{file: file, names: map[*domain.Shape]string{}}
}

// recordFile is the schema of one record: of a file that is one, or of a line.
func recordFile(d *domain.Description) object {
	defs := newDefinitions(d.Names[0])
	about := d.Shape.About
	if d.Long {
		about += ": an element of " + d.File + ".yaml or a line of " + d.File + ".ndjson"
	}
	schema := append(head(capital(d.Names[0]), about), defs.body(d.Shape, !d.Long)...)
	if defs.file == own {
		defs.all = append(defs.all, sharedDefinitions()...)
	}
	if len(defs.all) > 0 {
		schema = append(schema, member{"$defs", defs.all})
	}
	return schema
}

// longFile is the schema of a file that is a long list, bare or under its name.
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

// listsFile is the schema of a file that has lists of records under their names.
func listsFile(name string, kinds []*domain.Description) object {
	defs := newDefinitions(name)
	properties := object{schemaField}
	var called []string
	for _, d := range kinds {
		called = append(called, d.Plural)
		properties = append(properties, member{d.List, object{
			{"type", orNull("array")}, {"items", defs.shape(d.List, d.Shape)}, {"description", capital(d.Plural) + "."},
		}})
	}
	about := capital(strings.Join(called, " and ")) + " (" + name + ".yaml or " + name + ".json)"
	return append(head(capital(name), about),
		member{"type", orNull("object")},
		member{"properties", properties},
		member{"additionalProperties", false},
		member{"$defs", defs.all},
	)
}

// shape defines the shape of what stands under a name and returns a reference to
// it.
func (d *definitions) shape(name string, s *domain.Shape) object {
	if known, ok := d.names[s]; ok {
		return reference("#/$defs/" + known)
	}
	name = cmp.Or(s.Term, name)
	d.names[s] = name
	place := len(d.all)
	d.all = append(d.all, member{name: name}) // before those that it refers to
	d.all[place].value = append(object{{"description", s.About + "."}}, d.body(s, false)...)
	return reference("#/$defs/" + name)
}

// body describes the fields of a shape; asFile says that it is a whole file.
func (d *definitions) body(s *domain.Shape, asFile bool) object {
	var properties object
	if asFile {
		properties = append(properties, schemaField)
	}
	required := []string{}
	for _, f := range s.Fields {
		if f.InFileName() {
			continue
		}
		properties = append(properties, member{f.Name, d.field(f)})
		if f.Required {
			required = append(required, f.Name)
		}
	}
	body := object{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		body = append(body, member{"required", required})
	}
	body = append(body, alternatives(s)...)
	return append(body, member{"additionalProperties", false})
}

// alternatives says which fields a record must have unless it has another one.
func alternatives(s *domain.Shape) object {
	var fields []string
	unless := ""
	for _, f := range s.Fields {
		if f.RequiredUnless != "" {
			fields, unless = append(fields, f.Name), f.RequiredUnless
		}
	}
	if fields == nil {
		return nil
	}
	there := object{{unless, object{{"type", "string"}, {"minLength", 1}}}}
	return object{{"anyOf", []any{object{{"required", fields}}, object{{"required", []string{unless}}, {"properties", there}}}}}
}

func (d *definitions) field(f *domain.Field) object {
	schema := d.value(f)
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

func (d *definitions) value(f *domain.Field) object {
	switch f.Type {
	case domain.TypeText:
		if f.Required {
			return d.shared("text")
		}
		return object{{"anyOf", []any{d.shared("text"), object{{"type", "null"}}}}}
	case domain.TypeLines:
		list := object{{"type", "array"}, {"items", d.line(f.Form, true)}, {"minItems", 1}}
		if !f.Required {
			list = object{{"type", orNull("array")}, {"items", d.line(f.Form, true)}}
		}
		return list
	case domain.TypeNumber:
		return number(f)
	case domain.TypeFigure:
		figure := d.shared("amount")
		if f.Count {
			figure = d.shared("count")
		}
		if f.Required {
			figure = append(figure, member{"not", object{{"type", "null"}}})
		}
		return figure
	case domain.TypeDate:
		if f.Required {
			return object{{"type", "string"}, {"pattern", datePattern}, {"format", "date"}}
		}
		return object{{"type", orNull("string")}, {"pattern", "^$|" + datePattern}, {"format", "date"}}
	case domain.TypeJSON:
		if f.Required {
			return object{{"type", "object"}}
		}
		return object{{"type", orNull("object")}}
	case domain.TypePart:
		if f.Required {
			return d.shape(f.Name, f.Parts)
		}
		return object{{"anyOf", []any{d.shape(f.Name, f.Parts), object{{"type", "null"}}}}}
	case domain.TypeParts:
		if f.Required {
			return object{{"type", "array"}, {"items", d.shape(f.Name, f.Parts)}, {"minItems", 1}}
		}
		return object{{"type", orNull("array")}, {"items", d.shape(f.Name, f.Parts)}}
	case domain.TypeTable:
		name, lines := f.Parts.Fields[0], f.Parts.Fields[1]
		return object{
			{"type", "object"},
			{"propertyNames", d.line(name.Form, true)},
			{"additionalProperties", object{{"type", orNull("array")}, {"items", d.line(lines.Form, true)}}},
		}
	case domain.TypeChainID:
		return object{{"type", []string{"string", "integer"}}, {"minimum", 0}, {"minLength", 1}}
	}
	return d.line(f.Form, f.Required)
}

// number describes a number; one that may be left out may be null, too.
func number(f *domain.Field) object {
	of, minimum, maximum := "number", float64(-maxWhole), float64(maxWhole)
	if f.Count && f.Required {
		of, minimum = "integer", 0
	}
	if f.Max > 0 {
		maximum = f.Max
	}
	if f.Required {
		return object{{"type", of}, {"minimum", minimum}, {"maximum", maximum}}
	}
	return object{{"type", orNull(of)}, {"minimum", minimum}, {"maximum", maximum}}
}

// line describes a line of a form. One that may be left out may be null, too.
func (d *definitions) line(form string, required bool) object {
	switch values, pattern := allowed(form), patterns[form]; {
	case form == "key" && required:
		return d.shared("key")
	case form == "scope" && required:
		return d.shared("scope")
	case values != nil && required:
		return object{{"enum", values}}
	case values != nil:
		return object{{"enum", append(values, nil)}}
	case pattern != "" && required:
		return object{{"type", "string"}, {"minLength", 1}, {"pattern", pattern}}
	case pattern != "":
		return object{{"type", orNull("string")}, {"pattern", "^$|" + pattern}}
	case required:
		return object{{"type", "string"}, {"minLength", 1}, {"pattern", `\S`}}
	}
	return object{{"type", orNull("string")}}
}

// patterns are the forms of lines that a regular expression tells.
var patterns = map[string]string{
	"key":        "^[a-z0-9][a-z0-9._-]{0,99}$",
	"handle":     "^@?[A-Za-z0-9_]{1,50}$",
	"channel id": "^[A-Za-z0-9_-]{1,100}$",
}

// datePattern is the form of a day; whether there is such a day is not for it to say.
const datePattern = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"

// allowed returns the values of a form that has so many and no others, else nil.
func allowed(form string) []any {
	switch form {
	case "scope":
		return values(domain.Modules())
	case "item type":
		return values([]domain.ItemType{domain.ItemCategory, domain.ItemLink})
	case "kind":
		return values(domain.Kinds())
	case "rule":
		return values(domain.AcceptableRules())
	case "status":
		return values(domain.Statuses())
	case "link type":
		return values(domain.LinkTypes())
	case "older figures":
		return values(domain.Olders())
	case "platform":
		return values(domain.Platforms())
	}
	return nil
}

func values[S ~string](list []S) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

func orNull(of string) []string { return []string{of, "null"} }

func reference(to string) object { return object{{"$ref", to}} }

// shared refers to a definition that all schemas share, which are in catalog.json.
func (d *definitions) shared(name string) object {
	if d.file == own {
		return reference("#/$defs/" + name)
	}
	return reference("catalog.json#/$defs/" + name)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// maxWhole is the greatest number up to which JSON tells whole numbers apart.
const maxWhole = 1<<53 - 1

// sharedDefinitions are those of values that fields of many shapes have.
func sharedDefinitions() object {
	const figure = " A plain number takes precedence over observed figures. Of figures with source and date, the newest is served."
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
			{"pattern", patterns["key"]},
		}},
		{"scope", object{{"description", "Kind of records that categories classify."}, {"enum", allowed("scope")}}},
		{"amount", figureDefinition("A figure: an amount of at least 0."+figure, "number")},
		{"count", figureDefinition("A figure: a whole number of at least 0."+figure, "integer")},
	}
}

func figureDefinition(about, number string) object {
	value := object{{"type", number}, {"minimum", 0}, {"maximum", maxWhole}}
	return object{
		{"description", about},
		{"anyOf", []any{
			value,
			object{
				{"type", "object"},
				{"properties", object{
					{"value", append(value[:len(value):len(value)], member{"description", "The number."})},
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
