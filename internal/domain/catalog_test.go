package domain_test

import (
	"slices"
	"testing"

	"vitrine/internal/domain"
)

// text returns a Text of pairs of locale and value, which must be sorted by locale.
func text(pairs ...string) domain.Text {
	var t domain.Text
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, domain.Translation{Locale: pairs[i], Value: pairs[i+1]})
	}
	return t
}

func en(s string) domain.Text { return text("en", s, "zh-hans", s) }

func bare(v float64) *domain.Figure { return &domain.Figure{Value: v} }

func dated(v float64, source string, day domain.Date) *domain.Figure {
	return &domain.Figure{Value: v, Source: source, AsOf: day}
}

// rich returns a new valid catalogue with records of every kind, which tests may modify.
func rich() *domain.Catalog {
	return &domain.Catalog{
		Title:         en("Vitrine"),
		DefaultLocale: "en",
		Locales:       []string{"en", "zh-hans"},
		LinkSchemes:   []string{"celo"},
		Groups: []domain.Group{
			{Key: "layer", Module: domain.ModuleChain, Name: en("Layer"), Priority: 1},
			{Key: "net", Module: domain.ModuleChain, Name: en("Network")},
			{Key: "topic", Module: domain.ModuleTwitter, Name: en("Topic")},
			{Key: "topic", Module: domain.ModuleYouTube, Name: en("Topic")},
		},
		Categories: []domain.Category{
			{
				Key: "l1", Name: en("Layer 1"), Description: text("en", "Base\nlayer", "zh-hans", "L1"), Priority: 10,
				Scopes: []domain.Module{domain.ModuleChain, domain.ModuleTwitter},
				Groups: []domain.ModuleGroups{
					{Module: domain.ModuleChain, Keys: []string{"layer", "net"}},
					{Module: domain.ModuleTwitter, Keys: []string{"topic"}},
				},
			},
			{
				Key: "evm", Name: en("EVM"), Parent: "l1", Scopes: []domain.Module{domain.ModuleChain},
				Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"layer"}}},
			},
			{
				Key: "education", Name: en("Education"),
				Scopes: []domain.Module{domain.ModuleTwitter, domain.ModuleYouTube},
				Groups: []domain.ModuleGroups{
					{Module: domain.ModuleTwitter, Keys: []string{"topic"}},
					{Module: domain.ModuleYouTube, Keys: []string{"topic"}},
				},
			},
		},
		Chains: []domain.Chain{
			{
				Slug: "ethereum", Name: en("Ethereum"), ChainID: "1", ID: "eth", Logo: "https://example.org/e.png",
				Categories: []string{"l1", "evm"}, TVL: dated(12.5, "defillama", "2025-08-17"), Platforms: bare(3),
				Aliases: []string{"ETH"},
			},
			{Slug: "celo", Name: en("Celo"), ChainID: "42220", Categories: []string{"evm"}},
			{Slug: "bitcoin", Name: en("Bitcoin"), ChainID: "000000000019d6689c085ae165831e93"},
		},
		Accounts: []*domain.Account{
			{
				Handle: "ethereum", Name: "Ethereum", Description: en("A chain"), Categories: []string{"l1", "education"},
				Followers: dated(3602125, "public recording", "2025-01-09"),
			},
			{Handle: "Celo_Org", Name: "Celo", Followers: bare(10)},
		},
		Channels: []domain.Channel{
			{ChannelID: "UCNOfzGXD_C9YMYmnefmPH0g", Name: "Ethereum Foundation", Description: en("Talks"), Categories: []string{"education"}},
			{ChannelID: "ucnofzgxd_c9ymymnefmph0g", Name: "Another"},
		},
		NavGroups: []domain.NavGroup{
			{Key: "web3", Slug: "web-3", Name: en("Web3"), Description: en("On chain"), Menus: []string{"explorers"}},
			{Key: "tools", Slug: "tools", Name: en("Tools"), Menus: []string{"design"}},
		},
		Menus: []domain.Menu{
			{PathSlug: "design", Title: en("Design")},
			{
				PathSlug: "explorers", Title: en("Explorers"), Description: en("Look"), OGImage: "/og.png", BlogSlugs: []string{"One day"},
				Groups: []domain.MenuGroup{
					{Slug: "basics", ID: "g1", Name: en("Basics"), Items: []domain.Item{
						{
							Slug: "wallets", Name: en("Wallets"), Type: domain.ItemCategory, Description: en("Keep"),
							Cards: []domain.Card{
								{Title: en("One"), Link: "https://one.example/", Image: "/one.png", Description: en("First")},
								{Title: en("Two"), ID: "two", Link: "celo:wallet"},
								{Title: en("One again"), Link: "https://one.example/"},
							},
						},
						{Slug: "wallets", ID: "w2", Name: en("More"), Type: domain.ItemCategory},
					}},
					{Slug: "empty", Name: en("Empty")},
				},
				Standalone: []domain.Item{
					{Slug: "home", Name: en("Home"), Type: domain.ItemLink, Cards: []domain.Card{{Title: en("Home"), Link: "/"}}},
				},
			},
		},
	}
}

func TestTextResolve(t *testing.T) {
	both := text("en", "Layer", "pt", "Camada")
	cases := []struct {
		name  string
		text  domain.Text
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
	want := []domain.Module{"chain", "twitter", "youtube", "item"} // docs/api.md#categories
	if got := domain.Modules(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
