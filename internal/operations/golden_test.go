package operations_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden bodies again")

// TestGolden compares the body of every operation in three locales with golden files. The files
// are indented for readers. The served bytes must be compact, which the test also checks.
func TestGolden(t *testing.T) {
	h := serving(t, compile(t, fixture(t), 42))
	operations := []struct{ file, path string }{
		{"categories", "/api/open/categories?"},
		{"categories-scope", "/api/open/categories?scope=chain&"},
		{"categories-full", "/api/open/categories?includeI18n=1&"},
		{"categories-full-scope", "/api/open/categories?includeI18n=true&scope=twitter&"},
		{"users", "/api/open/twitter/users?"},
		{"users-any", "/api/open/twitter/users?followers=any&"},
		{"users-full", "/api/open/twitter/users?id=@zeta,unknown_followers&view=full&"},
		{"chains", "/api/open/chains?"},
		{"chains-full", "/api/open/chains?view=full&limit=2&"},
		{"chains-name", "/api/open/chains?sort=name&sortDir=asc&"},
		{"chains-id", "/api/open/chains?sort=chainId&"},
		{"chains-page", "/api/open/chains?sort=platforms&limit=2&offset=1&"},
		{"nav-groups", "/api/open/nav/groups?"},
		{"nav-group", "/api/open/nav/groups/more-menus?"},
		{"nav-menu", "/api/open/nav/menus/tools?"},
		{"nav-menu-hidden", "/api/open/nav/menus/hidden?"},
		{"category-groups", "/api/open/category-groups?module=chain&"},
		{"channels", "/api/open/youtube/channels?"},
		{"apps", "/api/open/apps?status=all&"},
		{"apps-facets", "/api/open/apps?chain=celo&platform=ios&facets=1&"},
		{"app", "/api/open/apps/sample-wallet?"},
		{"app-retired", "/api/open/apps/closed?"},
		{"search-app", "/api/open/search?q=wallet&"},
		{"search-card", "/api/open/search?q=wallet&kind=app,card&"},
		{"changes", "/api/open/changes?since=1&"},
		{"meta", "/api/open/meta?"},
		{"index", "/api/open/?"},
	}
	for _, op := range operations {
		for _, locale := range []string{"en", "zh-hans", "pt-br"} {
			t.Run(op.file+"/"+locale, func(t *testing.T) {
				response := get(t, h, op.path+"locale="+locale, nil)
				if response.StatusCode != http.StatusOK {
					t.Fatalf("status %d", response.StatusCode)
				}
				content := body(t, response)
				var compact, indented bytes.Buffer
				if err := json.Compact(&compact, []byte(content)); err != nil {
					t.Fatal(err)
				}
				if compact.String() != content {
					t.Error("the body has white space")
				}
				if err := json.Indent(&indented, []byte(content), "", "  "); err != nil {
					t.Fatal(err)
				}
				indented.WriteByte('\n')
				golden(t, op.file+"."+locale+".json", indented.String())
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; make golden accepts it)\n%s", file, diff)
	}
}
