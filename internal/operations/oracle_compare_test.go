package operations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/domain"
)

const (
	randomCatalogs     = 40
	requestsPerCatalog = 200
)

// servedRevision is the revision of the snapshots of compile.
const servedRevision = 42

var servedSince = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func serveCatalog(t *testing.T, c *domain.Catalog) http.Handler {
	t.Helper()
	return serving(t, compile(t, c, servedRevision))
}

// fetched is a response with its whole body.
type fetched struct {
	status int
	header http.Header
	body   string
}

func fetch(t *testing.T, handler http.Handler, target string) fetched {
	t.Helper()
	r := get(t, handler, target, nil)
	return fetched{status: r.StatusCode, header: r.Header, body: body(t, r)}
}

// TestResponsesEqualTheOracle compares the served bytes with those of the oracle, for random
// catalogues and requests, for both a first catalogue and a successor.
func TestResponsesEqualTheOracle(t *testing.T) {
	catalogs := uint64(randomCatalogs)
	if testing.Short() {
		catalogs /= 5
	}
	for seed := range catalogs {
		g := newGenerator(seed)
		c := g.catalog()
		mustBeValid(t, c)
		handler := serveCatalog(t, c)
		if seed%2 == 1 {
			handler = serving(t, compileAfter(t, compile(t, g.earlier(c), servedRevision-1), c, servedRevision))
		}
		o := oracle{catalog: c, revision: servedRevision, publishedAt: servedSince}
		for range requestsPerCatalog {
			path, rawQuery := g.request(c)
			if !equalsOracle(t, handler, o, path, rawQuery) {
				t.Fatalf("catalogue of seed %d: locales %q, default %q", seed, c.Locales, c.DefaultLocale)
			}
		}
	}
}

// mustBeValid fails the test if a random catalogue could not be published.
func mustBeValid(t *testing.T, c *domain.Catalog) {
	t.Helper()
	for _, problem := range domain.Check(c, domain.Reading{}).Problems {
		if problem.Rule.Severity() == domain.Error {
			t.Fatalf("the generator made an invalid catalogue: %+v", problem)
		}
	}
}

func equalsOracle(t *testing.T, handler http.Handler, o oracle, path, rawQuery string) bool {
	t.Helper()
	target := path + "?" + rawQuery
	want := o.answer(path, rawQuery)
	got := fetch(t, handler, target)
	if got.status != want.status {
		t.Errorf("GET %s\nstatus %d, want %d (at fault: %q)\n%.500s", target, got.status, want.status, want.at, got.body)
		return false
	}
	switch got.status {
	case http.StatusOK:
		return equalsBody(t, target, got, want) && equalsPage(t, handler, o, target, got, want)
	case http.StatusBadRequest:
		return namesParameter(t, target, got, want.at)
	case http.StatusNotFound:
		return namesCandidates(t, target, got, want.keys)
	}
	return true
}

func equalsBody(t *testing.T, target string, got fetched, want answer) bool {
	t.Helper()
	if got.body != want.body {
		t.Errorf("GET %s\nbody (-want +got):\n%s", target, diffOfBodies(want.body, got.body))
	}
	language := got.header.Get("Content-Language")
	if language != want.language {
		t.Errorf("GET %s\nContent-Language %q, want %q", target, language, want.language)
	}
	location := got.header.Get("Content-Location")
	if location != want.location {
		t.Errorf("GET %s\nContent-Location %q, want %q", target, location, want.location)
	}
	return got.body == want.body && language == want.language && location == want.location
}

// diffOfBodies returns the first lines of the diff of two JSON bodies, "" for equal ones.
func diffOfBodies(a, b string) string {
	if a == b {
		return ""
	}
	return shortened(cmp.Diff(indented(a), indented(b)))
}

// shortened returns the first lines of a text.
func shortened(text string) string {
	const most = 60
	lines := strings.SplitAfterN(text, "\n", most+1)
	if len(lines) <= most {
		return text
	}
	return strings.Join(lines[:most], "") + "…"
}

// indented returns the lines of a JSON body with one member each, so that a diff names the
// members.
func indented(body string) []string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(body), "", "  "); err != nil {
		return []string{body}
	}
	return strings.Split(out.String(), "\n")
}

func namesParameter(t *testing.T, target string, got fetched, at []string) bool {
	t.Helper()
	var problem struct{ Code, Parameter string }
	if err := json.Unmarshal([]byte(got.body), &problem); err != nil {
		t.Errorf("GET %s\n%v: %s", target, err, got.body)
		return false
	}
	if problem.Code != "invalid_parameter" || !slices.Contains(at, problem.Parameter) {
		t.Errorf("GET %s\nnames %q, want one of %q: %s", target, problem.Parameter, at, got.body)
		return false
	}
	return true
}

// namesCandidates checks that the candidates of a 404 are existing keys, at most five and
// distinct.
func namesCandidates(t *testing.T, target string, got fetched, keys []string) bool {
	t.Helper()
	var problem struct {
		Code       string
		Candidates []string
	}
	if err := json.Unmarshal([]byte(got.body), &problem); err != nil {
		t.Errorf("GET %s\n%v: %s", target, err, got.body)
		return false
	}
	sorted := slices.Sorted(slices.Values(problem.Candidates))
	fit := problem.Code == "not_found" && len(sorted) <= 5 && len(slices.Compact(sorted)) == len(problem.Candidates)
	for _, key := range problem.Candidates {
		fit = fit && slices.Contains(keys, key)
	}
	if !fit {
		t.Errorf("GET %s\nno fit candidates, which may be of %q: %s", target, keys, got.body)
	}
	return fit
}

// linksOf returns the Link header of a page, "" for none.
func linksOf(path string, p page) string {
	at := func(offset, limit int, rel string) string {
		p.parameters.Set("offset", strconv.Itoa(offset))
		p.parameters.Set("limit", strconv.Itoa(limit))
		return fmt.Sprintf("<%s?%s>; rel=%q", path, p.parameters.Encode(), rel)
	}
	var links []string
	if p.limit > 0 && p.offset+p.limit < p.total {
		links = append(links, at(p.offset+p.limit, p.limit, "next"))
	}
	if p.offset > 0 {
		end, limit := min(p.offset, p.total), p.limit
		if limit == 0 {
			limit = p.most
		}
		limit = max(1, min(limit, end))
		links = append(links, at(max(0, end-limit), limit, "prev"))
	}
	return strings.Join(links, ", ")
}

var linkPattern = regexp.MustCompile(`<([^>]*)>; ?rel="?(\w+)"?`)

// equalsPage checks Total-Count, and that Link leads to the previous and next page of the same
// request.
func equalsPage(
	t *testing.T, handler http.Handler, o oracle, target string, got fetched, want answer,
) bool {
	t.Helper()
	links := map[string]string{}
	for _, match := range linkPattern.FindAllStringSubmatch(strings.Join(got.header.Values("Link"), ", "), -1) {
		links[match[2]] = match[1]
	}
	total := got.header.Get("Total-Count")
	if want.page == nil {
		if total != "" || len(links) > 0 {
			t.Errorf("GET %s\nhas Total-Count %q and Link %q and is no list", target, total, links)
			return false
		}
		return true
	}
	if total != strconv.Itoa(want.page.total) {
		t.Errorf("GET %s\nTotal-Count %q, want %d", target, total, want.page.total)
		return false
	}
	if !want.page.on {
		if len(links) > 0 {
			t.Errorf("GET %s\nhas Link %q without limit and offset", target, links)
		}
		return len(links) == 0
	}
	path, _, _ := strings.Cut(target, "?")
	if got, want := got.header.Get("Link"), linksOf(path, *want.page); got != want {
		t.Errorf("GET %s\nLink %s\nwant %s", target, got, want)
		return false
	}
	next, prev := want.page.offset+want.page.limit, want.page.offset-want.page.limit
	hasNext := want.page.limit > 0 && next < want.page.total
	if (links["next"] != "") != hasNext || (links["prev"] != "") != (want.page.offset > 0) {
		t.Errorf("GET %s\nLink %q, page %+v", target, links, *want.page)
		return false
	}
	if hasNext && !leadsTo(t, handler, o, links["next"], target, next, want.page.limit) {
		return false
	}
	beforePast := want.page.offset <= want.page.total && want.page.limit > 0 && prev >= 0
	return !beforePast || leadsTo(t, handler, o, links["prev"], target, prev, want.page.limit)
}

// leadsTo checks that a link has the page of target at another offset.
func leadsTo(t *testing.T, handler http.Handler, o oracle, link, target string, offset, limit int) bool {
	t.Helper()
	path, rawQuery, _ := strings.Cut(target, "?")
	pairs := slices.DeleteFunc(strings.Split(rawQuery, "&"), func(pair string) bool {
		return strings.HasPrefix(pair, "limit=") || strings.HasPrefix(pair, "offset=")
	})
	pairs = append(pairs, "limit="+strconv.Itoa(limit), "offset="+strconv.Itoa(offset))
	want := o.answer(path, strings.Join(pairs, "&"))
	base, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	reference, err := base.Parse(link)
	if err != nil {
		t.Errorf("GET %s\nlink %q: %v", target, link, err)
		return false
	}
	return equalsBody(t, target+" → "+link, fetch(t, handler, reference.RequestURI()), want)
}

// TestSearchEqualsTheOracle searches for every substring of up to three characters of every text,
// in several spellings. Random requests would rarely hit the interesting pairs.
func TestSearchEqualsTheOracle(t *testing.T) {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}, Title: text("en", "All")}
	for i, nasty := range nastyTexts {
		nasty = strings.TrimSpace(nasty)
		c.Channels = append(c.Channels, domain.Channel{ChannelID: fmt.Sprintf("UC%03d", i), Name: nasty})
	}
	handler := serveCatalog(t, c)
	o := oracle{catalog: c}
	for _, piece := range pieces(c.Channels, 3) {
		if !equalsOracle(t, handler, o, "/api/open/youtube/channels", "q="+url.QueryEscape(piece)) {
			t.Fatalf("q = %q %+q", piece, piece)
		}
	}
}

// pieces returns all substrings of the names of up to most characters: as written, decomposed,
// without marks, and in capitals. The result is sorted and distinct.
func pieces(channels []domain.Channel, most int) []string {
	var all []string
	for _, channel := range channels {
		name := []rune(channel.Name)
		for from := range name {
			for to := from + 1; to <= min(len(name), from+most); to++ {
				piece := string(name[from:to])
				all = append(all, piece, norm.NFD.String(piece), withoutMarks(piece), strings.ToUpper(piece))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestInputOrderDoesNotMatter checks that the order of lists that responses sort has no effect.
func TestInputOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(8) {
		g := newGenerator(1000 + seed)
		c := g.catalog()
		first := serveCatalog(t, c)
		second := serveCatalog(t, shuffled(g, c))
		for _, target := range everyTarget(c) {
			a, b := fetch(t, first, target), fetch(t, second, target)
			if diff := diffOfBodies(a.body, b.body); diff != "" {
				t.Fatalf("seed %d: GET %s (-as written +shuffled):\n%s", seed, target, diff)
			}
			if a.status != http.StatusOK {
				t.Fatalf("seed %d: GET %s: %d %.500s", seed, target, a.status, a.body)
			}
			if diff := cmp.Diff(a.header["Etag"], b.header["Etag"]); diff != "" {
				t.Fatalf("seed %d: GET %s: ETag (-as written +shuffled):\n%s", seed, target, diff)
			}
		}
	}
}

// shuffled returns a copy of the catalogue in which lists without a meaningful order are
// shuffled.
func shuffled(g generator, c *domain.Catalog) *domain.Catalog {
	other := *c
	other.Groups = shuffle(g, c.Groups)
	other.Categories = shuffle(g, c.Categories)
	other.Chains = shuffle(g, c.Chains)
	other.Accounts = shuffle(g, c.Accounts)
	other.Channels = shuffle(g, c.Channels)
	return &other
}

func shuffle[T any](g generator, list []T) []T {
	other := slices.Clone(list)
	g.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	return other
}

// everyTarget returns requests for every operation on the catalogue, in all forms and locales.
func everyTarget(c *domain.Catalog) []string {
	paths := []string{"categories", "categories?includeI18n=1", "twitter/users", "youtube/channels", "nav/groups", "meta"}
	for _, module := range moduleNames() {
		paths = append(paths, "category-groups?module="+module, "categories?scope="+module,
			"categories?includeI18n=1&scope="+module)
	}
	for _, sort := range []string{"name", "chainId", "platforms", "tvl"} {
		paths = append(paths, "chains?sort="+sort, "chains?sortDir=asc&sort="+sort)
	}
	for _, g := range c.NavGroups {
		paths = append(paths, "nav/groups/"+g.Slug)
	}
	for _, m := range c.Menus {
		paths = append(paths, "nav/menus/"+m.PathSlug)
	}
	targets := []string{"/api/open/spec", "/openapi.json", "/"}
	for _, path := range paths {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		for _, locale := range c.Locales {
			targets = append(targets, "/api/open/"+path+separator+"locale="+locale)
		}
	}
	return targets
}

// TestSpellingsOfALocaleShareOneResponse checks that equivalent values of locale share a response
// and its ETag.
func TestSpellingsOfALocaleShareOneResponse(t *testing.T) {
	c := newGenerator(7).catalog()
	handler := serveCatalog(t, c)
	for _, target := range everyTarget(c) {
		before, locale, found := strings.Cut(target, "locale=")
		if !found {
			continue
		}
		want := fetch(t, handler, target)
		for _, spelling := range []string{
			strings.ToUpper(locale), strings.ToLower(locale), strings.ReplaceAll(locale, "-", "_"), locale + "-x-mine",
		} {
			got := fetch(t, handler, before+"locale="+spelling)
			if got.header.Get("ETag") != want.header.Get("ETag") || got.body != want.body {
				t.Errorf("GET %slocale=%s differs from %s", before, spelling, locale)
			}
		}
	}
}

// TestDerivedIDs checks that ids that editors leave out are present and unique, and independent
// of the order of the input.
func TestDerivedIDs(t *testing.T) {
	g := newGenerator(11)
	c := g.catalog()
	for i := range c.Chains {
		c.Chains[i].ID = ""
	}
	ids := func(c *domain.Catalog) map[string]string {
		var body struct {
			Chains []struct {
				ID   string `json:"_id"`
				Slug string `json:"slug"`
			} `json:"chains"`
		}
		if err := json.Unmarshal([]byte(fetch(t, serveCatalog(t, c), "/api/open/chains").body), &body); err != nil {
			t.Fatal(err)
		}
		bySlug, seen := map[string]string{}, map[string]bool{"": true}
		for _, chain := range body.Chains {
			if seen[chain.ID] {
				t.Errorf("chain %s: id %q is empty or not its own", chain.Slug, chain.ID)
			}
			seen[chain.ID] = true
			bySlug[chain.Slug] = chain.ID
		}
		return bySlug
	}
	if diff := cmp.Diff(ids(c), ids(shuffled(g, c))); diff != "" {
		t.Errorf("ids (-as written +shuffled):\n%s", diff)
	}
}
