package reference

import (
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

// The files in the folder schema are those that the descriptions make.
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
			t.Errorf("%s is not what the descriptions make; go test ./internal/reference -update writes it (-want +got):\n%s", path, diff)
		}
	}
	names := schema.Names()
	slices.Sort(names)
	if want := slices.Sorted(maps.Keys(schemas)); !slices.Equal(names, want) {
		t.Errorf("package schema names %q, the descriptions make %q", names, want)
	}
}

// A table stands between these lines.
var marked = regexp.MustCompile(`(?s)<!-- fields: ([^>]*) -->\n(.*?)<!-- end of fields -->\n`)

// The tables of the fields in the documentation are those that the descriptions
// make, and there is one for every shape.
func TestTables(t *testing.T) {
	const path = "../../docs/directory.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[string]*domain.Shape{}
	for _, d := range domain.Descriptions() {
		addShapes(shapes, d.Shape)
	}
	text := marked.ReplaceAllStringFunc(string(data), func(table string) string {
		name := marked.FindStringSubmatch(table)[1]
		s := shapes[name]
		if s == nil {
			t.Errorf("no shape is called %q", name)
			return table
		}
		delete(shapes, name)
		return "<!-- fields: " + name + " -->\n" + Table(s) + "<!-- end of fields -->\n"
	})
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(text, string(data)); diff != "" {
		t.Errorf("a table is not what the descriptions make; go test ./internal/reference -update writes it (-want +got):\n%s", diff)
	}
	if len(shapes) > 0 {
		t.Errorf("docs/directory.md has no table of the fields of %q", slices.Sorted(maps.Keys(shapes)))
	}
}

// addShapes adds a shape and those of its parts by their names. A table in a
// record is no shape that editors know.
func addShapes(shapes map[string]*domain.Shape, s *domain.Shape) {
	shapes[s.Name] = s
	for _, f := range s.Fields {
		if f.Type == domain.TypeParts || f.Type == domain.TypePart {
			addShapes(shapes, f.Parts)
		}
	}
}

// Whatever editors write says what it is.
func TestEveryFieldIsTold(t *testing.T) {
	shapes := map[string]*domain.Shape{}
	for _, d := range domain.Descriptions() {
		addShapes(shapes, d.Shape)
	}
	for _, s := range shapes {
		if s.About == "" {
			t.Errorf("%s has no About", s.Name)
		}
		for _, f := range s.Fields {
			if !f.InFileName() && (f.About == "" || strings.HasSuffix(f.About, ".")) {
				t.Errorf("%s of %s is told as %q, want a sentence without a full stop", f.Name, s.Name, f.About)
			}
		}
	}
}

// Whatever its type, a field that is required is required by the schemas, is yes in the
// tables and may not be null.
func TestRequiredFieldsInSchemas(t *testing.T) {
	shapes := map[string]*domain.Shape{}
	for _, d := range domain.Descriptions() {
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
			t.Errorf("the table of %s has a field that is not required", name)
		}
	}
}

// eachRequired gives each required property of the objects of a schema, and fails none
// that is not required.
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

// withoutParts leaves out what a value is made of, which has properties of its own.
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
