package site

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// Pages of catalogues without chains do not mention chains, wallets or their figures, in any language.
func TestCataloguesWithoutChains(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)chain|mainnet|wallet|tvl|web3|cadena|billetera|公链|公鏈|区块链|區塊鏈|钱包|錢包|チェーン|ウォレット`)
	attribute := regexp.MustCompile(`(?s)<(?:script|style).*?</(?:script|style)>|<[^>]*>`)
	named := regexp.MustCompile(`(?:content|placeholder|aria-label|title)="[^"]*"`)
	s := siteOf(t, Config{PublicURL: public})
	failure := response.Failure{Problem: &response.Problem{Code: response.NotFound}, Status: 404}
	bulk := snapshot.Revision{PublishedAt: time.Date(2026, 3, 3, 4, 5, 6, 0, time.UTC), Bulk: "/bulk/entry.json"}
	for dir, paths := range map[string][]string{
		"products": {"/nav/javascript", "/apps/angularjs", "/apps/nvm", "/search?q=angular"},
		"lists":    {"/nav/languages", "/apps/go", "/search?q=python"},
	} {
		of := changed(t, bulk, os.DirFS("testdata/"+dir))
		for _, name := range of.Locales().Names() {
			at := "/" + strings.ToLower(name)
			pages := map[string]string{"404": string(s.Failure(of, at+"/nothing", nil, failure).Body)}
			for _, path := range append(paths, "/", "/nav", "/apps", "/apps?platform=web", "/cards", "/categories", "/news", "/changes", "/data", "/compare", "/search", "/search?q=zzzzz") {
				path, query, _ := strings.Cut(path, "?")
				pages[path+"?"+query] = pageAt(t, s, of, at+path, query)
			}
			for _, path := range []string{"/chains", "/twitter", "/youtube"} {
				if _, err := s.Page(of, at+path, ""); !errors.Is(err, errUnknown) {
					t.Errorf("%s, %s%s is a page", dir, at, path)
				}
			}
			docs := pageAt(t, s, of, "/en/docs", "")
			if strings.Contains(docs, "youtube") {
				t.Errorf("%s: the documentation has values for channels", dir)
			}
			for _, key := range captured(docs, `<form action="/api/open/apps/([^"]+)"`) {
				if _, ok := of.Named(query.KindApp, key); !ok || strings.Contains(docs, "ethereum") {
					t.Errorf("%s: the examples of the documentation are not of the catalogue: %s", dir, key)
				}
			}
			for _, path := range []string{"/en/docs", "/en/docs/limits", "/llms.txt"} {
				pages[path] = pageAt(t, s, of, path, "")
			}
			for path, page := range pages {
				shown := attribute.ReplaceAllString(page, " ") + strings.Join(named.FindAllString(page, -1), " ")
				for _, word := range foreign.FindAllString(shown, -1) {
					t.Errorf("%s, %s%s mentions %q", dir, at, path, word)
				}
				if strings.Contains(page, `href="`+at+`/chains"`) || strings.Contains(page, `href="`+at+`/twitter"`) {
					t.Errorf("%s, %s%s links to an empty list", dir, at, path)
				}
			}
		}
		if sitemap := pageAt(t, s, of, "/sitemap.xml", ""); strings.Contains(sitemap, "/chains<") || !strings.Contains(sitemap, "/nav<") || !strings.Contains(sitemap, "/apps<") {
			t.Errorf("%s: the sitemap has the list of chains, or lacks the menus or apps", dir)
		}
	}
}
