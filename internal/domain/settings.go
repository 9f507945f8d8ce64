package domain

// The catalogue's own fields. The shapes of all records have their fields in the order in which they
// are written, compared and documented; each field is defined only there: see [Field].

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
		textField("scope", func(l *Licence) *Text { return &l.Scope }).formerLine().about("What it covers; everything if omitted", `"texts"`),
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
			about("Key of the words. A key of a plural form ends in # and its CLDR category", `"nav.apps"`, `"count.cards#one"`),
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
		numberField("share", func(t *Threshold) *float64 { return &t.Share }).atMost(1).about("Share of the records of a kind, from 0 to 1; the default if omitted", `0.25`),
		numberField("min", func(t *Threshold) *float64 { return &t.Min }).counts().about("Minimum number of records; the default if omitted", `6`),
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

// Licence is a licence under which the catalogue may be used.
type Licence struct {
	Name  string // such as an SPDX identifier
	URL   string // of its text, "" for none
	Scope Text   // what it covers, nil for everything
}

// localizeScopes sets the locale of scopes that were written as lines.
func (c *Catalog) localizeScopes() {
	for i := range c.Licences {
		if scope := c.Licences[i].Scope; len(scope) == 1 && scope[0].Locale == localeOfLine {
			scope[0].Locale = c.DefaultLocale
		}
	}
}

// Source is where figures or facts are from.
type Source struct {
	Key     string // which figures have as source
	Name    string
	URL     string // "" for none
	Licence string // "" if none is stated
}

// Roles are the categories and dimension groups with a meaning to the program. So the program
// depends on none by its key.
type Roles struct {
	EVM     []string // keys of categories whose chains run the Ethereum Virtual Machine
	Summary []string // keys of groups of chains that lists show next to names, in this order
	Testnet []string // keys of categories of test networks, which are counted apart from mainnets
}

// Site is how the site presents the catalogue. Empty fields have the defaults of the program.
type Site struct {
	Lead    Text   // line below the title of the first page
	Footer  Text   // line in the footer of every page
	Imprint string // address of the imprint
	Accent  string // colour of links and bars, as #rrggbb
	Icon    string // picture of browser tabs, as in Chain.Logo
	Words   []Word
}

// Word replaces words of the interface in a locale.
type Word struct {
	Locale string // a locale of the catalogue
	Key    string // as package words has it
	Text   string
}

// SearchRules demote records in search results (docs/api.md#relevance).
type SearchRules struct {
	Demote []string // keys of categories
}

// Acceptance is the editors' acceptance of warnings of a rule. Each non-empty field narrows the
// accepted warnings.
type Acceptance struct {
	Rule   Rule
	Kind   Kind
	Key    string // of a record, as [Change] has it
	Locale string // of a missing translation
	Reason string // the reason, for readers; has no effect
}
