package operations_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// manyChains returns a catalogue whose list of chains is a large body.
func manyChains() *domain.Catalog { return chainsOf(1000) }

func chainsOf(n int) *domain.Catalog {
	c := &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: "Many"}}, DefaultLocale: "en", Locales: []string{"en"},
	}
	for i := range n {
		slug := fmt.Sprintf("chain-%d", i)
		c.Chains = append(c.Chains, domain.Chain{
			ID: slug, Slug: slug, Name: domain.Text{{Locale: "en", Value: slug}}, ChainID: fmt.Sprint(i),
		})
	}
	return c
}

// TestLargestSearches checks that the largest possible requests take little memory other than
// that of their response.
func TestLargestSearches(t *testing.T) {
	s := compile(t, manyChains(), 42)
	s.Finish()
	h := serving(t, s)
	get(t, h, "/api/open/meta", nil)
	h.AwaitPrepared() // preparing would be measured, too
	var tags, letters []string
	for i := range 1000 {
		tags = append(tags, fmt.Sprintf("tag-%d", i))
	}
	for i := range 100 {
		letters = append(letters, string(rune('a'+i%26)))
	}
	for name, query := range map[string]string{
		"tags":                      "tag=" + strings.Join(tags, ","),
		"letters":                   "q=" + strings.Join(letters, "+"),
		"one long term":             "q=" + strings.Repeat("a", 200),
		"letters that fold to many": "q=" + strings.Repeat("%EF%B7%BA", 200),
		"marks":                     "q=a" + strings.Repeat("%CC%81", 199),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		response := get(t, h, "/api/open/chains?"+query, nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; response.StatusCode != 200 || took > 1<<20 {
			t.Errorf("%s: status %d, %d bytes", name, response.StatusCode, took)
		}
	}
}

// TestMemoryIsReleased checks that the memory of a response is released however its request ends.
func TestMemoryIsReleased(t *testing.T) {
	s := compile(t, manyChains(), 42)
	h := serving(t, s)
	for name, header := range map[string]http.Header{
		"200": {}, "304": {"If-None-Match": {"*"}}, "406": {"Accept-Encoding": {"*;q=0"}},
	} {
		if response := get(t, h, "/api/open/chains", header); fmt.Sprint(response.StatusCode) != name {
			t.Errorf("status %d, want %s", response.StatusCode, name)
		}
		if got, _ := h.Answers(); got != 0 {
			t.Errorf("%s: %d bytes are still held", name, got)
		}
	}
	func() {
		defer func() { _ = recover() }() // as the HTTP server does
		h.ServeHTTP(brokenWriter{httptest.NewRecorder()}, httptest.NewRequest("GET", "/api/open/chains", nil))
	}()
	if got, _ := h.Answers(); got != 0 {
		t.Errorf("after a panic %d bytes are still held", got)
	}
}

// brokenWriter panics instead of writing.
type brokenWriter struct{ *httptest.ResponseRecorder }

func (brokenWriter) Write([]byte) (int, error) { panic("the connection is gone") }
