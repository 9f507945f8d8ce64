package storetest

import "vitrine/internal/domain"

// Rich returns a new valid catalogue that sets every field of the domain.
func Rich() *domain.Catalog {
	return &domain.Catalog{
		Title:         text("Rich", "丰富"),
		DefaultLocale: "en",
		Locales:       []string{"en", "zh-hans"},
		LinkSchemes:   []string{"celo"},
		Site: &domain.Site{
			Lead: text("All of it", "全部"), Footer: text("CC0", "公有领域"), Imprint: "https://rich.example/imprint", Accent: "#1a2b3c", Icon: "https://rich.example/icon.svg",
			Words: []domain.Word{{Locale: "zh-hans", Key: "nav.apps", Text: "产品"}},
		},
		Accept: []domain.Acceptance{
			{Rule: domain.RuleMissingTranslation, Kind: domain.KindChain, Locale: "zh-hans", Reason: "names are the same everywhere"},
			{Rule: domain.RuleHeldBack, Key: "celo_org"},
		},
		Gate: &domain.GateSettings{
			Shrink: &domain.Threshold{Share: 0.3, Min: 8}, Window: 14, Rules: &domain.GateRules{domain.GateStop},
			Accept: []domain.GateAcceptance{{Rule: "shrink:apps", Key: "games", Reason: "they moved", Author: "ann", Expires: "2026-12-31"}},
		},
		Expect: []domain.Expectation{{Kind: domain.KindChain, Field: "name", Locale: "en", Min: 1, Max: 1000, Fill: 0.5}},
		Groups: []domain.Group{
			{Key: "layer", Module: domain.ModuleChain, Name: text("Layer", "层"), Priority: 1},
			{Key: "topic", Module: domain.ModuleTwitter, Name: text("Topic", "主题"), Priority: -0.5},
			{Key: "topic", Module: domain.ModuleYouTube, Name: text("Topic", "主题")},
		},
		Categories: []domain.Category{
			{
				Key: "layer-1", Name: text("Layer 1", "一层"), Priority: 10, Scopes: []domain.Module{domain.ModuleChain},
				Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"layer"}}},
			},
			{
				Key: "layer-2", Name: text("Layer 2 <b>&amp;", "二层"), Description: text("On top of another.", "建立在另一条之上。"),
				Parent: "layer-1", Priority: 1.25, Scopes: []domain.Module{domain.ModuleChain},
				Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"layer"}}},
			},
			{
				Key: "ai", Name: text("AI", "人工智能"), Scopes: []domain.Module{domain.ModuleTwitter, domain.ModuleYouTube},
				Groups: []domain.ModuleGroups{
					{Module: domain.ModuleYouTube, Keys: []string{"topic"}},
					{Module: domain.ModuleTwitter, Keys: []string{"topic"}},
				},
			},
		},
		Chains: []domain.Chain{
			{
				Slug: "ethereum", Name: text("Ethereum", "以太坊"), ChainID: "1", ID: "c0ffee",
				Logo: "https://example.org/eth.svg?a=1&b=2", Categories: []string{"layer-1"},
				TVL:       &domain.Figure{Value: 91234567890.12, Source: "defillama", AsOf: "2025-08-17"},
				Platforms: &domain.Figure{Value: 0}, Aliases: []string{"eth", "ETH mainnet"},
			},
			{Slug: "base", Name: text("Base", "Base 链"), ChainID: "8453", Categories: []string{"layer-2", "layer-1"}},
		},
		Accounts: []*domain.Account{
			{
				Handle: "OpenAI", Name: "OpenAI", Description: text("A lab.\nIt says.", "实验室"), Categories: []string{"ai"},
				Followers: &domain.Figure{Value: 4000000, Source: "X", AsOf: "2025-01-09"},
			},
			{Handle: "held_back", Name: "Held back 🙂", Categories: []string{"ai"}},
		},
		Channels: []domain.Channel{
			{ChannelID: "UCx_Y-z", Name: "A channel", Description: text("Films.", "影片"), Categories: []string{"ai"}},
		},
		NavGroups: []domain.NavGroup{
			{Key: "tools", Slug: "all-tools", Name: text("Tools", "工具"), Description: text("All.", "全部"), Menus: []string{"start"}},
			{Key: "empty", Slug: "empty", Name: text("Empty", "空")},
		},
		Menus: []domain.Menu{richMenu()},
	}
}

func richMenu() domain.Menu {
	return domain.Menu{
		PathSlug: "start", Title: text("Start", "开始"), Description: text("Where to begin.", "从这里开始"),
		OGImage: "/og.png", BlogSlugs: []string{"hello", "world"},
		Groups: []domain.MenuGroup{
			{
				Slug: "basics", ID: "g1", Name: text("Basics", "基础"),
				Items: []domain.Item{
					{
						Slug: "wallets", ID: "i1", Name: text("Wallets", "钱包"), Type: domain.ItemCategory,
						Description: text("Keep keys.", "保管密钥"),
						Cards: []domain.Card{
							{
								Title: text("One", "一"), ID: "c1", Description: text("First.", "第一"),
								Link: "https://example.org/?q=1&r=2", Image: "https://example.org/1.png",
							},
							{Title: text("Two", "二"), Link: "celo:pay"},
						},
					},
					{Slug: "none-yet", Name: text("None yet", "暂无"), Type: domain.ItemCategory},
				},
			},
			{Slug: "later", Name: text("Later", "以后")},
		},
		Standalone: []domain.Item{{
			Slug: "docs", Name: text("Docs", "文档"), Type: domain.ItemLink,
			Cards: []domain.Card{{Title: text("Docs", "文档"), Link: "/docs"}},
		}},
	}
}

func text(en, zh string) domain.Text {
	return domain.Text{{Locale: "en", Value: en}, {Locale: "zh-hans", Value: zh}}
}
