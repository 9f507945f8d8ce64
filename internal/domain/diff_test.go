package domain_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

func changed(kind domain.Kind, key, path, old, new string) []domain.Change {
	return []domain.Change{{
		Kind: kind, Key: key, Op: domain.Changed,
		Fields: []domain.FieldChange{{Path: path, Old: old, New: new}},
	}}
}

func moved(kind domain.Kind, key, path, from, to string) []domain.Change {
	changes := changed(kind, key, path, from, to)
	changes[0].Fields[0].Moved = true
	return changes
}

func TestDiff(t *testing.T) {
	type cat = domain.Catalog
	cases := []struct {
		name   string
		change func(c *cat)
		want   []domain.Change
	}{
		{"nothing", func(c *cat) {}, nil},
		{"title", func(c *cat) { c.Title = text("en", "V", "zh-hans", "Vitrine") }, changed("catalog", "", "title.en", "Vitrine", "V")},
		{"default locale", func(c *cat) { c.DefaultLocale = "zh-hans" }, changed("catalog", "", "default_locale", "en", "zh-hans")},
		{"locales", func(c *cat) { c.Locales = []string{"zh-hans", "en"} }, changed("catalog", "", "locales", "en, zh-hans", "zh-hans, en")},
		{"what is accepted", func(c *cat) {
			c.Accept = []domain.Acceptance{{Rule: domain.RuleHeldBack, Key: "a", Reason: "a, b"}, {Rule: domain.RuleMissingTranslation, Kind: domain.KindChain, Locale: "ja"}}
		}, changed("catalog", "", "accept", "", `"held-back key=\"a\" reason=\"a, b\"", "missing-translation kind=\"chains\" locale=\"ja\""`)},
		{"link schemes", func(c *cat) { c.LinkSchemes = nil }, changed("catalog", "", "link_schemes", "celo", "")},

		{"group name", func(c *cat) { c.Groups[0].Name = text("en", "Layer") }, changed("groups", "chain/layer", "name.zh-hans", "Layer", "")},
		{"group priority", func(c *cat) { c.Groups[0].Priority = -0.5 }, changed("groups", "chain/layer", "priority", "1", "-0.5")},

		{"category name", func(c *cat) { c.Categories[0].Name = en("L1")[:1] }, []domain.Change{{
			Kind: "categories", Key: "l1", Op: domain.Changed, Fields: []domain.FieldChange{
				{Path: "name.en", Old: "Layer 1", New: "L1"},
				{Path: "name.zh-hans", Old: "Layer 1"},
			},
		}}},
		{"category description", func(c *cat) { c.Categories[1].Description = text("en", "x") }, changed("categories", "evm", "description.en", "", "x")},
		{"parent", func(c *cat) { c.Categories[1].Parent = "" }, changed("categories", "evm", "parent", "l1", "")},
		{"category priority", func(c *cat) { c.Categories[0].Priority = 1e7 }, changed("categories", "l1", "priority", "10", "10000000")},
		{"scopes", func(c *cat) { slices.Reverse(c.Categories[0].Scopes) }, changed("categories", "l1", "scopes", "chain, twitter", "twitter, chain")},
		{"groups of a category", func(c *cat) { slices.Reverse(c.Categories[0].Groups[0].Keys) }, changed("categories", "l1", "groups[chain]", "layer, net", "net, layer")},
		{"fewer groups of a category", func(c *cat) { c.Categories[0].Groups = c.Categories[0].Groups[:1] }, changed("categories", "l1", "groups[twitter]", "topic", "")},
		{"order of groups of a category", func(c *cat) { slices.Reverse(c.Categories[0].Groups) }, moved("categories", "l1", "groups[chain]", "place 1", "place 2")},

		{"chain name", func(c *cat) { c.Chains[1].Name = text("en", "Celo", "ja", "セロ", "zh-hans", "Celo") }, changed("chains", "celo", "name.ja", "", "セロ")},
		{"chain id", func(c *cat) { c.Chains[1].ChainID = "042220" }, changed("chains", "celo", "chain_id", "42220", "042220")},
		{"id", func(c *cat) { c.Chains[1].ID = c.Chains[1].StableID() }, changed("chains", "celo", "id", "", "31deb0b2a33978173ae11cef")},
		{"logo", func(c *cat) { c.Chains[1].Logo = "/c.png" }, changed("chains", "celo", "logo", "", "/c.png")},
		{"categories", func(c *cat) { c.Chains[0].Categories = []string{"evm", "l1"} }, changed("chains", "ethereum", "categories", "l1, evm", "evm, l1")},
		{"aliases", func(c *cat) { c.Chains[0].Aliases = []string{"ETH, ", "", " x"} }, changed("chains", "ethereum", "aliases", "ETH", `"ETH, ", "", " x"`)},
		{"value", func(c *cat) { c.Chains[0].TVL.Value = 13 }, changed("chains", "ethereum", "llama_tvl.value", "12.5", "13")},
		{"source", func(c *cat) { c.Chains[0].TVL.Source = "else" }, changed("chains", "ethereum", "llama_tvl.source", "defillama", "else")},
		{"date", func(c *cat) { c.Chains[0].TVL.AsOf = "2025-08-18" }, changed("chains", "ethereum", "llama_tvl.as_of", "2025-08-17", "2025-08-18")},
		{"a figure of 0 is one", func(c *cat) { c.Chains[1].Platforms = bare(0) }, changed("chains", "celo", "platforms.value", "", "0")},
		{"-0 is 0", func(c *cat) { c.Groups[1].Priority = math.Copysign(0, -1) }, nil},

		{"account name", func(c *cat) { c.Accounts[0].Name = "E" }, changed("twitter", "ethereum", "name", "Ethereum", "E")},
		{"account description", func(c *cat) { c.Accounts[0].Description = en("A chain")[:1] }, changed("twitter", "ethereum", "description.zh-hans", "A chain", "")},
		{"account categories", func(c *cat) { c.Accounts[0].Categories = nil }, changed("twitter", "ethereum", "categories", "l1, education", "")},
		{"followers", func(c *cat) { c.Accounts[1].Followers = nil }, changed("twitter", "Celo_Org", "followers_count.value", "10", "")},

		{"channel name", func(c *cat) { c.Channels[1].Name = "B" }, changed("youtube", "ucnofzgxd_c9ymymnefmph0g", "name", "Another", "B")},
		{"channel description", func(c *cat) { c.Channels[1].Description = text("en", "B") }, changed("youtube", "ucnofzgxd_c9ymymnefmph0g", "description.en", "", "B")},
		{"channel categories", func(c *cat) { c.Channels[0].Categories = []string{} }, changed("youtube", "UCNOfzGXD_C9YMYmnefmPH0g", "categories", "education", "")},

		{"nav slug", func(c *cat) { c.NavGroups[0].Slug = "web3" }, changed("nav", "web3", "slug", "web-3", "web3")},
		{"nav name", func(c *cat) { c.NavGroups[1].Name = text("en", "T", "zh-hans", "Tools") }, changed("nav", "tools", "name.en", "Tools", "T")},
		{"nav description", func(c *cat) { c.NavGroups[1].Description = text("en", "T") }, changed("nav", "tools", "description.en", "", "T")},
		{"nav menus", func(c *cat) { c.NavGroups[1].Menus = nil }, changed("nav", "tools", "menus", "design", "")},
		{"nav order", func(c *cat) { slices.Reverse(c.NavGroups) }, []domain.Change{{
			Kind: "nav", Op: domain.Reordered, Fields: []domain.FieldChange{{Old: "web3, tools", New: "tools, web3"}},
		}}},

		{"menu title", func(c *cat) { c.Menus[0].Title = text("en", "D", "zh-hans", "Design") }, changed("menus", "design", "title.en", "Design", "D")},
		{"menu description", func(c *cat) { c.Menus[0].Description = text("en", "D") }, changed("menus", "design", "description.en", "", "D")},
		{"og image", func(c *cat) { c.Menus[1].OGImage = "" }, changed("menus", "explorers", "og_image", "/og.png", "")},
		{"blog slugs", func(c *cat) { c.Menus[1].BlogSlugs = append(c.Menus[1].BlogSlugs, "b") }, changed("menus", "explorers", "blog_slugs", "One day", "One day, b")},
		{"menu group id", func(c *cat) { c.Menus[1].Groups[0].ID = "g" }, changed("menus", "explorers", "groups[basics].id", "g1", "g")},
		{"menu group name", func(c *cat) { c.Menus[1].Groups[0].Name = text("en", "B", "zh-hans", "Basics") }, changed("menus", "explorers", "groups[basics].name.en", "Basics", "B")},
		{"menu group gone", func(c *cat) { c.Menus[1].Groups = c.Menus[1].Groups[:1] }, changed("menus", "explorers", "groups[empty]", "Empty", "")},
		{"menu group order", func(c *cat) { slices.Reverse(c.Menus[1].Groups) }, moved("menus", "explorers", "groups[basics]", "place 1", "place 2")},
		{"second item of a name", func(c *cat) { c.Menus[1].Groups[0].Items[1].ID = "" }, changed("menus", "explorers", "groups[basics].items[wallets#2].id", "w2", "")},
		{"item name", func(c *cat) { c.Menus[1].Standalone[0].Name = text("en", "H", "zh-hans", "Home") }, changed("menus", "explorers", "standalone[home].name.en", "Home", "H")},
		{"item type", func(c *cat) { c.Menus[1].Standalone[0].Type = domain.ItemCategory }, changed("menus", "explorers", "standalone[home].type", "link", "category")},
		{"item description", func(c *cat) { c.Menus[1].Standalone[0].Description = text("en", "x") }, changed("menus", "explorers", "standalone[home].description.en", "", "x")},
		{"item slug", func(c *cat) { c.Menus[1].Standalone[0].Slug = "house" }, []domain.Change{{
			Kind: "menus", Key: "explorers", Op: domain.Changed, Fields: []domain.FieldChange{
				{Path: "standalone[home]", Old: "Home"},
				{Path: "standalone[house]", New: "Home"},
			},
		}}},
		{"card title", func(c *cat) { c.Menus[1].Standalone[0].Cards[0].Title = text("en", "H", "zh-hans", "Home") }, changed("menus", "explorers", "standalone[home].cards[/].title.en", "Home", "H")},
		{"card id", func(c *cat) { c.Menus[1].Standalone[0].Cards[0].ID = "h" }, changed("menus", "explorers", "standalone[home].cards[/].id", "", "h")},
		{"an id that is written down", func(c *cat) { c.Menus[1] = c.Menus[1].WithIDs() }, nil},
		{"card description", func(c *cat) { c.Menus[1].Standalone[0].Cards[0].Description = text("en", "h") }, changed("menus", "explorers", "standalone[home].cards[/].description.en", "", "h")},
		{"card image", func(c *cat) { c.Menus[1].Standalone[0].Cards[0].Image = "/h" }, changed("menus", "explorers", "standalone[home].cards[/].image", "", "/h")},
		{"card order", func(c *cat) {
			cards := c.Menus[1].Groups[0].Items[0].Cards
			cards[0], cards[1] = cards[1], cards[0]
		}, moved("menus", "explorers", "groups[basics].items[wallets].cards[https://one.example/]", "place 1", "place 2")},

		{"added, removed, in the order of kind and key", func(c *cat) {
			c.Chains[0].Slug = "zeta"
			c.Chains = append(c.Chains, domain.Chain{Slug: "aurora"})
			c.Groups = c.Groups[1:]
			c.Menus = append(c.Menus, domain.Menu{PathSlug: "new"})
		}, []domain.Change{
			{Kind: "groups", Key: "chain/layer", Op: domain.Removed},
			{Kind: "chains", Key: "aurora", Op: domain.Added},
			{Kind: "chains", Key: "ethereum", Op: domain.Removed},
			{Kind: "chains", Key: "zeta", Op: domain.Added},
			{Kind: "menus", Key: "new", Op: domain.Added},
		}},
		{"order that responses do not show", func(c *cat) {
			slices.Reverse(c.Groups)
			slices.Reverse(c.Categories)
			slices.Reverse(c.Chains)
			slices.Reverse(c.Accounts)
			slices.Reverse(c.Channels)
			slices.Reverse(c.Menus)
		}, nil},
		{"empty lists are none", func(c *cat) {
			c.Menus[0].Groups, c.Menus[0].BlogSlugs = []domain.MenuGroup{}, []string{}
			c.Chains[1].Aliases, c.Channels[1].Description = []string{}, domain.Text{}
		}, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := rich()
			tc.change(c)
			if diff := cmp.Diff(tc.want, domain.Diff(rich(), c)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffNil(t *testing.T) {
	if got := domain.Diff(nil, nil); got != nil {
		t.Errorf("two nil catalogues: %v", got)
	}
	if got := domain.Diff(nil, &domain.Catalog{}); got != nil {
		t.Errorf("nil and an empty catalogue: %v", got)
	}
	counts := make(map[domain.Op]int)
	for _, c := range domain.Diff(nil, rich()) {
		counts[c.Op]++
	}
	if diff := cmp.Diff(map[domain.Op]int{domain.Changed: 1, domain.Added: 18}, counts); diff != "" {
		t.Errorf("from nil (-want +got):\n%s", diff)
	}
}

// TestDiffIsComplete checks for random changes that Diff reports a difference exactly if the
// catalogues differ by reflect.DeepEqual, with records sorted by key.
func TestDiffIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := rich(), rich()
		for range rapid.IntRange(0, 3).Draw(t, "mutations before") {
			mutate(t, old)
		}
		if rapid.Bool().Draw(t, "from the same") {
			new = deepCopy(old)
		}
		for range rapid.IntRange(0, 3).Draw(t, "mutations") {
			mutate(t, new)
		}
		same := reflect.DeepEqual(normal(old), normal(new))
		there, back := domain.Diff(old, new), domain.Diff(new, old)
		if same != (there == nil) || len(there) != len(back) {
			t.Fatalf("same: %t\nthere: %v\nback: %v\ncatalogues (-old +new):\n%s", same, there, back, cmp.Diff(normal(old), normal(new)))
		}
	})
}

// TestDiffIsExact checks that one changed field is one change of its record.
func TestDiffIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := rich(), rich()
		mutate(t, new)
		changes := domain.Diff(old, new)
		if len(changes) > 2 { // a new key removes a record and adds one
			t.Fatalf("changes: %v", changes)
		}
		if again := domain.Diff(old, deepCopy(new)); !reflect.DeepEqual(changes, again) {
			t.Fatalf("first %v, then %v", changes, again)
		}
	})
}

// TestDiffRenames checks that a record that lists its former key is the same record under either
// key.
func TestDiffRenames(t *testing.T) {
	chain := func(slug string, former ...string) domain.Chain {
		return domain.Chain{Slug: slug, ChainID: slug, Former: former}
	}
	for _, tt := range []struct {
		name     string
		old, new []domain.Chain
		want     string // `OP WAS>KEY`
	}{
		{"renamed", []domain.Chain{chain("a")}, []domain.Chain{chain("b", "a")}, "changed a>b"},
		{"renamed, and the key is another record's", []domain.Chain{chain("a")}, []domain.Chain{chain("a"), chain("b", "a")}, "added >b"},
		{"two say so", []domain.Chain{chain("a")}, []domain.Chain{chain("b", "a"), chain("c", "a")}, "removed >a; added >b; added >c"},
		{"one was two", []domain.Chain{chain("a"), chain("b")}, []domain.Chain{chain("c", "a", "b")}, "removed >b; changed a>c"},
		{"taken back", []domain.Chain{chain("b", "a")}, []domain.Chain{chain("a")}, "changed b>a"},
		{"without former", []domain.Chain{chain("a")}, []domain.Chain{chain("b")}, "removed >a; added >b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range domain.Diff(&domain.Catalog{Chains: tt.old}, &domain.Catalog{Chains: tt.new}) {
				got = append(got, fmt.Sprintf("%s %s>%s", c.Op, c.Was, c.Key))
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
