package api_test

import (
	"slices"
	"strings"

	"vitrine/internal/catalog"
)

// smallCatalog has every optional field once present and once absent, and
// enough text to be worth compressing.
func smallCatalog() *catalog.Catalog {
	return &catalog.Catalog{
		Title:         text("en", "Small", "zh-hans", "小"),
		DefaultLocale: "en",
		Locales:       []string{"en", "zh-hans", "pt"},
		Groups:        smallGroups(),
		Categories:    smallCategories(),
		Chains:        smallChains(),
		Accounts:      smallAccounts(),
		Channels: []catalog.Channel{
			{ChannelID: "UCh1ob28ceGdqohUnR7vBACA", Name: "Finematics", Categories: []string{"education", "ai"}},
			{ChannelID: "UCNOfzGXD_C9YMYmnefmPH0g", Name: "Ethereum Foundation", Description: text("en", "Education and talks")},
		},
		NavGroups: []catalog.NavGroup{
			{
				Key: "build", Slug: "build", Name: text("en", "Build", "zh-hans", "构建"),
				Description: text("en", "What makers reach for"), Menus: []string{"design", "ai-tools"},
			},
			{Key: "key-of-web3", Slug: "web3", Name: text("en", "Web3")},
		},
		Menus: []catalog.Menu{
			smallMenu(),
			{PathSlug: "design", Title: text("en", "Design")},
			{PathSlug: "unlisted", Title: text("en", "Unlisted")},
		},
	}
}

// text takes locales and values by turns.
func text(pairs ...string) catalog.Text {
	var t catalog.Text
	for pair := range slices.Chunk(pairs, 2) {
		t = append(t, catalog.Translation{Locale: pair[0], Value: pair[1]})
	}
	return t
}

func smallGroups() []catalog.Group {
	var groups []catalog.Group
	for i, module := range []catalog.Module{catalog.ModuleChain, catalog.ModuleTwitter, catalog.ModuleYouTube} {
		groups = append(groups,
			catalog.Group{Key: "topic", Module: module, Name: text("en", "Topic", "zh-hans", "主题"), Priority: float64(i)},
			catalog.Group{Key: "layer", Module: module, Name: text("en", "Layer"), Priority: 0.5})
	}
	return groups
}

func smallCategories() []catalog.Category {
	return []catalog.Category{
		{
			Key: "layer-1", Name: text("en", "Layer 1", "zh-hans", "一层网络"), Description: text("en", "Chains of their own"),
			Scopes: []catalog.Module{catalog.ModuleTwitter, catalog.ModuleChain},
			Groups: []catalog.ModuleGroups{
				{Module: catalog.ModuleTwitter, Keys: []string{"topic"}},
				{Module: catalog.ModuleChain, Keys: []string{"layer", "topic"}},
			},
		},
		{
			Key: "layer-2", Name: text("en", "Layer 2"), Parent: "layer-1", Priority: -1.5,
			Scopes: []catalog.Module{catalog.ModuleChain},
			Groups: []catalog.ModuleGroups{{Module: catalog.ModuleChain, Keys: []string{"layer"}}},
		},
		{
			Key: "ai", Name: text("en", "AI", "zh-hans", "人工智能"), Priority: 3,
			Scopes: []catalog.Module{catalog.ModuleTwitter, catalog.ModuleYouTube},
			Groups: []catalog.ModuleGroups{
				{Module: catalog.ModuleTwitter, Keys: []string{"topic"}},
				{Module: catalog.ModuleYouTube, Keys: []string{"topic"}},
			},
		},
		{
			Key: "education", Name: text("en", "Education", "pt", "Educação"),
			Scopes: []catalog.Module{catalog.ModuleYouTube},
			Groups: []catalog.ModuleGroups{{Module: catalog.ModuleYouTube, Keys: []string{"topic"}}},
		},
	}
}

func smallChains() []catalog.Chain {
	observed := func(value float64) *catalog.Figure {
		return &catalog.Figure{Value: value, Source: "defillama", AsOf: "2025-08-17"}
	}
	return []catalog.Chain{
		{
			Slug: "ethereum", Name: text("en", "Ethereum", "zh-hans", "以太坊"), ChainID: "1", ID: "eth", Logo: "https://example.org/eth.svg",
			Categories: []string{"layer-1"}, TVL: observed(93518925875.6537), Platforms: observed(900), Aliases: []string{"eth"},
		},
		{Slug: "base", Name: text("en", "Base"), ChainID: "8453", Categories: []string{"layer-2"}, TVL: observed(4880343128.92545)},
		{Slug: "ai-chain", Name: text("en", "AI Chain "+strings.Repeat("long ", 200)), ChainID: "007", TVL: &catalog.Figure{}},
		{Slug: "bitcoin", Name: text("en", "Bitcoin"), ChainID: "bip122:000000000019d6689c085ae165831e93", Platforms: &catalog.Figure{}},
	}
}

func smallAccounts() []catalog.Account {
	return []catalog.Account{
		{
			Handle: "ethereum", Name: "Ethereum Foundation", Description: text("en", "Stewards", "zh-hans", "管理者"),
			Categories: []string{"layer-1", "ai"}, Followers: &catalog.Figure{Value: 3602125, Source: "a recording", AsOf: "2025-01-09"},
		},
		{Handle: "Bitcoin", Name: "Bitcoin", Followers: &catalog.Figure{Value: 7365620}},
		{Handle: "held_back", Name: "Held back"},
	}
}

func smallMenu() catalog.Menu {
	link := catalog.Item{
		Slug: "all-chains", Name: text("en", "All chains"), Type: catalog.ItemLink,
		Cards: []catalog.Card{{Title: text("en", "All chains"), Link: "/chains"}},
	}
	hubs := catalog.Item{
		Slug: "hubs", ID: "hubs-id", Name: text("en", "Model hubs"), Type: catalog.ItemCategory, Description: text("en", "Where weights are"),
		Cards: []catalog.Card{
			{Title: text("en", "A hub", "zh-hans", "一"), ID: "a", Description: text("en", "One"), Link: "https://example.org/", Image: "/a.png"},
			{Title: text("en", "A hub"), Link: "https://example.org/"},
		},
	}
	return catalog.Menu{
		PathSlug: "ai-tools", Title: text("en", "AI tools", "zh-hans", "AI 工具"), Description: text("en", "Assistants and models"),
		OGImage: "https://example.org/og.png", BlogSlugs: []string{"hello"},
		Groups: []catalog.MenuGroup{
			{Slug: "models", Name: text("en", "Models"), Items: []catalog.Item{hubs, link}},
			{Slug: "empty", ID: "nothing", Name: text("en", "Nothing yet")},
		},
		Standalone: []catalog.Item{link, {Slug: "no-cards", Name: text("en", "No cards"), Type: catalog.ItemCategory}},
	}
}
