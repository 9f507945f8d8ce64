// Package reference generates what editors read about the fields of records from the descriptions of
// package domain: JSON Schemas (draft 2020-12) for completion and checks in editors, and the tables
// of docs/directory.md.
//
// The schemas describe shapes only; domain.Check decides validity. A test of package bundle checks
// that a document that violates a schema is rejected by package bundle too.
//
// It must not know files: its tests compare and write the files of the folder schema and the tables.
package reference

import (
	"bytes"
	"encoding/json"
	"strings"

	"vitrine/internal/domain"
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
	object = domain.Object
	member = domain.Member
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
	schemas := newSchemas(d.Names[0])
	schema := append(head(capital(d.Names[0]), about), schemas.Record(d.Shape, also...)...)
	definitions := schemas.Definitions()
	if d.Names[0] == own {
		definitions = append(definitions, domain.SharedSchemas()...)
	}
	if len(definitions) > 0 {
		schema = append(schema, member{"$defs", definitions})
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
	schemas := newSchemas(name)
	properties := object{schemaField}
	var called []string
	for _, d := range kinds {
		called = append(called, d.Plural)
		properties = append(properties, member{d.List, object{
			{"type", orNull("array")}, {"items", schemas.Shape(d.List, d.Shape)}, {"description", capital(d.Plural) + "."},
		}})
	}
	about := capital(strings.Join(called, " and ")) + " (" + name + ".yaml or " + name + ".json)"
	return append(head(capital(name), about),
		member{"type", orNull("object")},
		member{"properties", properties},
		member{"additionalProperties", false},
		member{"$defs", schemas.Definitions()},
	)
}

// newSchemas returns the schemas of a file. The schema of the catalogue has the shared definitions.
func newSchemas(file string) *domain.Schemas {
	if file == own {
		return domain.NewSchemas("")
	}
	return domain.NewSchemas("catalog.json")
}

func orNull(of string) []string { return []string{of, "null"} }

func reference(to string) object { return object{{"$ref", to}} }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
