package operations_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/getkin/kin-openapi/openapi3"

	openapi "vitrine/api"
	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/operations"
	"vitrine/internal/snapshot"
)

// TestExamplesFindSomething sends the examples of the document and of the guide to a server of
// the bundled catalogue: each parameter alone, all parameters of an operation together, and the
// requests in texts.
func TestExamplesFindSomething(t *testing.T) {
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snap := compile(t, dir.Catalog, servedRevision)
	h := newHandler(t, operations.Config{Snapshot: func() *snapshot.Snapshot { return snap }, Bulk: anyFile{}})
	targets := append(exampleRequests(t), exampleTexts(t)...)
	if len(targets) < 50 {
		t.Errorf("there are %d examples, want more", len(targets))
	}
	for _, target := range targets {
		got := fetch(t, h, target)
		if got.status != http.StatusOK {
			t.Errorf("GET %s: status %d\n%s", target, got.status, got.body)
			continue
		}
		noticed := strings.Contains(got.header.Get("Catalog-Notice"), "unknown;") // an example of a notice
		if list, isEmpty := emptyList(t, got.body); isEmpty && !noticed {
			t.Errorf("GET %s: no %s", target, list)
		}
	}
}

// anyFile is a distribution that has every file.
type anyFile struct{}

func (anyFile) Open(name string) (fs.File, error) {
	return fstest.MapFS{name: {Data: []byte("{}")}}.Open(name)
}

// emptyList reports whether a body is only an empty list, and the name of the list.
func emptyList(t *testing.T, body string) (name string, isEmpty bool) {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"categories", "users", "chains", "channels", "cards", "groups", "navs", "operations", "results", "changes"} {
		if string(members[name]) == "[]" {
			return name, true
		}
	}
	return "", false
}

// exampleRequests returns the requests of the examples of parameters.
func exampleRequests(t *testing.T) []string {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(openapi.JSON())
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for path, item := range document.Paths.Map() {
		required, all := url.Values{}, url.Values{}
		for _, parameter := range item.Get.Parameters {
			p := parameter.Value
			if p.In == openapi3.ParameterInPath {
				path = strings.ReplaceAll(path, "{"+p.Name+"}", fmt.Sprint(p.Example))
				continue
			}
			all.Set(p.Name, exampleValue(p))
			if p.Required {
				required.Set(p.Name, exampleValue(p))
			}
		}
		targets = append(targets, path+"?"+required.Encode(), path+"?"+all.Encode())
		for name := range all {
			one := url.Values{name: all[name]}
			for name, value := range required {
				one[name] = value
			}
			targets = append(targets, path+"?"+one.Encode())
		}
	}
	return targets
}

func exampleValue(p *openapi3.Parameter) string {
	list, ok := p.Example.([]any)
	if !ok {
		return fmt.Sprint(p.Example)
	}
	var values []string
	for _, value := range list {
		values = append(values, fmt.Sprint(value))
	}
	return strings.Join(values, ",")
}

// exampleTexts returns the requests in the texts of the document and of the pages for readers. It
// skips templates and placeholder paths.
func exampleTexts(t *testing.T) []string {
	t.Helper()
	texts := []string{string(openapi.YAML)}
	for _, page := range []string{"../../docs/api.md", "../../README.md"} {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(content))
	}
	named := regexp.MustCompile("(?:GET |\\$BASE|127\\.0\\.0\\.1:8080)(/[^\\s`'\"<>)]*)")
	var targets []string
	for _, text := range texts {
		for _, match := range named.FindAllStringSubmatch(text, -1) {
			needsMore := match[1] == "/api/open/category-groups" || match[1] == "/api/open/search" // they have required parameters
			if !strings.Contains(match[1], "{") && !needsMore {
				targets = append(targets, match[1])
			}
		}
	}
	slices.Sort(targets)
	return slices.Compact(targets)
}
