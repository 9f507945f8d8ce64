package query_test

import (
	"errors"
	"math"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/locale"
	"vitrine/internal/query"
)

func locales(t testing.TB) *locale.Set {
	t.Helper()
	set, err := locale.NewSet("en", []string{"en", "zh-hans", "pt-br"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestParseListOfChains(t *testing.T) {
	const en, zh = 0, 1
	list := func(l query.List) query.List {
		l.Kind = query.KindChain
		if l.Sort == "" {
			l.Sort = query.SortTVL
		}
		return l
	}
	defaults := list(query.List{})
	tests := []struct {
		name string
		raw  string
		want query.List
	}{
		{"nothing", "", defaults},
		{"only ampersands", "&&&", defaults},
		{"empty values are absent", "q=&tag=&sort=&sortDir=&limit=&offset=&locale=", defaults},
		{"empty values are absent before repeats are counted", "sort=&sort=name&sort=", list(query.List{Sort: query.SortName})},
		{"no equals sign", "q&sort", defaults},
		{"unknown parameters are ignored", "Q=x&x=%zz&%zz=1&scope=nonsense&limit%00=5&a=%ff", defaults},
		{"an encoded name is the same name", "%73ort=name", list(query.List{Sort: query.SortName})},
		{"sort and direction", "sort=chainId&sortDir=asc", list(query.List{Sort: query.SortChainID, Ascending: true})},
		{"descending is the default of every sort", "sort=name", list(query.List{Sort: query.SortName})},
		{"locale", "locale=zh_CN", list(query.List{Locale: zh})},
		{"no locale is an error", "locale=de_DE.UTF-8", list(query.List{Locale: en})},
		{"terms are folded, sorted and distinct", "q=Zk+%C3%89t%C3%A9+ZK", list(query.List{
			Search: "Zk Été ZK", Terms: []string{"ete", "zk"}})},
		{"plus is a space", "q=a+b", list(query.List{Search: "a b", Terms: []string{"a", "b"}})},
		{"an escaped plus is a plus", "q=a%2Bb", list(query.List{Search: "a+b", Terms: []string{"a+b"}})},
		{"a raw semicolon is part of the value", "q=a;b", list(query.List{Search: "a;b", Terms: []string{"a;b"}})},
		{"an equals sign is part of the value", "q=a=b", list(query.List{Search: "a=b", Terms: []string{"a=b"}})},
		{"a search of spaces finds all", "q=++", list(query.List{Search: "  "})},
		{"a search of @ finds all", "q=@", list(query.List{Search: "@"})},
		{"200 code points are allowed", "q=" + strings.Repeat("%E4%B8%AD", 200), list(query.List{
			Search: strings.Repeat("中", 200), Terms: []string{strings.Repeat("中", 200)}})},
		{"tags", "tag=b,a", list(query.List{Tags: []string{"a", "b"}})},
		{"tags forgive spaces, case and empty items", "tag=,+L2+,,A,", list(query.List{Tags: []string{"a", "l2"}})},
		{"repeated tags make one list", "tag=b&tag=a,b&tag=", list(query.List{Tags: []string{"a", "b"}})},
		{"a list of no tags is absent", "tag=,+,", defaults},
		{"limit", "limit=1000", list(query.List{Page: query.Page{On: true, Limit: 1000}})},
		{"offset 0 asks for a page", "offset=0", list(query.List{Page: query.Page{On: true}})},
		{"an offset beyond any list", "offset=99999999999999999999999", list(query.List{Page: query.Page{On: true, Offset: math.MaxInt}})},
		{"leading zeros", "limit=007&offset=010", list(query.List{Page: query.Page{On: true, Limit: 7, Offset: 10}})},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := query.ParseList(query.KindChain, test.raw, locales(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, equalEmpty); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// equalEmpty treats a nil list as an empty one.
var equalEmpty = cmp.Transformer("list", func(s []string) string { return strings.Join(s, "\n") })

func TestErrors(t *testing.T) {
	chains := func(raw string, set *locale.Set) error {
		_, err := query.ParseList(query.KindChain, raw, set)
		return err
	}
	categories := func(raw string, set *locale.Set) error { _, err := query.ParseCategories(raw, set); return err }
	groups := func(raw string, set *locale.Set) error { _, err := query.ParseCategoryGroups(raw, set); return err }
	localized := func(raw string, set *locale.Set) error { _, err := query.ParseLocalized(raw, set); return err }
	modules := []string{"chain", "twitter", "youtube", "item"}
	tests := []struct {
		name      string
		parse     func(string, *locale.Set) error
		raw       string
		parameter string
		allowed   []string
	}{
		{"given twice", chains, "q=a&q=b", "q", nil},
		{"given twice alike", chains, "sort=tvl&sort=tvl", "sort", nil},
		{"locale twice", localized, "locale=en&locale=en", "locale", nil},
		{"bad escape", chains, "q=%zz", "q", nil},
		{"cut escape", chains, "q=a%2", "q", nil},
		{"bad escape of a repeated tag", chains, "tag=a&tag=%", "tag", nil},
		{"bad escape of a locale", localized, "locale=%x", "locale", nil},
		{"invalid UTF-8", chains, "q=%ff", "q", nil},
		{"overlong UTF-8", chains, "q=%c0%af", "q", nil},
		{"surrogate", chains, "q=%ed%a0%80", "q", nil},
		{"raw invalid byte", chains, "tag=\xff", "tag", nil},
		{"NUL", chains, "q=%00", "q", nil},
		{"line feed", chains, "tag=a%0Ab", "tag", nil},
		{"delete", localized, "locale=en%7F", "locale", nil},
		{"C1 control", chains, "q=%C2%85", "q", nil},
		{"too long", chains, "q=" + strings.Repeat("a", 201), "q", nil},
		{"sort", chains, "sort=TVL", "sort", []string{"name", "chainId", "platforms", "tvl", "relevance"}},
		{"sort of a space", chains, "sort=+", "sort", []string{"name", "chainId", "platforms", "tvl", "relevance"}},
		{"sortDir", chains, "sortDir=descending", "sortDir", []string{"asc", "desc"}},
		{"scope", categories, "scope=Chain", "scope", modules},
		{"includeI18n", categories, "includeI18n=yes", "includeI18n", []string{"1", "true", "0", "false"}},
		{"module missing", groups, "", "module", modules},
		{"module empty", groups, "module=", "module", modules},
		{"module", groups, "module=chains", "module", modules},
		{"limit 0", chains, "limit=0", "limit", nil},
		{"limit 1001", chains, "limit=1001", "limit", nil},
		{"limit with a sign", chains, "limit=%2B5", "limit", nil},
		{"limit with a space", chains, "limit=+5", "limit", nil},
		{"limit that overflows", chains, "limit=18446744073709551617", "limit", nil},
		{"limit of other digits", chains, "limit=%D9%A1", "limit", nil},
		{"limit with a fraction", chains, "limit=1.0", "limit", nil},
		{"offset below 0", chains, "offset=-1", "offset", nil},
		{"offset as a word", chains, "offset=all", "offset", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got *query.Error
			if err := test.parse(test.raw, locales(t)); !errors.As(err, &got) {
				t.Fatalf("error %v, want a *query.Error", err)
			}
			if got.Parameter != test.parameter || !strings.Contains(got.Detail, test.parameter) {
				t.Errorf("parameter %q, detail %q: want both to name %q", got.Parameter, got.Detail, test.parameter)
			}
			if diff := cmp.Diff(test.allowed, got.Allowed); diff != "" {
				t.Errorf("allowed (-want +got)\n%s", diff)
			}
		})
	}
}

func TestParseCategories(t *testing.T) {
	for raw, want := range map[string]query.Categories{
		"":                               {},
		"scope=chain&includeI18n=1":      {Scope: "chain", Full: true},
		"includeI18n=true":               {Full: true},
		"includeI18n=false&locale=zh":    {Locale: 1},
		"includeI18n=0&scope=item":       {Scope: "item"},
		"q=%zz&scope=youtube&tag=%00%ff": {Scope: "youtube"},
	} {
		got, err := query.ParseCategories(raw, locales(t))
		if err != nil || got != want {
			t.Errorf("ParseCategories(%q) = %+v, %v; want %+v", raw, got, err, want)
		}
	}
}

// FuzzParseListOfChains checks that any query string gives a request within its bounds or an
// error that names a parameter, and that the canonical form of a request parses to the same
// request.
func FuzzParseListOfChains(f *testing.F) {
	for _, seed := range []string{
		"", "q=AI&sort=tvl&sortDir=desc", "tag=a,b&tag=c", "q=%zz", "limit=5&offset=10", "locale=zh-Hant-TW",
		"q=a;b&&=&==&sort", "q=%EF%B7%BA", "tag=%E2%84%AA", "limit=9999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		set := locales(t)
		got, err := query.ParseList(query.KindChain, raw, set)
		if err != nil {
			var parameter *query.Error
			if !errors.As(err, &parameter) || parameter.Parameter == "" || parameter.Detail == "" {
				t.Fatalf("error %#v names no parameter", err)
			}
			return
		}
		if got.Page.Limit < 0 || got.Page.Limit > query.MaxLimit || got.Page.Offset < 0 {
			t.Fatalf("page %+v is out of bounds", got.Page)
		}
		if n := utf8.RuneCountInString(got.Search); n > query.MaxSearch || strings.ContainsFunc(got.Search, unicode.IsControl) {
			t.Fatalf("search %q should have been refused", got.Search)
		}
		direction := "desc"
		if got.Ascending {
			direction = "asc"
		}
		canonical := url.Values{
			"q": {got.Search}, "tag": {strings.Join(got.Tags, ",")}, "locale": {set.Name(got.Locale)},
			"sort": {string(got.Sort)}, "sortDir": {direction},
		}
		again, err := query.ParseList(query.KindChain, canonical.Encode(), set)
		if err != nil {
			t.Fatalf("canonical form %q is refused: %v", canonical.Encode(), err)
		}
		again.Page = got.Page
		if diff := cmp.Diff(got, again, equalEmpty); diff != "" {
			t.Fatalf("%q is read back differently (-first +second)\n%s", canonical.Encode(), diff)
		}
	})
}

func TestParseListOfApps(t *testing.T) {
	for _, tt := range []struct {
		raw  string
		want query.List
	}{
		{"", query.List{}},
		{"sort=title&chain=&platform=&chain=+", query.List{}},
		{"chain=+Base+&platform=ios", query.List{Filters: []query.Filter{{Name: "chain", Value: "base"}, {Name: "platform", Value: "ios"}}}},
		{"sort=relevance", query.List{}},
		{"sort=relevance&q=b+a", query.List{Search: "b a", Terms: []string{"a", "b"}, Phrase: "b a", Relevance: true}},
		{"status=all&limit=3", query.List{Status: query.StatusAll, Page: query.Page{On: true, Limit: 3}}},
	} {
		tt.want.Kind, tt.want.Sort = query.KindApp, query.SortTitle
		got, err := query.ParseList(query.KindApp, tt.raw, locales(t))
		if err != nil {
			t.Errorf("%s: %v", tt.raw, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.raw, diff)
		}
	}
	platforms := []string{"web", "ios", "android", "desktop", "extension", "cli"}
	for raw, want := range map[string]query.Error{
		"platform=windows":          {Parameter: "platform", Allowed: platforms},
		"platform=Web":              {Parameter: "platform", Allowed: platforms},
		"platform=web&platform=ios": {Parameter: "platform"},
		"chain=a&chain=b":           {Parameter: "chain"},
		"sort=menu":                 {Parameter: "sort", Allowed: []string{"title", "relevance"}},
		"limit=0":                   {Parameter: "limit"},
	} {
		_, err := query.ParseList(query.KindApp, raw, locales(t))
		wrong, ok := errors.AsType[*query.Error](err)
		if !ok || wrong.Parameter != want.Parameter || cmp.Diff(want.Allowed, wrong.Allowed) != "" {
			t.Errorf("%s: %+v", raw, err)
		}
	}
}

// Cards with an app are results only of a search that names cards.
func TestAppCards(t *testing.T) {
	for raw, want := range map[string]bool{
		"":                    false,
		"&kind=":              false,
		"&kind=,+,":           false,
		"&kind=app":           false,
		"&kind=card":          true,
		"&kind=app,+card+,":   true,
		"&kind=chain,channel": false,
		"&kind=chain,app,user,channel,card,menu,category": true,
	} {
		q, err := query.ParseSearch("q=a"+raw, locales(t))
		if err != nil || q.AppCards != want {
			t.Errorf("%q: %t, %v; want %t", raw, q.AppCards, err, want)
		}
	}
}
