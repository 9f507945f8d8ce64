package operations_test

import (
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// TestMembersAreTheDocument compares the members of all bodies with the properties of the
// document, in both directions. With [TestSmallCatalogIsComplete], a member without
// documentation fails the test, and so does a property that no body has.
func TestMembersAreTheDocument(t *testing.T) {
	snap, err := snapshot.Compile(nil, smallCatalog(), snapshot.Revision{
		Number: servedRevision, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Demonstration: true, Bulk: operations.BulkPath,
	})
	if err != nil {
		t.Fatal(err)
	}
	c, h := newContract(t), serving(t, snap.WithChanges(logTo(smallCatalog(), snap.Revision())))
	of := documentedMembers{t: t, seen: map[string]bool{}}
	for id, cases := range exercises(t) {
		for _, target := range slices.Concat(cases.found, cases.bad, cases.missing, cases.gone) {
			got := fetch(t, h, "/api/open/"+target)
			response := c.routes[id].Operation.Responses.Value(strconv.Itoa(got.status))
			if response == nil {
				t.Fatalf("%s: status %d is not documented", target, got.status)
			}
			var value any
			if err := json.Unmarshal([]byte(got.body), &value); err != nil {
				t.Fatalf("%s: %v", target, err)
			}
			if id != "getSpec" { // any OpenAPI document
				of.compare(id, response.Value.Content.Get("application/json").Schema, value)
			}
		}
	}
	for name, schema := range c.document.Components.Schemas {
		for property := range schema.Value.Properties {
			ofFile := strings.HasPrefix(name, "Bulk") && name != "Bulk" // package distribution compares these
			if name != "OpenAPIDocument" && !ofFile && !of.seen[name+"."+property] {
				t.Errorf("no body has the property %s of the schema %s", property, name)
			}
		}
	}
}

// documentedMembers compares bodies with schemas.
type documentedMembers struct {
	t    *testing.T
	seen map[string]bool // properties that a body has: schema, dot, name
}

func (m documentedMembers) compare(where string, schema *openapi3.SchemaRef, value any) {
	if alternatives := schema.Value.AnyOf; len(alternatives) > 0 {
		fits := func(s *openapi3.SchemaRef) bool {
			return s.Value.VisitJSON(value, openapi3.EnableJSONSchema2020()) == nil
		}
		schema = alternatives[max(0, slices.IndexFunc(alternatives, fits))]
	}
	if schema.Value.Type == nil { // any value
		return
	}
	name := path.Base(schema.Ref)
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			m.compare(where+"[]", schema.Value.Items, item)
		}
	case map[string]any:
		for member, value := range value {
			property, ok := schema.Value.Properties[member]
			additional := schema.Value.AdditionalProperties
			switch {
			case ok:
				m.seen[name+"."+member] = true
				m.compare(where+"."+member, property, value)
			case additional.Schema != nil:
				m.compare(where+".*", additional.Schema, value)
			case additional.Has == nil || !*additional.Has:
				m.t.Errorf("%s: the member %s is not in the schema %s", where, member, name)
			}
		}
	}
}

// TestSmallCatalogIsComplete checks that each field of each type of record is set in some
// record of smallCatalog, so that its members are compared with the document.
func TestSmallCatalogIsComplete(t *testing.T) {
	set := map[string]bool{}
	markFields(reflect.ValueOf(*smallCatalog()), set)
	for field, isSet := range set {
		if !isSet {
			t.Errorf("smallCatalog has no %s; set it in some record", field)
		}
	}
}

// markFields adds the exported fields of a value, by type and name, and whether they are
// set there or already were.
func markFields(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			markFields(v.Elem(), set)
		}
	case reflect.Slice:
		for i := range v.Len() {
			markFields(v.Index(i), set)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			name := v.Type().Name() + "." + field.Name
			if v.Type() != reflect.TypeFor[domain.Catalog]() { // has settings of editors, which bodies do not have
				set[name] = set[name] || !v.Field(i).IsZero()
			}
			markFields(v.Field(i), set)
		}
	}
}
