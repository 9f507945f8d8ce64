package site

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/bundle"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// captured returns the unescaped captures of an expression in a page.
func captured(page, expression string) []string {
	var all []string
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(page, -1) {
		all = append(all, html.UnescapeString(match[1]))
	}
	return all
}

// Lists have the rows of the snapshot in its order.
func TestRowsAreThoseOfTheAPI(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	for _, tt := range []struct {
		path, query, links string
		want               func(raw string) []string
	}{
		{"/en/chains", "", `class="c-name"><div><input[^>]*><span.*?<a href="/en/chains/([^"]+)"`, func(raw string) []string {
			q, err := query.ParseList(query.KindChain, raw+"limit=50", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var slugs []string
			for _, c := range snapshot.Rows[snapshot.ChainRow](of, q).Rows {
				slugs = append(slugs, c.Slug)
			}
			return slugs
		}},
		{"/ja/twitter", "tag=layer-1", `class="c-name"><a href="/ja/twitter/([^"]+)"`, func(raw string) []string {
			q, err := query.ParseList(query.KindUser, raw+"&limit=50&followers=any", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var handles []string
			for _, u := range snapshot.Rows[snapshot.AccountRow](of, q).Rows {
				handles = append(handles, u.Handle)
			}
			return handles
		}},
		{"/es/youtube", "tag=educator", `class="bare" href="/es/youtube/([^"]+)"`, func(raw string) []string {
			q, err := query.ParseList(query.KindChannel, raw+"&limit=50&locale=es", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, c := range snapshot.Rows[snapshot.ChannelRow](of, q).Rows {
				ids = append(ids, c.ChannelID)
			}
			return ids
		}},
		{"/en/search", "q=uniswap", `class="entry[^>]*><a href="[^"]+"><span.*?<strong>([^<]+)<`, func(raw string) []string {
			q, err := query.ParseSearch(raw+"&limit=30", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var titles []string
			for _, r := range of.SearchView(q).Results {
				titles = append(titles, r.Title)
			}
			return titles
		}},
	} {
		got, want := captured(pageAt(t, s, of, tt.path, tt.query), tt.links), tt.want(tt.query)
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s?%s: rows\n%v; the API has\n%v", tt.path, tt.query, got, want)
		}
	}
}

// A chain is found by all its names; the canonical address of its page has the slug.
func TestAChainByAnyOfItsNames(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{PublicURL: "https://vitrine.example"})
	want := pageAt(t, s, of, "/en/chains/base", "")
	for _, name := range []string{"BASE", "8453", "0x2105", "eip155:8453", "eip155%3A8453"} {
		if got := pageAt(t, s, of, "/en/chains/"+name, ""); got != want {
			t.Errorf("%s has a different page than base", name)
		}
	}
	for _, part := range []string{
		`<link rel="canonical" href="https://vitrine.example/en/chains/base">`,
		`<code>8453</code>`, `<code>0x2105</code>`, `<code>eip155:8453</code>`,
		`href="/en/chains?tag=op-stack"`, `&#34;chainId&#34;: &#34;0x2105&#34;`, `href="/en/apps?chain=base"`, `>DefiLlama</a> · `,
	} {
		if !strings.Contains(want, part) {
			t.Errorf("the page of base lacks %q", part)
		}
	}
}

func TestIDs(t *testing.T) {
	const evm = "ethereum-machine"
	for _, tt := range []struct {
		id         string
		categories []string
		want       []chainID
	}{
		{"8453", []string{evm}, []chainID{{"decimal", "8453"}, {"hex", "0x2105"}, {"caip2", "eip155:8453"}}},
		{"416001", nil, []chainID{{"plain", "416001"}}}, // not an EIP-155 number
		{"bip122:000000000019d6689c085ae165831e93", nil, []chainID{{"caip2", "bip122:000000000019d6689c085ae165831e93"}}},
		{"SN_MAIN", []string{evm}, []chainID{{"plain", "SN_MAIN"}}},
		{"340282366920938463463374607431768211456", []string{evm}, []chainID{
			{"decimal", "340282366920938463463374607431768211456"}, {"hex", "0x100000000000000000000000000000000"}, {"caip2", "eip155:340282366920938463463374607431768211456"},
		}},
	} {
		chain := &snapshot.Chain{ChainRow: snapshot.ChainRow{ChainID: tt.id, Categories: tt.categories}}
		if got := chainIDs(chain, []string{evm}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v; want %v", tt.id, got, tt.want)
		}
	}
}

// The page of a retired chain begins with its status.
func TestRetiredChain(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	page := pageAt(t, s, of, "/en/chains/kadena", "")
	said, facts := strings.Index(page, `class="state retired">Retired</span> · 15 November 2025`), strings.Index(page, "facts-of")
	if said < 0 || said > facts {
		t.Errorf("the page of a retired chain does not say so first (%d, facts at %d)", said, facts)
	}
	if page := pageAt(t, s, of, "/ja/chains/kadena", ""); !strings.Contains(page, ">終了</span> · 2025年11月15日") {
		t.Error("the Japanese page does not")
	}
}

// Lists and searches show the status of retired chains. Their pages have no data for wallets,
// and collapse the endpoints.
func TestRetiredChainsInLists(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	const moonbeam = `<span class="state retired">Retired · 1 August 2026</span>`
	retired := of.List(query.List{Kind: query.KindChain, Status: query.StatusRetired}).Total
	for address, want := range map[string]string{
		"/en/search?q=moonbeam":                moonbeam,
		"/en/chains?q=moonbeam&status=all":     `<span class="facts state retired">Retired · 1 August 2026</span>`,
		"/en/chains.md?q=moonbeam&status=all":  "Retired · 1 August 2026",
		"/en/chains?q=moonbeam&status=retired": fmt.Sprintf(" of %d<", retired),
		"/en/chains/moonbeam":                  "<details><summary>Former endpoints",
	} {
		path, query, _ := strings.Cut(address, "?")
		if page := pageAt(t, s, of, path, query); !strings.Contains(page, want) {
			t.Errorf("%s lacks %q", address, want)
		}
	}
	if page := pageAt(t, s, of, "/en/chains/moonbeam", ""); strings.Contains(page, "data-wallet") || strings.Contains(page, `class="wallet"`) {
		t.Error("the page of moonbeam has data for wallets")
	}
}

func TestCutShort(t *testing.T) {
	for given, want := range map[string]string{
		"short":                           "short",
		strings.Repeat("a", 160):          strings.Repeat("a", 160),
		strings.Repeat("a", 161):          strings.Repeat("a", 159) + "…",
		strings.Repeat("word ", 40):       strings.TrimSpace(strings.Repeat("word ", 32)) + "…",
		"x" + strings.Repeat("word ", 40): "x" + strings.TrimSpace(strings.Repeat("word ", 31)) + "…",
		strings.Repeat("語", 200):          strings.Repeat("語", 159) + "…",
	} {
		if got := cutShort(given); got != want {
			t.Errorf("%.20q: %q; want %q", given, got, want)
		}
	}
}

// The error page for an unknown record links to the candidates.
func TestNoSuchRecord(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	for _, tt := range []struct{ path, candidate string }{
		{"/en/chains/arbitrm-one", "arbitrum-one"}, {"/en/twitter/etherum", "ethereum"}, {"/en/youtube/nobody", ""}, {"/en/chains/%zz", ""},
	} {
		_, err := s.Page(of, tt.path, "")
		var problem *response.Problem
		if !errors.As(err, &problem) || problem.Code != response.NotFound {
			t.Errorf("%s: %v", tt.path, err)
			continue
		}
		if tt.candidate == "" {
			continue
		}
		page := string(s.Failure(of, tt.path, nil, response.Failure{Problem: problem, Status: 404}).Body)
		if want := `href="` + tt.path[:strings.LastIndexByte(tt.path, '/')+1] + tt.candidate + `"`; !strings.Contains(page, want) {
			t.Errorf("%s: the page does not lead to %s", tt.path, want)
		}
	}
}

// The API's list omits accounts without followers, the site's has them.
func TestAccountWithoutFollowers(t *testing.T) {
	of, s := theUnchecked(t), siteOf(t, Config{})
	pageAt(t, s, of, "/en/twitter/@held_back", "")
	if page := pageAt(t, s, of, "/en/twitter", ""); !strings.Contains(page, "held_back") {
		t.Error("the list lacks an account without followers")
	}
}

// An exact match is first, is marked, and links to a page of the site.
func TestSearchPage(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	for _, tt := range []struct{ query, first string }{
		{"q=0x2105", "/en/chains/base"}, {"q=ethereum&kind=user", "/en/twitter/ethereum"}, {"q=finematics", "/en/youtube/UCh1ob28ceGdqohUnR7vBACA"},
		{"q=metamask&kind=app", "/en/apps/metamask"}, {"q=op-stack", "/en/chains?tag=op-stack"}, {"q=wallets&kind=menu", "/en/nav/wallets"},
	} {
		page := pageAt(t, s, of, "/en/search", tt.query)
		rows := captured(page, `<li class="(entry[^"]*"><a href="[^"]+)"`)
		if want := `entry exact"><a href="` + tt.first; len(rows) == 0 || rows[0] != want {
			t.Errorf("%s: the first of %d rows is %q; want %q", tt.query, len(rows), slices.Concat(rows, []string{"none"})[0], want)
		}
		if results := page[strings.Index(page, "data-results"):]; strings.Contains(results[:strings.Index(results, "</ol>")], "/api/") {
			t.Errorf("%s: a result leads to the API", tt.query)
		}
	}
	for _, tt := range []struct{ path, query, want string }{
		{"/en/search", "q=uniswpa", `<p>Showing results for “Uniswap”.</p>`},
		{"/en/search.md", "q=uniswpa", "Showing results for “Uniswap”.\n"},
		{"/es/search", "q=uniswpa", `<p>Resultados de «Uniswap».</p>`},
		{"/en/search", "q=Mainnet+zzzzz+56", `<p>Searched without: zzzzz.</p>`},
		{"/en/search.md", "q=Mainnet+zzzzz+56", "Searched without: zzzzz.\n"},
		{"/en/search", "q=%3Cb%3Ezzzzz+base", `Searched without: b&gt;zzzzz.`},
		{"/en/search", "q=litcoin", `/en/search?q=Bitcoin">Bitcoin</a>`}, // as near as litecoin
	} {
		if page := pageAt(t, s, of, tt.path, tt.query); !strings.Contains(page, tt.want) {
			t.Errorf("%s?%s does not say %q", tt.path, tt.query, tt.want)
		}
	}
	if page := pageAt(t, s, of, "/en/search", "q=uniswap&kind=user"); !strings.Contains(page, `>Apps <span class="n">`) {
		t.Error("a search of one kind does not count the others")
	}
}

// recordPaths returns the addresses of lists, searches and records in a catalogue.
func recordPaths(of *snapshot.Snapshot, locale string) [][2]string {
	all := [][2]string{
		{"/chains", ""}, {"/chains", "status=all&sort=name&sortDir=asc"}, {"/chains", "q=bad"}, {"/chains", "q=nothing+there"}, {"/twitter", ""}, {"/youtube", ""},
		{"/search", ""}, {"/search", "q=bad&kind=chain,card"}, {"/search", "q=bad"}, {"/search", "q=" + strings.Repeat("x", 200)},
	}
	if of.List(query.List{Kind: query.KindChain, Status: query.StatusAll}).Total > 0 {
		all = append(all, [][2]string{{"/chains/bad", ""}, {"/chains/good", ""}, {"/twitter/bad_one", ""}, {"/twitter/held_back", ""}, {"/youtube/UCbad_-aaaaaaaaaaaaaaaaa", ""}}...)
	}
	for i := range all {
		all[i][0] = "/" + locale + all[i][0]
	}
	return all
}

// Texts and links of an unchecked catalogue are never executed.
func TestHostileRecords(t *testing.T) {
	of, s := theUnchecked(t), siteOf(t, Config{})
	for _, locale := range []string{"en", "ar"} {
		for _, at := range recordPaths(of, locale) {
			page := pageAt(t, s, of, at[0], at[1])
			for _, bad := range []string{"<script>", "<img src=x", `href="javascript:`, `src="javascript:`} {
				if strings.Contains(page, bad) {
					t.Errorf("%s?%s has %q", at[0], at[1], bad)
				}
			}
			if want := map[string]string{"en": `lang="en" dir="ltr"`, "ar": `lang="ar" dir="rtl"`}[locale]; !strings.Contains(page, want) {
				t.Errorf("%s is not %s", at[0], want)
			}
			text := pageAt(t, s, of, at[0]+".md", at[1])
			text = regexp.MustCompile(`\]\(<[^>]*>\)`).ReplaceAllString(text, "]") // addresses, which are escaped otherwise
			if strings.Contains(strings.ReplaceAll(text, `\]`, ""), "](javascript:") || regexp.MustCompile(`[^\\]<(script|img)`).MatchString(text) {
				t.Errorf("the Markdown version of %s?%s has active Markdown", at[0], at[1])
			}
		}
	}
}

func TestEmptyCatalogue(t *testing.T) {
	of, s := emptySnapshot(t), siteOf(t, Config{})
	for _, at := range recordPaths(of, "en") {
		page := pageAt(t, s, of, at[0], at[1])
		if strings.Contains(page, "<table") || strings.Contains(page, "<svg role") || !strings.Contains(page, "<h1") {
			t.Errorf("%s?%s shows missing values", at[0], at[1])
		}
		pageAt(t, s, of, at[0]+".md", at[1])
	}
}

// The chart of the TVL counts each chain once, and its bars fit.
func TestCharts(t *testing.T) {
	for name, of := range map[string]*snapshot.Snapshot{"bundled": theBundled(t), "unchecked": theUnchecked(t)} {
		s := siteOf(t, Config{})
		if page := pageAt(t, s, of, "/en/chains", ""); strings.Count(page, `class="rows short chart"`) != 1 {
			t.Errorf("%s: no chart", name)
		}
		v := s.newView(of, address{localed: true, path: "/chains"}, &route{name: "chains"}, "", "")
		values, _ := v.tvls()
		counted := 0
		for _, row := range v.tvlChart().Rows {
			if counted += row.Count; row.Share < 0 || row.Share > 100 {
				t.Errorf("%s: a bar does not fit: %+v", name, row)
			}
		}
		if counted != len(values) || counted == 0 {
			t.Errorf("%s: the rows have %d chains of %d", name, counted, len(values))
		}
	}
}

// TestEditLink: pages of records and menus link to their positions, if those are known.
func TestEditLink(t *testing.T) {
	files := fstest.MapFS{
		"catalog.yaml":       {Data: []byte("title: Shop\ndefault_locale: en\nlocales: [en]\nedit_url: 'https://git.example/edit/{file}#L{line}'\n")},
		"chains.yaml":        {Data: []byte("# Chains\n- {slug: one, name: One, chain_id: 1, former: [first]}\n")},
		"twitter.yaml":       {Data: []byte("- {handle: Ann, name: Ann, followers_count: 1}\n")},
		"youtube.ndjson":     {Data: []byte(`{"channel_id":"UC0000000000000000000000","name":"One"}`)},
		"nav/some-menu.yaml": {Data: []byte("title: Some menu\n")},
	}
	dir, err := bundle.Read(t.Context(), files, bundle.Options{})
	if err != nil || dir.Errors() > 0 {
		t.Fatal(err, dir.Problems)
	}
	unknown, s := snapshotOf(t, files), siteOf(t, Config{})
	known := unknown.WithPositions(dir.Positions().Of)
	for path, want := range map[string]string{
		"/en/chains/one":                       "chains.yaml#L2",
		"/en/chains/first":                     "chains.yaml#L2",
		"/en/twitter/ann":                      "twitter.yaml#L1",
		"/en/youtube/UC0000000000000000000000": "youtube.ndjson#L1",
		"/en/nav/some-menu":                    "nav/some-menu.yaml#L1",
		"/en/chains":                           "",
	} {
		for _, form := range []string{"", ".md"} {
			page := pageAt(t, s, known, path+form, "")
			if got := strings.Contains(page, "https://git.example/edit/"+want); got != (want != "") {
				t.Errorf("%s%s links to its position: %v, want %q", path, form, got, want)
			}
			if strings.Contains(pageAt(t, s, unknown, path+form, ""), "git.example") {
				t.Errorf("%s%s links to an unknown position", path, form)
			}
		}
	}
}
