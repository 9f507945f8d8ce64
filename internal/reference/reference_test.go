package reference

import (
	stdcmp "cmp"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/schema"
)

var update = flag.Bool("update", false, "write the schemas and the tables")

// TestSchemas compares the files in the folder schema with the generated ones.
func TestSchemas(t *testing.T) {
	schemas := Schemas()
	for name, want := range schemas {
		path := "../../schema/" + name + ".json"
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s is outdated; update it with go test ./internal/reference -update (-want +got):\n%s", path, diff)
		}
	}
	if want := slices.Sorted(maps.Keys(schemas)); !*update && !slices.Equal(schema.Names(), want) {
		t.Errorf("the folder schema has %q, want %q", schema.Names(), want)
	}
}

// generated matches a generated part of a page with the lines around it.
var generated = regexp.MustCompile(`(?s)<!-- (fields: [^>]*|kinds) -->\n(.*?)<!-- end of (?:fields|kinds) -->\n`)

const endOfFields = "<!-- end of fields -->\n"

// TestPages compares the generated tables and lists of the documentation, and requires a table of
// each shape. -update adds missing tables after the last one.
func TestPages(t *testing.T) {
	shapes := map[string]*domain.Shape{}
	for _, d := range documents() {
		addShapes(shapes, d.Shape)
	}
	missing := maps.Clone(shapes)
	for _, path := range []string{"../../docs/directory.md", "../../docs/publishing.md"} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range generated.FindAllStringSubmatch(string(data), -1) {
			delete(missing, strings.TrimPrefix(part[1], "fields: "))
		}
		text := string(data)
		if strings.Contains(text, endOfFields) && *update {
			text = addSections(text, missing)
		}
		text = generated.ReplaceAllStringFunc(text, func(part string) string {
			of, begin := generated.FindStringSubmatch(part)[1], part[:strings.IndexByte(part, '\n')+1]
			if of == "kinds" {
				return begin + Kinds() + "\n<!-- end of kinds -->\n"
			}
			s := shapes[strings.TrimPrefix(of, "fields: ")]
			if s == nil {
				t.Errorf("%s: no shape is called %q", path, of)
				return part
			}
			return begin + Table(s) + endOfFields
		})
		if *update {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(text, string(data)); diff != "" {
			t.Errorf("%s is outdated; update it with go test ./internal/reference -update (-want +got):\n%s", path, diff)
		}
	}
	if len(missing) > 0 {
		t.Errorf("docs/directory.md has no table of the fields of %q; add it with go test ./internal/reference -update", slices.Sorted(maps.Keys(missing)))
	}
}

// addSections adds sections with empty tables after the last one, and clears missing.
func addSections(text string, missing map[string]*domain.Shape) string {
	last := strings.LastIndex(text, endOfFields) + len(endOfFields)
	sections := ""
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		heading := capital(name) + ":"
		for _, d := range domain.Descriptions() {
			if d.Shape.Name == name {
				heading = "### `" + stdcmp.Or(d.File, d.Folder+"/*") + ".yaml`"
			}
		}
		sections += "\n" + heading + "\n\n" + missing[name].About + ".\n\n<!-- fields: " + name + " -->\n" + endOfFields
	}
	clear(missing)
	return text[:last] + sections + text[last:]
}

// documents returns the kinds that are written in documents.
func documents() []*domain.Description {
	return slices.DeleteFunc(slices.Clone(domain.Descriptions()), func(d *domain.Description) bool { return d.Raw })
}

// addShapes adds a shape and those of its parts by name, except tables in records, which editors
// do not see.
func addShapes(shapes map[string]*domain.Shape, s *domain.Shape) {
	shapes[s.Name] = s
	for _, f := range s.Fields {
		if f.Type == domain.TypeParts || f.Type == domain.TypeKeyed || f.Type == domain.TypePart {
			addShapes(shapes, f.Parts)
		}
	}
}

// TestEveryFieldHasAnAbout checks that each shape and each field for editors has an About.
func TestEveryFieldHasAnAbout(t *testing.T) {
	shapes := map[string]*domain.Shape{}
	for _, d := range documents() {
		addShapes(shapes, d.Shape)
	}
	for _, s := range shapes {
		if s.About == "" {
			t.Errorf("%s has no About", s.Name)
		}
		for _, f := range s.Fields {
			if !f.InFileName && (f.About == "" || strings.HasSuffix(f.About, ".")) {
				t.Errorf("%s of %s has the About %q, want a sentence without a full stop", f.Name, s.Name, f.About)
			}
		}
	}
}

// TestRequiredFieldsInSchemas checks that required fields of any type are required by the schemas,
// marked in the tables, and not nullable.
func TestRequiredFieldsInSchemas(t *testing.T) {
	shapes := map[string]*domain.Shape{}
	for _, d := range documents() {
		addShapes(shapes, d.Shape)
	}
	for _, s := range shapes {
		for _, f := range s.Fields {
			before := *f
			t.Cleanup(func() { *f = before })
			f.Required, f.RequiredUnless = true, ""
		}
	}
	for name, data := range Schemas() {
		var schema any
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		eachRequired(schema, func(field string, value any) {
			if text, _ := json.Marshal(value); strings.Contains(strings.ReplaceAll(string(text), `"not":{"type":"null"}`, ""), `"null"`) {
				t.Errorf("%s.json: %s is required and may be null: %s", name, field, text)
			}
		})
	}
	for name, s := range shapes {
		if strings.Contains(Table(s), "| no |") {
			t.Errorf("the table of %s marks a required field as optional", name)
		}
	}
}

// eachRequired calls see for each required property of the objects in a schema.
func eachRequired(schema any, see func(name string, value any)) {
	switch of := schema.(type) {
	case []any:
		for _, value := range of {
			eachRequired(value, see)
		}
	case map[string]any:
		properties, _ := of["properties"].(map[string]any)
		required, _ := of["required"].([]any)
		for name, value := range properties {
			if slices.Contains(required, any(name)) {
				see(name, withoutParts(value))
			}
		}
		for _, value := range of {
			eachRequired(value, see)
		}
	}
}

// withoutParts removes the parts of a value, which have their own properties.
func withoutParts(value any) any {
	of, ok := value.(map[string]any)
	if !ok {
		return value
	}
	of = maps.Clone(of)
	delete(of, "properties")
	delete(of, "additionalProperties")
	delete(of, "items")
	return of
}
