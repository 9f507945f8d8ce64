package domain

// The fields of all records, in the order in which they are written, compared
// and documented. A field is told here and nowhere else: see [Field].

var catalogShape = &Shape{
	Name:  "a map with title, default_locale and locales",
	About: "The catalogue as a whole (catalog.yaml or catalog.json)",
	Fields: []*Field{
		title("title", func(c *Catalog) *Text { return &c.Title }).about("What the catalogue is called", `"Vitrine"`),
		line("default_locale", func(c *Catalog) *string { return &c.DefaultLocale }).checked(ownRule).required().form("locale").
			about("The locale of plain strings, and the one that all others fall back to", `"en"`),
		linesField("locales", func(c *Catalog) *[]string { return &c.Locales }).checked(ownRule).required().form("locale").
			about("All locales, as BCP 47 tags, in the order of preference; holds default_locale", `["en", "zh-hans"]`),
		linesField("link_schemes", func(c *Catalog) *[]string { return &c.LinkSchemes }).checked(ownRule).form("scheme").
			about("Schemes that links may have beside http and https, in lower case", `["celo"]`),
		partField("search", searchShape, func(c *Catalog) **SearchRules { return &c.Search }).
			about("How a search ranks what it finds", `{"demote": ["testnet"]}`),
		partField("roles", rolesShape, func(c *Catalog) **Roles { return &c.Roles }).
			about("The built-in roles of categories and groups", `{"evm": ["evm"], "summary": ["chain_layer"]}`),
		partField("max_age", maxAgesShape, func(c *Catalog) **MaxAges { return &c.MaxAge }).
			about("How old figures may be, by name", `{"llama_tvl": {"days": 365}, "followers_count": {"days": 365, "older": "mark"}}`),
		partsField(TypeParts, "accept", acceptanceShape, func(c *Catalog) *[]Acceptance { return &c.Accept }).
			about("Warnings that are known and may stay", `[{"rule": "unlisted-menu", "key": "legal"}]`),
		partsField(TypeParts, "past_ids", pastIDShape, func(c *Catalog) *[]PastID { return &c.PastIDs }).
			about("Ids that chains no longer use, reserved for them; exports include this list", `[{"id": "4e082e63db0dbf8333297e7c", "chain": "base"}]`),
	},
}

var pastIDShape = &Shape{
	Name:  "a map with id and chain",
	About: "An id that its chain no longer uses",
	Fields: []*Field{
		line("id", func(p *PastID) *string { return &p.ID }).names().about("The id", `"4e082e63db0dbf8333297e7c"`),
		line("chain", func(p *PastID) *string { return &p.Chain }).required().form("key").about("Slug of the chain that last had it", `"base"`),
	},
}

var searchShape = &Shape{
	Name:  "a map with demote",
	About: "How a search ranks what it finds",
	Fields: []*Field{
		linesField("demote", func(s *SearchRules) *[]string { return &s.Demote }).checked(ownRule).form("key").
			about("Keys of categories whose records come after others that match as well", `["testnet"]`),
	},
}

var rolesShape = &Shape{
	Name:  "a map with evm and summary",
	About: "The built-in roles of categories and groups",
	Fields: []*Field{
		linesField("evm", func(r *Roles) *[]string { return &r.EVM }).checked(ownRule).form("key").
			about("Keys of categories of chains that run the Ethereum Virtual Machine: their pages show hexadecimal and CAIP-2 ids and offer them to wallets", `["evm"]`),
		linesField("summary", func(r *Roles) *[]string { return &r.Summary }).checked(ownRule).form("key").
			about("Keys of groups of module chain whose categories lists of chains show beside the name, in this order", `["chain_layer", "chain_stack"]`),
	},
}

var maxAgesShape = &Shape{
	Name:  "a map with llama_tvl, platforms and followers_count",
	About: "How old figures may be",
	Fields: []*Field{
		partField(string(FigureTVL), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.TVL }).about("The limit of llama_tvl; any age if left out", `{"days": 365}`),
		partField(string(FigurePlatforms), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.Platforms }).about("The limit of platforms", `{"days": 365}`),
		partField(string(FigureFollowers), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.Followers }).about("The limit of followers_count", `{"days": 365, "older": "mark"}`),
	},
}

var ageLimitShape = &Shape{
	Name:  "a map with days and older",
	Term:  "age_limit",
	About: "How old a figure may be, and what becomes of older ones",
	Fields: []*Field{
		numberField("days", func(l *AgeLimit) *float64 { return &l.Days }).required().counts().
			about("So many days older than the newest figure of that name", `365`),
		olderField(func(l *AgeLimit) *Older { return &l.Older }),
	},
}

var acceptanceShape = &Shape{
	Name:   "a map with rule, kind, key, locale and reason",
	About:  "Warnings that are known and may stay. Each field that is written narrows what is meant",
	asLine: func(a any) string { return a.(*Acceptance).String() },
	Fields: []*Field{
		line("rule", func(a *Acceptance) *string { return (*string)(&a.Rule) }).checked(ownRule).required().form("rule").about("The rule that warns", `"held-back"`),
		line("kind", func(a *Acceptance) *string { return (*string)(&a.Kind) }).checked(ownRule).form("kind").about("Only of records of this kind", `"twitter"`),
		line("key", func(a *Acceptance) *string { return &a.Key }).about("Only of this record: its key, slug, handle, channel id or path slug", `"ethereum"`),
		line("locale", func(a *Acceptance) *string { return &a.Locale }).checked(ownRule).about("Of missing-translation: only of this locale", `"zh-hans"`),
		line("reason", func(a *Acceptance) *string { return &a.Reason }).about("Why, for the next editor", `"they are not counted"`),
	},
}

var groupShape = &Shape{
	Name:  "a group",
	About: "A dimension group: the categories of one module that answer the same question",
	Fields: []*Field{
		line("key", func(g *Group) *string { return &g.Key }).names().form("key").about("Unique within its module", `"chain_layer"`),
		line("module", func(g *Group) *string { return (*string)(&g.Module) }).names().form("scope").about("What its categories classify", `"chain"`),
		title("name", func(g *Group) *Text { return &g.Name }).about("What readers see", `"Layer"`),
		numberField("priority", func(g *Group) *float64 { return &g.Priority }).about("Groups are listed by priority, small first, then by key; 0 if left out", `10`),
	},
}

var categoryShape = &Shape{
	Name:  "a category",
	About: "A category",
	Fields: []*Field{
		line("key", func(c *Category) *string { return &c.Key }).names().calls().form("key").about("What chains, accounts, channels and clients name it by; unique", `"layer-1"`),
		title("name", func(c *Category) *Text { return &c.Name }).calls().about("What readers see", `{"en": "Layer 2", "zh-hans": "二层网络"}`),
		description("description", func(c *Category) *Text { return &c.Description }).searched().about("What belongs into it", `"Networks that settle on another"`),
		line("parent", func(c *Category) *string { return &c.Parent }).checked(ownRule).form("key").about("Key of the category that this one is part of; the two have a scope in common", `"layer-1"`),
		numberField("priority", func(c *Category) *float64 { return &c.Priority }).about("Categories are listed by priority, small first, then by key; 0 if left out", `20`),
		wordsField("scopes", func(c *Category) *[]Module { return &c.Scopes }).checked(ownRule).required().form("scope").
			about("The modules whose records may have it; at least one", `["chain", "twitter"]`),
		partsField(TypeTable, "groups", moduleGroupsShape, func(c *Category) *[]ModuleGroups { return &c.Groups }).checked(ownRule).required().
			about("Its dimension groups in each of its scopes; the first one of a scope is the one that is shown", `{"chain": ["group-key"]}`),
		aliases(func(c *Category) *[]string { return &c.Aliases }).about("Other words that a search finds the category by", `["L2"]`),
		former(func(c *Category) *[]string { return &c.Former }),
	},
}

var moduleGroupsShape = &Shape{
	Name: "a map from scope to group keys",
	Fields: []*Field{
		line("module", func(g *ModuleGroups) *string { return (*string)(&g.Module) }).names().form("scope"),
		linesField("keys", func(g *ModuleGroups) *[]string { return &g.Keys }).form("key"),
	},
}

var chainShape = &Shape{
	Name:  "a chain",
	About: "One blockchain",
	Fields: []*Field{
		line("slug", func(c *Chain) *string { return &c.Slug }).names().calls().form("key").about("The stable name of the chain in addresses; unique", `"ethereum"`),
		title("name", func(c *Chain) *Text { return &c.Name }).calls().about("What readers see", `"Ethereum"`, `{"en": "Ethereum", "zh-hans": "以太坊"}`),
		lineField(TypeChainID, "chain_id", func(c *Chain) *string { return &c.ChainID }).required().searched().
			about("The EVM chain id; for other chains, in quotes, an id that names the network alone (`cosmoshub-4`) or else its CAIP-2 id (`aptos:1`)", `1`, `"cosmoshub-4"`, `"aptos:1"`),
		writtenID(func(c *Chain) *string { return &c.ID }).about("A stable internal id; derived from the slug if left out"),
		image("logo", func(c *Chain) *string { return &c.Logo }).about("Address of the logo", `"https://example.org/logo.svg"`, `"/logos/ethereum.svg"`),
		description("description", func(c *Chain) *Text { return &c.Description }).about("What is special about it", `"The chain that most apps began on"`),
		categoryKeys(ModuleChain, func(c *Chain) *[]string { return &c.Categories }),
		figureField(FigureTVL, func(c *Chain) **Figure { return &c.TVL }).
			about("Total value locked, in USD", `{"value": 12345.6, "source": "defillama", "as_of": "2025-08-17"}`),
		figureField(FigurePlatforms, func(c *Chain) **Figure { return &c.Platforms }).counts().about("Number of apps recorded for the chain", `120`),
		aliases(func(c *Chain) *[]string { return &c.Aliases }).about("Other words that a search finds the chain by", `["ETH"]`),
		day("launched", func(c *Chain) *Date { return &c.Launched }).about("The day on which it began, YYYY-MM-DD", `"2015-07-30"`),
		statusField(func(c *Chain) *Status { return &c.Status }),
		day("status_since", func(c *Chain) *Date { return &c.StatusSince }).about("Since when it has this status, YYYY-MM-DD", `"2022-09-15"`),
		description("status_note", func(c *Chain) *Text { return &c.StatusNote }).about("Why, for readers", `"The network was shut down"`),
		line("successor", func(c *Chain) *string { return &c.Successor }).checked(chainRule).form("key").about("Slug of the chain that replaced it", `"sepolia"`),
		website(func(c *Chain) *string { return &c.Website }),
		links(func(c *Chain) *[]Link { return &c.Links }),
		partsField(TypeParts, "rpc", endpointShape, func(c *Chain) *[]Endpoint { return &c.RPC }).
			about("Public JSON-RPC endpoints", `[{"url": "https://rpc.example.org/"}]`),
		partField("native_currency", currencyShape, func(c *Chain) **Currency { return &c.Currency }).
			about("What fees are paid in", `{"name": "Ether", "symbol": "ETH", "decimals": 18}`),
		line("parent", func(c *Chain) *string { return &c.Parent }).checked(chainRule).form("key").
			about("Slug of the chain that it settles on, is a part of, or is a test network of", `"ethereum"`),
		former(func(c *Chain) *[]string { return &c.Former }),
		extra(func(c *Chain) *JSON { return &c.Extra }),
	},
}

var linkShape = &Shape{
	Name:  "a map with type and url",
	About: "A link that leads out",
	Fields: []*Field{
		line("type", func(l *Link) *string { return (*string)(&l.Type) }).required().checked(enumRule).form("link type").about("What it leads to", `"docs"`),
		line("name", func(l *Link) *string { return &l.Name }).about("Its label, not translated", `"Etherscan"`),
		link("url", func(l *Link) *string { return &l.URL }).names().about("Where it leads", `"https://etherscan.io/"`),
	},
}

var endpointShape = &Shape{
	Name:  "a map with url",
	About: "A public JSON-RPC endpoint",
	Fields: []*Field{
		endpoint("url", func(e *Endpoint) *string { return &e.URL }).names().
			about("Its address: http, https, ws or wss, without a key or password", `"https://rpc.example.org/"`),
		line("note", func(e *Endpoint) *string { return &e.Note }).about("A remark, not translated", `"no tracking"`),
	},
}

var currencyShape = &Shape{
	Name:  "a map with name, symbol and decimals",
	About: "What fees are paid in",
	Fields: []*Field{
		line("name", func(c *Currency) *string { return &c.Name }).required().about("Its name, not translated", `"Ether"`),
		line("symbol", func(c *Currency) *string { return &c.Symbol }).required().about("Its symbol", `"ETH"`),
		numberField("decimals", func(c *Currency) *float64 { return &c.Decimals }).required().counts().atMost(maxDecimals).about("Decimal places of one unit, at most 36", `18`),
	},
}

var appShape = &Shape{
	Name:  "an app",
	About: "An application or a service, once for all the menus that it stands in",
	Fields: []*Field{
		line("key", func(a *App) *string { return &a.Key }).names().form("key").about("What cards name it by; unique", `"metamask"`),
		title("title", func(a *App) *Text { return &a.Title }).calls().about("What readers see", `"MetaMask"`),
		description("description", func(a *App) *Text { return &a.Description }).searched().about("A line under the title"),
		link("link", func(a *App) *string { return &a.Link }).required().about("Where its cards lead", `"https://metamask.io"`),
		image("image", func(a *App) *string { return &a.Image }).about("Address of the image", `"https://example.org/metamask.svg"`),
		categoryKeys(ModuleItem, func(a *App) *[]string { return &a.Categories }),
		chainSlugs(func(a *App) *[]string { return &a.Chains }),
		platformNames(func(a *App) *[]Platform { return &a.Platforms }),
		aliases(func(a *App) *[]string { return &a.Aliases }).about("Other words that a search finds the app by, and its cards unless they have a title of their own", `["メタマスク", "小狐狸"]`),
		day("launched", func(a *App) *Date { return &a.Launched }).about("The day on which it began, YYYY-MM-DD", `"2016-09-01"`),
		statusField(func(a *App) *Status { return &a.Status }),
		day("status_since", func(a *App) *Date { return &a.StatusSince }).about("Since when it has this status, YYYY-MM-DD", `"2024-01-01"`),
		description("status_note", func(a *App) *Text { return &a.StatusNote }).about("Why, for readers"),
		line("successor", func(a *App) *string { return &a.Successor }).checked(appRule).form("key").about("Key of the app that replaced it", `"aave"`),
		links(func(a *App) *[]Link { return &a.Links }),
		former(func(a *App) *[]string { return &a.Former }),
		extra(func(a *App) *JSON { return &a.Extra }),
	},
}

var accountShape = &Shape{
	Name:  "an account",
	About: "One Twitter/X account",
	Fields: []*Field{
		lineField(TypeHandle, "handle", func(a *Account) *string { return &a.Handle }).names().calls().form("handle").about("The handle; unique, whatever its case", `"ethereum"`),
		plainName(func(a *Account) *string { return &a.Name }).calls().about("The account's name, not translated", `"Ethereum"`),
		description("description", func(a *Account) *Text { return &a.Description }).searched().about("Who is behind it, and what about", `"Official account"`),
		categoryKeys(ModuleTwitter, func(a *Account) *[]string { return &a.Categories }),
		figureField(FigureFollowers, func(a *Account) **Figure { return &a.Followers }).counts().
			about("Number of followers; without it the account is held back from the list", `{"value": 3602125, "source": "public recording", "as_of": "2025-01-09"}`),
		website(func(a *Account) *string { return &a.Website }),
		links(func(a *Account) *[]Link { return &a.Links }),
		former(func(a *Account) *[]string { return &a.Former }).form("handle").about("Previous handles, without @, which still resolve to it", `["old_handle"]`),
		extra(func(a *Account) *JSON { return &a.Extra }),
	},
}

var channelShape = &Shape{
	Name:  "a channel",
	About: "One YouTube channel",
	Fields: []*Field{
		line("channel_id", func(c *Channel) *string { return &c.ChannelID }).names().form("channel id").about("The channel's id; unique", `"UCNOfzGXD_C9YMYmnefmPH0g"`),
		plainName(func(c *Channel) *string { return &c.Name }).calls().about("The channel's name, not translated", `"Ethereum Foundation"`),
		description("description", func(c *Channel) *Text { return &c.Description }).searched().about("Who is behind it, and what about"),
		categoryKeys(ModuleYouTube, func(c *Channel) *[]string { return &c.Categories }),
		website(func(c *Channel) *string { return &c.Website }),
		links(func(c *Channel) *[]Link { return &c.Links }),
		extra(func(c *Channel) *JSON { return &c.Extra }),
	},
}

var navGroupShape = &Shape{
	Name:  "a group of menus",
	About: "A group of menus",
	Fields: []*Field{
		line("key", func(g *NavGroup) *string { return &g.Key }).names().form("key").about("Unique", `"defi"`),
		orElse(line("slug", func(g *NavGroup) *string { return &g.Slug }).form("key").about("The group's name in addresses, unique; the key if left out", `"defi"`),
			func(g *NavGroup) string { return g.Key }),
		title("name", func(g *NavGroup) *Text { return &g.Name }).about("What readers see", `"DeFi"`),
		description("description", func(g *NavGroup) *Text { return &g.Description }).about("A line under the name"),
		linesField("menus", func(g *NavGroup) *[]string { return &g.Menus }).checked(ownRule).form("key").
			about("Path slugs of the menus in it, in their order: names of files in nav/; a menu is in one group at most", `["wallets", "explorers"]`),
		former(func(g *NavGroup) *[]string { return &g.Former }).about("Slugs that it had, under which it goes on answering", `["old-slug"]`),
	},
}

var menuShape = &Shape{
	Name:  "a map with title, groups and standalone",
	About: "One menu: a file in nav/, whose name is the menu's path slug",
	Fields: []*Field{
		line("path_slug", func(m *Menu) *string { return &m.PathSlug }).checked(ownRule).names().calls().fromFileName().form("key"),
		title("title", func(m *Menu) *Text { return &m.Title }).calls().about("The menu's title", `"Wallets"`),
		description("description", func(m *Menu) *Text { return &m.Description }).searched().about("A line under the title"),
		image("og_image", func(m *Menu) *string { return &m.OGImage }).about("Address of the image for link previews of the menu", `"https://example.org/og.png"`),
		plainLines("blog_slugs", func(m *Menu) *[]string { return &m.BlogSlugs }).about("Slugs of related blog posts", `["how-to-choose-a-wallet"]`),
		aliases(func(m *Menu) *[]string { return &m.Aliases }).about("Other words that a search finds the menu by", `["Monedero"]`),
		former(func(m *Menu) *[]string { return &m.Former }).about("Path slugs that it had, under which it goes on answering", `["old-slug"]`),
		partsField(TypeParts, "groups", menuGroupShape, func(m *Menu) *[]MenuGroup { return &m.Groups }).checked(ownRule).about("Sidebar groups of items"),
		partsField(TypeParts, "standalone", itemShape, func(m *Menu) *[]Item { return &m.Standalone }).checked(ownRule).about("Items that belong to no group"),
	},
}

var menuGroupShape = &Shape{
	Name:  "a group of items",
	About: "A sidebar group of items",
	Fields: []*Field{
		line("slug", func(g *MenuGroup) *string { return &g.Slug }).names().form("key").about("Unique within the menu", `"basics"`),
		writtenID(func(g *MenuGroup) *string { return &g.ID }),
		title("name", func(g *MenuGroup) *Text { return &g.Name }).about("What readers see", `"Basics"`),
		partsField(TypeParts, "items", itemShape, func(g *MenuGroup) *[]Item { return &g.Items }).checked(ownRule).about("The items in it"),
	},
}

var itemShape = &Shape{
	Name:  "an item",
	About: "A category of cards, or a link",
	Fields: []*Field{
		line("slug", func(it *Item) *string { return &it.Slug }).names().form("key").about("The item's name in addresses", `"hot-wallets"`),
		writtenID(func(it *Item) *string { return &it.ID }),
		title("name", func(it *Item) *Text { return &it.Name }).about("What readers see", `"Hot wallets"`),
		orElse(line("type", func(it *Item) *string { return (*string)(&it.Type) }).form("item type").
			about("category if left out. A link has one card, which carries the link", `"link"`),
			func(*Item) string { return string(ItemCategory) }),
		description("description", func(it *Item) *Text { return &it.Description }).about("A line under the name"),
		partsField(TypeParts, "cards", cardShape, func(it *Item) *[]Card { return &it.Cards }).checked(ownRule).about("The cards in it; one if the type is link"),
	},
}

// CardShape describes a card, which is no record of its own.
func CardShape() *Shape { return cardShape }

var cardShape = &Shape{
	Name:  "a card",
	About: "An app card. One that names an app takes from it whatever it does not say itself",
	key: func(c any) string {
		if card := c.(*Card); card.Link == "" {
			return card.App
		}
		return c.(*Card).Link
	},
	Fields: []*Field{
		title("title", func(c *Card) *Text { return &c.Title }).requiredUnless("app").calls().about("What readers see", `"MetaMask"`),
		writtenID(func(c *Card) *string { return &c.ID }),
		description("description", func(c *Card) *Text { return &c.Description }).searched().about("A line under the title"),
		link("link", func(c *Card) *string { return &c.Link }).names().requiredUnless("app").about("Where the card leads", `"https://metamask.io"`),
		image("image", func(c *Card) *string { return &c.Image }).about("Address of the image", `"https://example.org/metamask.svg"`),
		line("app", func(c *Card) *string { return &c.App }).checked(ownRule).form("key").about("Key of the card's app", `"metamask"`),
		categoryKeys(ModuleItem, func(c *Card) *[]string { return &c.Categories }),
		chainSlugs(func(c *Card) *[]string { return &c.Chains }),
		platformNames(func(c *Card) *[]Platform { return &c.Platforms }),
		aliases(func(c *Card) *[]string { return &c.Aliases }).about("Other words that a search finds the card by", `["メタマスク", "小狐狸"]`),
		extra(func(c *Card) *JSON { return &c.Extra }),
	},
}
