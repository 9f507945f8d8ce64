package domain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// detailed returns rich() with all optional fields of chains, apps, accounts and channels.
func detailed() *domain.Catalog {
	c := rich()
	links := []domain.Link{{Type: "docs", Name: "Docs", URL: "https://docs.example/"}, {Type: "other", URL: "celo:x"}}
	c.Search = &domain.SearchRules{Demote: []string{"evm"}}
	c.Groups = append(c.Groups, domain.Group{Key: "what", Module: domain.ModuleItem, Name: en("What")})
	c.Categories = append(c.Categories, domain.Category{
		Key: "wallets", Name: en("Wallets"), Scopes: []domain.Module{domain.ModuleItem}, Former: []string{"purses"},
		Groups: []domain.ModuleGroups{{Module: domain.ModuleItem, Keys: []string{"what"}}},
	})
	celo := &c.Chains[1]
	celo.Description, celo.Launched = en("Once a chain of its own"), "2020-04-22"
	celo.Status, celo.StatusSince, celo.StatusNote, celo.Successor = domain.StatusRetired, "2025-03-26", en("It moved"), "ethereum"
	celo.Website, celo.Links, celo.Parent, celo.Former = "https://celo.example/", links, "ethereum", []string{"celo-mainnet"}
	celo.RPC = []domain.Endpoint{{URL: "https://rpc.example.org/", Note: "no tracking"}, {URL: "wss://rpc.example.org/ws"}}
	celo.Currency, celo.Extra = &domain.Currency{Name: "Celo", Symbol: "CELO", Decimals: 18}, `{"a":[1.0,{}]}`
	c.Apps = []domain.App{{
		Key: "purse", Title: en("Purse"), Description: en("Holds"), Link: "https://purse.example/", Image: "/purse.png", Categories: []string{"wallets"},
		Chains: []string{"celo", "ethereum"}, Platforms: []domain.Platform{"web", "ios"}, Launched: "2021-01-01", Status: domain.StatusRetired,
		StatusSince: "2024-02-29", StatusNote: en("Soon"), Links: links, Former: []string{"wallet"}, Extra: `{}`,
	}}
	c.Accounts[0].Website, c.Accounts[0].Links, c.Accounts[0].Extra = "https://ethereum.example/", links, `{"a":1}`
	c.Channels[0].Website, c.Channels[0].Links, c.Channels[0].Extra = "https://ethereum.example/", links, `{"a":1}`
	c.NavGroups[0].Former, c.Menus[0].Former = []string{"web3"}, []string{"drawing"}
	cards := &c.Menus[1].Groups[0].Items[0].Cards
	*cards = append(*cards, domain.Card{App: "purse"}, domain.Card{App: "purse", Title: en("Ours"), Link: "/p", Chains: []string{"bitcoin"},
		Categories: []string{"wallets"}, Platforms: []domain.Platform{"cli"}, Extra: `{"b":null}`})
	return c
}

// rules formats problems as `kind[index].path rule`.
func rules(problems []domain.Problem) []string {
	var out []string
	for _, p := range problems {
		at := fmt.Sprintf("%s[%d]", p.At.Kind, p.At.Index)
		if len(p.At.Path) > 0 {
			at += "." + strings.Join(p.At.Path, ".")
		}
		out = append(out, fmt.Sprintf("%s %s", at, p.Rule))
	}
	return out
}

func TestCheckDetails(t *testing.T) {
	nested := func(n int) domain.JSON {
		return domain.JSON(strings.Repeat(`{"a":`, n) + `"[[{\"{"` + strings.Repeat("}", n))
	}
	const card = "menus[1].groups.0.items.0.cards.3"
	ofApp := func(c *domain.Catalog) *domain.Card { return &c.Menus[1].Groups[0].Items[0].Cards[3] }
	for _, test := range []struct {
		name   string
		change func(c *domain.Catalog)
		want   []string
	}{
		{"nothing", func(*domain.Catalog) {}, nil},

		{"dates", func(c *domain.Catalog) {
			c.Chains[0].Launched, c.Chains[1].StatusSince, c.Apps[0].Launched, c.Apps[0].StatusSince = "2015", "2023-02-29", "2021-1-1", "2024-02-29T00:00:00Z"
		}, []string{
			"chains[0].launched malformed-date", "chains[1].status_since malformed-date", "apps[0].launched malformed-date", "apps[0].status_since malformed-date",
		}},
		{"a day to come is a date", func(c *domain.Catalog) {
			c.Apps[0].Status, c.Apps[0].StatusSince = domain.StatusUpcoming, ""
			c.Apps[0].Launched = "2999-12-31"
		}, nil},

		{"extra that is no object", func(c *domain.Catalog) {
			c.Chains[0].Extra, c.Chains[1].Extra, c.Accounts[0].Extra, c.Channels[0].Extra, c.Apps[0].Extra = `[]`, `{"a":1}{}`, `{"a":}`, `"x"`, `{"a":1`
		}, []string{
			"chains[0].extra malformed-extra", "chains[1].extra malformed-extra", "apps[0].extra malformed-extra",
			"twitter[0].extra malformed-extra", "youtube[0].extra malformed-extra",
		}},
		{"extra of a card", func(c *domain.Catalog) { ofApp(c).Extra = `null` }, []string{card + ".extra malformed-extra"}},
		{"extra with a name twice", func(c *domain.Catalog) { c.Chains[0].Extra = `{"a":1,"a":2}` }, []string{"chains[0].extra malformed-extra"}},
		{"extra that is as deep as may be", func(c *domain.Catalog) { c.Chains[0].Extra = nested(32) }, nil},
		{"extra that is too deep", func(c *domain.Catalog) { c.Chains[0].Extra = nested(33) }, []string{"chains[0].extra malformed-extra"}},
		{"extra that is as long as may be", func(c *domain.Catalog) {
			c.Chains[0].Extra = `{"a":"` + domain.JSON(strings.Repeat("x", 16<<10-8)) + `"}`
		}, nil},
		{"extra that is too long", func(c *domain.Catalog) {
			c.Chains[0].Extra = `{"a":"` + domain.JSON(strings.Repeat("x", 16<<10-7)) + `"}`
		}, []string{"chains[0].extra too-long"}},

		{"sources", func(c *domain.Catalog) {
			c.Chains[0].Sources = `{"launched":"https://example.com/launch","llama_tvl":"the operator's report","native_currency":"README"}`
		}, nil},
		{"sources of what is no field", func(c *domain.Catalog) {
			c.Chains[0].Sources, c.Accounts[0].Sources, c.Channels[0].Sources = `{"launch":"x"}`, `{"launched":"x"}`, `{"sources":"x"}`
		}, []string{"chains[0].sources unknown-value", "twitter[0].sources unknown-value", "youtube[0].sources unknown-value"}},
		{"sources that are no texts", func(c *domain.Catalog) {
			c.Chains[0].Sources, c.Apps[0].Sources = `{"launched":["x"],"status":{"a":[]},"website":1}`, `{"launched":" "}`
		}, []string{
			"chains[0].sources wrong-type", "chains[0].sources wrong-type", "chains[0].sources wrong-type", "apps[0].sources wrong-type",
		}},
		{"sources that are links", func(c *domain.Catalog) {
			c.Chains[0].Sources, c.Chains[1].Sources = `{"launched":"javascript://x"}`, `{"website":"https://user:pass@example.com/"}`
		}, []string{"chains[0].sources.launched malformed-link", "chains[1].sources.website secret-in-link"}},

		{"passwords and keys", func(c *domain.Catalog) {
			c.Chains[1].RPC = []domain.Endpoint{
				{URL: "https://user:pass@rpc.example.org/"}, {URL: "https://user@rpc.example.org/"}, {URL: "wss://rpc.example.org/?API_KEY=x"}, {URL: "https://rpc.example.org/?x=1&token=y12345"},
			}
			c.Chains[1].Website = "https://a:b@celo.example/"
			c.Chains[1].Links = []domain.Link{{Type: "docs", URL: "https://docs.example/?apikey=9aa3d95b3bc440fa88ea12eaa4456161"}}
		}, []string{
			"chains[1].website secret-in-link", "chains[1].links.0.url secret-in-link",
			"chains[1].rpc.0.url secret-in-link", "chains[1].rpc.1.url secret-in-link", "chains[1].rpc.2.url secret-in-link", "chains[1].rpc.3.url secret-in-link",
		}},
		{"places for keys", func(c *domain.Catalog) {
			c.Chains[1].RPC = []domain.Endpoint{{URL: "https://rpc.example.org/${KEY}"}, {URL: "https://rpc.example.org/{key}"}, {URL: "https://rpc.example.org/YOUR-KEY"}}
		}, []string{"chains[1].rpc.0.url malformed-link", "chains[1].rpc.1.url malformed-link", "chains[1].rpc.2.url malformed-link"}},
		{"what may be a key", func(c *domain.Catalog) {
			c.Chains[1].RPC = []domain.Endpoint{{URL: "https://rpc.example.org/v2/a1b2c3d4e5f6a7b8c9d0"}, {URL: "https://rpc.example.org/ethereum-mainnet-archive"}}
		}, []string{"chains[1].rpc.0.url possible-key"}},
		{"endpoints", func(c *domain.Catalog) {
			c.Chains[1].RPC = []domain.Endpoint{{URL: "ws://rpc.example.org"}, {URL: "celo:x"}, {URL: "/rpc"}, {URL: ""}, {URL: "wssx://rpc.example.org"}}
		}, []string{
			"chains[1].rpc.1.url malformed-link", "chains[1].rpc.2.url malformed-link", "chains[1].rpc.3.url missing-field", "chains[1].rpc.4.url malformed-link",
		}},
		{"hosts of endpoints", func(c *domain.Catalog) {
			c.Chains[1].RPC = []domain.Endpoint{
				{URL: "ws:///x"}, {URL: "https://rpc.example.org:99999/"}, {URL: "wss://rpc.example.org:0/"}, {URL: "https://@rpc.example.org/"}, {URL: "https://rpc.example.org:65535/"}, {URL: "wss://[::1]:/"},
			}
			c.Chains[1].Website = "https://celo.example:65536/"
		}, []string{
			"chains[1].website malformed-link",
			"chains[1].rpc.0.url malformed-link", "chains[1].rpc.1.url malformed-link", "chains[1].rpc.2.url malformed-link", "chains[1].rpc.3.url malformed-link",
			"chains[1].rpc.5.url malformed-link",
		}},
		{"links", func(c *domain.Catalog) {
			c.Apps[0].Links = []domain.Link{{Type: "Docs", URL: "https://x.example/"}, {URL: "https://x.example/"}, {Type: "faucet"}, {Type: "bridge", URL: "web3://x"}}
		}, []string{
			"apps[0].links.0.type unknown-value", "apps[0].links.1.type missing-field", "apps[0].links.2.url missing-field", "apps[0].links.3.url malformed-link",
		}},

		{"statuses and platforms", func(c *domain.Catalog) {
			c.Chains[0].Status, c.Apps[0].Status, c.Apps[0].Platforms = "dead", "Live", []domain.Platform{"web", "Web", "web"}
		}, []string{
			"chains[0].status unknown-value", "apps[0].platforms.1 unknown-value", "apps[0].platforms.2 duplicate", "apps[0].status unknown-value",
		}},
		{"decimals", func(c *domain.Catalog) {
			c.Chains[0].Currency = &domain.Currency{Name: "x", Symbol: "x", Decimals: 1.5}
			c.Chains[1].Currency.Decimals = -1
			c.Chains[2].Currency = &domain.Currency{}
		}, []string{
			"chains[0].native_currency.decimals malformed-figure", "chains[1].native_currency.decimals malformed-figure",
			"chains[2].native_currency.name missing-field", "chains[2].native_currency.symbol missing-field",
		}},

		{"chains that are not there", func(c *domain.Catalog) {
			c.Chains[0].Parent, c.Chains[1].Successor, c.Apps[0].Chains = "etherium", "nothing", []string{"celo", "x"}
			ofApp(c).Chains = []string{"y"}
		}, []string{
			"chains[0].parent unknown-chain", "chains[1].successor unknown-chain", "apps[0].chains.1 unknown-chain", card + ".chains.0 unknown-chain",
		}},
		{"chains by a former slug", func(c *domain.Catalog) { c.Apps[0].Chains = []string{"celo-mainnet"} }, []string{"apps[0].chains.0 unknown-chain"}},
		{"a chain twice", func(c *domain.Catalog) { c.Apps[0].Chains = []string{"celo", "celo"} }, []string{"apps[0].chains.1 duplicate"}},
		{"its own parent", func(c *domain.Catalog) { c.Chains[0].Parent = "ethereum" }, []string{"chains[0].parent parent-cycle"}},
		{"parents and successors in a circle", func(c *domain.Catalog) {
			c.Chains[0].Parent, c.Chains[2].Parent, c.Chains[1].Parent = "bitcoin", "celo", "ethereum"
			c.Chains[0].Successor, c.Chains[0].Status = "celo", domain.StatusRetired
		}, []string{"chains[0].successor parent-cycle", "chains[0].parent parent-cycle"}},

		{"apps that are not there", func(c *domain.Catalog) { ofApp(c).App = "pursee" }, []string{card + ".app unknown-app"}},
		{"successors of apps that are not there", func(c *domain.Catalog) { c.Apps[0].Status, c.Apps[0].Successor = domain.StatusRetired, "pursee" }, []string{"apps[0].successor unknown-app"}},
		{"an app that is its own successor", func(c *domain.Catalog) { c.Apps[0].Status, c.Apps[0].Successor = domain.StatusRetired, c.Apps[0].Key }, []string{"apps[0].successor parent-cycle"}},
		{"an app by a former key", func(c *domain.Catalog) { ofApp(c).App = "wallet" }, []string{card + ".app unknown-app"}},
		{"an app that no card names", func(c *domain.Catalog) {
			c.Apps = append(c.Apps, domain.App{Key: "alone", Title: en("Alone"), Link: "/alone"})
		}, []string{"apps[1].key unused-app"}},
		{"an app twice", func(c *domain.Catalog) { c.Apps = append(c.Apps, c.Apps[0]) }, []string{"apps[1].key duplicate", "apps[1].former.0 duplicate"}},
		{"an app without what its cards take from it", func(c *domain.Catalog) { c.Apps[0].Title, c.Apps[0].Link = nil, "" }, []string{
			"apps[0].title missing-field", "apps[0].link missing-field",
		}},
		{"a card of nothing", func(c *domain.Catalog) { *ofApp(c) = domain.Card{} }, []string{card + ".title missing-field", card + ".link missing-field"}},

		{"former keys of today", func(c *domain.Catalog) {
			c.Chains[0].Former, c.Menus[0].Former, c.NavGroups[0].Former = []string{"bitcoin"}, []string{"explorers"}, []string{"tools", "web-3"}
		}, []string{"chains[0].former.0 duplicate", "nav[0].former.1 duplicate", "nav[0].former.0 duplicate", "menus[0].former.0 duplicate"}},
		{"former keys of two", func(c *domain.Catalog) {
			c.Chains[0].Former, c.Categories[0].Former = []string{"celo-mainnet", "eth", "eth"}, []string{"purses"}
		}, []string{"categories[3].former.0 duplicate", "chains[0].former.2 duplicate", "chains[1].former.0 duplicate"}},
		{"former keys that are none", func(c *domain.Catalog) {
			c.Chains[0].Former, c.Apps[0].Former = []string{"Eth", ""}, []string{"a b"}
		}, []string{"chains[0].former.0 malformed-key", "chains[0].former.1 missing-field", "apps[0].former.0 malformed-key"}},

		{"roles", func(c *domain.Catalog) {
			c.Roles = &domain.Roles{EVM: []string{"evm", "emv", "evm", ""}, Summary: []string{"layer", "layers", "layer", "topic", ""}}
			c.Categories = append(c.Categories, domain.Category{Key: "accounts-only", Name: text("en", "A", "zh-hans", "A"), Scopes: []domain.Module{"twitter"},
				Groups: []domain.ModuleGroups{{Module: "twitter", Keys: []string{"topic"}}}})
			c.Roles.EVM = append(c.Roles.EVM, "accounts-only")
		}, []string{
			"catalog[0].roles.evm.1 unknown-category", "catalog[0].roles.evm.2 duplicate", "catalog[0].roles.evm.3 missing-field", "catalog[0].roles.evm.4 wrong-scope",
			"catalog[0].roles.summary.1 unknown-group", "catalog[0].roles.summary.2 duplicate", "catalog[0].roles.summary.3 wrong-scope", "catalog[0].roles.summary.4 missing-field",
		}},
		{"words of the site", func(c *domain.Catalog) {
			c.Site = &domain.Site{Accent: "red", Words: []domain.Word{
				{Locale: "en", Key: "count.chains#few", Text: "{n} chains"}, {Locale: "en", Key: "nav.app", Text: "Products"}, {Locale: "de", Key: "nav.apps", Text: "Produkte"},
				{Locale: "en", Key: "count.chains", Text: "{m} chains"}, {Locale: "en", Key: "skip", Text: "{n}"}, {Locale: "en", Key: "skip", Text: "Again"},
				{Locale: "en", Key: "months", Text: "January,February"}, {},
			}}
		}, []string{
			"catalog[0].site.accent unknown-value", "catalog[0].site.words.7.locale missing-field", "catalog[0].site.words.7.key missing-field", "catalog[0].site.words.7.text missing-field",
			"catalog[0].site.words.1.key unknown-value", "catalog[0].site.words.2.locale undeclared-locale",
			"catalog[0].site.words.3.text unknown-value", "catalog[0].site.words.4.text unknown-value", "catalog[0].site.words.5 duplicate",
			"catalog[0].site.words.6.text unknown-value",
		}},
		{"what is put last", func(c *domain.Catalog) { c.Search.Demote = []string{"evm", "emv", "evm", ""} }, []string{
			"catalog[0].search.demote.1 unknown-category", "catalog[0].search.demote.2 duplicate", "catalog[0].search.demote.3 missing-field",
		}},
		{"limits of ages that are none", func(c *domain.Catalog) {
			c.MaxAge = &domain.MaxAges{TVL: &domain.AgeLimit{}, Platforms: &domain.AgeLimit{Days: 1.5}, Followers: &domain.AgeLimit{Days: 1, Older: "drop"}}
		}, []string{
			"catalog[0].max_age.llama_tvl.days malformed-figure", "catalog[0].max_age.platforms.days malformed-figure", "catalog[0].max_age.followers_count.older unknown-value",
		}},
		{"a gate with settings that are none", func(c *domain.Catalog) {
			c.Gate = &domain.GateSettings{
				Shrink: &domain.Threshold{Share: 25}, Values: &domain.Threshold{Min: 1.5}, Window: -1, Rules: &domain.GateRules{"stop", "never"},
				Accept: []domain.GateAcceptance{
					{Rule: "shrink:chains", Reason: "r", Author: "a", Expires: "2026-11-22"}, {Rule: "rollback:7", Reason: "r", Author: "a", Expires: "2026-11-21"},
					{Rule: "shrink", Reason: "r", Author: "a", Expires: "2031-01-01"}, {Rule: "sink:chains", Expires: "soon"},
					{Rule: "moved:app.link", Reason: "r", Author: "a", Expires: "2031-01-01"}, {Rule: "category:app", Reason: "r", Author: "a", Expires: "2031-01-01"},
				},
			}
		}, []string{
			"catalog[0].gate.shrink.share malformed-figure", "catalog[0].gate.values.min malformed-figure", "catalog[0].gate.window malformed-figure", "catalog[0].gate.rules.expect unknown-value",
			"catalog[0].gate.accept.2.rule unknown-value", "catalog[0].gate.accept.3.rule unknown-value", "catalog[0].gate.accept.3.reason missing-field", "catalog[0].gate.accept.3.author missing-field", "catalog[0].gate.accept.3.expires malformed-date",
			"catalog[0].gate.accept.1.expires expired-acceptance",
			"catalog[0].gate.accept.4.rule unknown-value",
		}},
		{"expectations that are none", func(c *domain.Catalog) {
			c.Expect = []domain.Expectation{
				{}, {Kind: "chain", Min: 1}, {Kind: "catalog", Min: 1}, {Kind: "chains"}, {Kind: "chains", Field: "nme", Min: 1}, {Kind: "chains", Field: "website", Locale: "en", Min: 1},
				{Kind: "chains", Field: "name", Locale: "xx", Min: 1}, {Kind: "chains", Fill: .5}, {Kind: "chains", Field: "name", Fill: 90}, {Kind: "chains", Min: 1.5},
			}
		}, []string{
			"catalog[0].expect.0.kind missing-field", "catalog[0].expect.8.fill malformed-figure", "catalog[0].expect.9.min malformed-figure", "catalog[0].expect.1.kind unknown-value", "catalog[0].expect.2.kind unknown-value",
			"catalog[0].expect.3 missing-field", "catalog[0].expect.4.field unknown-value", "catalog[0].expect.5.locale unknown-value", "catalog[0].expect.6.locale undeclared-locale",
			"catalog[0].expect.7.fill missing-field",
		}},
		{"expectations that are not met", func(c *domain.Catalog) {
			c.Expect = []domain.Expectation{
				{Kind: "chains", Min: 1, Max: 1000}, {Kind: "chains", Min: 100}, {Kind: "chains", Max: 1}, {Kind: "apps", Field: "title", Locale: "en", Fill: 1},
				{Kind: "chains", Field: "parent", Fill: 1}, {Kind: "chains", Field: "parent", Min: 100}, {Kind: "chains", Field: "llama_tvl", Min: 100},
			}
		}, []string{"catalog[0].expect.1.min too-few", "catalog[0].expect.2.max too-many", "catalog[0].expect.4.fill too-few", "catalog[0].expect.5.min too-few"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := detailed()
			test.change(c)
			if diff := cmp.Diff(test.want, rules(domain.Check(c, domain.Reading{Today: "2026-11-22"}).Problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckStatus(t *testing.T) {
	const today = "2026-11-22"
	cases := []struct {
		name   string
		change func(c *domain.Chain)
		want   []string
	}{
		{"launched tomorrow", func(c *domain.Chain) { c.Launched = "2026-11-23" }, nil},
		{"launched in the future", func(c *domain.Chain) { c.Launched = "2031-01-01" }, []string{
			`chains[0].launched future-date: launched 2031-01-01 is in the future, today is 2026-11-22; write the day on which it began, or status: upcoming until then`,
		}},
		{"upcoming", func(c *domain.Chain) { c.Launched, c.Status, c.StatusSince = "2031-01-01", "upcoming", "2025-01-01" }, nil},
		{"upcoming today", func(c *domain.Chain) { c.Launched, c.Status = "2026-11-22", "upcoming" }, nil},
		{"retired before the future", func(c *domain.Chain) { c.Launched, c.Status = "2031-01-01", "retired" }, []string{
			`chains[0].launched future-date: launched 2031-01-01 is in the future, today is 2026-11-22; write the day on which it began, or status: upcoming until then`,
		}},
		{"a status since the future", func(c *domain.Chain) { c.Status, c.StatusSince = "retired", "2031-01-01" }, []string{
			`chains[0].status_since future-date: status_since 2031-01-01 is in the future, today is 2026-11-22; write the date of its last status change, and its current status`,
		}},
		{"status_since without a status", func(c *domain.Chain) { c.StatusSince = "2024-01-01" }, []string{
			`chains[0].status_since status-conflict: status_since is set, but the status is live, the default; set the status, or remove status_since; launched is for the day on which it began`,
		}},
		{"status_since before launched", func(c *domain.Chain) { c.Launched, c.Status, c.StatusSince = "2024-01-02", "retired", "2024-01-01" }, []string{
			`chains[0].status_since status-conflict: status_since 2024-01-01 is before launched 2024-01-02; correct one of the two days`,
		}},
		{"retired on the day of its launch", func(c *domain.Chain) { c.Launched, c.Status, c.StatusSince = "2024-01-02", "retired", "2024-01-02" }, nil},
		{"a successor of a live chain", func(c *domain.Chain) { c.Successor = "bitcoin" }, []string{
			`chains[0].successor status-conflict: successor "bitcoin" is set, but the status is "live"; set status: retired, or omit the successor until it has replaced this record`,
		}},
		{"a successor of an upcoming chain", func(c *domain.Chain) { c.Successor, c.Status = "bitcoin", "upcoming" }, []string{
			`chains[0].successor status-conflict: successor "bitcoin" is set, but the status is "upcoming"; set status: retired, or omit the successor until it has replaced this record`,
		}},
		{"a successor of a retired chain", func(c *domain.Chain) { c.Successor, c.Status = "bitcoin", "retired" }, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := rich()
			tc.change(&c.Chains[0])
			got := errorsOf(domain.Check(c, domain.Reading{Today: today}).Problems)
			if diff := cmp.Diff(tc.want, lines(got)); diff != "" {
				t.Error(diff)
			}
			if got := domain.CheckAgain(nil, c); len(errorsOf(got)) > 0 {
				t.Errorf("a catalogue that was published before is not read any more: %q", lines(got))
			}
		})
	}
	c := detailed()
	c.Apps[0].Launched, c.Apps[0].Status = "2026-11-21", domain.StatusUpcoming
	if got := rules(domain.Check(c, domain.Reading{Today: today}).Problems); !slices.Contains(got, "apps[0].launched overdue-launch") {
		t.Errorf("an app that was to begin yesterday has the problems %q", got)
	}
	c.Apps[0].Launched, c.Apps[0].Status, c.Apps[0].StatusSince = "2031-01-01", "", "2024-01-01"
	want := []string{"apps[0].launched future-date", "apps[0].status_since status-conflict"}
	if diff := cmp.Diff(want, rules(errorsOf(domain.Check(c, domain.Reading{Today: today}).Problems))); diff != "" {
		t.Errorf("of an app:\n%s", diff)
	}
	c = detailed()
	c.Chains[0].Status, c.Chains[0].Successor = "dead", "bitcoin"
	want = []string{"chains[0].status unknown-value"}
	if diff := cmp.Diff(want, rules(errorsOf(domain.Check(c, domain.Reading{Today: today}).Problems))); diff != "" {
		t.Errorf("of an unknown status:\n%s", diff)
	}
}

func TestReferencesToFormerCategories(t *testing.T) {
	c := detailed()
	c.Apps[0].Categories = []string{"purses"}
	var got []string
	for _, p := range domain.Check(c, domain.Reading{}).Problems {
		if p.Rule == domain.RuleUnknownCategory {
			got = append(got, p.Message+"; "+p.Remedy)
		}
	}
	if want := []string{`category "purses" has been renamed; write wallets`}; !cmp.Equal(want, got) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDiffOfPartsWithoutTitles checks that parts without a title are identified by their
// addresses.
func TestDiffOfPartsWithoutTitles(t *testing.T) {
	before, after := detailed(), detailed()
	after.Chains[1].RPC = after.Chains[1].RPC[:1]
	changes := domain.Diff(before, after)
	if len(changes) != 1 || len(changes[0].Fields) != 1 {
		t.Fatalf("changes %+v", changes)
	}
	want := domain.FieldChange{Path: "rpc[wss://rpc.example.org/ws]", Old: "wss://rpc.example.org/ws"}
	if diff := cmp.Diff(want, changes[0].Fields[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
