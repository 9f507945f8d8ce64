package catalog_test

import (
	"slices"
	"testing"

	"vitrine/internal/catalog"
)

// text makes a Text of locale, value pairs, which must be sorted by locale.
func text(pairs ...string) catalog.Text {
	var t catalog.Text
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, catalog.Translation{Locale: pairs[i], Value: pairs[i+1]})
	}
	return t
}

func en(s string) catalog.Text { return text("en", s, "zh-hans", s) }

func bare(v float64) *catalog.Figure { return &catalog.Figure{Value: v} }

func dated(v float64, source string, day catalog.Date) *catalog.Figure {
	return &catalog.Figure{Value: v, Source: source, AsOf: day}
}

// rich returns a catalogue that has something of everything and no problem.
// It is new at every call, so that tests may change it.
func rich() *catalog.Catalog {
	return &catalog.Catalog{
		Title:         en("Vitrine"),
		DefaultLocale: "en",
		Locales:       []string{"en", "zh-hans"},
		LinkSchemes:   []string{"celo"},
		Groups: []catalog.Group{
			{Key: "layer", Module: catalog.ModuleChain, Name: en("Layer"), Priority: 1},
			{Key: "net", Module: catalog.ModuleChain, Name: en("Network")},
			{Key: "topic", Module: catalog.ModuleTwitter, Name: en("Topic")},
			{Key: "topic", Module: catalog.ModuleYouTube, Name: en("Topic")},
		},
		Categories: []catalog.Category{
			{
				Key: "l1", Name: en("Layer 1"), Description: text("en", "Base\nlayer", "zh-hans", "L1"), Priority: 10,
				Scopes: []catalog.Module{catalog.ModuleChain, catalog.ModuleTwitter},
				Groups: []catalog.ModuleGroups{
					{Module: catalog.ModuleChain, Keys: []string{"layer", "net"}},
					{Module: catalog.ModuleTwitter, Keys: []string{"topic"}},
				},
			},
			{
				Key: "evm", Name: en("EVM"), Parent: "l1", Scopes: []catalog.Module{catalog.ModuleChain},
				Groups: []catalog.ModuleGroups{{Module: catalog.ModuleChain, Keys: []string{"layer"}}},
			},
			{
				Key: "education", Name: en("Education"),
				Scopes: []catalog.Module{catalog.ModuleTwitter, catalog.ModuleYouTube},
				Groups: []catalog.ModuleGroups{
					{Module: catalog.ModuleTwitter, Keys: []string{"topic"}},
					{Module: catalog.ModuleYouTube, Keys: []string{"topic"}},
				},
			},
		},
		Chains: []catalog.Chain{
			{
				Slug: "ethereum", Name: en("Ethereum"), ChainID: "1", ID: "eth", Logo: "https://example.org/e.png",
				Categories: []string{"l1", "evm"}, TVL: dated(12.5, "defillama", "2025-08-17"), Platforms: bare(3),
				Aliases: []string{"ETH"},
			},
			{Slug: "celo", Name: en("Celo"), ChainID: "42220", Categories: []string{"evm"}},
			{Slug: "bitcoin", Name: en("Bitcoin"), ChainID: "000000000019d6689c085ae165831e93"},
		},
		Accounts: []catalog.Account{
			{
				Handle: "ethereum", Name: "Ethereum", Description: en("A chain"), Categories: []string{"l1", "education"},
				Followers: dated(3602125, "public recording", "2025-01-09"),
			},
			{Handle: "Celo_Org", Name: "Celo", Followers: bare(10)},
		},
		Channels: []catalog.Channel{
			{ChannelID: "UCNOfzGXD_C9YMYmnefmPH0g", Name: "Ethereum Foundation", Description: en("Talks"), Categories: []string{"education"}},
			{ChannelID: "ucnofzgxd_c9ymymnefmph0g", Name: "Another"},
		},
		NavGroups: []catalog.NavGroup{
			{Key: "web3", Slug: "web-3", Name: en("Web3"), Description: en("On chain"), Menus: []string{"explorers"}},
			{Key: "tools", Slug: "tools", Name: en("Tools"), Menus: []string{"design"}},
		},
		Menus: []catalog.Menu{
			{PathSlug: "design", Title: en("Design")},
			{
				PathSlug: "explorers", Title: en("Explorers"), Description: en("Look"), OGImage: "/og.png", BlogSlugs: []string{"One day"},
				Groups: []catalog.MenuGroup{
					{Slug: "basics", ID: "g1", Name: en("Basics"), Items: []catalog.Item{
						{
							Slug: "wallets", Name: en("Wallets"), Type: catalog.ItemCategory, Description: en("Keep"),
							Cards: []catalog.Card{
								{Title: en("One"), Link: "https://one.example/", Image: "/one.png", Description: en("First")},
								{Title: en("Two"), ID: "two", Link: "celo:wallet"},
								{Title: en("One again"), Link: "https://one.example/"},
							},
						},
						{Slug: "wallets", ID: "w2", Name: en("More"), Type: catalog.ItemCategory},
					}},
					{Slug: "empty", Name: en("Empty")},
				},
				Standalone: []catalog.Item{
					{Slug: "home", Name: en("Home"), Type: catalog.ItemLink, Cards: []catalog.Card{{Title: en("Home"), Link: "/"}}},
				},
			},
		},
	}
}

func TestTextResolve(t *testing.T) {
	both := text("en", "Layer", "pt", "Camada")
	cases := []struct {
		name  string
		text  catalog.Text
		chain []string
		want  string
	}{
		{"first of the chain", both, []string{"pt", "en"}, "Camada"},
		{"falls back", both, []string{"pt-br", "pt", "en"}, "Camada"},
		{"default", both, []string{"ja", "en"}, "Layer"},
		{"none of the chain", both, []string{"ja"}, ""},
		{"no text", nil, []string{"en"}, ""},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.text.Resolve(tc.chain); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestModulesOrder(t *testing.T) {
	want := []catalog.Module{"chain", "twitter", "youtube", "item"} // docs/api.md#categories
	if got := catalog.Modules(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
