package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/gate"
)

func english(name string) domain.Text { return domain.Text{{Locale: "en", Value: name}} }

func catalogue(chains ...domain.Chain) *domain.Catalog {
	return &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}, Chains: chains}
}

func chain(slug, id string) domain.Chain {
	return domain.Chain{
		Slug: slug, Name: english("The " + slug), ChainID: id, Website: "https://" + slug + ".example/",
		RPC: []domain.Endpoint{{URL: "https://rpc." + slug + ".example/"}}, TVL: &domain.Figure{Value: 1e9, Source: "s", AsOf: "2026-11-01"},
	}
}

// rulesOf returns the rules of findings, each with the keys of its records.
func rulesOf(findings []gate.Finding) map[string]string {
	rules := map[string]string{}
	for _, f := range findings {
		var keys []string
		for _, r := range f.Records {
			keys = append(keys, r.Key)
		}
		rules[f.Rule] = strings.Join(keys, " ")
	}
	return rules
}

func TestCompare(t *testing.T) {
	edit := func(c domain.Chain, edit func(*domain.Chain)) domain.Chain { edit(&c); return c }
	one, two, three := chain("one", "1"), chain("two", "2"), chain("three", "3")
	tests := []struct {
		name            string
		served, present *domain.Catalog
		want            map[string]string
	}{
		{"nothing served", nil, catalogue(one), map[string]string{}},
		{"no change", catalogue(one, two), catalogue(two, one), map[string]string{}},
		{"a new chain", catalogue(one), catalogue(one, two), map[string]string{}},
		{"ids are swapped", catalogue(one, two),
			catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "2" }), edit(two, func(c *domain.Chain) { c.ChainID = "1" })),
			map[string]string{"moved:chains.chain_id": "one two"}},
		{"another chain id", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "0x7" }), two), map[string]string{"replaced:chains": "one"}},
		{"the chain id of a chain that keeps it", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "2" }), two),
			map[string]string{"replaced:chains": "one"}},
		{"a chain id that two chains have", catalogue(one, two, edit(three, func(c *domain.Chain) { c.ChainID = "2" })),
			catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "2" }), two, edit(three, func(c *domain.Chain) { c.ChainID = "2" })),
			map[string]string{"replaced:chains": "one"}},
		{"the chain id of a removed chain", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "2" })),
			map[string]string{"moved:chains.chain_id": "one"}},
		{"another spelling of a chain id", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "0x1" }), two), map[string]string{}},
		{"another chain id of an upcoming chain", catalogue(edit(one, func(c *domain.Chain) { c.Status = domain.StatusUpcoming }), two),
			catalogue(edit(one, func(c *domain.Chain) { c.Status, c.ChainID = domain.StatusUpcoming, "7" }), two), map[string]string{}},
		{"a chain id that is a text", catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "one-1" })),
			catalogue(edit(one, func(c *domain.Chain) { c.ChainID = "one-2" })), map[string]string{}},
		{"a rename with former", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.Slug, c.Former = "uno", []string{"one"} }), two), map[string]string{}},
		{"a rename without former", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.Slug = "uno" }), two), map[string]string{}},
		{"a new chain with the id of a chain that stays", catalogue(one, two), catalogue(one, two, edit(chain("four", "1"), func(*domain.Chain) {})), map[string]string{}},
		{"an endpoint of another chain", catalogue(one, two, three),
			catalogue(edit(one, func(c *domain.Chain) { c.RPC = append(c.RPC[:1:1], two.RPC[0]) }), two, three), map[string]string{"moved:chains.rpc": "one"}},
		{"an endpoint with the name of another chain", catalogue(chain("nibiru", "1"), two),
			catalogue(chain("nibiru", "1"), edit(two, func(c *domain.Chain) {
				c.RPC = append(c.RPC[:1:1], domain.Endpoint{URL: "https://nibiru.rpc.nodes.example.com"})
			})),
			map[string]string{"moved:chains.rpc": "two"}},
		{"an endpoint with the names of two chains", catalogue(chain("nibiru", "1"), two),
			catalogue(chain("nibiru", "1"), edit(two, func(c *domain.Chain) {
				c.RPC = append(c.RPC[:1:1], domain.Endpoint{URL: "https://nibiru.nodes.example.com/two"})
			})),
			map[string]string{}},
		{"an endpoint of a provider with the name of a chain", catalogue(chain("nibiru", "1"), two),
			catalogue(chain("nibiru", "1"), edit(two, func(c *domain.Chain) { c.RPC = append(c.RPC[:1:1], domain.Endpoint{URL: "https://rpc-2.nibiru.com/"}) })),
			map[string]string{}},
		{"a new chain with an endpoint with the name of another one", catalogue(chain("nibiru", "1"), two),
			catalogue(chain("nibiru", "1"), two, edit(chain("three", "3"), func(c *domain.Chain) { c.RPC = []domain.Endpoint{{URL: "https://rpc-nibiru.example.com/"}} })),
			map[string]string{"moved:chains.rpc": "three"}},
		{"a successor keeps the endpoint's name", catalogue(chain("nibiru", "1")),
			catalogue(edit(chain("nibiru", "1"), func(c *domain.Chain) { c.Status, c.Successor = domain.StatusRetired, "two" }),
				edit(two, func(c *domain.Chain) { c.RPC = []domain.Endpoint{{URL: "https://rpc-nibiru.example.com/"}} })), map[string]string{}},
		{"an endpoint of the parent", catalogue(one, two),
			catalogue(edit(one, func(c *domain.Chain) { c.Parent, c.RPC = "two", append(c.RPC[:1:1], two.RPC[0]) }), two), map[string]string{}},
		{"a figure times 100", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.TVL = &domain.Figure{Value: 1e11, Source: "s", AsOf: "2026-11-02"} }), two),
			map[string]string{"jump:llama_tvl": "one"}},
		{"an older figure", catalogue(one, two), catalogue(edit(one, func(c *domain.Chain) { c.TVL = &domain.Figure{Value: 1e9, Source: "s", AsOf: "2026-10-02"} }), two),
			map[string]string{"backwards:llama_tvl": "one"}},
		{"a record behind a known key", catalogue(one, two), catalogue(domain.Chain{Slug: "one", Name: english("Other"), ChainID: "77", Website: "https://other.example/"}, two),
			map[string]string{"replaced:chains": "one"}},
		{"a look-alike", catalogue(edit(one, func(c *domain.Chain) { c.Website = "https://examplewallet.com/" })),
			catalogue(edit(one, func(c *domain.Chain) { c.Website = "https://exarnplewallet.com/" })), map[string]string{"lookalike:chains.website": "one"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, rulesOf(gate.Compare(tt.served, tt.present, nil))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompareOwnHosts checks new hosts against those that the record had before.
func TestCompareOwnHosts(t *testing.T) {
	for _, tt := range []struct {
		before, after string // an endpoint
		want          bool
	}{
		{"https://mainnet.base.org", "https://mainnet.basse.org", true},
		{"https://mainnet.base.org", "https://mainnet.bas.org", true},
		{"https://mainnet.base.org", "https://mainnet.base1.org", true},
		{"https://mainnet.base.org", "https://mainnet.basse.com", true}, // the name of the chain
		{"https://mainnet.base.org", "https://rnainnet.8ase.org", true},
		{"https://rpc.stavr.tech", "https://rpc.stabr.tech", true},
		{"https://evm-rpc.sei.io", "https://evm-rpc.se1.io", true},

		{"https://mainnet.base.org", "https://mainnet.base.com", false},
		{"https://mainnet.base.org", "https://rpc.base.org", false},
		{"https://mainnet.base.org", "https://base.drpc.org", false},
		{"https://rpc.stavr.tech", "https://rpc.stakr.space", false},
		{"https://rpc.ax.io", "https://rpc.ay.io", false},
		{"https://rpc.arabica-10.com", "https://rpc.arabica-11.com", false},
		{"https://mainnet.base.org", "https://203.0.113.7", false},
	} {
		before, after := chain("base", "1"), chain("base", "1")
		before.Website, after.Website = "", ""
		before.RPC, after.RPC = []domain.Endpoint{{URL: tt.before}}, []domain.Endpoint{{URL: tt.after}}
		_, got := rulesOf(gate.Compare(catalogue(before), catalogue(after), nil))["lookalike:chains.rpc"]
		if got != tt.want {
			t.Errorf("%s → %s: look-alike %t, want %t", tt.before, tt.after, got, tt.want)
		}
	}
}

// TestCompareCountsRecordsWithHosts checks the number in the message about hosts, of which a record may
// gain several.
func TestCompareCountsRecordsWithHosts(t *testing.T) {
	menu := func(links ...string) domain.Menu {
		m := domain.Menu{PathSlug: "m", Standalone: []domain.Item{{Slug: "i"}}}
		for _, link := range links {
			m.Standalone[0].Cards = append(m.Standalone[0].Cards, domain.Card{Title: english(link), Link: link})
		}
		return m
	}
	before, after := chain("base", "1"), chain("base", "1")
	before.RPC = []domain.Endpoint{{URL: "https://mainnet.base.org"}}
	after.RPC = []domain.Endpoint{{URL: "https://mainnet.basse.org"}, {URL: "https://mainnet.base1.org"}}
	served, candidate := catalogue(before), catalogue(after)
	served.Menus = []domain.Menu{menu("https://metamask.io/")}
	candidate.Menus = []domain.Menu{menu("https://metamask.io/", "https://metamask-login.com/", "https://metamask-claim.com/")}
	messages := map[string]string{}
	for _, f := range gate.Compare(served, candidate, nil) {
		messages[f.Rule] = f.Message
	}
	for rule, want := range map[string]string{"lookalike:chains.rpc": "1 chain with a new host", "lookalike:cards.link": "1 menu with a new host"} {
		if !strings.HasPrefix(messages[rule], want) {
			t.Errorf("the message of %s is %q, want %q", rule, messages[rule], want)
		}
	}
}

// TestCompareContainedNames checks new hosts that contain the name of a known host.
func TestCompareContainedNames(t *testing.T) {
	served := func() *domain.Catalog {
		return &domain.Catalog{
			DefaultLocale: "en",
			Apps: []domain.App{
				{Key: "uniswap", Title: english("Uniswap"), Link: "https://uniswap.org/"},
				{Key: "aave", Title: english("Aave"), Link: "https://app.aave.com/"},
				{Key: "chain", Title: english("Chain"), Link: "https://chain.com/"},
				{Key: "apt", Title: english("APT"), Link: "https://apt.org/"},
				{Key: "one", Title: english("One"), Link: "https://one-chain.org/"},
				{Key: "two", Title: english("Two"), Link: "https://two-chain.org/"},
				{Key: "three", Title: english("Three"), Link: "https://three-chain.org/"},
			},
			Menus: []domain.Menu{{PathSlug: "m", Standalone: []domain.Item{{Slug: "i", Cards: []domain.Card{{Title: english("Docs"), Link: "https://metamask.io/"}}}}}},
		}
	}
	for _, tt := range []struct {
		title, link string
		want        string // the known host
	}{
		{"Uniswap v4", "https://app.uniswap-v4.org/", "uniswap.org"},
		{"Airdrop", "https://www.uniswap-airdrop.com/", "uniswap.org"},
		{"Airdrop", "https://claim-un1swap.example.com/", ""}, // a subdomain without the title
		{"Airdrop", "https://claim-un1swap.com/", "uniswap.org"},
		{"Aave", "https://aave-claim.com/", "app.aave.com"},
		{"MetaMask", "https://metamask-login.com/", "metamask.io"},
		{"Uniswap rewards", "https://uniswap.rewards.org/", "uniswap.org"},
		{"Uniswap rewards", "https://uniswap-app.rewards.org/", "uniswap.org"},

		{"Uniswap docs", "https://docs.uniswap.org/", ""},
		{"Uniswap", "https://uniswap.com/", ""},
		{"Provider", "https://uniswap.provider.com/", ""},
		{"One", "https://labs.one-chain.org/", ""},
		{"Four", "https://four-chain.org/", ""}, // a common word
		{"APT", "https://apt-get.org/", ""},     // a short name
		{"New", "https://new-app.org/", ""},
	} {
		candidates := map[string]*domain.Catalog{"apps.link": served(), "cards.link": served(), "chains.website": served(), "chains.rpc": served()}
		candidates["apps.link"].Apps = append(candidates["apps.link"].Apps, domain.App{Key: "new", Title: english(tt.title), Link: tt.link})
		cards := &candidates["cards.link"].Menus[0].Standalone[0].Cards
		*cards = append(*cards, domain.Card{Title: english(tt.title), Link: tt.link})
		candidates["chains.website"].Chains = []domain.Chain{{Slug: "new", Name: english(tt.title), Website: tt.link}}
		for field, candidate := range candidates {
			rule, want := "lookalike:"+field, tt.want
			if field == "chains.rpc" { // of a provider, which has the names of chains in its hosts
				candidate.Chains, want = []domain.Chain{{Slug: "new", Name: english(tt.title), RPC: []domain.Endpoint{{URL: tt.link}}}}, ""
			}
			got := ""
			for _, f := range gate.Compare(served(), candidate, nil) {
				if f.Rule == rule {
					got = f.Records[0].Before
				}
			}
			if got != want {
				t.Errorf("%s of %q: %s is held because of %q, want %q", field, tt.title, tt.link, got, want)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	f := gate.Finding{Message: "3 chains", Why: "they matter", Total: 7, Records: []gate.Record{
		{Key: "one", Before: "a", After: "b"}, {Key: "two", After: strings.Repeat("é", 100)}, {Key: "three"},
	}}
	want := "3 chains: one (a → b), two (nothing → " + strings.Repeat("é", 60) + "…), three and 4 more; they matter"
	if got := f.Summary(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// many returns n chains that differ only in their identity, each after an edit.
func many(n int, edit func(i int, c *domain.Chain)) *domain.Catalog {
	var chains []domain.Chain
	for i := range n {
		c := chain(fmt.Sprintf("c%02d", i), fmt.Sprint(1000+i))
		c.Currency = &domain.Currency{Name: "Coin", Symbol: "COIN", Decimals: 18}
		edit(i, &c)
		chains = append(chains, c)
	}
	return catalogue(chains...)
}

func unedited(int, *domain.Chain) {}

func retire(below int) func(int, *domain.Chain) {
	return func(i int, c *domain.Chain) {
		if i < below {
			c.Status = domain.StatusRetired
		}
	}
}

func TestSettings(t *testing.T) {
	set := func(c *domain.Catalog, g domain.GateSettings, e ...domain.Expectation) *domain.Catalog {
		c.Gate, c.Expect = &g, e
		return c
	}
	severities := func(families map[domain.GateFamily]domain.GateSeverity) *domain.GateRules {
		rules := new(domain.GateRules)
		for i, family := range domain.GateFamilies() {
			rules[i] = families[family]
		}
		return rules
	}
	for _, tt := range []struct {
		name              string
		candidate, window *domain.Catalog
		want              []string
	}{
		{"a loss below the standard", many(20, retire(4)), nil, nil},
		{"a loss", many(20, retire(5)), nil, nil},
		{"a larger loss", many(20, retire(6)), nil, []string{"shrink:chains ask 6 of 20 listed chains (30 %; held from 25 %) would be gone: retired: c00, c01, c02, c03, c04 and 1 more"}},
		{"a lower threshold", set(many(20, retire(4)), domain.GateSettings{Shrink: &domain.Threshold{Share: .2, Min: 2}}), nil,
			[]string{"shrink:chains ask 4 of 20 listed chains (20 %; held from 20 %) would be gone: retired: c00, c01, c02, c03"}},
		{"a higher threshold", set(many(20, retire(9)), domain.GateSettings{Shrink: &domain.Threshold{Min: 20}}), nil, nil},
		{"a loss over time", many(20, retire(1)), many(30, unedited), []string{"shrink:chains ask 10 of 30 chains (33 %; held from 25 %) would be gone within the window: c20, c21, c22, c23, c24 and 5 more"}},
		{"no loss now", many(20, func(_ int, c *domain.Chain) { c.Logo = "/logo.svg" }), many(30, unedited), nil},
		{"a severity", set(many(20, retire(6)), domain.GateSettings{Rules: severities(map[domain.GateFamily]domain.GateSeverity{domain.GateShrink: domain.GateStop})}), nil,
			[]string{"shrink:chains stop 6 of 20 listed chains (30 %; held from 25 %) would be gone: retired: c00, c01, c02, c03, c04 and 1 more"}},
		{"values below the standard", many(20, func(i int, c *domain.Chain) {
			if i < 9 {
				c.Website = ""
			}
		}), nil, nil},
		{"values", many(20, func(i int, c *domain.Chain) {
			if i < 10 {
				c.Website = ""
			}
		}), nil, []string{"emptied:chains.website ask 10 of 20 chains (50 %; held from 25 %) lose their website: c00 (c00.example → nothing), c01 (c01.example → nothing), c02 (c02.example → nothing), c03 (c03.example → nothing), c04 (c04.example → nothing) and 5 more"}},
		{"an expectation that is met", set(many(20, unedited), domain.GateSettings{}, domain.Expectation{Kind: domain.KindChain, Min: 20, Max: 20}), nil, nil},
		{"too few", set(many(19, unedited), domain.GateSettings{}, domain.Expectation{Kind: domain.KindChain, Min: 20}), nil, []string{"expect:chains stop chains has 19 records, at least 20 are expected"}},
		{"too many", set(many(21, unedited), domain.GateSettings{}, domain.Expectation{Kind: domain.KindChain, Max: 20}), nil, []string{"expect:chains ask chains has 21 records, at most 20 are expected"}},
		{"a minimum that was missed before", set(many(20, unedited), domain.GateSettings{}, domain.Expectation{Kind: domain.KindChain, Min: 30}), nil, nil},
		{"too few values", set(many(20, func(i int, c *domain.Chain) {
			if i < 3 {
				c.Name = nil
			}
		}), domain.GateSettings{}, domain.Expectation{Kind: domain.KindChain, Field: "name", Locale: "en", Fill: .9}), nil,
			[]string{"expect:chains.name.en stop chains.name.en has a value in 17 of 20 records (85 %), at least 90 % are expected"}},
	} {
		var got []string
		for _, f := range gate.Compare(many(20, unedited), tt.candidate, tt.window) {
			got = append(got, fmt.Sprintf("%s %s %s", f.Rule, f.Severity, f.Objection()))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestLeaders checks that the loss of three of the twenty largest chains of a hundred is held, also if
// one publish loses fewer.
func TestLeaders(t *testing.T) {
	const all = 100
	ranked := func(n int, gone ...int) *domain.Catalog { // chain 0 is the largest
		return many(n, func(i int, c *domain.Chain) {
			c.TVL = &domain.Figure{Value: 1e9 - float64(i), Source: "s", AsOf: "2026-11-01"}
			if slices.Contains(gone, i) {
				c.Status = domain.StatusRetired
			}
		})
	}
	for _, tt := range []struct {
		name                      string
		window, served, candidate *domain.Catalog
		want                      []string
	}{
		{"two", nil, ranked(all), ranked(all, 0, 1), nil},
		{"three", nil, ranked(all), ranked(all, 0, 1, 19), []string{"3 of the 20 chains with the largest llama_tvl would be gone (held from 3): retired: c00, c01, c19"}},
		{"a smaller one", nil, ranked(all), ranked(all, 0, 1, 20), nil},
		{"a shorter list", nil, ranked(all - 1), ranked(all-1, 0, 1, 2), nil},
		{"two, then one", ranked(all), ranked(all, 0, 1), ranked(all, 0, 1, 2),
			[]string{"3 of the 20 chains with the largest llama_tvl would be gone within the window (held from 3): retired: c00, c01, c02"}},
		{"none now", ranked(all), ranked(all, 0, 1, 2), ranked(all, 0, 1, 2), nil},
	} {
		var got []string
		for _, f := range gate.Compare(tt.served, tt.candidate, tt.window) {
			got = append(got, f.Objection())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestAccepts(t *testing.T) {
	finding := func(candidate *domain.Catalog) gate.Finding {
		found := gate.Compare(many(20, unedited), candidate, nil)
		if len(found) != 1 {
			t.Fatalf("%d findings", len(found))
		}
		return found[0]
	}
	loss := finding(many(20, retire(6)))
	decimals := finding(many(20, func(i int, c *domain.Chain) {
		if i < 3 {
			c.Currency.Decimals = []float64{7, 6, 6}[i]
		}
	}))
	for _, tt := range []struct {
		name string
		f    gate.Finding
		keys string
		want bool
	}{
		{"nothing", loss, "", false},
		{"one of a large loss", loss, "c00", true}, // the others are below the threshold
		{"another record", loss, "c19", false},
		{"one of several records", decimals, "c00", false},
		{"all", decimals, "c00 c01 c02", true},
	} {
		if got := tt.f.Accepts(func(key string) bool { return slices.Contains(strings.Fields(tt.keys), key) }); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
	if decimals.Affected() != "18 → 6: c01, c02; c00 (18 → 7)" {
		t.Errorf("affected: %s", decimals.Affected())
	}
	if decimals.Few || !decimals.Has("c02") || decimals.Has("c03") {
		t.Errorf("few %t, has c02 %t, c03 %t", decimals.Few, decimals.Has("c02"), decimals.Has("c03"))
	}
}

// TestCompareMenus checks losses of cards of single menus, of twelve with ten cards each.
func TestCompareMenus(t *testing.T) {
	menus := func(edit func(c *domain.Catalog)) *domain.Catalog {
		c := catalogue()
		for i := range 12 {
			var cards []domain.Card
			for j := range 10 {
				cards = append(cards, domain.Card{Title: english(fmt.Sprintf("Card %d-%d", i, j)), Link: fmt.Sprintf("https://%d.example/%d", i, j)})
			}
			c.Menus = append(c.Menus, domain.Menu{PathSlug: fmt.Sprint("m", i), Standalone: []domain.Item{{Slug: "i", Cards: cards}}})
		}
		edit(c)
		return c
	}
	cards := func(c *domain.Catalog, i int) *[]domain.Card { return &c.Menus[i].Standalone[0].Cards }
	cut := func(n int) func(c *domain.Catalog) {
		return func(c *domain.Catalog) { *cards(c, 3) = (*cards(c, 3))[n:] }
	}
	none := func(*domain.Catalog) {}
	relink := func(n int, link func(i, j int) string) func(c *domain.Catalog) {
		return func(c *domain.Catalog) {
			for i := range n {
				for j := range *cards(c, 3+i) {
					(*cards(c, 3+i))[j].Link = link(3+i, j)
				}
			}
		}
	}
	for _, tt := range []struct {
		name                   string
		window, before, change func(c *domain.Catalog)
		want                   string // "" for none
	}{
		{"nothing", none, none, none, ""},
		{"the menu is gone", none, none, func(c *domain.Catalog) { c.Menus = slices.Delete(c.Menus, 3, 4) }, "1 menu would lose many of its cards (held from 50 %): m3 (10 of 10 cards)"},
		{"two menus", none, none, func(c *domain.Catalog) { c.Menus = slices.Delete(c.Menus, 3, 5) }, "2 menus would lose many of their cards (held from 50 %): 10 of 10 cards: m3, m4"},
		{"all cards but the menu", none, none, cut(10), "1 menu would lose many of its cards (held from 50 %): m3 (10 of 10 cards)"},
		{"six cards", none, none, cut(6), "1 menu would lose many of its cards (held from 50 %): m3 (6 of 10 cards)"},
		{"five cards", none, none, cut(5), ""},
		{"three cards, then three", none, cut(3), cut(6), "1 menu would lose many of its cards within the window (held from 50 %): m3 (6 of 10 cards)"},
		{"renamed with former", none, none, func(c *domain.Catalog) { c.Menus[3].PathSlug, c.Menus[3].Former = "n", []string{"m3"} }, ""},
		{"renamed without former", none, none, func(c *domain.Catalog) { c.Menus[3].PathSlug = "n" }, ""},
		{"cards move", none, none, func(c *domain.Catalog) { *cards(c, 4), *cards(c, 3) = append(*cards(c, 4), *cards(c, 3)...), nil }, ""},
		{"cards become apps", none, none, func(c *domain.Catalog) {
			for i, card := range *cards(c, 3) {
				c.Apps = append(c.Apps, domain.App{Key: fmt.Sprint("a", i), Title: english(fmt.Sprint("App ", i)), Link: card.Link})
			}
			*cards(c, 3) = nil
		}, ""},
		{"cards that another menu has, too", func(c *domain.Catalog) { *cards(c, 4) = *cards(c, 3) }, func(c *domain.Catalog) { *cards(c, 4) = *cards(c, 3) },
			func(c *domain.Catalog) { *cards(c, 4), *cards(c, 3) = *cards(c, 3), nil }, "1 menu would lose many of its cards (held from 50 %): m3 (10 of 10 cards)"},
		{"other pages of the same sites", none, none, relink(9, func(i, j int) string { return fmt.Sprintf("https://www.%d.example/new/%d", i, j) }), ""},
		{"another site for a menu", none, none, relink(1, func(_, j int) string { return fmt.Sprintf("https://new.example/%d", j) }),
			"bulk:cards.link: 10 of 120 cards have a link to another site (held from 25 %, or from 50 % of a menu): m3 (3.example → new.example)"},
		{"another site for six cards of a menu", none, none, func(c *domain.Catalog) {
			for j := range 6 {
				(*cards(c, 3))[j].Link = fmt.Sprintf("https://new.example/%d", j)
			}
		}, "bulk:cards.link: 6 of 120 cards have a link to another site (held from 25 %, or from 50 % of a menu): m3 (3.example → new.example)"},
		{"another site for five cards of a menu", none, none, func(c *domain.Catalog) {
			for j := range 5 {
				(*cards(c, 3))[j].Link = fmt.Sprintf("https://new.example/%d", j)
			}
		}, ""},
		{"the same link for all", none, none, relink(9, func(_, j int) string { return "https://new.example/" }),
			"bulk:cards.link: 90 of 120 cards have a link to another site (held from 25 %, or from 50 % of a menu): m3 (3.example → new.example), m4 (4.example → new.example), m5 (5.example → new.example), m6 (6.example → new.example), m7 (7.example → new.example) and 4 more"},
		{"other cards", none, none, func(c *domain.Catalog) {
			relink(1, func(i, j int) string { return fmt.Sprintf("https://%d.example/new/%d", i, j) })(c)
			for j := range *cards(c, 3) {
				(*cards(c, 3))[j].Title = english(fmt.Sprint("Other ", j))
			}
		}, "1 menu would lose many of its cards (held from 50 %): m3 (10 of 10 cards)"},
		{"links change, then cards go", none, func(c *domain.Catalog) {
			relink(1, func(i, j int) string { return fmt.Sprintf("https://%d.example/new/%d", i, j) })(c)
			cut(3)(c)
		}, func(c *domain.Catalog) {
			relink(1, func(i, j int) string { return fmt.Sprintf("https://%d.example/new/%d", i, j) })(c)
			cut(6)(c)
		}, "1 menu would lose many of its cards within the window (held from 50 %): m3 (6 of 10 cards)"},
		{"a higher share is configured", none, none, func(c *domain.Catalog) {
			cut(7)(c)
			c.Gate = &domain.GateSettings{Shrink: &domain.Threshold{Share: .8}}
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range gate.Compare(menus(tt.before), menus(tt.change), menus(tt.window)) {
				got = append(got, f.Rule+": "+f.Objection())
				if f.Few || f.Accepts(func(key string) bool { return key == "m0" }) || !f.Accepts(func(key string) bool { return key != "m0" }) {
					t.Errorf("%s: few %v, or it accepts other menus than its own", f.Rule, f.Few)
				}
			}
			var want []string
			if tt.want != "" {
				if want = []string{tt.want}; !strings.HasPrefix(tt.want, "bulk:") {
					want[0] = "shrink:cards: " + tt.want
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompareCountsRecords checks that a finding counts a record once, however many values it gains.
func TestCompareCountsRecords(t *testing.T) {
	endpoints := func(c domain.Chain, urls ...string) domain.Chain {
		for _, url := range urls {
			c.RPC = append(slices.Clip(c.RPC), domain.Endpoint{URL: url})
		}
		return c
	}
	urls := []string{"https://a.example/", "wss://a.example/", "https://b.example/"}
	one, two := chain("one", "1"), endpoints(chain("two", "2"), urls...)
	found := gate.Compare(catalogue(one, two), catalogue(endpoints(one, urls...), two), nil)
	if len(found) != 1 || found[0].Message != "1 chain with a rpc of another record" || found[0].Total != 2 {
		t.Errorf("%+v, want one chain with two endpoints", found)
	}
}
