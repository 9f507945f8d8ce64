package distribution

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	openapi "vitrine/api"
)

// TestDocumentDescribesTheEntry compares the members of the pointer with its schema in the OpenAPI
// document.
func TestDocumentDescribesTheEntry(t *testing.T) {
	data, err := openapi.JSON()
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	compareMembers(t, "entry", reflect.TypeFor[Entry](), document.Components.Schemas["BulkEntry"])
}

// compareMembers compares the members of a struct, and those of its fields, with a schema.
func compareMembers(t *testing.T, name string, of reflect.Type, schema *openapi3.SchemaRef) {
	switch {
	case of.Kind() == reflect.Pointer:
		of = of.Elem()
	case of.Kind() == reflect.Slice:
		of, schema = of.Elem(), schema.Value.Items
	}
	if len(schema.Value.Properties) == 0 { // a value without members, such as a time
		return
	}
	var all, required []string
	for field := range of.Fields() {
		member, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		all = append(all, member)
		if option != "omitempty" {
			required = append(required, member)
		}
		if property := schema.Value.Properties[member]; property != nil {
			compareMembers(t, name+"."+member, field.Type, property)
		}
	}
	slices.Sort(all)
	if diff := cmp.Diff(all, slices.Sorted(maps.Keys(schema.Value.Properties))); diff != "" {
		t.Errorf("members of %s (-written +api/openapi.yaml):\n%s", name, diff)
	}
	slices.Sort(required)
	if diff := cmp.Diff(required, slices.Sorted(slices.Values(schema.Value.Required))); diff != "" {
		t.Errorf("required members of %s (-written +api/openapi.yaml):\n%s", name, diff)
	}
}
