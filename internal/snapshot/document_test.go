package snapshot

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	openapi "vitrine/api"
	"vitrine/internal/domain"
)

// TestSchemasAreTheViews checks that the OpenAPI document has a schema for each view, with the
// same members, and requires those that are never omitted. The schema of a view is the most
// similar one.
func TestSchemasAreTheViews(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{} // no two views may share one
	for _, view := range allViews(t) {
		want := map[string]string{}
		planOf(view).presence(want)
		name, properties := nearestSchema(document, want, described)
		if diff := cmp.Diff(want, properties); diff != "" {
			t.Errorf("%s is not the schema %s (-view +schema):\n%s", view, name, diff)
			continue
		}
		described[name] = true
	}
}

// allViews returns the types of all views: the structs with JSON members in the results of the
// methods of a snapshot, and of the rows and details of lists, by name.
func allViews(t *testing.T) []reflect.Type {
	t.Helper()
	seen := map[reflect.Type]bool{}
	var add func(of reflect.Type)
	add = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			add(of.Elem())
		case reflect.Struct:
			if _, known := seen[of]; known || of.PkgPath() != reflect.TypeFor[Snapshot]().PkgPath() {
				return
			}
			seen[of] = false
			for i := range of.NumField() {
				if field := of.Field(i); field.IsExported() {
					seen[of] = seen[of] || field.Tag.Get("json") != ""
					add(field.Type)
				}
			}
		}
	}
	methods := reflect.TypeFor[*Snapshot]()
	for i := range methods.NumMethod() {
		method := methods.Method(i).Type
		for out := range method.NumOut() {
			add(method.Out(out))
		}
	}
	for _, source := range (&compiler{catalog: &domain.Catalog{}}).sources() {
		of := reflect.ValueOf(source)
		add(of.FieldByName("row").Type().Out(0))
		if whole := of.FieldByName("whole"); !whole.IsNil() {
			add(whole.Elem().Type())
		}
	}
	add(reflect.TypeFor[categoryList[Category]]())
	add(reflect.TypeFor[categoryList[FullCategory]]())
	var views []reflect.Type
	for view, hasMembers := range seen {
		if hasMembers {
			views = append(views, view)
		}
	}
	slices.SortFunc(views, func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) })
	return views
}

// nearestSchema returns the schema with the most members in common with a view, less the other
// members, and whether each of its properties is required.
func nearestSchema(document *openapi3.T, view map[string]string, except map[string]bool) (name string, properties map[string]string) {
	most := math.MinInt
	for candidate, schema := range document.Components.Schemas {
		if except[candidate] {
			continue
		}
		got, score := map[string]string{}, 0
		for property := range schema.Value.Properties {
			got[property] = "optional"
			if slices.Contains(schema.Value.Required, property) {
				got[property] = "required"
			}
			if _, ok := view[property]; ok {
				score += 2
			}
			score--
		}
		if score > most || score == most && candidate < name {
			name, properties, most = candidate, got, score
		}
	}
	return name, properties
}

// presence sets whether every object has a member, for each member of the plan.
func (p plan) presence(of map[string]string) {
	for _, m := range p {
		of[m.name] = "required"
		if m.omit != nil {
			of[m.name] = "optional"
		}
	}
}
