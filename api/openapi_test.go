package openapi

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
)

// load returns the document from its JSON form, as clients get it.
func load(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(JSON())
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	return document
}

func TestDocumentIsValid(t *testing.T) {
	document := load(t)
	if !document.IsOpenAPI31OrLater() {
		t.Errorf("openapi = %q, want 3.1", document.OpenAPI)
	}
	err := document.Validate(t.Context(),
		openapi3.EnableSchemaFormatValidation(),
		openapi3.EnableSchemaPatternValidation(),
		openapi3.EnableExamplesValidation(),
		openapi3.EnableMultiError())
	if err != nil {
		t.Error(err)
	}
}

// TestExamplesFitTheirSchemas also checks the examples of schemas and headers, which Validate
// skips. Some of them need JSON Schema 2020-12.
func TestExamplesFitTheirSchemas(t *testing.T) {
	document := load(t)
	fits := func(t *testing.T, schema *openapi3.SchemaRef, value any) {
		t.Helper()
		err := schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.EnableFormatValidation())
		if err != nil {
			t.Errorf("%v: %v", value, err)
		}
	}
	for name, schema := range document.Components.Schemas {
		t.Run("schema "+name, func(t *testing.T) {
			for _, value := range schema.Value.Examples {
				fits(t, schema, value)
			}
		})
	}
	for name, header := range document.Components.Headers {
		t.Run("header "+name, func(t *testing.T) {
			if header.Value.Example == nil {
				t.Error("has no example")
			}
			fits(t, header.Value.Schema, header.Value.Example)
		})
	}
	for name, parameter := range document.Components.Parameters {
		t.Run("parameter "+name, func(t *testing.T) {
			if parameter.Value.Example == nil {
				t.Error("has no example")
			}
			fits(t, parameter.Value.Schema, parameter.Value.Example)
		})
	}
	for path, item := range document.Paths.Map() {
		for status, response := range item.Get.Responses.Map() {
			media := response.Value.Content.Get("application/json")
			if media == nil {
				continue
			}
			t.Run(path+" "+status, func(t *testing.T) {
				if media.Example == nil && len(media.Examples) == 0 {
					t.Error("has no example")
				}
				if media.Example != nil {
					fits(t, media.Schema, media.Example)
				}
				for _, example := range media.Examples {
					fits(t, media.Schema, example.Value.Value)
				}
			})
		}
	}
}

// TestEverythingIsDescribed checks that all parts of the document have descriptions for clients
// and agents.
func TestEverythingIsDescribed(t *testing.T) {
	document := load(t)
	for path, item := range document.Paths.Map() {
		if item.Get.Summary == "" || item.Get.Description == "" || len(item.Get.Tags) != 1 {
			t.Errorf("%s: want a summary, a description and one tag", path)
		}
	}
	for name, parameter := range document.Components.Parameters {
		if parameter.Value.Description == "" {
			t.Errorf("parameter %s has no description", name)
		}
	}
	for name, header := range document.Components.Headers {
		if header.Value.Description == "" {
			t.Errorf("header %s has no description", name)
		}
	}
}

// TestObjectsAreClosed checks that schemas reject unknown members, so that an undocumented member
// fails the tests of package operations.
func TestObjectsAreClosed(t *testing.T) {
	for name, schema := range load(t).Components.Schemas {
		if name == "OpenAPIDocument" || !schema.Value.Type.Is("object") {
			continue
		}
		additional := schema.Value.AdditionalProperties
		closed := additional.Has != nil && !*additional.Has
		if !closed && additional.Schema == nil {
			t.Errorf("schema %s allows any member", name)
		}
	}
}

// TestTypesForGenerators checks formats and names of types. Without a format, generators use
// 32 bits for numbers, which is too little for money. A type without a name gets a generated one.
func TestTypesForGenerators(t *testing.T) {
	document := load(t)
	formats := map[string][]string{"number": {"double"}, "integer": {"int32", "int64"}}
	var look func(where string, named bool, schema *openapi3.SchemaRef)
	look = func(where string, named bool, schema *openapi3.SchemaRef) {
		if schema == nil || schema.Ref != "" && !named {
			return
		}
		for kind, allowed := range formats {
			if schema.Value.Type.Is(kind) && !slices.Contains(allowed, schema.Value.Format) {
				t.Errorf("%s: a %s of format %q, want one of %q", where, kind, schema.Value.Format, allowed)
			}
		}
		if !named && len(schema.Value.Properties)+len(schema.Value.Enum) > 0 {
			t.Errorf("%s: an object or an enumeration without a name; make it a schema of its own", where)
		}
		for name, property := range schema.Value.Properties {
			look(where+"."+name, false, property)
		}
		look(where+"[]", false, schema.Value.Items)
		look(where+"{}", false, schema.Value.AdditionalProperties.Schema)
		for _, of := range slices.Concat(schema.Value.AnyOf, schema.Value.OneOf, schema.Value.AllOf) {
			look(where+" of", false, of)
		}
	}
	for name, schema := range document.Components.Schemas {
		look(name, true, schema)
	}
	for name, header := range document.Components.Headers {
		look("header "+name, false, header.Value.Schema)
	}
	for name, parameter := range document.Components.Parameters {
		look("parameter "+name, false, parameter.Value.Schema)
	}
	for path, item := range document.Paths.Map() {
		for status, response := range item.Get.Responses.Map() {
			if status != "200" && response.Ref == "" {
				t.Errorf("%s: the response %s is written out; name it among the components", path, status)
			}
			for name, header := range response.Value.Headers {
				if header.Ref == "" {
					t.Errorf("%s %s: the header %s is written out; name it among the components", path, status, name)
				}
			}
			if media := response.Value.Content.Get("application/json"); media != nil && media.Schema.Ref == "" {
				t.Errorf("%s %s: the schema of the body has no name", path, status)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	first, err := toJSON(YAML)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, JSON()) {
		t.Error("two conversions give different bytes")
	}
	if !bytes.HasPrefix(first, []byte(`{"openapi":"3.1.0","info":{"title":`)) {
		t.Errorf("the members are not in the order of the file: %.60s", first)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, first); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, compact.Bytes()) {
		t.Error("the document is not compact")
	}

	var fromJSON, fromYAML any
	if err := json.Unmarshal(first, &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(YAML, &fromYAML); err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(fromYAML) // normalises the types of numbers
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal(plain, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, fromJSON); diff != "" {
		t.Errorf("JSON differs from the file (-yaml +json):\n%s", diff)
	}
}

// TestGuideAgrees checks that docs/api.md names every operation, parameter and error of the
// document, and that its bodies fit the schemas.
func TestGuideAgrees(t *testing.T) {
	content, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, document := string(content), load(t)
	for path, item := range document.Paths.Map() {
		if !strings.Contains(guide, "GET "+path) {
			t.Errorf("the guide has no GET %s", path)
		}
		for _, parameter := range item.Get.Parameters {
			if name := parameter.Value.Name; !strings.Contains(guide, "`"+name) && !strings.Contains(guide, "{"+name+"}") {
				t.Errorf("the guide has no parameter %s", name)
			}
		}
	}
	for _, code := range document.Components.Schemas["ProblemCode"].Value.Enum {
		if !strings.Contains(guide, "`"+code.(string)+"`") {
			t.Errorf("the guide has no error %s", code)
		}
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(guide, -1)
	if len(blocks) == 0 {
		t.Error("the guide has no bodies")
	}
	for _, block := range blocks {
		var value any
		if err := json.Unmarshal([]byte(block[1]), &value); err != nil {
			t.Errorf("%v in\n%s", err, block[1])
			continue
		}
		if !fitsSomeBody(document, value) {
			t.Errorf("no operation has a body like\n%s", block[1])
		}
	}
}

// fitsSomeBody reports whether a value is right for some response. The schema
// of the document itself takes nearly anything and does not count.
func fitsSomeBody(document *openapi3.T, value any) bool {
	for _, item := range document.Paths.Map() {
		for _, response := range item.Get.Responses.Map() {
			media := response.Value.Content.Get("application/json")
			if media == nil || item.Get.OperationID == "getSpec" {
				continue
			}
			if media.Schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020()) == nil {
				return true
			}
		}
	}
	return false
}

// Generators make types of schemas, constants of enumerations, and types named after
// operations, in one namespace: with the default options of oapi-codegen and orval two
// of one name do not compile.
func TestNamesDoNotCollideInGeneratedCode(t *testing.T) {
	document := load(t)
	schemas := document.Components.Schemas
	for name, schema := range schemas {
		for _, value := range schema.Value.Enum {
			text, isText := value.(string)
			if constant := pascal(text); isText && schemas[constant] != nil {
				t.Errorf("the schema %s has the name of the constant for %q of %s", constant, text, name)
			}
		}
	}
	for name := range document.Components.Parameters {
		if schemas[name] != nil {
			t.Errorf("a parameter and a schema are called %s", name)
		}
	}
	for _, path := range document.Paths.Map() {
		for _, operation := range path.Operations() {
			for _, suffix := range []string{"Result", "Response", "Params", "Error", "Data", "Body"} {
				if derived := pascal(operation.OperationID) + suffix; schemas[derived] != nil {
					t.Errorf("the schema %s has the name of a type of operation %s", derived, operation.OperationID)
				}
			}
		}
	}
}

// pascal returns a name as generators write it in Go and TypeScript.
func pascal(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}
