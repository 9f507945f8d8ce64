package site

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"image/png"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

const public = "https://index.example"

// Every page of every kind of catalogue has one title, unique IDs, valid linked data and a
// direction.
func TestPagesAreWhole(t *testing.T) {
	s := siteOf(t, Config{PublicURL: public})
	for name, of := range map[string]*snapshot.Snapshot{"bundled": theBundled(t), "empty": emptySnapshot(t), "hostile": hostileSnapshot(t)} {
		for _, path := range []string{"/", "/nav", "/cards", "/categories", "/news", "/data", "/chains"} {
			for _, locale := range of.Locales().Names() {
				locale = strings.ToLower(locale)
				page := pageAt(t, s, of, "/"+locale+path, "")
				if n := len(captured(page, `(<h1[ >])`)); n != 1 {
					t.Errorf("%s, /%s%s: %d titles", name, locale, path, n)
				}
				ids := captured(page, ` id="([^"]*)"`)
				slices.Sort(ids)
				if len(slices.Compact(slices.Clone(ids))) != len(ids) {
					t.Errorf("%s, /%s%s: ids that are there twice among %v", name, locale, path, ids)
				}
				if want := `dir="` + map[bool]string{true: "rtl", false: "ltr"}[locale == "ar"] + `"`; !strings.Contains(page, want) {
					t.Errorf("%s, /%s%s: not %s", name, locale, path, want)
				}
				for _, script := range captured(page, `(?s)<script type="application/ld\+json">(.*?)</script>`) {
					if !json.Valid([]byte(script)) {
						t.Errorf("%s, /%s%s: linked data that is no JSON: %s", name, locale, path, script)
					}
				}
				text := pageAt(t, s, of, withMarkdown("/"+locale+path), "")
				if !strings.HasPrefix(text, "# ") || strings.Contains(text, "<h1") {
					t.Errorf("%s, /%s%s.md begins with %.40q", name, locale, path, text)
				}
			}
		}
	}
}

// The first page agrees with the API.
func TestFirstPage(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), theBundled(t)
	page := pageAt(t, s, of, "/en/", "")
	meta := of.MetaView(0)
	for key, count := range map[string]int{
		"mainnets": meta.ChainNetworks.Mainnets, "testnets": meta.ChainNetworks.Testnets, "users": of.List(query.List{Kind: query.KindUser, Unlisted: true}).Total, "channels": meta.Counts.Channels, "categories": meta.Counts.Categories, "menus": meta.Counts.Menus,
	} {
		if want := s.words.of("en").integer(count); !strings.Contains(page, ">"+want+" ") {
			t.Errorf("the page does not have the number %s of %s", want, key)
		}
	}
	largest := snapshot.Rows[snapshot.ChainRow](of, query.List{Kind: query.KindChain, Page: query.Page{On: true, Limit: firstChains}})
	var want []string
	for _, chain := range largest.Rows {
		want = append(want, "/en/chains/"+chain.Slug)
	}
	_, table, _ := strings.Cut(page, `id="largest"`)
	table, _, _ = strings.Cut(table, "</table>")
	if got := captured(table, `href="(/en/chains/[^"]*)"`); !slices.Equal(got, want) {
		t.Errorf("the largest are %v; want %v", got, want)
	}
	for _, f := range meta.Figures {
		want := f.Source
		if source, ok := of.SourceNamed(f.Source); ok {
			want = `<a href="` + source.URL + `" rel="noopener noreferrer">` + source.Name + "</a>"
		}
		if !strings.Contains(page, `<td role="cell">`+want+"</td>") {
			t.Errorf("the page does not name the source %s", f.Source)
		}
	}
	for _, group := range of.NavGroupsView(0).Groups {
		for _, menu := range group.Navs {
			if !strings.Contains(page, `href="/en`+menu.Href+`"`) {
				t.Errorf("the page has no link to %s", menu.Href)
			}
		}
	}
	if !strings.Contains(page, `"urlTemplate":"`+strings.ReplaceAll(public, "/", `\/`)) && !strings.Contains(page, `"urlTemplate":"`+public+`/en/search?q={q}"`) {
		t.Error("the page does not tell how it is searched")
	}
}

// The page of a menu has all its cards.
func TestMenus(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), theBundled(t)
	for _, group := range of.NavGroupsView(0).Groups {
		for _, nav := range group.Navs {
			menu := of.MenuView(strings.TrimPrefix(nav.Href, "/nav/"), 0)
			page, markdown := pageAt(t, s, of, "/en"+nav.Href, ""), pageAt(t, s, of, "/en"+nav.Href+".md", "")
			for _, section := range groupsOf(menu) {
				for _, item := range section.Items {
					if !strings.Contains(page, ` id="`+item.Slug+`"`) || !strings.Contains(page, `href="#`+item.Slug+`"`) {
						t.Errorf("%s: %s has no element or no link to it", nav.Href, item.Slug)
					}
					for _, card := range item.Cards {
						if !strings.Contains(page, `href="`+html.EscapeString(card.Link)+`"`) || !strings.Contains(page, ">"+html.EscapeString(card.Title)+"<") {
							t.Errorf("%s lacks the card %s", nav.Href, card.Title)
						}
						if !strings.Contains(markdown, string(link(card.Title, card.Link))) {
							t.Errorf("%s.md lacks the card %s", nav.Href, card.Title)
						}
					}
				}
			}
		}
	}
	if _, err := s.Page(of, "/en/nav/no-such-menu", ""); err == nil {
		t.Error("an unknown menu has a page")
	}
}

// oneMenu returns a catalogue with rare cases of menus.
func oneMenu(t *testing.T) *snapshot.Snapshot {
	return snapshotOf(t, fstest.MapFS{
		"catalog.yaml": {Data: []byte("title: One\ndefault_locale: en\nlocales: [en]\n")},
		"apps.yaml": {Data: []byte(`apps:
  - {key: gone, title: {en: Gone}, link: "https://gone.example/", status: retired, status_since: 2025-03-04, status_note: {en: It was shut.}}
  - {key: soon, title: {en: Soon}, link: "https://soon.example/", status: upcoming, launched: 2027-01-01}
  - {key: here, title: {en: Here}, link: "https://www.here.example/path", launched: 2024-05-06}
`)},
		"nav.yaml": {Data: []byte("groups:\n  - {key: g, name: {en: G}, menus: [m]}\n")},
		"nav/m.yaml": {Data: []byte(`title: {en: M}
former: [old]
groups:
  - slug: one
    name: {en: One}
    items:
      - {slug: main, name: {en: Main}, cards: [{app: gone}, {app: soon}]}
      - {slug: twice, name: {en: Twice}, cards: [{app: here}]}
standalone:
  - {slug: twice, name: {en: Twice again}, cards: [{title: {en: Inside}, link: /inside}]}
  - {slug: out, name: {en: Out}, type: link, cards: [{title: {en: There}, link: "https://there.example/"}]}
`)},
		"nav/unlisted.yaml": {Data: []byte("title: {en: Unlisted}\nstandalone:\n  - {slug: none, name: {en: None}, cards: [{title: {en: Only}, link: \"https://only.example/\"}]}\n")},
	})
}

func TestMenuWithRareCases(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), oneMenu(t)
	page := pageAt(t, s, of, "/en/nav/m", "")
	for _, want := range []string{
		`<span class="state retired">Retired</span>`, `<span class="state upcoming">Upcoming</span>`,
		` id="main-2"`, `href="#main-2"`, ` id="twice"`, ` id="twice-2"`, // IDs are unique
		`<span class="host">here.example</span>`,
		`<a href="https://www.here.example/path" rel="noopener noreferrer">`, `<a href="/inside">`,
		`<li id="out">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	former := pageAt(t, s, of, "/en/nav/old", "")
	if !strings.Contains(former, `<link rel="canonical" href="`+public+`/en/nav/m">`) {
		t.Error("a page at a former slug does not name the present one")
	}
	if page := pageAt(t, s, of, "/en/nav/unlisted", ""); !strings.Contains(page, "only.example") {
		t.Error("a menu that no group lists has no page")
	}
}

func TestCardsPage(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), theBundled(t)
	for _, raw := range []string{"", "chain=base", "menu=wallets&sort=title", "q=uniswap", "q=eth&sort=relevance", "tag=mobile-wallet,lending", "status=all", "offset=50"} {
		q, err := query.ParseList(query.KindCard, raw+"&limit=50&match=groups", of.Locales())
		if err != nil {
			t.Fatal(err)
		}
		found := snapshot.Rows[snapshot.CardRow](of, q)
		var want []string
		for _, card := range found.Rows {
			want = append(want, card.Title)
		}
		page := pageAt(t, s, of, "/en/cards", raw)
		_, rows, _ := strings.Cut(page, "data-results")
		if got := captured(rows, `<strong>([^<]*)</strong>`); !slices.Equal(got, want) {
			t.Errorf("%q has %v; want %v", raw, got, want)
		}
		if !strings.Contains(page, `class="count">`+s.words.of("en").integer(found.Total)) {
			t.Errorf("%q does not say that %d match", raw, found.Total)
		}
	}
	if page := pageAt(t, s, of, "/en/cards", "chain=base&q=nothing-like-this"); !strings.Contains(page, `class="empty"`) || !strings.Contains(page, "Remove the filter") {
		t.Error("a page without results does not suggest removing a filter")
	}
	empty := pageAt(t, s, of, "/en/chains", "tag=layer-2&q=nothing-like-this")
	for _, want := range []string{`<input type="hidden" name="tag" value="layer-2">`, `Filters <span class="n">1</span>`, "Remove the filter<"} {
		if !strings.Contains(empty, want) {
			t.Errorf("a list without results and with a category lacks %s", want)
		}
	}
	if _, err := s.Page(of, "/en/cards", "status=gone"); err == nil {
		t.Error("an unknown status is accepted")
	}
}

// Each category links to a list with the stated number of records.
func TestCategoriesLeadToLists(t *testing.T) {
	s, of := siteOf(t, Config{}), theBundled(t)
	page := pageAt(t, s, of, "/en/categories", "")
	listed := regexp.MustCompile(`<a href="/en(/[a-z]+)\?tag=([a-z0-9-]+)">[^<]*</a> <span class="facts">([0-9,]+)</span>`).FindAllStringSubmatch(page, -1)
	if len(listed) < 200 {
		t.Fatalf("only %d categories", len(listed))
	}
	kinds := map[string]query.Kind{}
	for _, section := range sections() {
		kinds[section.path] = section.kind
	}
	for _, one := range listed {
		total := of.List(query.List{Kind: kinds[one[1]], Tags: []string{one[2]}, Page: query.Page{On: true, Limit: 1}}).Total
		if got := strings.ReplaceAll(one[3], ",", ""); got != strconv.Itoa(total) {
			t.Errorf("%s of %s has %d; the page says %s", one[2], one[1], total, got)
		}
	}
}

func TestNewsAndFeed(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), oneMenu(t)
	page := pageAt(t, s, of, "/en/news", "")
	order := captured(page, `<span class="when">([^<]*)</span>`)
	if want := []string{"4 March 2025", "6 May 2024"}; !slices.Equal(order, want) {
		t.Errorf("the page has %v; want %v", order, want)
	}
	if !strings.Contains(page, `href="/en/apps/gone"`) || !strings.Contains(page, "It was shut.") || strings.Contains(page, "Soon") {
		t.Error("the page has no link to the ended app, or lists a future one")
	}
	for _, part := range []string{
		`<h3>Launches <span class="n">1</span></h3>`, `<h3>Retirements <span class="n">1</span></h3>`, `href="/en/news?event=ended">`, `href="/en/changes"`, `type="application/feed+json"`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if only := captured(pageAt(t, s, of, "/en/news", "event=ended"), `<span class="when">([^<]*)</span>`); !slices.Equal(only, []string{"4 March 2025"}) {
		t.Errorf("the ends are %v", only)
	}
	var feed struct {
		Version, Language string
		Items             []struct {
			ID, URL, Title string
			Published      string `json:"date_published"`
		}
	}
	if err := json.Unmarshal([]byte(pageAt(t, s, of, "/en/feed.json", "")), &feed); err != nil || feed.Version != "https://jsonfeed.org/version/1.1" || len(feed.Items) != 2 ||
		feed.Items[0].URL != public+"/en/apps/gone" || feed.Items[0].Published != "2025-03-04T00:00:00Z" {
		t.Errorf("the JSON Feed is %+v, %v", feed, err)
	}
	raw := pageAt(t, s, of, "/en/feed.atom", "")
	var got struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Updated string `xml:"updated"`
			Link    struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(raw), &got); err != nil {
		t.Fatal(err)
	}
	if got.Updated != "2025-03-04T00:00:00Z" || len(got.Entries) != 2 || !strings.HasPrefix(got.Entries[0].ID, "tag:") || !strings.HasSuffix(got.Entries[0].ID, "/gone/ended") ||
		got.Entries[0].Updated != "2025-03-04T00:00:00Z" || got.Entries[0].Link.Href != public+"/en/apps/gone" {
		t.Errorf("%+v", got)
	}
	if again := pageAt(t, s, oneMenu(t), "/en/feed.atom", ""); again != raw {
		t.Error("the same catalogue has a different feed")
	}
	if empty := pageAt(t, s, emptySnapshot(t), "/en/feed.atom", ""); !strings.Contains(empty, "<updated>2026-01-02T03:04:05Z</updated>") {
		t.Errorf("an empty feed has no time: %s", empty)
	}
}

// Two sites with different public addresses have feeds, and entries, of different ids.
func TestTagURIs(t *testing.T) {
	for address, want := range map[string]string{
		"":                                 "tag:localhost,2026:news/en",
		"https://Catalogue.example":        "tag:catalogue.example,2026:news/en",
		"https://catalogue.example:8443":   "tag:catalogue.example,2026:8443/news/en",
		"https://example.org/chains":       "tag:example.org,2026:chains/news/en",
		"https://example.org:8443/a%20b/c": "tag:example.org,2026:8443/a%20b/c/news/en",
		"http://[::1]:8080":                "tag:--1,2026:8080/news/en",
	} {
		if got := siteOf(t, Config{PublicURL: address}).tagURI("news/en"); got != want {
			t.Errorf("at %q: %s, want %s", address, got, want)
		}
	}
}

// allowedBy reports whether a robots.txt with one group allows a path: the longest rule
// that matches decides, and Allow wins a tie (RFC 9309, section 2.2.2).
func allowedBy(robots, path string) bool {
	allowed, longest := true, -1
	for line := range strings.Lines(robots) {
		kind, rule, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if kind != "Allow" && kind != "Disallow" {
			continue
		}
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(rule), `\*`, ".*")
		if !regexp.MustCompile(pattern).MatchString(path) || len(rule) < longest || len(rule) == longest && kind != "Allow" {
			continue
		}
		allowed, longest = kind == "Allow", len(rule)
	}
	return allowed
}

// Every address that llms.txt recommends is allowed, and the list of one category; other queries are not.
func TestRobotsAllowWhatIsRecommended(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), theBundled(t)
	robots, guide := pageAt(t, s, of, "/robots.txt", ""), pageAt(t, s, of, "/llms.txt", "")
	var paths []string
	for _, found := range regexp.MustCompile("`GET ([^`]*)`").FindAllStringSubmatch(guide, -1) {
		for path := range strings.SplitSeq(found[1], ", ") {
			paths = append(paths, "/api/open"+strings.TrimPrefix(path, "/api/open"))
		}
	}
	for _, found := range regexp.MustCompile(`\(`+public+`([^)]*)\)`).FindAllStringSubmatch(guide, -1) {
		paths = append(paths, found[1])
	}
	if len(paths) < 12 {
		t.Fatalf("llms.txt recommends %q; the test looks in the wrong place", paths)
	}
	for _, path := range append(paths, "/", "/en/", "/en/chains", "/en/chains/ethereum-mainnet", "/en/chains/ethereum-mainnet.md", "/en/feed.atom", "/en/chains?tag=evm", "/sitemap.xml", "/llms.txt", "/openapi.json") {
		if !allowedBy(robots, path) {
			t.Errorf("robots.txt disallows %s", path)
		}
	}
	for _, path := range []string{"/en/chains?tag=evm&sort=name", "/en/chains?tag=evm%2Clayer-2", "/en/chains?q=a&tag=evm", "/en/search?q=base", "/search?q=base", "/en/cards?offset=100", "/?theme=dark", "/en/chains.md?q=x"} {
		if allowedBy(robots, path) {
			t.Errorf("robots.txt allows %s", path)
		}
	}
}

func TestRobotsAndSitemap(t *testing.T) {
	if testing.Short() {
		t.Skip("renders hundreds of pages, in one goroutine")
	}
	of := theBundled(t)
	unknown, known := siteOf(t, Config{}), siteOf(t, Config{PublicURL: public})
	if robots := pageAt(t, unknown, of, "/robots.txt", ""); strings.Contains(robots, "Sitemap") {
		t.Error("robots.txt names a sitemap that is not there")
	}
	if _, err := unknown.Page(of, "/sitemap.xml", ""); err == nil {
		t.Error("a site without a public URL has a sitemap")
	}
	if robots := pageAt(t, known, of, "/robots.txt", ""); !strings.Contains(robots, "Sitemap: "+public+"/sitemap.xml\n") || !strings.Contains(robots, "Disallow: /*?") {
		t.Errorf("robots.txt: %s", robots)
	}
	var addresses []string
	for _, file := range captured(pageAt(t, known, of, "/sitemap.xml", ""), `<loc>([^<]*)</loc>`) {
		raw := pageAt(t, known, of, strings.TrimPrefix(file, public), "")
		if len(raw) > maxSitemapBytes {
			t.Errorf("%s has %d bytes", file, len(raw))
		}
		addresses = append(addresses, captured(raw, `<loc>([^<]*)</loc>`)...)
	}
	for _, want := range []string{"/en/", "/zh-hant/nav/wallets", "/ja/cards", "/es/categories", "/ja/chains?tag=layer-2", "/en/chains/ethereum-mainnet", "/en/docs/caching"} {
		if !slices.Contains(addresses, public+want) {
			t.Errorf("the sitemap lacks %s", want)
		}
	}
	for _, address := range addresses {
		path := strings.TrimPrefix(address, public)
		if strings.Count(path, "/") > 2 && !strings.HasPrefix(path, "/en/nav/") && !strings.HasSuffix(path, "/ethereum-mainnet") {
			continue // too many for a test
		}
		path, asked, _ := strings.Cut(path, "?")
		if _, err := known.Page(of, path, asked); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	small := pageAt(t, known, oneMenu(t), "/sitemap.xml", "")
	if !strings.Contains(small, "<urlset") || !strings.Contains(small, "<loc>"+public+"/en/nav/m</loc>") {
		t.Errorf("a small sitemap is not one file: %s", small)
	}
	if _, err := known.Page(oneMenu(t), "/sitemap-1.xml", ""); err == nil {
		t.Error("a sitemap that is one file has a part")
	}
}

// A large sitemap is divided, in order and without loss.
func TestDividedSitemap(t *testing.T) {
	var paths []string
	for i := range 60_000 {
		paths = append(paths, "/chains/"+strconv.Itoa(i))
	}
	for _, languages := range []int{1, 5, 24} {
		parts := divide(paths, languages, len(public))
		if len(parts) < 2 || !slices.Equal(slices.Concat(parts...), paths) {
			t.Errorf("%d languages: %d parts", languages, len(parts))
		}
		for _, part := range parts {
			if len(part)*languages > maxSitemapAddresses {
				t.Errorf("%d languages: a part of %d paths", languages, len(part))
			}
		}
	}
	if parts := divide([]string{"/"}, 1, 0); len(parts) != 1 {
		t.Errorf("%d parts of one path", len(parts))
	}
}

func TestPreview(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), theBundled(t)
	path := s.assets.names["preview.png"]
	if _, err := png.DecodeConfig(strings.NewReader(pageAt(t, s, of, path, ""))); err != nil {
		t.Error(err)
	}
	if !strings.Contains(pageAt(t, s, of, "/en/nav/wallets", ""), `<meta property="og:image" content="`+public+path+`">`) {
		t.Error("the page of a menu does not name its preview")
	}
	if strings.Contains(pageAt(t, siteOf(t, Config{}), of, "/en/nav/wallets", ""), "og:image") {
		t.Error("a page without a public address names a preview")
	}
}

// Priorities need not be integers.
func TestFractionalPriorities(t *testing.T) {
	of := snapshotOf(t, fstest.MapFS{
		"catalog.yaml": {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")},
		"categories.yaml": {Data: []byte("groups: [{key: g, module: chain, name: G, priority: 0.5}]\n" +
			"categories: [{key: c, name: Half, priority: 1.5, scopes: [chain], groups: {chain: [g]}}]\n")},
		"chains.yaml": {Data: []byte("- {slug: x, name: X, chain_id: 5, categories: [c]}\n")},
	})
	s := siteOf(t, Config{PublicURL: "https://vitrine.example"})
	for _, path := range []string{"/en", "/en/chains", "/en/chains/x", "/en/categories", "/en/docs", "/llms.txt", "/sitemap.xml"} {
		pageAt(t, s, of, path, "")
	}
}

// The error page does not fail, even if the snapshot is broken.
func TestFailureOfAFault(t *testing.T) {
	broken := new(snapshot.Snapshot) // whatever a page reads of it panics
	page := siteOf(t, Config{}).failure(broken, "/en", response.Failure{Problem: &response.Problem{Code: response.Internal, Detail: "it is in the log"}, Status: 500, Title: "Internal error"})
	if got := string(page.Body); !strings.Contains(got, "it is in the log") {
		t.Errorf("the page of a fault is %q", got)
	}
}
