package operations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"

	openapi "vitrine/api"
	"vitrine/internal/query"
)

// documented is the description of an operation in the OpenAPI document.
type documented struct {
	Path       string
	Parameters map[string]documentedParameter // by name
	Statuses   []string
	Headers    []string // of a 200
	Deprecated bool
}

// documentedParameter has the fields of [query.Parameter] that the document has.
type documentedParameter struct {
	In       string
	Type     query.Type
	Allowed  []string
	Default  string
	Min, Max int
	Required bool
}

// TestTableIsTheDocument compares the table of operations with the OpenAPI document, in both
// directions.
func TestTableIsTheDocument(t *testing.T) {
	document := loadDocument(t)
	inTable, inDocument := map[string]documented{}, map[string]documented{}
	for _, op := range operations() {
		inTable[op.name] = op.documented()
	}
	for _, op := range bulkOperations() {
		inTable[op.name] = op.documentedFile()
	}
	for path, item := range document.Paths.Map() {
		if item.Get == nil || len(item.Operations()) != 1 {
			t.Errorf("%s: want GET and no other method", path)
			continue
		}
		inDocument[item.Get.OperationID] = documentedAt(t, path, item.Get)
	}
	if diff := gocmp.Diff(inTable, inDocument); diff != "" {
		t.Errorf("operations (-table +document):\n%s", diff)
	}
	wantHeaders := map[string][]string{
		"NotModified": {"ETag", "Link", "Total-Count"}, "BadRequest": nil, "NotFound": nil, "Gone": nil, "RateLimited": {"Retry-After"}, "Failed": {"Retry-After"},
		"PartOfFile": {"Accept-Ranges", "Content-Range", "ETag"}, "FileNotModified": {"ETag"}, "NoFile": nil, "NoSuchRange": {"Content-Range"},
	}
	headers := map[string][]string{}
	for name, response := range document.Components.Responses {
		headers[name] = slices.Sorted(maps.Keys(response.Value.Headers))
	}
	if diff := gocmp.Diff(wantHeaders, headers); diff != "" {
		t.Errorf("headers of shared responses (-want +document):\n%s", diff)
	}
}

func loadDocument(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// documented returns the required description of an operation.
func (op *operation) documented() documented {
	d := documented{Path: op.template, Parameters: map[string]documentedParameter{}, Statuses: []string{"200", "304", "default"}, Deprecated: op.deprecated != nil}
	d.Headers = []string{"ETag", "Catalog-Revision", "X-Request-Id"}
	for _, p := range op.takes {
		d.Parameters[p.Name] = documentedParameter{
			In: "query", Type: p.Type, Allowed: p.Allowed, Default: p.Default, Min: p.Min, Max: p.Max, Required: p.Required != "",
		}
	}
	if since, ok := d.Parameters["since"]; ok {
		since.Type, since.Min = query.Text, 1 // a form without a name in JSON Schema
		d.Parameters["since"] = since
		d.Statuses = append(d.Statuses, "410")
	}
	for _, name := range parameter.FindAllString(op.template, -1) {
		d.Parameters[strings.Trim(name, "{}")] = documentedParameter{In: "path", Type: query.Text, Required: true}
		d.Statuses = append(d.Statuses, "404")
	}
	if len(op.takes) > 0 {
		d.Statuses = append(d.Statuses, "400")
	}
	if !slices.Contains(op.free, op.template) {
		d.Statuses = append(d.Statuses, "429")
		d.Headers = append(d.Headers, "RateLimit", "RateLimit-Policy")
	}
	if op.takes.Find("locale") != nil {
		d.Headers = append(d.Headers, "Content-Language")
	}
	if op.takes.Find("limit") != nil {
		d.Headers = append(d.Headers, "Link", "Total-Count")
	}
	if op.record != nil {
		d.Headers = append(d.Headers, "Content-Location")
	}
	slices.Sort(d.Statuses)
	slices.Sort(d.Headers)
	return d
}

// documentedFile returns the required description of an operation for files of the distribution.
func (op *operation) documentedFile() documented {
	d := documented{
		Path: op.template, Parameters: map[string]documentedParameter{},
		Statuses: []string{"200", "304", "404", "429", "default"},
		Headers:  []string{"Accept-Ranges", "ETag", "RateLimit", "RateLimit-Policy", "X-Request-Id"},
	}
	for _, name := range parameter.FindAllString(op.template, -1) {
		d.Parameters[strings.Trim(name, "{}")] = documentedParameter{In: "path", Type: query.Text, Required: true}
		d.Statuses = append(d.Statuses, "206", "416") // for large files
	}
	slices.Sort(d.Statuses)
	return d
}

func documentedAt(t *testing.T, path string, op *openapi3.Operation) documented {
	t.Helper()
	d := documented{Path: path, Parameters: map[string]documentedParameter{}, Deprecated: op.Deprecated}
	for _, p := range op.Parameters {
		d.Parameters[p.Value.Name] = documentedParameterOf(t, p.Value)
	}
	d.Statuses = slices.Sorted(maps.Keys(op.Responses.Map()))
	d.Headers = slices.Sorted(maps.Keys(op.Responses.Value("200").Value.Headers))
	return d
}

func documentedParameterOf(t *testing.T, p *openapi3.Parameter) documentedParameter {
	t.Helper()
	schema, values := p.Schema.Value, p.Schema.Value
	d := documentedParameter{In: p.In, Required: p.Required, Type: query.Text}
	switch {
	case schema.Type.Is("array"):
		values, d.Type, d.Max = schema.Items.Value, query.Keys, int(deref(schema.MaxItems))
		if p.Explode == nil || *p.Explode || p.Style != openapi3.SerializationForm {
			t.Errorf("parameter %s: want an array with commas (form, not exploded)", p.Name)
		}
		if len(values.Enum) > 0 {
			d.Type = query.Enums
		}
	case schema.Type.Is("integer"):
		d.Type, d.Min, d.Max = query.Integer, int(*schema.Min), int(cmp.Or(deref(schema.Max), 0))
	case len(schema.Enum) > 0:
		d.Type = query.Enum
	default:
		d.Min, d.Max = int(schema.MinLength), int(deref(schema.MaxLength))
	}
	if p.In == "path" { // the table has no lengths
		d.Min, d.Max = 0, 0
	}
	for _, value := range values.Enum {
		d.Allowed = append(d.Allowed, value.(string))
	}
	if schema.Default != nil {
		d.Default = fmt.Sprint(schema.Default)
	}
	return d
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// TestNewRoutes checks that a template may have literal segments after its parameter, and that
// the router rejects templates and tables with unreachable operations.
func TestNewRoutes(t *testing.T) {
	at := func(template string, free ...string) operation {
		return operation{name: template, template: template, free: free}
	}
	routes, err := newRoutes([]operation{at("/chains"), at("/chains/{chain}"), at("/chains/{chain}/children"), at("/chains/{chain}/children/all")})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/chains": "/chains", "/chains/base": "/chains/{chain} base", "/chains/base/children": "/chains/{chain}/children base",
		"/chains/base/children/all": "/chains/{chain}/children/all base", "/chains/": "", "/chains//children": "", "/chains/base/": "",
		"/chains/base/parents": "", "/chains/../children": "", "/chains/base/children/": "", "/chains/a/b/children": "",
	} {
		got := ""
		if op, segment := match(routes, path); op != nil {
			got = strings.TrimSpace(op.name + " " + segment)
		}
		if got != want {
			t.Errorf("%s matches %q, want %q", path, got, want)
		}
	}
	for _, table := range [][]operation{
		{at("/chains/{chain}/{child}")},
		{at("/{}/{}/x")},
		{at("/chains/{chain")},
		{at("/chains"), at("/chains")},
		{at("/chains/{chain}"), at("/chains/{slug}")},
		{at("/chains/{chain}"), at("/chains/top")},
		{at("/a", "/b"), at("/b")},
	} {
		if _, err := newRoutes(table); err == nil {
			t.Errorf("the table %v is accepted", table)
		}
	}
}
