package domain

// Chain is a blockchain.
type Chain struct {
	Slug        string
	Name        Text
	ChainID     string // never empty in a valid catalogue; digits or a CAIP-2 reference
	ID          string // "" if derived: see [Chain.StableID]
	Logo        string
	Description Text
	Categories  []string
	TVL         *Figure // USD; nil if unknown
	Platforms   *Figure // number of apps; nil if unknown
	Aliases     []string
	Launched    Date
	Status      Status
	StatusSince Date
	StatusNote  Text
	Successor   string // slug of another chain
	Website     string
	Links       []Link
	RPC         []Endpoint
	Currency    *Currency
	Parent      string // slug of the chain that it settles on, belongs to, or is a test network of
	Former      []string
	Sources     JSON // of fields, by name: see [JSON.Strings]
	Extra       JSON
}

// Endpoint is a public JSON-RPC endpoint of a chain.
type Endpoint struct {
	URL  string
	Note string // "" for none

	Reached Reached // observed, never written (see [Merge])
}

// Currency is the currency of a chain's fees.
type Currency struct {
	Name, Symbol string
	Decimals     float64 // a whole number
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
		categoryKeys(ModuleChain, `["layer-1"]`, func(c *Chain) *[]string { return &c.Categories }),
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
