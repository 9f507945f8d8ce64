package site

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// captured returns what an expression captures in a page, as a reader sees it.
func captured(page, expression string) []string {
	var all []string
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(page, -1) {
		all = append(all, html.UnescapeString(match[1]))
	}
	return all
}

// Rows of lists are those of the API, in its order.
func TestRowsAreThoseOfTheAPI(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	for _, tt := range []struct {
		path, query, links string
		want               func(raw string) []string
	}{
		{"/en/chains", "", `class="c-name"><div><span.*?<a href="/en/chains/([^"]+)"`, func(raw string) []string {
			q, err := query.ParseChains(raw+"limit=50", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var slugs []string
			for _, c := range read[chainsBody](of.Chains(q).Body()).Chains {
				slugs = append(slugs, c.Slug)
			}
			return slugs
		}},
		{"/ja/twitter", "tag=layer-1", `class="c-name"><a href="/ja/twitter/([^"]+)"`, func(raw string) []string {
			q, err := query.ParseList(raw+"&limit=50", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var handles []string
			for _, u := range read[usersBody](of.Users(q).Body()).Users {
				handles = append(handles, u.Handle)
			}
			return handles
		}},
		{"/es/youtube", "tag=educator", `class="bare" href="/es/youtube/([^"]+)"`, func(raw string) []string {
			q, err := query.ParseList(raw+"&limit=50&locale=es", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, c := range read[channelsBody](of.Channels(q).Body()).Channels {
				ids = append(ids, c.ChannelID)
			}
			return ids
		}},
		{"/en/search", "q=uniswap", `class="entry[^>]*><a href="[^"]+"><span.*?<strong>([^<]+)<`, func(raw string) []string {
			q, err := query.ParseSearch(raw+"&limit=30", of.Locales())
			if err != nil {
				t.Fatal(err)
			}
			body, _ := of.Search(q)
			var titles []string
			for _, r := range read[searchBody](body).Results {
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

// A chain is found by slug, id and whatever else the API finds it by; its page names the
// slug as its one address.
func TestAChainByAnyOfItsNames(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{PublicURL: "https://vitrine.example"})
	want := pageAt(t, s, of, "/en/chains/base", "")
	for _, name := range []string{"BASE", "8453", "0x2105", "eip155:8453", "eip155%3A8453"} {
		if got := pageAt(t, s, of, "/en/chains/"+name, ""); got != want {
			t.Errorf("%s has another page than base", name)
		}
	}
	for _, part := range []string{
		`<link rel="canonical" href="https://vitrine.example/en/chains/base">`,
		`<code>8453</code>`, `<code>0x2105</code>`, `<code>eip155:8453</code>`,
		`href="/en/chains?tag=op-stack"`, `&#34;chainId&#34;: &#34;0x2105&#34;`, `href="/en/cards?chain=base"`, "DefiLlama · ",
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
		{"416001", nil, []chainID{{"plain", "416001"}}}, // a number of another numbering
		{"bip122:000000000019d6689c085ae165831e93", nil, []chainID{{"caip2", "bip122:000000000019d6689c085ae165831e93"}}},
		{"SN_MAIN", []string{evm}, []chainID{{"plain", "SN_MAIN"}}},
		{"340282366920938463463374607431768211456", []string{evm}, []chainID{
			{"decimal", "340282366920938463463374607431768211456"}, {"hex", "0x100000000000000000000000000000000"}, {"caip2", "eip155:340282366920938463463374607431768211456"},
		}},
	} {
		chain := chainBody{ChainID: tt.id, recordBody: recordBody{Categories: tt.categories}}
		if got := chain.ids([]string{evm}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v; want %v", tt.id, got, tt.want)
		}
	}
}

// What is retired says so before anything else, in every language.
func TestRetiredChain(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	page := pageAt(t, s, of, "/en/chains/kadena", "")
	said, facts := strings.Index(page, `class="state retired">Retired</span> · 21 October 2025`), strings.Index(page, "facts-of")
	if said < 0 || said > facts {
		t.Errorf("the page of a retired chain does not say so first (%d, facts at %d)", said, facts)
	}
	if page := pageAt(t, s, of, "/ja/chains/kadena", ""); !strings.Contains(page, ">終了</span> · 2025年10月21日") {
		t.Error("the Japanese page does not")
	}
}

// Where there is no record the failure names those that may have been meant.
// Lists and searches say of what is found that it has ended; its page offers no wallet to
// join it, and its endpoints only to those who look for them.
func TestWhatEndedIsToldApart(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	const moonbeam = `<span class="state retired">Retired · 1 August 2026</span>`
	retired := of.Chains(query.Chains{List: query.List{Status: query.StatusRetired}}).Total
	for address, want := range map[string]string{
		"/en/search?q=moonbeam":                moonbeam,
		"/en/chains?q=moonbeam&status=all":     `<span class="facts state retired">Retired · 1 August 2026</span>`,
		"/en/chains.md?q=moonbeam&status=all":  "Retired · 1 August 2026",
		"/en/chains?q=moonbeam&status=retired": fmt.Sprintf(" of %d ", retired),
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

func TestHeldBackAccount(t *testing.T) {
	of, s := theUnchecked(t), siteOf(t, Config{})
	if page := pageAt(t, s, of, "/en/twitter/@held_back", ""); !strings.Contains(page, "not known") {
		t.Error("the page of an account without followers does not say so")
	}
	if page := pageAt(t, s, of, "/en/twitter", ""); strings.Contains(page, "held_back") {
		t.Error("the list has an account without followers")
	}
}

// What was asked for comes first, says so, and leads to pages of the site.
func TestSearchPage(t *testing.T) {
	of, s := theBundled(t), siteOf(t, Config{})
	for _, tt := range []struct{ query, first string }{
		{"q=0x2105", "/en/chains/base"}, {"q=ethereum&kind=user", "/en/twitter/ethereum"}, {"q=finematics", "/en/youtube/UCh1ob28ceGdqohUnR7vBACA"},
		{"q=metamask&kind=app", "/en/nav/wallets#browser-wallet"}, {"q=op-stack", "/en/chains?tag=op-stack"}, {"q=wallets&kind=menu", "/en/nav/wallets"},
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
		t.Error("a search of one kind does not say what there is of others")
	}
}

// paths are those of the pages of records, lists and searches in a catalogue.
func recordPaths(of *snapshot.Snapshot, locale string) [][2]string {
	all := [][2]string{
		{"/chains", ""}, {"/chains", "status=all&sort=name&sortDir=asc"}, {"/chains", "q=bad"}, {"/chains", "q=nothing+there"}, {"/twitter", ""}, {"/youtube", ""},
		{"/search", ""}, {"/search", "q=bad&kind=chain,card"}, {"/search", "q=bad"}, {"/search", "q=" + strings.Repeat("x", 200)},
	}
	if of.Chains(query.Chains{List: query.List{Status: query.StatusAll}}).Total > 0 {
		all = append(all, [][2]string{{"/chains/bad", ""}, {"/chains/good", ""}, {"/twitter/bad_one", ""}, {"/twitter/held_back", ""}, {"/youtube/UCbad_-aaaaaaaaaaaaaaaaa", ""}}...)
	}
	for i := range all {
		all[i][0] = "/" + locale + all[i][0]
	}
	return all
}

// Texts of the catalogue never become more than text, nor links that browsers run.
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
			twin := pageAt(t, s, of, at[0]+".md", at[1])
			twin = regexp.MustCompile(`\]\(<[^>]*>\)`).ReplaceAllString(twin, "]") // addresses, which are escaped otherwise
			if strings.Contains(strings.ReplaceAll(twin, `\]`, ""), "](javascript:") || regexp.MustCompile(`[^\\]<(script|img)`).MatchString(twin) {
				t.Errorf("the twin of %s?%s has what Markdown runs", at[0], at[1])
			}
		}
	}
}

func TestEmptyCatalogue(t *testing.T) {
	of, s := emptySnapshot(t), siteOf(t, Config{})
	for _, at := range recordPaths(of, "en") {
		page := pageAt(t, s, of, at[0], at[1])
		if strings.Contains(page, "<table") || strings.Contains(page, "<svg role") || !strings.Contains(page, "<h1") {
			t.Errorf("%s?%s shows what is not there", at[0], at[1])
		}
		pageAt(t, s, of, at[0]+".md", at[1])
	}
}

// Every plot has a title, a description and its numbers in a table.
func TestPlots(t *testing.T) {
	for _, of := range []*snapshot.Snapshot{theBundled(t), theUnchecked(t)} {
		s := siteOf(t, Config{})
		page := pageAt(t, s, of, "/en/chains", "")
		plots := strings.Count(page, `<svg role="img"`)
		if plots == 0 || plots != strings.Count(page, "<desc ") || plots != strings.Count(page, `-title">`) || strings.Count(page, `class="behind"`) < plots {
			t.Errorf("%d plots, not each with title, description and table", plots)
		}
	}
	of, s := theBundled(t), siteOf(t, Config{})
	v, err := s.newView(of, address{localed: true, path: "/chains"}, &route{name: "chains"}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	tvl, err := v.tvlPlot()
	if err != nil || tvl == nil {
		t.Fatal(tvl, err)
	}
	chains, err := v.chainsWithTVL()
	if err != nil {
		t.Fatal(err)
	}
	if len(tvl.Tables[0].Rows) != namedChains || tvl.Tables[0].Rows[0][0] != chains[0].Name {
		t.Errorf("the largest are %v", tvl.Tables[0].Rows)
	}
	counted := 0
	for _, bar := range tvl.Bars {
		if bar.X < 0 || bar.X+bar.Width > 100.01 || bar.Height > plotColumns {
			t.Errorf("a bar leaves the plot: %+v", bar)
		}
	}
	for _, label := range captured(strings.Join(flat(tvl.Tables[1].Rows), "\n"), `(?m)^(\d+)$`) {
		n := 0
		for _, digit := range label {
			n = 10*n + int(digit-'0')
		}
		counted += n
	}
	if counted != len(chains) {
		t.Errorf("the columns have %d chains of %d", counted, len(chains))
	}
}

func flat(rows [][]string) []string { return slices.Concat(rows...) }
