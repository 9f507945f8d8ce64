package cli

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	bundled "vitrine/catalog"
	"vitrine/internal/admission"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/response"
	"vitrine/internal/site"
	"vitrine/internal/snapshot"
)

// TestUnchargedRequestsCauseNoWork requests every path of the API and of the site with random
// query strings and headers. A request without a charge must neither render nor compress, with a
// quota that lasts and with an exhausted one.
func TestUnchargedRequestsCauseNoWork(t *testing.T) {
	const requests = 1500
	for _, quota := range []int64{1 << 40, 20} {
		s := serveCounted(t, quota)
		free, refused := 0, 0
		for range requests {
			r := s.randomRequest()
			before := s.counts()
			status := s.ask(r).Code
			done := s.counts().minus(before)
			if done.Charged == 0 && (done.Pages != 0 || done.Failures != 0 || done.Made != 0 || done.Packed != 0) {
				t.Fatalf("%s %s %v: %d, uncharged: %+v", r.Method, r.URL, r.Header, status, done)
			}
			if status == http.StatusTooManyRequests {
				refused++
			} else if done.Charged == 0 {
				free++
			}
		}
		if free < requests/40 || (refused > 0) != (quota == 20) {
			t.Errorf("quota %d: %d free responses, %d rejections", quota, free, refused)
		}
	}
}

// TestUnknownParametersMakeNoCacheKeys repeats requests with unknown parameters and, for pages,
// values outside of closed sets: the response must come from the cache.
func TestUnknownParametersMakeNoCacheKeys(t *testing.T) {
	const queries = 5
	s := serveCounted(t, 1<<40)
	for _, path := range s.paths {
		first := s.ask(httptest.NewRequest(http.MethodGet, path, nil))
		if first.Code != http.StatusOK {
			continue
		}
		before := s.counts()
		for range queries {
			raw := s.unknownQuery(!strings.HasPrefix(path, "/api/"))
			again := s.ask(httptest.NewRequest(http.MethodGet, path+"?"+raw, nil))
			done := s.counts().minus(before)
			if done.Pages != 0 || done.Made != 0 || done.Packed != 0 || again.Code != http.StatusOK || again.Body.String() != first.Body.String() {
				t.Fatalf("%s?%s: %d, %+v, the same body: %v", path, raw, again.Code, done, again.Body.String() == first.Body.String())
			}
		}
	}
}

// counted is a server of the bundled catalogue and its site that counts its work.
type counted struct {
	t       *testing.T
	handler *operations.Handler
	pages   *countedPages
	store   *countedStore
	random  *rand.Rand
	paths   []string
}

// counts has counters of work.
type counts struct{ Charged, Pages, Failures, Made, Packed uint64 }

func (c counts) minus(d counts) counts {
	return counts{c.Charged - d.Charged, c.Pages - d.Pages, c.Failures - d.Failures, c.Made - d.Made, c.Packed - d.Packed}
}

func (s *counted) counts() counts {
	stats := s.handler.Stats()
	return counts{s.store.charged.Load(), s.pages.made.Load(), s.pages.failures.Load(), stats.Misses, stats.Packs}
}

// countedPages counts rendered pages.
type countedPages struct {
	operations.Pages
	made, failures atomic.Uint64
}

func (p *countedPages) Page(s *snapshot.Snapshot, path, query string) (response.Document, error) {
	p.made.Add(1)
	return p.Pages.Page(s, path, query)
}

func (p *countedPages) Failure(s *snapshot.Snapshot, path string, header http.Header, failure response.Failure) response.Document {
	p.failures.Add(1)
	return p.Pages.Failure(s, path, header, failure)
}

// countedStore counts charged units.
type countedStore struct {
	ratelimit.Store
	charged atomic.Uint64
}

func (s *countedStore) Take(ctx context.Context, key ratelimit.Key, p ratelimit.Policy, cost int64) ratelimit.Decision {
	d := s.Store.Take(ctx, key, p, cost)
	if d.Allowed && cost > 0 {
		s.charged.Add(uint64(cost))
	}
	return d
}

// compiledBundle returns the snapshot of the bundled catalogue, which tests share.
var compiledBundle = sync.OnceValues(func() (func() *snapshot.Snapshot, error) {
	revision := snapshot.Revision{Number: 1, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	current, _, err := only(context.Background(), bundled.FS, revision)
	return current, err
})

func serveCounted(t *testing.T, quota int64) *counted {
	t.Helper()
	current, err := compiledBundle()
	must(t, err)
	pages, err := site.New(site.Config{PublicURL: "https://catalogue.example"})
	must(t, err)
	s := &counted{
		t: t, pages: &countedPages{Pages: pages}, store: &countedStore{Store: ratelimit.NewMemory()}, random: rand.New(rand.NewPCG(1, uint64(quota))),
	}
	log := slog.New(slog.DiscardHandler)
	policy := ratelimit.Policy{Quota: quota, Window: 365 * 24 * time.Hour}
	gate := admission.New(s.store, func() *admission.Keys { return admission.NewKeys(nil, nil) }, log, admission.Config{Anonymous: policy, Pages: policy})
	s.handler, err = operations.New(operations.Config{Snapshot: current, Gate: gate, Log: log, Pages: s.pages, CacheBytes: 64 << 20})
	must(t, err)
	s.ask(httptest.NewRequest(http.MethodGet, "/", nil))
	for s.handler.Stats().Preparing > 0 {
		runtime.Gosched()
	}
	s.collect(pages, current())
	return s
}

func (s *counted) ask(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// collect returns the paths of operations, prepared documents and the sitemap, and some unknown
// ones.
func (s *counted) collect(pages operations.Pages, of *snapshot.Snapshot) {
	var index struct{ Operations []struct{ Path string } }
	must(s.t, json.Unmarshal(s.ask(httptest.NewRequest(http.MethodGet, "/api/open/", nil)).Body.Bytes(), &index))
	for _, op := range index.Operations {
		for _, segment := range []string{"base", "wallets", "defi", "nothing"} {
			path, _, open := strings.Cut(op.Path, "{")
			if open {
				path += segment
			}
			s.paths = append(s.paths, path)
			if !open {
				break
			}
		}
	}
	s.paths = append(s.paths, pages.Prepared(nil)...)
	s.paths = append(s.paths, pages.Prepared(of)...)
	page, err := pages.Page(of, "/sitemap.xml", "")
	must(s.t, err)
	var sitemap struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	must(s.t, xml.Unmarshal(page.Body, &sitemap))
	for i, one := range sitemap.URL {
		if i < 150 || i%500 == 0 {
			s.paths = append(s.paths, strings.TrimPrefix(one.Loc, "https://catalogue.example"))
		}
	}
	s.paths = append(s.paths, "/", "/chains", "/search", "/en/search", "/feed.atom", "/en/feed.atom", "/theme.css", "/openapi.json", "/api/open", "/mcp",
		"/sitemap.xml", "/nothing/here", "/en/nothing", "/api/nothing", "/%61pi/open", "/robots%2etxt", "/index.md", "/.md")
}

func pick[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

func (s *counted) randomRequest() *http.Request {
	path := pick(s.random, s.paths...)
	if s.random.IntN(2) == 0 { // few paths may be free
		path = pick(s.random, "/", "/api/open", "/api/open/", "/openapi.json", "/robots.txt", "/llms.txt", "/theme.css", "/favicon.ico", "/.well-known/api-catalog", "/opensearch.xml", "/.md")
	}
	if query := s.randomQuery(); query != "" {
		path += "?" + query
	}
	r := httptest.NewRequest(pick(s.random, "GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST"), path, nil)
	for name, values := range map[string][]string{
		"Accept":          {"", "text/html", "text/markdown", "application/json", "*/*"},
		"Accept-Encoding": {"", "gzip", "br", "zstd", "gzip, deflate, br, zstd", "identity;q=0, *", "identity;q=0"},
		"Accept-Language": {"", "ja", "es-MX, en;q=0.5", "xx"},
		"Cookie":          {"", "theme=dark", "theme=none"},
		"If-None-Match":   {"", "", "*", `"x"`},
		"X-Api-Key":       {"", "", "", "wrong"},
	} {
		if value := pick(s.random, values...); value != "" {
			r.Header.Set(name, value)
		}
	}
	return r
}

func (s *counted) randomQuery() string {
	var pairs []string
	for range s.random.IntN(4) {
		name := pick(s.random, "q", "tag", "status", "sort", "sortDir", "kind", "chain", "menu", "offset", "limit", "facets", "match", "locale", "theme",
			"includeI18n", "scope", "module", "lang", "utm_source", "view", fmt.Sprint("p", s.random.IntN(1000)))
		value := pick(s.random, "base", "dark", "auto", "all", "tvl", "asc", "chain", "ja", "10", "0", "1", "", "%zz", "%00", "%64ark", fmt.Sprint("v", s.random.IntN(1000)))
		pairs = append(pairs, name+"="+value)
	}
	return strings.Join(pairs, "&")
}

// unknownQuery returns a query without an effect, for pages also with values outside of closed
// sets.
func (s *counted) unknownQuery(ofPage bool) string {
	names := []string{"utm_source", "lang", "format", "a%20b", fmt.Sprint("p", s.random.IntN(1000))}
	if ofPage {
		names = append(names, "theme", "%74heme", "sort", "sortDir", "status", "kind", "limit", "facets", "match", "locale")
	}
	var pairs []string
	for range 1 + s.random.IntN(3) {
		pairs = append(pairs, pick(s.random, names...)+"="+url.QueryEscape(fmt.Sprint("value ", s.random.IntN(1000))))
	}
	return strings.Join(pairs, "&")
}
