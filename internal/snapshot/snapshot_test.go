package snapshot_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

var revision = snapshot.Revision{Number: 7, PublishedAt: time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600))}

func compile(t testing.TB, c *domain.Catalog) *snapshot.Snapshot {
	t.Helper()
	if c.DefaultLocale == "" {
		c.DefaultLocale, c.Locales = "en", []string{"en", "zh-hans", "sv", "de"}
	}
	s, err := snapshot.Compile(nil, c, revision)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func english(s string) domain.Text { return domain.Text{{Locale: "en", Value: s}} }

func bare(value float64) *domain.Figure { return &domain.Figure{Value: value} }

// slugs returns one string member of each record of a body, joined by spaces.
func slugs(t *testing.T, body []byte, list, member string) string {
	t.Helper()
	var lists map[string][]map[string]any
	if err := json.Unmarshal(body, &lists); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	var all []string
	for _, record := range lists[list] {
		all = append(all, record[member].(string))
	}
	return strings.Join(all, " ")
}

func TestOrdersOfChains(t *testing.T) {
	chain := func(slug, name, id string, tvl, platforms *domain.Figure) domain.Chain {
		return domain.Chain{Slug: slug, Name: english(name), ChainID: id, TVL: tvl, Platforms: platforms}
	}
	s := compile(t, &domain.Catalog{Chains: []domain.Chain{
		chain("e", "Öl", "7", bare(0), bare(3)),
		chain("b", "Zoo", "007", nil, bare(0)),
		chain("d", "zoo", "18446744073709551617", bare(5), nil),
		chain("a", "Oel", "cosmos:hub", bare(5), bare(3)),
		chain("c", "Alpha", "bip122:0", nil, nil),
		chain("f", "Zoo", "0", bare(5), nil),
	}})
	tests := []struct {
		sort       query.Sort
		locale     locale.ID
		asc, desc  string
		whatCounts string
	}{
		{query.SortTVL, 0, "e a d f b c", "a d f e b c", "0 is a value, none is last, ties by slug both ways"},
		{query.SortPlatforms, 0, "b a e c d f", "a e b c d f", "the same for platforms"},
		{query.SortChainID, 0, "f b e d c a", "a c d b e f", "by value, then others by code point; equal values by slug"},
		{query.SortName, 0, "c a e d b f", "b f d e a c", "equal names by slug both ways"},
		{query.SortName, 2, "c a d b f e", "e b f d a c", "in Swedish ö follows z"},
	}
	for _, test := range tests {
		q := query.List{Kind: query.KindChain, Sort: test.sort, Locale: test.locale}
		if got := slugs(t, s.List(q).Body(), "chains", "slug"); got != test.desc {
			t.Errorf("%s descending in %d: %s, want %s (%s)", test.sort, test.locale, got, test.desc, test.whatCounts)
		}
		q.Ascending = true
		if got := slugs(t, s.List(q).Body(), "chains", "slug"); got != test.asc {
			t.Errorf("%s ascending in %d: %s, want %s (%s)", test.sort, test.locale, got, test.asc, test.whatCounts)
		}
	}
}

func TestUsers(t *testing.T) {
	account := func(handle string, followers *domain.Figure) *domain.Account {
		return &domain.Account{Handle: handle, Name: handle, Followers: followers}
	}
	s := compile(t, &domain.Catalog{Accounts: []*domain.Account{
		account("b", bare(1)), account("_z", bare(1)), account("A", bare(1)), account("hidden", nil), account("c", bare(2)), account("nobody", bare(0)),
	}})
	all := s.List(query.List{Kind: query.KindUser})
	if got := slugs(t, all.Body(), "users", "handle"); got != "c _z A b nobody" || all.Total != 5 {
		t.Errorf("users: %s, total %d", got, all.Total)
	}
	if part := s.List(query.List{Kind: query.KindUser, Terms: []string{"hidden"}}); part.Total != 0 || string(part.Body()) != `{"users":[]}` {
		t.Errorf("an account that is held back is listed: %s", part.Body())
	}
	asked := query.ForLabel("hidden", 0)
	asked.Page.Limit = 1
	if body, total := s.Search(asked); total != 1 || !strings.Contains(string(body), `"key":"hidden"`) {
		t.Errorf("an account that is held back is not found: %s", body)
	}
}

func TestNumbersAndStrings(t *testing.T) {
	s := compile(t, &domain.Catalog{Chains: []domain.Chain{
		{Slug: "x", Name: english("<a> & \"b\" \\ \u2028 😀 \n"), ChainID: "1", ID: "i", TVL: bare(93518925875.6537)},
	}})
	want := `{"chains":[{"_id":"i","slug":"x","name":"<a> & \"b\" \\ ` + "\u2028" + ` 😀 \n","chain_id":"1","llama_tvl":93518925875.6537}]}`
	if got := string(s.List(query.List{Kind: query.KindChain}).Body()); got != want {
		t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
	}
	for value, want := range map[float64]string{0: "0", 1: "1", 7365620: "7365620", 1e20: "100000000000000000000", 1e21: "1e+21", 0.1: "0.1", 1e-7: "1e-7", 1 << 53: "9007199254740992"} {
		s := compile(t, &domain.Catalog{Accounts: []*domain.Account{{Handle: "h", Name: "n", Followers: bare(value)}}})
		if got := string(s.List(query.List{Kind: query.KindUser}).Body()); !strings.HasSuffix(got, `"followers_count":`+want+`}]}`) {
			t.Errorf("%v is encoded in %s, want %s", value, got, want)
		}
	}
}

// TestOrderOfFilesDoesNotMatter checks that the input order of sorted lists does not affect
// responses.
func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	c := &domain.Catalog{Title: english("t")}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		slug := "c" + strings.Repeat("x", i)
		c.Chains = append(c.Chains, domain.Chain{
			Slug: slug, Name: english(string(rune('a' + random.IntN(4)))), ChainID: "1", TVL: bare(float64(random.IntN(3))), Categories: []string{"k0"},
		})
		c.Accounts = append(c.Accounts, &domain.Account{Handle: slug, Name: "n", Followers: bare(float64(random.IntN(3)))})
		c.Channels = append(c.Channels, domain.Channel{ChannelID: slug, Name: string(rune('a' + random.IntN(4)))})
		key := "k" + strings.Repeat("0", i)
		c.Categories = append(c.Categories, domain.Category{Key: key, Name: english(key), Priority: float64(random.IntN(3)), Scopes: []domain.Module{"item", "chain"}})
		c.Groups = append(c.Groups, domain.Group{Key: key, Module: "chain", Name: english(key), Priority: float64(random.IntN(3))})
	}
	want := everything(compile(t, c))
	for range 5 {
		shuffle(random, c.Chains)
		shuffle(random, c.Accounts)
		shuffle(random, c.Channels)
		shuffle(random, c.Categories)
		shuffle(random, c.Groups)
		if diff := cmp.Diff(want, everything(compile(t, c))); diff != "" {
			t.Fatalf("(-first +shuffled)\n%s", diff)
		}
	}
}

func shuffle[T any](random *rand.Rand, s []T) {
	random.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
}

func everything(s *snapshot.Snapshot) []string {
	var bodies []string
	for id := range s.Locales().Len() {
		l := query.List{Locale: locale.ID(id)}
		for _, kind := range []query.Kind{query.KindUser, query.KindChannel} {
			l.Kind = kind
			bodies = append(bodies, string(s.List(l).Body()))
		}
		bodies = append(bodies, string(s.Meta(l.Locale)))
		for _, sort := range query.ListParameters(query.KindChain).Find("sort").Allowed {
			for _, ascending := range []bool{true, false} {
				bodies = append(bodies, string(s.List(query.List{Kind: query.KindChain, Locale: l.Locale, Sort: query.Sort(sort), Ascending: ascending}).Body()))
			}
		}
		for _, module := range append(domain.Modules(), "") {
			bodies = append(bodies,
				string(s.Categories(query.Categories{Locale: l.Locale, Scope: module})),
				string(s.Categories(query.Categories{Locale: l.Locale, Scope: module, Full: true})),
				string(s.CategoryGroups(query.CategoryGroups{Locale: l.Locale, Module: module})))
		}
	}
	return bodies
}

func TestMeta(t *testing.T) {
	dated := func(source string, date domain.Date) *domain.Figure {
		return &domain.Figure{Value: 1, Source: source, AsOf: date}
	}
	s := compile(t, &domain.Catalog{
		Title: english("T"),
		Chains: []domain.Chain{
			{Slug: "a", Status: domain.StatusUpcoming, TVL: dated("z", "2025-01-02"), Platforms: dated("z", "2024-01-01")},
			{Slug: "b", TVL: dated("z", "2025-01-01")},
			{Slug: "c", TVL: dated("a", "2025-03-01")},
			{Slug: "d", TVL: bare(1)},
			{Slug: "e", Status: domain.StatusRetired},
		},
		Accounts: []*domain.Account{{Handle: "x"}, {Handle: "y", Followers: dated("x", "2025-01-01")}},
		Menus:    []domain.Menu{{PathSlug: "m", Title: english("M")}},
		Apps:     []domain.App{{Key: "a", Title: english("A")}, {Key: "b", Title: english("B"), Status: domain.StatusRetired}},
	})
	want := `{"title":"T","defaultLocale":"en","locales":["en","zh-hans","sv","de"],"revision":7,` +
		`"publishedAt":"2026-01-02T02:04:05Z",` +
		`"counts":{"categories":0,"users":1,"chains":4,"channels":0,"menus":1,"apps":1},"chainStatus":{"live":3,"upcoming":1,"retired":1},"figures":[` +
		`{"figure":"llama_tvl","source":"a","records":1,"oldest":"2025-03-01","newest":"2025-03-01"},` +
		`{"figure":"llama_tvl","source":"editor","records":1},` +
		`{"figure":"llama_tvl","source":"z","records":2,"oldest":"2025-01-01","newest":"2025-01-02"},` +
		`{"figure":"platforms","source":"z","records":1,"oldest":"2024-01-01","newest":"2024-01-01"},` +
		`{"figure":"followers_count","source":"x","records":1,"oldest":"2025-01-01","newest":"2025-01-01"}]}`
	if got := string(s.Meta(1)); got != want {
		t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
	}
}

func TestFallbackIsPerText(t *testing.T) {
	s := compile(t, &domain.Catalog{
		Categories: []domain.Category{{Key: "k", Name: domain.Text{{Locale: "en", Value: "Key"}, {Locale: "zh-hans", Value: "键"}}}},
		Accounts: []*domain.Account{{
			Handle: "h", Name: "n", Followers: bare(1), Categories: []string{"k"}, Description: english("d"),
		}},
	})
	want := `{"users":[{"handle":"h","name":"n","description":"d","twitterCategory":["键"],"categorySlugs":["k"],"followers_count":1}]}`
	if got := string(s.List(query.List{Kind: query.KindUser, Locale: 1}).Body()); got != want {
		t.Errorf("(-want +got)\n%s", cmp.Diff(want, got))
	}
}

func TestCompileRefusesLocales(t *testing.T) {
	if _, err := snapshot.Compile(nil, &domain.Catalog{DefaultLocale: "en", Locales: slices.Repeat([]string{"en"}, 2)}, revision); err == nil {
		t.Error("a locale that is declared twice was accepted")
	}
}
