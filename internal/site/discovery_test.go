package site

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	openapi "vitrine/api"
	bundled "vitrine/catalog"
	"vitrine/internal/snapshot"
)

// llms.txt is short and names every operation.
func TestLLMs(t *testing.T) {
	s := siteOf(t, Config{PublicURL: "https://catalogue.example"})
	found, err := s.Page(theBundled(t), llmsPath, "")
	if err != nil {
		t.Fatal(err)
	}
	text := string(found.Body)
	const most = 1200 // tokens, counted as four bytes
	if len(text) > 4*most {
		t.Errorf("%d bytes; want at most %d", len(text), 4*most)
	}
	for _, want := range []string{
		"/search?q=", "/chains/{", "/twitter/users", "/youtube/channels", "/apps/{", "/apps?", "kind=chain,app,", "/nav/cards", "/nav/menus/", "/categories", "/meta",
		"https://catalogue.example/openapi.json", "https://catalogue.example/mcp", "Retry-After",
		"mainnet, testnet\n", "layer-2", "op-stack",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not name %s", want)
		}
	}
}

func TestAPICatalog(t *testing.T) {
	s := siteOf(t, Config{PublicURL: "https://catalogue.example"})
	found, err := s.Page(theBundled(t), apiCatalogPath, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := found.Fields.More.Get("Content-Type"); !strings.HasPrefix(got, "application/linkset+json") {
		t.Errorf("it is of the type %q", got)
	}
	var set struct {
		Linkset []map[string]json.RawMessage
	}
	if err := json.Unmarshal(found.Body, &set); err != nil {
		t.Fatal(err)
	}
	if len(set.Linkset) != 1 || set.Linkset[0]["service-desc"] == nil || string(set.Linkset[0]["anchor"]) != `"https://catalogue.example/api/open/"` {
		t.Errorf("%s", found.Body)
	}
}

// The description of the search needs a public address.
func TestOpenSearch(t *testing.T) {
	of := theBundled(t)
	if _, err := siteOf(t, Config{}).Page(of, openSearchPath, ""); err == nil {
		t.Error("a description without a public address exists")
	}
	found, err := siteOf(t, Config{PublicURL: "https://catalogue.example"}).Page(of, openSearchPath, "")
	if err != nil || !strings.Contains(string(found.Body), `template="https://catalogue.example/search?q={searchTerms}"`) {
		t.Errorf("%s, %v", found.Body, err)
	}
}

// The reference has all operations and parameters of the document.
func TestReferenceIsComplete(t *testing.T) {
	page := pageAt(t, siteOf(t, Config{}), changed(t, snapshot.Revision{Bulk: "/bulk/entry.json"}, bundled.FS), "/en/docs", "")
	raw := openapi.JSON()
	var d apiDocument
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Paths) < 10 {
		t.Fatalf("the document has %d paths", len(d.Paths))
	}
	ids := captured(page, ` id="([^"]*)"`)
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			t.Errorf("two elements have the id %s", id)
		}
	}
	for _, path := range d.Paths {
		op := path.Value["get"]
		if !strings.Contains(page, `id="get-`+op.OperationID+`"`) {
			t.Errorf("the page has no operation %s", op.OperationID)
		}
		for _, p := range op.Parameters {
			if p.Ref != "" {
				p = d.Components.Parameters[lastSegment(p.Ref)]
			}
			if !strings.Contains(page, `id="`+op.OperationID+`-`+p.Name+`"`) {
				t.Errorf("%s has no parameter %s", op.OperationID, p.Name)
			}
		}
	}
	for _, part := range []string{
		`<code tabindex="0">curl 'http://127.0.0.1:8080/api/open/chains?limit=10'</code>`, `curl 'http://127.0.0.1:8080/api/open/search?limit=10&amp;q=`,
		`name="limit" value="10"`, `data-copy="curl &#39;`, `<link rel="canonical" href="/en/docs">`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if strings.Contains(page, "rel=\"alternate\" hreflang") {
		t.Error("a page in English only has translations")
	}
	for _, field := range []string{"llama_tvl", "followers_count", "totalGroups", "didYouMean", "asOf", "moduleGroupKeys"} {
		if !strings.Contains(page, "<code>"+field+"</code>") {
			t.Errorf("the page has no field %s", field)
		}
	}
}

// The examples of a guide have the public address.
func TestGuide(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: "https://catalogue.example"}), theBundled(t)
	for _, path := range []string{"/ja/docs/caching", withMarkdown("/ja/docs/caching")} {
		found, err := s.Page(of, path, "")
		if err != nil {
			t.Fatal(err)
		}
		if page := string(found.Body); strings.Contains(page, madeFor) || !strings.Contains(page, "https://catalogue.example/api/open/") {
			t.Errorf("%s has not the address of the site", path)
		}
	}
	if _, err := s.Page(of, "/en/docs/nothing", ""); err == nil {
		t.Error("an unknown guide has a page")
	}
}
