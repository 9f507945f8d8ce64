package operations_test

import (
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
)

// smallCatalog has every field of a record once present and once absent, and enough text to
// be worth compressing. Fields that are not set here are set by [domaintest.Complete].
func smallCatalog() *domain.Catalog {
	c := &domain.Catalog{
		Title:         text("en", "Small", "zh-hans", "小"),
		DefaultLocale: "en",
		Sources:       []domain.Source{{Key: "defillama", Name: "DefiLlama", URL: "https://defillama.com/"}, {Key: "a recording", Name: "A recording"}},
		Locales:       []string{"en", "zh-hans", "pt"},
		Search:        &domain.SearchRules{Demote: []string{"layer-2"}},
		MaxAge:        &domain.MaxAges{TVL: &domain.AgeLimit{Days: 365}, Platforms: &domain.AgeLimit{Days: 365}, Followers: &domain.AgeLimit{Days: 1, Older: domain.OlderMark}, Subscribers: &domain.AgeLimit{Days: 1}},
		Groups:        smallGroups(),
		Categories:    smallCategories(),
		Chains:        smallChains(),
		Apps:          smallApps(),
		Accounts:      smallAccounts(),
		Channels: []domain.Channel{
			{ChannelID: "UCh1ob28ceGdqohUnR7vBACA", Name: "Finematics", Categories: []string{"education", "ai"}, Website: "https://finematics.com/", Links: smallLinks(), Extra: smallExtra},
			{ChannelID: "UCNOfzGXD_C9YMYmnefmPH0g", Name: "Ethereum Foundation", Description: text("en", "Education and talks"), Subscribers: &domain.Figure{Value: 189000, Source: "youtube", AsOf: "2025-01-09"}},
		},
		NavGroups: []domain.NavGroup{
			{
				Key: "build", Slug: "build", Name: text("en", "Build", "zh-hans", "构建"),
				Description: text("en", "What makers reach for"), Menus: []string{"design", "ai-tools"}, Former: []string{"make"},
			},
			{Key: "key-of-web3", Slug: "web3", Name: text("en", "Web3")},
		},
		Menus: []domain.Menu{
			smallMenu(),
			{PathSlug: "design", Title: text("en", "Design"), Standalone: []domain.Item{{
				Slug: "apps", Name: text("en", "Apps"), Type: domain.ItemCategory,
				Cards: []domain.Card{{App: "wallet"}, {App: "gone", Title: text("en", "Formerly a wallet")}},
			}}},
			{PathSlug: "unlisted", Title: text("en", "Unlisted")},
		},
	}
	for _, d := range domain.Descriptions() {
		if d.Long && d.Size(c) == 0 {
			domaintest.AddFull(c, d)
		}
	}
	domaintest.Complete(c)
	return c
}

// text returns a text from alternating locales and values.
func text(pairs ...string) domain.Text {
	var t domain.Text
	for pair := range slices.Chunk(pairs, 2) {
		t = append(t, domain.Translation{Locale: pair[0], Value: pair[1]})
	}
	return t
}

func smallGroups() []domain.Group {
	var groups []domain.Group
	for i, module := range domain.Modules() {
		groups = append(groups,
			domain.Group{Key: "topic", Module: module, Name: text("en", "Topic", "zh-hans", "主题"), Priority: float64(i)},
			domain.Group{Key: "layer", Module: module, Name: text("en", "Layer"), Priority: 0.5})
	}
	return groups
}

func smallCategories() []domain.Category {
	return []domain.Category{
		{
			Key: "layer-1", Name: text("en", "Layer 1", "zh-hans", "一层网络"), Description: text("en", "Chains of their own"),
			Scopes: []domain.Module{domain.ModuleTwitter, domain.ModuleChain},
			Groups: []domain.ModuleGroups{
				{Module: domain.ModuleTwitter, Keys: []string{"topic"}},
				{Module: domain.ModuleChain, Keys: []string{"layer", "topic"}},
			},
		},
		{
			Key: "layer-2", Name: text("en", "Layer 2"), Parent: "layer-1", Priority: -1.5, Former: []string{"rollup"}, Aliases: []string{"l2"},
			Scopes: []domain.Module{domain.ModuleChain},
			Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"layer"}}},
		},
		{
			Key: "ai", Name: text("en", "AI", "zh-hans", "人工智能"), Priority: 3,
			Scopes: []domain.Module{domain.ModuleTwitter, domain.ModuleYouTube},
			Groups: []domain.ModuleGroups{
				{Module: domain.ModuleTwitter, Keys: []string{"topic"}},
				{Module: domain.ModuleYouTube, Keys: []string{"topic"}},
			},
		},
		{
			Key: "education", Name: text("en", "Education", "pt", "Educação"),
			Scopes: []domain.Module{domain.ModuleYouTube},
			Groups: []domain.ModuleGroups{{Module: domain.ModuleYouTube, Keys: []string{"topic"}}},
		},
		{
			Key: "tool", Name: text("en", "Tool", "zh-hans", "工具"),
			Scopes: []domain.Module{domain.ModuleItem},
			Groups: []domain.ModuleGroups{{Module: domain.ModuleItem, Keys: []string{"topic"}}},
		},
	}
}

// smallExtra has JSON that a decoder may change.
const smallExtra = domain.JSON(`{"z":1.50,"a":{"b":[null,true,"ü"]},"big":123456789012345678901234567890}`)

func smallLinks() []domain.Link {
	return []domain.Link{{Type: "docs", URL: "https://example.org/docs"}, {Type: "other", Name: "A \"name\"", URL: "https://example.org/"}}
}

func smallApps() []domain.App {
	return []domain.App{
		{
			Key: "wallet", Title: text("en", "Wallet", "zh-hans", "钱包"), Description: text("en", "Holds keys"), Link: "https://wallet.example.org/",
			Image: "https://example.org/wallet.png", Categories: []string{"tool"}, Chains: []string{"ethereum", "base"},
			Platforms: domain.Platforms(), Aliases: []string{"purse"}, Launched: "2016-07-14", Links: smallLinks(), Extra: smallExtra,
		},
		{
			Key: "gone", Title: text("en", "Gone"), Link: "https://gone.example.org/", Status: domain.StatusRetired, StatusSince: "2024-01-01",
			StatusNote: text("en", "Closed"), Successor: "wallet", Former: []string{"was"},
		},
		{Key: "alone", Title: text("en", "Alone"), Link: "/alone"},
	}
}

func smallChains() []domain.Chain {
	observed := func(value float64) *domain.Figure {
		return &domain.Figure{Value: value, Source: "defillama", AsOf: "2025-08-17"}
	}
	return []domain.Chain{
		{
			Slug: "ethereum", Name: text("en", "Ethereum", "zh-hans", "以太坊"), ChainID: "1", ID: "eth", Logo: "https://example.org/eth.svg",
			Categories: []string{"layer-1"}, TVL: observed(93518925875.6537), Platforms: observed(900), Aliases: []string{"eth"},
			Description: text("en", "Where it began", "zh-hans", "开始的地方"), Launched: "2015-07-30", Website: "https://ethereum.org/", Links: smallLinks(),
			RPC: []domain.Endpoint{{URL: "https://rpc.example.org/"}, {
				URL: "wss://rpc.example.org/", Note: "no tracking", Reached: domain.Reached{Reach: domain.ReachUp, Since: "2026-11-20"},
			}},
			Currency: &domain.Currency{Name: "Ether", Symbol: "ETH", Decimals: 18}, Former: []string{"before"},
			Sources: `{"launched":"https://ethereum.org/history","native_currency":"the yellow paper"}`, Extra: smallExtra,
		},
		{
			Slug: "ended", Name: text("en", "Ended"), ChainID: "3", Categories: []string{"layer-1"}, Status: domain.StatusRetired, StatusSince: "2022-12-15",
			StatusNote: text("en", "It was shut down", "zh-hans", "已关闭"), Successor: "soon", Parent: "ethereum",
		},
		{Slug: "soon", Name: text("en", "Soon"), ChainID: "999", Status: domain.StatusUpcoming},
		{Slug: "sooner", Name: text("en", "Sooner"), ChainID: "999"},
		{Slug: "base", Name: text("en", "Base"), ChainID: "8453", Parent: "ethereum", Categories: []string{"layer-2"}, TVL: observed(4880343128.92545)},
		{Slug: "ai-chain", Name: text("en", "AI Chain "+strings.Repeat("long ", 200)), ChainID: "007", TVL: &domain.Figure{}},
		{Slug: "bitcoin", Name: text("en", "Bitcoin"), ChainID: "bip122:000000000019d6689c085ae165831e93", Platforms: &domain.Figure{}},
	}
}

func smallAccounts() []*domain.Account {
	return []*domain.Account{
		{
			Handle: "ethereum", Name: "Ethereum Foundation", Description: text("en", "Stewards", "zh-hans", "管理者"),
			Categories: []string{"layer-1", "ai"}, Followers: &domain.Figure{Value: 3602125, Source: "a recording", AsOf: "2025-01-09"},
			Website: "https://ethereum.org/", Links: smallLinks(), Former: []string{"ethereumproject"}, Extra: smallExtra,
		},
		{Handle: "Bitcoin", Name: "Bitcoin", Followers: &domain.Figure{Value: 7365620}},
		{Handle: "earlier", Name: "Earlier", Followers: &domain.Figure{Value: 5, Source: "a recording", AsOf: "2023-07-14"}},
		{Handle: "held_back", Name: "Held back"},
	}
}

func smallMenu() domain.Menu {
	link := domain.Item{
		Slug: "all-chains", Name: text("en", "All chains"), Type: domain.ItemLink,
		Cards: []domain.Card{{Title: text("en", "All chains"), Link: "/chains"}},
	}
	hubs := domain.Item{
		Slug: "hubs", ID: "hubs-id", Name: text("en", "Model hubs"), Type: domain.ItemCategory, Description: text("en", "Where weights are"),
		Cards: []domain.Card{
			{Title: text("en", "A hub", "zh-hans", "一"), ID: "a", Description: text("en", "One"), Link: "https://example.org/", Image: "/a.png"},
			{Title: text("en", "On a chain"), Link: "/on", Aliases: []string{"onchain"}, Categories: []string{"tool"}, Chains: []string{"base"}, Platforms: domain.Platforms()[:1], Extra: smallExtra},
			{Title: text("en", "A hub"), Link: "https://example.org/"},
		},
	}
	return domain.Menu{
		PathSlug: "ai-tools", Title: text("en", "AI tools", "zh-hans", "AI 工具"), Description: text("en", "Assistants and models"),
		OGImage: "https://example.org/og.png", BlogSlugs: []string{"hello"}, Aliases: []string{"assistance"}, Former: []string{"assistants"},
		Groups: []domain.MenuGroup{
			{Slug: "models", Name: text("en", "Models"), Items: []domain.Item{hubs, link}},
			{Slug: "empty", ID: "nothing", Name: text("en", "Nothing yet")},
		},
		Standalone: []domain.Item{link, {Slug: "no-cards", Name: text("en", "No cards"), Type: domain.ItemCategory}},
	}
}
