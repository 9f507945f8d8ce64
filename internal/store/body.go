package store

import "vitrine/internal/catalog"

// The bodies of rows. Members that are empty are left out, so that nil and
// empty lists are the same: the domain makes no difference either.

// textRow keeps a text's order: pairs of locale and value.
type textRow [][2]string

func fromText(t catalog.Text) textRow {
	return each(t, func(tr catalog.Translation) [2]string { return [2]string{tr.Locale, tr.Value} })
}

func (t textRow) text() catalog.Text {
	return each(t, func(p [2]string) catalog.Translation {
		return catalog.Translation{Locale: p[0], Value: p[1]}
	})
}

type catalogRow struct {
	Title         textRow     `json:"title,omitempty"`
	DefaultLocale string      `json:"default_locale"`
	Locales       []string    `json:"locales,omitempty"`
	LinkSchemes   []string    `json:"link_schemes,omitempty"`
	Accept        []acceptRow `json:"accept,omitempty"`
}

type acceptRow struct {
	Rule   catalog.Rule `json:"rule"`
	Kind   catalog.Kind `json:"kind,omitempty"`
	Key    string       `json:"key,omitempty"`
	Locale string       `json:"locale,omitempty"`
	Reason string       `json:"reason,omitempty"`
}

func fromCatalog(c *catalog.Catalog) catalogRow {
	return catalogRow{
		Title:         fromText(c.Title),
		DefaultLocale: c.DefaultLocale,
		Locales:       c.Locales,
		LinkSchemes:   c.LinkSchemes,
		Accept:        each(c.Accept, func(a catalog.Acceptance) acceptRow { return acceptRow(a) }),
	}
}

// catalog returns a catalogue without records.
func (r catalogRow) catalog() *catalog.Catalog {
	return &catalog.Catalog{
		Title:         r.Title.text(),
		DefaultLocale: r.DefaultLocale,
		Locales:       r.Locales,
		LinkSchemes:   r.LinkSchemes,
		Accept:        each(r.Accept, func(a acceptRow) catalog.Acceptance { return catalog.Acceptance(a) }),
	}
}

type groupRow struct {
	Key      string         `json:"key"`
	Module   catalog.Module `json:"module"`
	Name     textRow        `json:"name,omitempty"`
	Priority float64        `json:"priority,omitzero"`
}

func fromGroup(g catalog.Group) groupRow {
	return groupRow{Key: g.Key, Module: g.Module, Name: fromText(g.Name), Priority: g.Priority}
}

func (r groupRow) record() catalog.Group {
	return catalog.Group{Key: r.Key, Module: r.Module, Name: r.Name.text(), Priority: r.Priority}
}

type categoryRow struct {
	Key         string            `json:"key"`
	Name        textRow           `json:"name,omitempty"`
	Description textRow           `json:"description,omitempty"`
	Parent      string            `json:"parent,omitempty"`
	Priority    float64           `json:"priority,omitzero"`
	Scopes      []catalog.Module  `json:"scopes,omitempty"`
	Groups      []moduleGroupsRow `json:"groups,omitempty"`
}

type moduleGroupsRow struct {
	Module catalog.Module `json:"module"`
	Keys   []string       `json:"keys,omitempty"`
}

func fromCategory(c catalog.Category) categoryRow {
	return categoryRow{
		Key:         c.Key,
		Name:        fromText(c.Name),
		Description: fromText(c.Description),
		Parent:      c.Parent,
		Priority:    c.Priority,
		Scopes:      c.Scopes,
		Groups:      each(c.Groups, func(g catalog.ModuleGroups) moduleGroupsRow { return moduleGroupsRow(g) }),
	}
}

func (r categoryRow) record() catalog.Category {
	return catalog.Category{
		Key:         r.Key,
		Name:        r.Name.text(),
		Description: r.Description.text(),
		Parent:      r.Parent,
		Priority:    r.Priority,
		Scopes:      r.Scopes,
		Groups:      each(r.Groups, func(g moduleGroupsRow) catalog.ModuleGroups { return catalog.ModuleGroups(g) }),
	}
}

type figureRow struct {
	Value  float64      `json:"value"`
	Source string       `json:"source,omitempty"`
	AsOf   catalog.Date `json:"as_of,omitempty"`
}

type chainRow struct {
	Slug       string     `json:"slug"`
	Name       textRow    `json:"name,omitempty"`
	ChainID    string     `json:"chain_id"`
	ID         string     `json:"id,omitempty"`
	Logo       string     `json:"logo,omitempty"`
	Categories []string   `json:"categories,omitempty"`
	TVL        *figureRow `json:"llama_tvl,omitempty"`
	Platforms  *figureRow `json:"platforms,omitempty"`
	Aliases    []string   `json:"aliases,omitempty"`
}

func fromChain(c catalog.Chain) chainRow {
	return chainRow{
		Slug:       c.Slug,
		Name:       fromText(c.Name),
		ChainID:    c.ChainID,
		ID:         c.ID,
		Logo:       c.Logo,
		Categories: c.Categories,
		TVL:        (*figureRow)(c.TVL),
		Platforms:  (*figureRow)(c.Platforms),
		Aliases:    c.Aliases,
	}
}

func (r chainRow) record() catalog.Chain {
	return catalog.Chain{
		Slug:       r.Slug,
		Name:       r.Name.text(),
		ChainID:    r.ChainID,
		ID:         r.ID,
		Logo:       r.Logo,
		Categories: r.Categories,
		TVL:        (*catalog.Figure)(r.TVL),
		Platforms:  (*catalog.Figure)(r.Platforms),
		Aliases:    r.Aliases,
	}
}

type accountRow struct {
	Handle      string     `json:"handle"`
	Name        string     `json:"name"`
	Description textRow    `json:"description,omitempty"`
	Categories  []string   `json:"categories,omitempty"`
	Followers   *figureRow `json:"followers_count,omitempty"`
}

func fromAccount(a catalog.Account) accountRow {
	return accountRow{
		Handle:      a.Handle,
		Name:        a.Name,
		Description: fromText(a.Description),
		Categories:  a.Categories,
		Followers:   (*figureRow)(a.Followers),
	}
}

func (r accountRow) record() catalog.Account {
	return catalog.Account{
		Handle:      r.Handle,
		Name:        r.Name,
		Description: r.Description.text(),
		Categories:  r.Categories,
		Followers:   (*catalog.Figure)(r.Followers),
	}
}

type channelRow struct {
	ChannelID   string   `json:"channel_id"`
	Name        string   `json:"name"`
	Description textRow  `json:"description,omitempty"`
	Categories  []string `json:"categories,omitempty"`
}

func fromChannel(c catalog.Channel) channelRow {
	return channelRow{
		ChannelID:   c.ChannelID,
		Name:        c.Name,
		Description: fromText(c.Description),
		Categories:  c.Categories,
	}
}

func (r channelRow) record() catalog.Channel {
	return catalog.Channel{
		ChannelID:   r.ChannelID,
		Name:        r.Name,
		Description: r.Description.text(),
		Categories:  r.Categories,
	}
}

// each maps a list; nil and empty lists become nil.
func each[From, To any](list []From, f func(From) To) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
