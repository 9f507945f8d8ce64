package domain

// Group is a dimension group: the categories of one module that answer the same question. Key is
// unique within its module.
type Group struct {
	Key      string
	Module   Module
	Name     Text
	Priority float64
}

// Category is one entry of the category registry.
type Category struct {
	Key         string
	Name        Text
	Description Text
	Parent      string // key of another category, "" for none
	Priority    float64
	Scopes      []Module
	Groups      []ModuleGroups // at most one entry a module, in the order written
	Aliases     []string
	Former      []string // former keys
}

// ModuleGroups has the dimension groups of a category in one module. The first is the `groupKey`
// of the category in that scope.
type ModuleGroups struct {
	Module Module
	Keys   []string
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
