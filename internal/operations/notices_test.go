package operations_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// noticedCatalog returns a catalogue with categories of two scopes, a menu and chains.
func noticedCatalog() *domain.Catalog {
	inGroup := func(key, name string, modules ...domain.Module) domain.Category {
		c := domain.Category{Key: key, Name: text("en", name), Scopes: modules}
		for _, module := range modules {
			c.Groups = append(c.Groups, domain.ModuleGroups{Module: module, Keys: []string{"g"}})
		}
		return c
	}
	c := &domain.Catalog{
		DefaultLocale: "en", Locales: []string{"en"}, Title: text("en", "T"),
		Categories: []domain.Category{
			inGroup("layer-2", "Layer 2", domain.ModuleChain), inGroup("exchange", "Exchange", domain.ModuleItem),
			inGroup("gaming", "Gaming", domain.ModuleChain), inGroup("gamins", "Gamins", domain.ModuleChain), inGroup("layer-1", "Layer 1", domain.ModuleTwitter),
			inGroup("stablecoin", "Stablecoin", domain.ModuleChain), inGroup("defi", "DeFi", domain.ModuleTwitter, domain.ModuleChain),
		},
		Chains: []domain.Chain{
			{Slug: "arbitrum-one", Name: text("en", "Arbitrum One"), ChainID: "42161", Categories: []string{"layer-2"}},
			{Slug: "forknet", Name: text("en", "Forknet"), ChainID: "7"}, {Slug: "forknit", Name: text("en", "Forknit"), ChainID: "8"},
			{Slug: "btachain", Name: text("en", "BTA Chain"), ChainID: "1657"},
		},
		Menus: []domain.Menu{{PathSlug: "wallets", Title: text("en", "Wallets"), Former: []string{"purses"}}},
	}
	c.Categories[0].Former, c.Categories[0].Aliases = []string{"rollup"}, []string{"L2", "二层"}
	for _, module := range domain.Modules() {
		c.Groups = append(c.Groups, domain.Group{Key: "g", Module: module, Name: text("en", "G")})
	}
	return c
}

func TestNotices(t *testing.T) {
	h := serveCatalog(t, noticedCatalog())
	for _, tt := range []struct{ target, want string }{
		{"chains", ""},
		{"chains?tag=layer-2&sort=name&utm_source=x&ref=1&a=1&pa=2", ""},
		{"chains?tag=layer2", `unknown;parameter="tag";value="layer2";nearest="layer-2"`},
		{"chains?tag=layer-2,LAYER_2", `unknown;parameter="tag";value="LAYER_2";nearest="layer-2"`},
		{"chains?tag=rollup,Layer-2,%20layer-2%20", ""},
		{"chains?tag=l2", `unknown;parameter="tag";value="l2";nearest="layer-2"`},
		{"chains?tag=%E4%BA%8C%E5%B1%82", `unknown;parameter="tag";value=%"%e4%ba%8c%e5%b1%82";nearest="layer-2"`},
		{"chains?tag=exchange", `unknown;parameter="tag";value="exchange"`}, // of another scope
		{"nav/cards?tag=exchange", ""},
		{"nav/cards?tag=exchnage", `unknown;parameter="tag";value="exchnage";nearest="exchange"`},
		{"chains?tag=stabelcion", `unknown;parameter="tag";value="stabelcion";nearest="stablecoin"`},
		{"chains?tag=layer-3", `unknown;parameter="tag";value="layer-3"`}, // other digits mean another name
		{"chains?tag=layr-2", `unknown;parameter="tag";value="layr-2";nearest="layer-2"`},
		{"twitter/users?tag=layer-2", `unknown;parameter="tag";value="layer-2"`}, // of another scope
		{"chains?tag=gamint", `unknown;parameter="tag";value="gamint"`},          // as near to gaming as to gamins
		{"nav/cards?chain=forknot", `unknown;parameter="chain";value="forknot"`}, // as near to forknet as to forknit
		{"nav/cards?chain=fork", `unknown;parameter="chain";value="fork"`},
		{"chains?tag=layer-4567", `unknown;parameter="tag";value="layer-4567"`},
		{"chains?tag=", ""},
		{"chains?tag=a&tag=b,a", `unknown;parameter="tag";value="a", unknown;parameter="tag";value="b"`},
		{"nav/cards?chain=arbitrum", `unknown;parameter="chain";value="arbitrum";nearest="arbitrum-one"`},
		{"nav/cards?chain=arbitrum-one", ""},
		{"nav/cards?chain=42161&menu=purses", ""},
		{"nav/cards?chain=Arbitrum+One", ""},
		{"nav/cards?chain=notachain", `unknown;parameter="chain";value="notachain"`},
		{"nav/cards?menu=walets", `unknown;parameter="menu";value="walets";nearest="wallets"`},
		{"nav/cards?menu=WALLETS", ""},
		{"chains?id=42161,0xa4b1,Arbitrum+One&id=forknet", ""},
		{"chains?id=arbitrum,notachain", `unknown;parameter="id";value="arbitrum";nearest="arbitrum-one", unknown;parameter="id";value="notachain"`},
		{"chains?id=1,2&id=3,4,5,6", `unknown;parameter="id";value="1", unknown;parameter="id";value="2", unknown;parameter="id";value="3", ` +
			`unknown;parameter="id";value="4", unknown;parameter="id";value="5"`},
		{"apps?id=arbitrum-one", `unknown;parameter="id";value="arbitrum-one"`}, // of another kind
		{"chains?ids=forknet", `ignored;parameter="ids";instead="id"`},
		{"nav/groups?id=x", `ignored;parameter="id"`},
		{"nav/cards?view=full", `ignored;parameter="view"`},
		{"chains?followers=any", `ignored;parameter="followers"`},
		{"chains?page=2", `ignored;parameter="page";instead="offset"`},
		{"chains?page=", ""},
		{"meta?page=2", `ignored;parameter="page"`},
		{"chains?LIMIT=3&sortdir=asc", `ignored;parameter="LIMIT";instead="limit", ignored;parameter="sortdir";instead="sortDir"`},
		{"chains?per_page=9&page_size=9&size=9", `ignored;parameter="per_page";instead="limit", ignored;parameter="page_size";instead="limit", ignored;parameter="size";instead="limit"`},
		{"chains?lang=de&tags=a&order=x&sort_by=y&fields=z", `ignored;parameter="lang";instead="locale", ignored;parameter="tags";instead="tag", ` +
			`ignored;parameter="order";instead="sort", ignored;parameter="sort_by";instead="sort", ignored;parameter="fields"`},
		{"chains?menu=wallets", `ignored;parameter="menu"`}, // of another operation
		{"twitter/users?sortDir=asc", `ignored;parameter="sortDir"`},
		{"chains?Q=a&Xq=1", `ignored;parameter="Q";instead="q"`},
		{"chains?limt=5", `ignored;parameter="limt";instead="limit"`},
		{"chains?sortdir=asc&sortdir=desc", `ignored;parameter="sortdir";instead="sortDir"`},
		{"chains?li%C3%B1it=5", `ignored;parameter=%"li%c3%b1it";instead="limit"`},
		{"chains?limit=1&limi%zz=5", ""},
		{"spec?page=1", `ignored;parameter="page"`},
		{"?page=1", `ignored;parameter="page"`},
		{"chains/arbitrum-one?q=x", `ignored;parameter="q"`},
		{"search?q=arbitrum&sort=name", `ignored;parameter="sort"`},
		{"chains?page=1&tag=x&per_page=2&tag=y&size=3&lang=de", `ignored;parameter="page";instead="offset", unknown;parameter="tag";value="x", ` +
			`ignored;parameter="per_page";instead="limit", unknown;parameter="tag";value="y", ignored;parameter="size";instead="limit"`},
		{"chains?tag=" + strings.Repeat("%22", 70), `unknown;parameter="tag";value="` + strings.Repeat(`\"`, 64) + `"`},
		{"chains?page=2&limit=0", ""}, // never on errors
		{"chains/nothing?page=2", ""},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for range 2 { // the second request hits the cached spelling
				if got := request(t, h, method, "/api/open/"+tt.target, nil).Header.Get("Catalog-Notice"); got != tt.want {
					t.Errorf("%s %s\n%s, want\n%s", method, tt.target, got, tt.want)
				}
			}
		}
	}
}

// TestNoticesAreNoPartOfTheAnswer checks that notices change neither the body nor its entity tag
// or cache entry.
func TestNoticesAreNoPartOfTheAnswer(t *testing.T) {
	h := serving(t, compile(t, noticedCatalog(), 1))
	for _, target := range []string{"/api/open/chains?tag=layer2", "/api/open/nav/cards?chain=arbitrum", "/api/open/chains/42161?locale=en", "/api/open/meta?locale=en"} {
		plain := fetch(t, h, target)
		answers := h.Stats().Answers
		rapid.Check(t, func(r *rapid.T) {
			noise := target
			for range rapid.IntRange(1, 8).Draw(r, "parameters") {
				name := rapid.OneOf(rapid.SampledFrom([]string{"page", "tags", "size", "limt", "ofset", "kind", "scope", "fields", "utm_source"}), rapid.StringN(1, 8, 20)).Draw(r, "name")
				if slices.Contains([]string{"tag", "chain", "menu", "locale", "q", "match", "status", "facets", "sort", "sortDir", "limit", "offset", "id", "view"}, name) {
					continue
				}
				noise += "&" + url.QueryEscape(name) + "=" + url.QueryEscape(rapid.String().Draw(r, "value"))
			}
			for _, header := range []http.Header{nil, {"If-None-Match": {plain.header.Get("Etag")}}} {
				got := request(t, h, http.MethodGet, noise, header)
				if tag := got.Header.Get("Etag"); tag != plain.header.Get("Etag") || header == nil && body(t, got) != plain.body {
					t.Fatalf("%s differs from %s", noise, target)
				}
				list, err := httpsfv.UnmarshalList(got.Header["Catalog-Notice"])
				if err != nil || len(list) > 5 || len(got.Header["Catalog-Notice"]) > 1 {
					t.Fatalf("%s: %v, %q", noise, err, got.Header["Catalog-Notice"])
				}
				for _, member := range list {
					checkNotice(t, member.(httpsfv.Item))
				}
			}
		})
		if now := h.Stats().Answers; now != answers {
			t.Errorf("%s: %d entries are cached, and %d with other parameters", target, answers, now)
		}
	}
}

// checkNotice validates one member of Catalog-Notice.
func checkNotice(t *testing.T, notice httpsfv.Item) {
	t.Helper()
	names := notice.Params.Names()
	switch notice.Value {
	case httpsfv.Token("unknown"):
		if len(names) < 2 || names[0] != "parameter" || names[1] != "value" || len(names) == 3 && names[2] != "nearest" || len(names) > 3 {
			t.Errorf("%v", names)
		}
	case httpsfv.Token("ignored"):
		if len(names) == 0 || names[0] != "parameter" || len(names) == 2 && names[1] != "instead" || len(names) > 2 {
			t.Errorf("%v", names)
		}
	default:
		t.Errorf("a notice of %v", notice.Value)
	}
}
