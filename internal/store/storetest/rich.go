package storetest

import "vitrine/internal/catalog"

// Rich returns a valid catalogue that fills every field of the domain, a new
// one with every call.
func Rich() *catalog.Catalog {
	return &catalog.Catalog{
		Title:         text("Rich", "丰富"),
		DefaultLocale: "en",
		Locales:       []string{"en", "zh-hans"},
		LinkSchemes:   []string{"celo"},
		Accept: []catalog.Acceptance{
			{Rule: catalog.RuleMissingTranslation, Kind: catalog.KindChain, Locale: "zh-hans", Reason: "names are the same everywhere"},
			{Rule: catalog.RuleHeldBack, Key: "celo_org"},
		},
		Groups: []catalog.Group{
			{Key: "layer", Module: catalog.ModuleChain, Name: text("Layer", "层"), Priority: 1},
			{Key: "topic", Module: catalog.ModuleTwitter, Name: text("Topic", "主题"), Priority: -0.5},
			{Key: "topic", Module: catalog.ModuleYouTube, Name: text("Topic", "主题")},
		},
		Categories: []catalog.Category{
			{
				Key: "layer-1", Name: text("Layer 1", "一层"), Priority: 10, Scopes: []catalog.Module{catalog.ModuleChain},
				Groups: []catalog.ModuleGroups{{Module: catalog.ModuleChain, Keys: []string{"layer"}}},
			},
			{
				Key: "layer-2", Name: text("Layer 2 <b>&amp;", "二层"), Description: text("On top of another.", "建立在另一条之上。"),
				Parent: "layer-1", Priority: 1.25, Scopes: []catalog.Module{catalog.ModuleChain},
				Groups: []catalog.ModuleGroups{{Module: catalog.ModuleChain, Keys: []string{"layer"}}},
			},
			{
				Key: "ai", Name: text("AI", "人工智能"), Scopes: []catalog.Module{catalog.ModuleTwitter, catalog.ModuleYouTube},
				Groups: []catalog.ModuleGroups{
					{Module: catalog.ModuleYouTube, Keys: []string{"topic"}},
					{Module: catalog.ModuleTwitter, Keys: []string{"topic"}},
				},
			},
		},
		Chains: []catalog.Chain{
			{
				Slug: "ethereum", Name: text("Ethereum", "以太坊"), ChainID: "1", ID: "c0ffee",
				Logo: "https://example.org/eth.svg?a=1&b=2", Categories: []string{"layer-1"},
				TVL:       &catalog.Figure{Value: 91234567890.12, Source: "defillama", AsOf: "2025-08-17"},
				Platforms: &catalog.Figure{Value: 0}, Aliases: []string{"eth", "ETH mainnet"},
			},
			{Slug: "base", Name: text("Base", "Base 链"), ChainID: "8453", Categories: []string{"layer-2", "layer-1"}},
		},
		Accounts: []catalog.Account{
			{
				Handle: "OpenAI", Name: "OpenAI", Description: text("A lab.\nIt says.", "实验室"), Categories: []string{"ai"},
				Followers: &catalog.Figure{Value: 4000000, Source: "X", AsOf: "2025-01-09"},
			},
			{Handle: "held_back", Name: "Held back 🙂", Categories: []string{"ai"}},
		},
		Channels: []catalog.Channel{
			{ChannelID: "UCx_Y-z", Name: "A channel", Description: text("Films.", "影片"), Categories: []string{"ai"}},
		},
		NavGroups: []catalog.NavGroup{
			{Key: "tools", Slug: "all-tools", Name: text("Tools", "工具"), Description: text("All.", "全部"), Menus: []string{"start"}},
			{Key: "empty", Slug: "empty", Name: text("Empty", "空")},
		},
		Menus: []catalog.Menu{richMenu()},
	}
}

func richMenu() catalog.Menu {
	return catalog.Menu{
		PathSlug: "start", Title: text("Start", "开始"), Description: text("Where to begin.", "从这里开始"),
		OGImage: "/og.png", BlogSlugs: []string{"hello", "world"},
		Groups: []catalog.MenuGroup{
			{
				Slug: "basics", ID: "g1", Name: text("Basics", "基础"),
				Items: []catalog.Item{
					{
						Slug: "wallets", ID: "i1", Name: text("Wallets", "钱包"), Type: catalog.ItemCategory,
						Description: text("Keep keys.", "保管密钥"),
						Cards: []catalog.Card{
							{
								Title: text("One", "一"), ID: "c1", Description: text("First.", "第一"),
								Link: "https://example.org/?q=1&r=2", Image: "https://example.org/1.png",
							},
							{Title: text("Two", "二"), Link: "celo:pay"},
						},
					},
					{Slug: "none-yet", Name: text("None yet", "暂无"), Type: catalog.ItemCategory},
				},
			},
			{Slug: "later", Name: text("Later", "以后")},
		},
		Standalone: []catalog.Item{{
			Slug: "docs", Name: text("Docs", "文档"), Type: catalog.ItemLink,
			Cards: []catalog.Card{{Title: text("Docs", "文档"), Link: "/docs"}},
		}},
	}
}

func text(en, zh string) catalog.Text {
	return catalog.Text{{Locale: "en", Value: en}, {Locale: "zh-hans", Value: zh}}
}
