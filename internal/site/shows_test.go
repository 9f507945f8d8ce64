package site

import (
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/snapshot"
)

// Record pages show every field, except former keys, which are names of the page, and ids of the
// API. The Markdown version has no logos and no free-form JSON.
func TestRecordPagesShowEveryField(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some hundred catalogues")
	}
	s := siteOf(t, Config{})
	for kind, path := range map[domain.Kind]string{
		domain.KindChain: "/en/chains/", domain.KindApp: "/en/apps/", domain.KindAccount: "/en/twitter/", domain.KindChannel: "/en/youtube/",
	} {
		hidden := map[string][]string{"page": {"former", "id"}, "Markdown": {"former", "id", "logo", "image", "extra"}}
		domaintest.Shows(t, kind, hidden, func(c *domain.Catalog, key string) map[string]string {
			of, err := snapshot.Compile(nil, c, snapshot.Revision{Number: 7, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
			if err != nil {
				t.Fatal(err)
			}
			return map[string]string{"page": pageAt(t, s, of, path+key, ""), "Markdown": pageAt(t, s, of, path+key+".md", "")}
		})
	}
}
