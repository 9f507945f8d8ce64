package domain

// LinkType is the type of a link's target.
type LinkType string

// LinkTypes returns the types of links in the order in which readers look for them
// (docs/directory.md#chains).
func LinkTypes() []LinkType {
	return []LinkType{"website", "docs", "source", "explorer", "faucet", "bridge", "status", "social", "other"}
}

// Link is a link to another site, other than the website.
type Link struct {
	Type LinkType
	Name string // "" for none
	URL  string
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
