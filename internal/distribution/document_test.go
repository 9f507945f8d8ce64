package distribution_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	openapi "vitrine/api"
	"vitrine/internal/distribution"
)

// TestSchemasAreThePointer checks that the OpenAPI document has a schema for each type of the pointer,
// with the same members, and requires those that are never omitted.
func TestSchemasAreThePointer(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	if err != nil {
		t.Fatal(err)
	}
	const prefix = "Bulk"
	types := map[string]reflect.Type{}
	var add func(of reflect.Type)
	add = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			add(of.Elem())
		case reflect.Struct:
			if of.PkgPath() != reflect.TypeFor[distribution.Entry]().PkgPath() {
				return
			}
			types[prefix+of.Name()] = of
			for i := range of.NumField() {
				add(of.Field(i).Type)
			}
		}
	}
	add(reflect.TypeFor[distribution.Entry]())
	for name, of := range types {
		want, got := map[string]string{}, map[string]string{}
		for i := range of.NumField() {
			member, option, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			want[member] = "required"
			if option != "" {
				want[member] = "optional"
			}
		}
		schema := document.Components.Schemas[name]
		if schema == nil {
			t.Errorf("there is no schema %s", name)
			continue
		}
		for member := range schema.Value.Properties {
			got[member] = "optional"
			if slices.Contains(schema.Value.Required, member) {
				got[member] = "required"
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the type is not the schema %s (-type +schema):\n%s", name, diff)
		}
	}
	for name := range document.Components.Schemas {
		if kind, ok := strings.CutPrefix(name, prefix); ok && kind != "" && types[name] == nil {
			t.Errorf("%s is none of %v", name, slices.Sorted(maps.Keys(types)))
		}
	}
}
