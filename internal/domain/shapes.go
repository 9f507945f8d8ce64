package domain

// The fields of all records, in the order in which they are written, compared and documented.
// Each field is defined only here: see [Field].

var catalogShape = &Shape{
	Name:  "a map with title, default_locale and locales",
	About: "The catalogue as a whole (catalog.yaml or catalog.json)",
	Fields: []*Field{
		title("title", func(c *Catalog) *Text { return &c.Title }).about("Title of the catalogue", `"Vitrine"`),
		line("default_locale", func(c *Catalog) *string { return &c.DefaultLocale }).checksWithRecord().required().form(formLocale).
			about("Locale of plain strings; all other locales fall back to it", `"en"`),
		linesField("locales", func(c *Catalog) *[]string { return &c.Locales }).checksWithRecord().required().form(formLocale).
			about("All locales as BCP 47 tags, in order of preference, including default_locale", `["en", "zh-hans"]`),
		linesField("link_schemes", func(c *Catalog) *[]string { return &c.LinkSchemes }).form(formScheme).
			about("Schemes that links may have besides http and https, in lower case", `["celo"]`),
		partsField(TypeParts, "licences", licenceShape, func(c *Catalog) *[]Licence { return &c.Licences }).
			about("Licences of the catalogue, which distributions declare", `[{"name": "CC-BY-4.0", "url": "https://creativecommons.org/licenses/by/4.0/"}]`),
		partsField(TypeKeyed, "sources", sourceShape, func(c *Catalog) *[]Source { return &c.Sources }).
			about("Sources of figures and facts, by the key that figures have as source", `{"defillama": {"name": "DefiLlama", "url": "https://defillama.com/"}}`),
		line("edit_url", func(c *Catalog) *string { return &c.EditURL }).form(formEditURL).
			about("Address for editing a file, with {file} and {line}; pages of the site link to it", `"https://github.com/o/r/edit/main/{file}#L{line}"`),
		partField("search", searchShape, func(c *Catalog) **SearchRules { return &c.Search }).
			about("How search ranks results", `{"demote": ["testnet"]}`),
		partField("roles", rolesShape, func(c *Catalog) **Roles { return &c.Roles }).
			about("Roles of categories and groups on the site", `{"evm": ["evm"], "summary": ["chain_layer"]}`),
		partField("site", siteShape, func(c *Catalog) **Site { return &c.Site }).
			about("How the site presents the catalogue", `{"lead": "Products and the end of their support", "accent": "#1a2b3c"}`),
		partField("max_age", maxAgesShape, func(c *Catalog) **MaxAges { return &c.MaxAge }).
			about("Maximum age of figures, by name", `{"llama_tvl": {"days": 365}, "followers_count": {"days": 365, "older": "mark"}}`),
		partsField(TypeParts, "accept", acceptanceShape, func(c *Catalog) *[]Acceptance { return &c.Accept }).
			about("Accepted warnings", `[{"rule": "unlisted-menu", "key": "legal"}]`),
		partField("gate", gateShape, func(c *Catalog) **GateSettings { return &c.Gate }).
			about("How a publish is compared with what is served", `{"window": 30, "rules": {"lookalike": "warn"}}`),
		partsField(TypeParts, "expect", expectationShape, func(c *Catalog) *[]Expectation { return &c.Expect }).
			about("Numbers of records and of their values that the catalogue should have", `[{"kind": "chains", "min": 2000}]`),
		partsField(TypeParts, "past_ids", pastIDShape, func(c *Catalog) *[]PastID { return &c.PastIDs }).
			about("Reserved ids of former chains; exports include this list", `[{"id": "4e082e63db0dbf8333297e7c", "chain": "base"}]`),
	},
}

var licenceShape = &Shape{
	Name:  "a map with name, url and scope",
	Term:  "licence",
	About: "A licence of the catalogue",
	Fields: []*Field{
		line("name", func(l *Licence) *string { return &l.Name }).names().about("Name, such as an SPDX identifier", `"CC-BY-4.0"`),
		link("url", func(l *Licence) *string { return &l.URL }).about("Text of the licence", `"https://creativecommons.org/licenses/by/4.0/"`),
		line("scope", func(l *Licence) *string { return &l.Scope }).about("What it covers; everything if omitted", `"texts"`),
	},
}

var sourceShape = &Shape{
	Name:  "a map with name, url and licence",
	Term:  "source",
	About: "A source of figures or facts",
	Fields: []*Field{
		line("key", func(s *Source) *string { return &s.Key }).names().fromFileName(),
		plainName(func(s *Source) *string { return &s.Name }).about("Name, not translated", `"DefiLlama"`),
		link("url", func(s *Source) *string { return &s.URL }).about("Its page", `"https://defillama.com/"`),
		line("licence", func(s *Source) *string { return &s.Licence }).about("Licence, such as an SPDX identifier; omit it if none is stated", `"CC-BY-4.0"`),
	},
}

var pastIDShape = &Shape{
	Name:  "a map with id and chain",
	About: "A reserved id that no chain uses",
	Fields: []*Field{
		line("id", func(p *PastID) *string { return &p.ID }).names().about("The id", `"4e082e63db0dbf8333297e7c"`),
		line("chain", func(p *PastID) *string { return &p.Chain }).required().form(formKey).about("Slug of the last chain with this id", `"base"`),
	},
}

var searchShape = &Shape{
	Name:  "a map with demote",
	About: "How search ranks results",
	Fields: []*Field{
		linesField("demote", func(s *SearchRules) *[]string { return &s.Demote }).refersTo(KindCategory).
			about("Keys of categories whose records follow other matches of the same class", `["testnet"]`),
	},
}

var rolesShape = &Shape{
	Name:  "a map with evm, summary and testnet",
	About: "Roles of categories and groups on the site",
	Fields: []*Field{
		linesField("evm", func(r *Roles) *[]string { return &r.EVM }).refersTo(KindCategory).ofScope(ModuleChain).
			about("Keys of categories of chains that run the Ethereum Virtual Machine. Their pages show hexadecimal and CAIP-2 ids and a button for wallets", `["evm"]`),
		linesField("summary", func(r *Roles) *[]string { return &r.Summary }).refersTo(KindGroup).ofScope(ModuleChain).
			about("Keys of groups of module chain. Lists of chains show the categories of these groups beside the name, in this order", `["chain_layer", "chain_stack"]`),
		linesField("testnet", func(r *Roles) *[]string { return &r.Testnet }).refersTo(KindCategory).ofScope(ModuleChain).
			about("Keys of categories of test networks. The first page and `meta` count their chains apart from mainnets", `["testnet"]`),
	},
}

var siteShape = &Shape{
	Name:  "a map with lead, footer, imprint, accent, icon and words",
	Term:  "site",
	About: "How the site presents the catalogue",
	Fields: []*Field{
		description("lead", func(s *Site) *Text { return &s.Lead }).about("Line below the title of the first page", `"Products and the end of their support"`),
		textField("footer", func(s *Site) *Text { return &s.Footer }).about("Line in the footer of every page", `"CC BY 4.0"`),
		link("imprint", func(s *Site) *string { return &s.Imprint }).about("Imprint, linked in the footer", `"https://example.org/imprint"`),
		line("accent", func(s *Site) *string { return &s.Accent }).form(formColour).about("Colour of links and bars", `"#1a2b3c"`),
		image("icon", func(s *Site) *string { return &s.Icon }).about("Icon in browser tabs", `"assets/icon.svg"`),
		partsField(TypeParts, "words", wordShape, func(s *Site) *[]Word { return &s.Words }).
			about("Words of the interface in languages that the program lacks, or instead of its own", `[{"locale": "en", "key": "nav.apps", "text": "Products"}]`),
	},
}

var wordShape = &Shape{
	Name:   "a map with locale, key and text",
	Term:   "word",
	About:  "Words of the interface in a locale",
	asLine: func(w any) string { word := w.(*Word); return word.Locale + " " + word.Key + ": " + word.Text },
	Fields: []*Field{
		line("locale", func(w *Word) *string { return &w.Locale }).checksWithRecord().required().form(formLocale).about("A locale of the catalogue", `"de"`),
		line("key", func(w *Word) *string { return &w.Key }).checksWithRecord().required().form(formWord).
			about("Key of the words. Those of a plural form end in # and its category of CLDR", `"nav.apps"`, `"count.cards#one"`),
		line("text", func(w *Word) *string { return &w.Text }).required().about("The words, with the placeholders of the key", `"Produkte"`),
	},
}

var maxAgesShape = &Shape{
	Name:  "a map with llama_tvl, platforms, followers_count and subscriber_count",
	About: "Maximum age of figures",
	Fields: []*Field{
		partField(string(FigureTVL), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.TVL }).about("Limit for llama_tvl; no limit if omitted", `{"days": 365}`),
		partField(string(FigurePlatforms), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.Platforms }).about("Limit for platforms; no limit if omitted", `{"days": 365}`),
		partField(string(FigureFollowers), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.Followers }).about("Limit for followers_count; no limit if omitted", `{"days": 365, "older": "mark"}`),
		partField(string(FigureSubscribers), ageLimitShape, func(m *MaxAges) **AgeLimit { return &m.Subscribers }).about("Limit for subscriber_count; no limit if omitted", `{"days": 365, "older": "mark"}`),
	},
}

var ageLimitShape = &Shape{
	Name:  "a map with days and older",
	Term:  "age_limit",
	About: "Maximum age of a figure, and the effect on older ones",
	Fields: []*Field{
		numberField("days", func(l *AgeLimit) *float64 { return &l.Days }).required().counts().atLeast(1).
			about("Maximum number of days between a figure and the newest figure of that name", `365`),
		olderField(func(l *AgeLimit) *Older { return &l.Older }),
	},
}

var acceptanceShape = &Shape{
	Name:   "a map with rule, kind, key, locale and reason",
	About:  "Accepted warnings. Each further field restricts the entry",
	asLine: func(a any) string { return a.(*Acceptance).String() },
	Fields: []*Field{
		line("rule", func(a *Acceptance) *string { return (*string)(&a.Rule) }).checksWithRecord().required().form(formRule).about("Rule of the warning", `"held-back"`),
		line("kind", func(a *Acceptance) *string { return (*string)(&a.Kind) }).checksWithRecord().form(formKind).about("Only records of this kind; all kinds if omitted", `"twitter"`),
		line("key", func(a *Acceptance) *string { return &a.Key }).about("Only the record with this key, slug, handle, channel id or path slug (module/key of a group); all records if omitted", `"ethereum"`),
		line("locale", func(a *Acceptance) *string { return &a.Locale }).checksWithRecord().form(formLocale).about("For missing-translation: only this locale", `"zh-hans"`),
		line("reason", func(a *Acceptance) *string { return &a.Reason }).about("Reason, for other editors", `"they are not counted"`),
	},
}

var gateShape = &Shape{
	Name:  "a map with shrink, values, window, rules and accept",
	About: "How a publish is compared with what is served",
	Fields: []*Field{
		partField("shrink", thresholdShape, func(g *GateSettings) **Threshold { return &g.Shrink }).
			about("From when a loss of records is large", `{"share": 0.25, "min": 6}`),
		partField("values", thresholdShape, func(g *GateSettings) **Threshold { return &g.Values }).
			about("From when a change of values is large", `{"share": 0.25, "min": 10}`),
		numberField("window", func(g *GateSettings) *float64 { return &g.Window }).counts().
			about("Days over which gradual losses count; 30 if omitted", `30`),
		partField("rules", gateRulesShape, func(g *GateSettings) **GateRules { return &g.Rules }).
			about("Severities by family of rules", `{"lookalike": "warn"}`),
		partsField(TypeParts, "accept", gateAcceptanceShape, func(g *GateSettings) *[]GateAcceptance { return &g.Accept }).
			about("Accepted findings", `[{"rule": "shrink:apps", "reason": "the games have moved", "author": "ann", "expires": "2026-12-31"}]`),
	},
}

var thresholdShape = &Shape{
	Name:  "a map with share and min",
	Term:  "threshold",
	About: "A large share of records",
	Fields: []*Field{
		numberField("share", func(t *Threshold) *float64 { return &t.Share }).atMost(1).about("Share of the records of a kind, from 0 to 1; the standard one if omitted", `0.25`),
		numberField("min", func(t *Threshold) *float64 { return &t.Min }).counts().about("Minimum number of records; the standard one if omitted", `6`),
	},
}

var gateRulesShape = &Shape{
	Name:   "a map from families of rules to stop, ask or warn",
	Term:   "gate_rules",
	About:  "Severities of the rules of the gate",
	Fields: gateRuleFields(),
}

func gateRuleFields() []*Field {
	var fields []*Field
	for i, family := range GateFamilies() {
		fields = append(fields, line(string(family), func(r *GateRules) *string { return (*string)(&r[i]) }).form(formSeverity).
			about("Severity of rules "+string(family)+":…", `"warn"`))
	}
	return fields
}

var gateAcceptanceShape = &Shape{
	Name:   "a map with rule, key, reason, author and expires",
	Term:   "gate_acceptance",
	About:  "An accepted finding of the gate",
	asLine: func(a any) string { return a.(*GateAcceptance).String() },
	Fields: []*Field{
		line("rule", func(a *GateAcceptance) *string { return &a.Rule }).required().form(formGateRule).about("Rule, as the hold names it", `"shrink:apps"`),
		line("key", func(a *GateAcceptance) *string { return &a.Key }).about("Only the record with this key; all that the rule finds if omitted", `"base"`),
		line("reason", func(a *GateAcceptance) *string { return &a.Reason }).required().about("Reason", `"the games have moved"`),
		line("author", func(a *GateAcceptance) *string { return &a.Author }).required().about("Who accepts it", `"ann"`),
		day("expires", func(a *GateAcceptance) *Date { return &a.Expires }).required().about("Last day of the acceptance", `"2026-12-31"`),
	},
}

var expectationShape = &Shape{
	Name:   "a map with kind, field, locale, min, max and fill",
	Term:   "expectation",
	About:  "Expected numbers, of records that are not retired",
	asLine: func(e any) string { return e.(*Expectation).String() },
	Fields: []*Field{
		line("kind", func(e *Expectation) *string { return (*string)(&e.Kind) }).checksWithRecord().required().form(formKind).about("Kind of the records", `"chains"`),
		line("field", func(e *Expectation) *string { return &e.Field }).form(formExpected).about("Only records that have a value of this field", `"website"`),
		line("locale", func(e *Expectation) *string { return &e.Locale }).checksWithRecord().form(formLocale).about("Only texts in this locale", `"ja"`),
		numberField("min", func(e *Expectation) *float64 { return &e.Min }).counts().about("Minimum number of records; fewer are an error", `2000`),
		numberField("max", func(e *Expectation) *float64 { return &e.Max }).counts().about("Maximum number of records; more are a warning, and a publish that adds them is held", `5000`),
		numberField("fill", func(e *Expectation) *float64 { return &e.Fill }).atMost(1).about("Minimum share of the records of the kind that have the field, from 0 to 1", `0.9`),
	},
}

var groupShape = &Shape{
	Name:  "a group",
	About: "A dimension group: categories of one module that answer the same question",
	Fields: []*Field{
		line("key", func(g *Group) *string { return &g.Key }).names().form(formKey).about("Unique within its module", `"chain_layer"`),
		line("module", func(g *Group) *string { return (*string)(&g.Module) }).names().form(formScope).about("chain, twitter, youtube or item: what its categories classify", `"chain"`),
		title("name", func(g *Group) *Text { return &g.Name }).about("Displayed name", `"Layer"`),
		numberField("priority", func(g *Group) *float64 { return &g.Priority }).about("Order of groups, lowest first, then by key; 0 if omitted", `10`),
	},
}

var categoryShape = &Shape{
	Name:  "a category",
	About: "A category",
	Fields: []*Field{
		line("key", func(c *Category) *string { return &c.Key }).names().calls().form(formKey).about("Unique key, used by records and clients", `"layer-1"`),
		title("name", func(c *Category) *Text { return &c.Name }).calls().about("Displayed name", `{"en": "Layer 2", "zh-hans": "二层网络"}`),
		description("description", func(c *Category) *Text { return &c.Description }).searched().about("Which records belong to it", `"Networks that settle on another"`),
		line("parent", func(c *Category) *string { return &c.Parent }).checksWithRecord().refersTo(KindCategory).about("Key of the parent category, which must share a scope", `"layer-1"`),
		numberField("priority", func(c *Category) *float64 { return &c.Priority }).about("Order of categories, lowest first, then by key; 0 if omitted", `20`),
		wordsField("scopes", func(c *Category) *[]Module { return &c.Scopes }).required().form(formScope).
			about("Modules whose records may have it; at least one", `["chain", "twitter"]`),
		partsField(TypeTable, "groups", moduleGroupsShape, func(c *Category) *[]ModuleGroups { return &c.Groups }).checksWithRecord().required().
			about("Keys of its dimension groups for each of its scopes; the first of each scope is displayed", `{"chain": ["group-key"]}`),
		aliases(func(c *Category) *[]string { return &c.Aliases }).about("Other words by which search finds the category", `["L2"]`),
		former(func(c *Category) *[]string { return &c.Former }),
	},
}

var moduleGroupsShape = &Shape{
	Name: "a map from scope to group keys",
	Fields: []*Field{
		line("module", func(g *ModuleGroups) *string { return (*string)(&g.Module) }).names().form(formScope),
		linesField("keys", func(g *ModuleGroups) *[]string { return &g.Keys }).form(formKey),
	},
}

var chainShape = &Shape{
	Name:  "a chain",
	About: "One blockchain",
	Fields: []*Field{
		line("slug", func(c *Chain) *string { return &c.Slug }).names().calls().form(formKey).about("Unique, stable name in URLs", `"ethereum"`),
		title("name", func(c *Chain) *Text { return &c.Name }).calls().about("Displayed name", `"Ethereum"`, `{"en": "Ethereum", "zh-hans": "以太坊"}`),
		lineField(TypeChainID, "chain_id", func(c *Chain) *string { return &c.ChainID }).required().searched().
			about("EVM chain id. For other chains, in quotes: an id that no other network has (`cosmoshub-4`), else the CAIP-2 id (`aptos:1`)", `1`, `"cosmoshub-4"`, `"aptos:1"`),
		writtenID(func(c *Chain) *string { return &c.ID }).about("Stable internal id; derived from the slug if omitted"),
		image("logo", func(c *Chain) *string { return &c.Logo }).about("Logo", `"https://example.org/logo.svg"`, `"/logos/ethereum.svg"`),
		description("description", func(c *Chain) *Text { return &c.Description }).about("What distinguishes it", `"A network for smart contracts, secured by proof of stake"`),
		categoryKeys(ModuleChain, func(c *Chain) *[]string { return &c.Categories }),
		figureField(FigureTVL, func(c *Chain) **Figure { return &c.TVL }).
			about("Total value locked, in USD", `{"value": 12345.6, "source": "defillama", "as_of": "2025-08-17"}`),
		figureField(FigurePlatforms, func(c *Chain) **Figure { return &c.Platforms }).counts().about("Number of apps on the chain", `120`),
		aliases(func(c *Chain) *[]string { return &c.Aliases }).about("Other words by which search finds the chain", `["ETH"]`),
		day("launched", func(c *Chain) *Date { return &c.Launched }).about("Start date, YYYY-MM-DD", `"2015-07-30"`),
		statusField(func(c *Chain) *Status { return &c.Status }),
		day("status_since", func(c *Chain) *Date { return &c.StatusSince }).about("First day with this status, YYYY-MM-DD", `"2022-09-15"`),
		description("status_note", func(c *Chain) *Text { return &c.StatusNote }).about("Reason for the status, for readers", `"The network was shut down"`),
		line("successor", func(c *Chain) *string { return &c.Successor }).refersTo(KindChain).about("Slug of the chain that replaced it", `"sepolia"`),
		website(func(c *Chain) *string { return &c.Website }),
		links(func(c *Chain) *[]Link { return &c.Links }),
		partsField(TypeParts, "rpc", endpointShape, func(c *Chain) *[]Endpoint { return &c.RPC }).
			about("Public JSON-RPC endpoints", `[{"url": "https://rpc.example.org/"}]`),
		partField("native_currency", currencyShape, func(c *Chain) **Currency { return &c.Currency }).
			about("Currency of fees", `{"name": "Ether", "symbol": "ETH", "decimals": 18}`),
		line("parent", func(c *Chain) *string { return &c.Parent }).refersTo(KindChain).
			about("Slug of the chain that it settles on, belongs to, or is a test network of", `"ethereum"`),
		former(func(c *Chain) *[]string { return &c.Former }),
		sources(func(c *Chain) *JSON { return &c.Sources }),
		extra(func(c *Chain) *JSON { return &c.Extra }),
	},
}

var linkShape = &Shape{
	Name:  "a map with type and url",
	About: "An external link",
	Fields: []*Field{
		line("type", func(l *Link) *string { return (*string)(&l.Type) }).required().form(formLinkType).about("website, docs, source, explorer, faucet, bridge, status, social or other", `"docs"`),
		line("name", func(l *Link) *string { return &l.Name }).about("Label, not translated", `"Etherscan"`),
		link("url", func(l *Link) *string { return &l.URL }).names().about("Target", `"https://etherscan.io/"`),
	},
}

var endpointShape = &Shape{
	Name:  "a map with url",
	About: "A public JSON-RPC endpoint",
	Fields: []*Field{
		endpoint("url", func(e *Endpoint) *string { return &e.URL }).names().
			about("http, https, ws or wss URL without a key or password", `"https://rpc.example.org/"`),
		line("note", func(e *Endpoint) *string { return &e.Note }).about("Remark, not translated", `"no tracking"`),
	},
}

var currencyShape = &Shape{
	Name:  "a map with name, symbol and decimals",
	About: "Currency of fees",
	Fields: []*Field{
		line("name", func(c *Currency) *string { return &c.Name }).required().about("Name, not translated", `"Ether"`),
		line("symbol", func(c *Currency) *string { return &c.Symbol }).required().about("Symbol", `"ETH"`),
		numberField("decimals", func(c *Currency) *float64 { return &c.Decimals }).required().counts().atMost(maxDecimals).about("Decimal places, at most 36", `18`),
	},
}

var appShape = &Shape{
	Name:  "an app",
	About: "An application or service that cards of several menus can share",
	Fields: []*Field{
		line("key", func(a *App) *string { return &a.Key }).names().form(formKey).about("Unique key, used by cards", `"metamask"`),
		title("title", func(a *App) *Text { return &a.Title }).calls().about("Displayed name", `"MetaMask"`),
		description("description", func(a *App) *Text { return &a.Description }).searched().about("Line below the title"),
		link("link", func(a *App) *string { return &a.Link }).required().about("Target of its cards", `"https://metamask.io"`),
		image("image", func(a *App) *string { return &a.Image }).about("Image", `"https://example.org/metamask.svg"`),
		categoryKeys(ModuleItem, func(a *App) *[]string { return &a.Categories }),
		chainSlugs(func(a *App) *[]string { return &a.Chains }),
		platformNames(func(a *App) *[]Platform { return &a.Platforms }),
		aliases(func(a *App) *[]string { return &a.Aliases }).about("Other words by which search finds the app, and its cards without their own title", `["メタマスク", "小狐狸"]`),
		day("launched", func(a *App) *Date { return &a.Launched }).about("Start date, YYYY-MM-DD", `"2016-09-01"`),
		statusField(func(a *App) *Status { return &a.Status }),
		day("status_since", func(a *App) *Date { return &a.StatusSince }).about("First day with this status, YYYY-MM-DD", `"2024-01-01"`),
		description("status_note", func(a *App) *Text { return &a.StatusNote }).about("Reason for the status, for readers"),
		line("successor", func(a *App) *string { return &a.Successor }).refersTo(KindApp).about("Key of the app that replaced it", `"aave"`),
		links(func(a *App) *[]Link { return &a.Links }),
		former(func(a *App) *[]string { return &a.Former }),
		sources(func(a *App) *JSON { return &a.Sources }),
		extra(func(a *App) *JSON { return &a.Extra }),
	},
}

var accountShape = &Shape{
	Name:  "an account",
	About: "One Twitter/X account",
	Fields: []*Field{
		lineField(TypeHandle, "handle", func(a *Account) *string { return &a.Handle }).names().calls().form(formHandle).about("Unique handle, case-insensitive", `"ethereum"`),
		plainName(func(a *Account) *string { return &a.Name }).calls().about("Name of the account, not translated", `"Ethereum"`),
		description("description", func(a *Account) *Text { return &a.Description }).searched().about("Owner and topics", `"Official account"`),
		categoryKeys(ModuleTwitter, func(a *Account) *[]string { return &a.Categories }),
		figureField(FigureFollowers, func(a *Account) **Figure { return &a.Followers }).counts().
			about("Number of followers; lists omit accounts without it", `{"value": 3602125, "source": "public recording", "as_of": "2025-01-09"}`),
		website(func(a *Account) *string { return &a.Website }),
		links(func(a *Account) *[]Link { return &a.Links }),
		former(func(a *Account) *[]string { return &a.Former }).form(formHandle).about("Previous handles, without @, which still resolve to it", `["old_handle"]`),
		sources(func(a *Account) *JSON { return &a.Sources }),
		extra(func(a *Account) *JSON { return &a.Extra }),
	},
}

var channelShape = &Shape{
	Name:  "a channel",
	About: "One YouTube channel",
	Fields: []*Field{
		line("channel_id", func(c *Channel) *string { return &c.ChannelID }).names().form(formChannelID).about("Unique, case-sensitive id of the channel", `"UCNOfzGXD_C9YMYmnefmPH0g"`),
		plainName(func(c *Channel) *string { return &c.Name }).calls().about("Name of the channel, not translated", `"Ethereum Foundation"`),
		description("description", func(c *Channel) *Text { return &c.Description }).searched().about("Owner and topics"),
		categoryKeys(ModuleYouTube, func(c *Channel) *[]string { return &c.Categories }),
		figureField(FigureSubscribers, func(c *Channel) **Figure { return &c.Subscribers }).counts().
			about("Number of subscribers, which YouTube rounds to three digits", `{"value": 189000, "source": "youtube", "as_of": "2026-11-23"}`),
		website(func(c *Channel) *string { return &c.Website }),
		links(func(c *Channel) *[]Link { return &c.Links }),
		sources(func(c *Channel) *JSON { return &c.Sources }),
		extra(func(c *Channel) *JSON { return &c.Extra }),
	},
}

var navGroupShape = &Shape{
	Name:  "a group of menus",
	About: "A group of menus",
	Fields: []*Field{
		line("key", func(g *NavGroup) *string { return &g.Key }).names().form(formKey).about("Unique", `"defi"`),
		orElse(line("slug", func(g *NavGroup) *string { return &g.Slug }).form(formKey).about("Unique name in URLs; the key if omitted", `"defi"`),
			func(g *NavGroup) string { return g.Key }),
		title("name", func(g *NavGroup) *Text { return &g.Name }).about("Displayed name", `"DeFi"`),
		description("description", func(g *NavGroup) *Text { return &g.Description }).about("Line below the name"),
		linesField("menus", func(g *NavGroup) *[]string { return &g.Menus }).checksWithRecord().refersTo(KindMenu).
			about("Path slugs of its menus (names of files in nav/), in order; a menu is in at most one group", `["wallets", "explorers"]`),
		former(func(g *NavGroup) *[]string { return &g.Former }).about("Previous slugs, which still resolve to it", `["old-slug"]`),
	},
}

var menuShape = &Shape{
	Name:  "a map with title, groups and standalone",
	About: "One menu: a file in nav/ whose name is the path slug of the menu",
	Fields: []*Field{
		line("path_slug", func(m *Menu) *string { return &m.PathSlug }).checksWithRecord().names().calls().fromFileName().form(formKey),
		title("title", func(m *Menu) *Text { return &m.Title }).calls().about("Title of the menu", `"Wallets"`),
		description("description", func(m *Menu) *Text { return &m.Description }).searched().about("Line below the title"),
		image("og_image", func(m *Menu) *string { return &m.OGImage }).about("Image for link previews of the menu", `"https://example.org/og.png"`),
		linesField("blog_slugs", func(m *Menu) *[]string { return &m.BlogSlugs }).about("Slugs of related blog posts", `["how-to-choose-a-wallet"]`),
		aliases(func(m *Menu) *[]string { return &m.Aliases }).about("Other words by which search finds the menu", `["Monedero"]`),
		former(func(m *Menu) *[]string { return &m.Former }).about("Previous path slugs, which still resolve to it", `["old-slug"]`),
		partsField(TypeParts, "groups", menuGroupShape, func(m *Menu) *[]MenuGroup { return &m.Groups }).checksWithRecord().about("Sidebar groups of items"),
		partsField(TypeParts, "standalone", itemShape, func(m *Menu) *[]Item { return &m.Standalone }).checksWithRecord().about("Items without a group"),
	},
}

var menuGroupShape = &Shape{
	Name:  "a group of items",
	About: "A sidebar group of items",
	Fields: []*Field{
		line("slug", func(g *MenuGroup) *string { return &g.Slug }).names().form(formKey).about("Unique within the menu", `"basics"`),
		writtenID(func(g *MenuGroup) *string { return &g.ID }),
		title("name", func(g *MenuGroup) *Text { return &g.Name }).about("Displayed name", `"Basics"`),
		partsField(TypeParts, "items", itemShape, func(g *MenuGroup) *[]Item { return &g.Items }).checksWithRecord().about("Items of the group"),
	},
}

var itemShape = &Shape{
	Name:  "an item",
	About: "A category of cards, or a link",
	Fields: []*Field{
		line("slug", func(it *Item) *string { return &it.Slug }).names().form(formKey).about("Name in URLs", `"hot-wallets"`),
		writtenID(func(it *Item) *string { return &it.ID }),
		title("name", func(it *Item) *Text { return &it.Name }).about("Displayed name", `"Hot wallets"`),
		orElse(line("type", func(it *Item) *string { return (*string)(&it.Type) }).form(formItemType).
			about("category (default) or link, which has exactly one card", `"link"`),
			func(*Item) string { return string(ItemCategory) }),
		description("description", func(it *Item) *Text { return &it.Description }).about("Line below the name"),
		partsField(TypeParts, "cards", cardShape, func(it *Item) *[]Card { return &it.Cards }).checksWithRecord().about("Cards of the item; exactly one if the type is link"),
	},
}

var assetShape = &Shape{
	Name:  "an asset",
	About: "A picture: a file in assets/, SVG or PNG",
	Fields: []*Field{
		line("file", func(a *Asset) *string { return &a.File }).names().fromFileName().form(formAsset),
		lineField(TypeContent, "content", func(a *Asset) *string { return &a.Content }).required().
			about("The SVG as it is, or the PNG in base64"),
	},
}

// CardShape describes a card, which is not a record.
func CardShape() *Shape { return cardShape }

var cardShape = &Shape{
	Name:  "a card",
	About: "An app card. A card with an app inherits the fields that it does not set",
	key: func(c any) string {
		if card := c.(*Card); card.Link == "" {
			return card.App
		}
		return c.(*Card).Link
	},
	Fields: []*Field{
		title("title", func(c *Card) *Text { return &c.Title }).requiredUnless("app").calls().about("Displayed name", `"MetaMask"`),
		writtenID(func(c *Card) *string { return &c.ID }),
		description("description", func(c *Card) *Text { return &c.Description }).searched().about("Line below the title"),
		link("link", func(c *Card) *string { return &c.Link }).names().requiredUnless("app").about("Target of the card", `"https://metamask.io"`),
		image("image", func(c *Card) *string { return &c.Image }).about("Image", `"https://example.org/metamask.svg"`),
		line("app", func(c *Card) *string { return &c.App }).refersTo(KindApp).about("Key of the app whose fields it inherits", `"metamask"`),
		categoryKeys(ModuleItem, func(c *Card) *[]string { return &c.Categories }),
		chainSlugs(func(c *Card) *[]string { return &c.Chains }),
		platformNames(func(c *Card) *[]Platform { return &c.Platforms }),
		aliases(func(c *Card) *[]string { return &c.Aliases }).about("Other words by which search finds the card", `["メタマスク", "小狐狸"]`),
		extra(func(c *Card) *JSON { return &c.Extra }),
	},
}
