package operations_test

// The oracle's operations on the registry, the navigation and the service.

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
)

// members is a JSON object with ordered members. It implements [encoding/json.Marshaler].
type members []member

type member struct {
	Name  string
	Value any
}

func (m members) MarshalJSON() ([]byte, error) {
	var pairs []string
	for _, member := range m {
		pairs = append(pairs, encode(member.Name)+":"+encode(member.Value))
	}
	return []byte("{" + strings.Join(pairs, ",") + "}"), nil
}

type categoryItem struct {
	Key      string   `json:"key"`
	Name     string   `json:"name"`
	Parent   *string  `json:"parent"`
	Priority float64  `json:"priority"`
	Scopes   []string `json:"scopes,omitempty"`
}

type categoryItemFull struct {
	Key             string   `json:"key"`
	I18n            members  `json:"i18n"`
	DescriptionI18n members  `json:"descriptionI18n,omitempty"`
	Parent          *string  `json:"parent"`
	Priority        float64  `json:"priority"`
	Scopes          []string `json:"scopes"`
	ModuleGroupKeys members  `json:"moduleGroupKeys,omitempty"`
	GroupKey        string   `json:"groupKey,omitempty"`
}

type categoryGroup struct {
	Key      string  `json:"key"`
	Name     string  `json:"name"`
	I18n     members `json:"i18n"`
	Priority float64 `json:"priority"`
}

type navEntry struct {
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Href        string `json:"href"`
}

type navGroup struct {
	Key         string     `json:"key"`
	Slug        string     `json:"slug"`
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	Navs        []navEntry `json:"navs"`
}

type navStructure struct {
	MenuSlug    string             `json:"menuSlug"`
	Title       string             `json:"title"`
	Description string             `json:"description,omitempty"`
	OGImage     string             `json:"ogImage,omitempty"`
	Groups      []navGroupResolved `json:"groups"`
	Standalone  []navItem          `json:"standalone"`
	BlogSlugs   []string           `json:"blogSlugs"`
}

type navGroupResolved struct {
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Slug  string    `json:"slug"`
	Items []navItem `json:"items"`
}

type navItem struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Slug        string    `json:"slug"`
	Type        string    `json:"type"`
	Description string    `json:"description,omitempty"`
	Cards       []navCard `json:"cards"`
}

type navCard struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Description string  `json:"description,omitempty"`
	Link        string  `json:"link"`
	Image       *string `json:"image"`
}

func (o oracle) categories(query oracleQuery) answer {
	query.oneOf("scope", moduleNames()...)
	query.oneOf("includeI18n", "1", "true", "0", "false")
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	scope := domain.Module(query.value("scope"))
	sorted := slices.DeleteFunc(o.sortedCategories(), func(c domain.Category) bool {
		return scope != "" && !slices.Contains(c.Scopes, scope)
	})
	if full := query.value("includeI18n"); full == "1" || full == "true" {
		items := []categoryItemFull{}
		for _, c := range sorted {
			items = append(items, o.fullCategory(c, scope))
		}
		return answer{status: 200, body: encode(map[string]any{"categories": items})}
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	items := []categoryItem{}
	for _, c := range sorted {
		item := categoryItem{
			Key:      c.Key,
			Name:     inLocale(o.catalog, c.Name, locale),
			Parent:   nullable(c.Parent),
			Priority: c.Priority,
		}
		if scope == "" {
			item.Scopes = scopes(c)
		}
		items = append(items, item)
	}
	return answer{status: 200, language: locale, body: encode(map[string]any{"categories": items})}
}

func (o oracle) fullCategory(c domain.Category, scope domain.Module) categoryItemFull {
	item := categoryItemFull{
		Key:             c.Key,
		I18n:            o.translations(c.Name),
		DescriptionI18n: o.translations(c.Description),
		Parent:          nullable(c.Parent),
		Priority:        c.Priority,
		Scopes:          scopes(c),
	}
	for _, name := range moduleNames() {
		for _, groups := range c.Groups {
			switch {
			case string(groups.Module) != name:
			case scope == "":
				item.ModuleGroupKeys = append(item.ModuleGroupKeys, member{name, groups.Keys})
			case scope == groups.Module:
				item.GroupKey = groups.Keys[0]
			}
		}
	}
	return item
}

func (o oracle) categoryGroups(query oracleQuery) answer {
	query.oneOf("module", moduleNames()...)
	if query.value("module") == "" {
		*query.bad = append(*query.bad, "module")
	}
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	module := query.value("module")
	groups := []categoryGroup{}
	for _, g := range o.sortedGroups(domain.Module(module)) {
		groups = append(groups, categoryGroup{g.Key, inLocale(o.catalog, g.Name, locale), o.translations(g.Name), g.Priority})
	}
	body := members{{"module", module}, {"groups", groups}}
	return answer{status: 200, language: locale, body: encode(body)}
}

func (o oracle) navGroups(query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	groups, menus := []navGroup{}, 0
	for _, g := range o.catalog.NavGroups {
		groups = append(groups, o.group(g, locale))
		menus += len(g.Menus)
	}
	body := members{{"groups", groups}, {"totalGroups", len(groups)}, {"totalMenus", menus}}
	return answer{status: 200, language: locale, body: encode(body)}
}

func (o oracle) navGroup(slug string, query oracleQuery) answer {
	locale := resolveLocale(o.catalog, query.value("locale"))
	for _, g := range o.catalog.NavGroups {
		if (g.Slug == slug || slices.Contains(g.Former, slug)) && len(*query.bad) == 0 {
			return o.found("nav/groups/", slug, g.Slug, query, func() any { return o.group(g, locale) })
		}
	}
	return notFound(query)
}

func (o oracle) group(g domain.NavGroup, locale string) navGroup {
	group := navGroup{
		Key:         g.Key,
		Slug:        g.Slug,
		Name:        inLocale(o.catalog, g.Name, locale),
		Description: inLocale(o.catalog, g.Description, locale),
		Navs:        []navEntry{},
	}
	for _, slug := range g.Menus {
		i := slices.IndexFunc(o.catalog.Menus, func(m domain.Menu) bool { return m.PathSlug == slug })
		menu := o.catalog.Menus[i]
		group.Navs = append(group.Navs, navEntry{
			Title:       inLocale(o.catalog, menu.Title, locale),
			Description: inLocale(o.catalog, menu.Description, locale),
			Href:        "/nav/" + slug,
		})
	}
	return group
}

func (o oracle) navMenu(slug string, query oracleQuery) answer {
	locale := resolveLocale(o.catalog, query.value("locale"))
	for _, m := range o.catalog.Menus {
		if (m.PathSlug == slug || slices.Contains(m.Former, slug)) && len(*query.bad) == 0 {
			return o.found("nav/menus/", slug, m.PathSlug, query, func() any { return o.menu(m, locale) })
		}
	}
	return notFound(query)
}

func (o oracle) menu(m domain.Menu, locale string) navStructure {
	menu := navStructure{
		MenuSlug:    m.PathSlug,
		Title:       inLocale(o.catalog, m.Title, locale),
		Description: inLocale(o.catalog, m.Description, locale),
		OGImage:     m.OGImage,
		Groups:      []navGroupResolved{},
		Standalone:  o.items(m.Standalone, locale),
		BlogSlugs:   append([]string{}, m.BlogSlugs...),
	}
	for _, g := range m.Groups {
		name := inLocale(o.catalog, g.Name, locale)
		menu.Groups = append(menu.Groups, navGroupResolved{g.ID, name, g.Slug, o.items(g.Items, locale)})
	}
	return menu
}

func (o oracle) items(items []domain.Item, locale string) []navItem {
	all := []navItem{}
	for _, i := range items {
		item := navItem{
			ID:          i.ID,
			Name:        inLocale(o.catalog, i.Name, locale),
			Slug:        i.Slug,
			Type:        string(i.Type),
			Description: inLocale(o.catalog, i.Description, locale),
			Cards:       []navCard{},
		}
		for _, c := range i.Cards {
			item.Cards = append(item.Cards, o.navCard(c, locale))
		}
		all = append(all, item)
	}
	return all
}

type freshness struct {
	Figure    domain.FigureName `json:"figure"`
	Source    string            `json:"source"`
	SourceURL string            `json:"sourceUrl,omitempty"`
	Records   int               `json:"records"`
	Oldest    domain.Date       `json:"oldest,omitempty"`
	Newest    domain.Date       `json:"newest,omitempty"`
	Older     int               `json:"older,omitempty"`
}

func (o oracle) index(query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	var all []members
	for _, op := range operations.Table() { // TestTableIsTheDocument checks the table
		all = append(all, members{{"operationId", op.Name}, {"path", op.Template}})
	}
	return answer{status: 200, language: locale, body: encode(members{
		{"title", inLocale(o.catalog, o.catalog.Title, locale)},
		{"defaultLocale", o.catalog.DefaultLocale},
		{"locales", o.catalog.Locales},
		{"openapi", "/openapi.json"},
		{"operations", all},
	})}
}

func (o oracle) meta(query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	statuses := map[string]int{}
	users, chains, apps := 0, 0, 0 // records of the lists without parameters
	var tvl, platforms, followers, subscribers []*domain.Figure
	for _, c := range o.catalog.Chains {
		tvl = append(tvl, c.TVL)
		platforms = append(platforms, c.Platforms)
		statuses[cmp.Or(string(c.Status), "live")]++
		if c.Status != domain.StatusRetired {
			chains++
		}
	}
	for _, a := range o.catalog.Apps {
		if a.Status != domain.StatusRetired {
			apps++
		}
	}
	for _, a := range o.catalog.Accounts {
		followers = append(followers, a.Followers)
	}
	for _, c := range o.catalog.Channels {
		subscribers = append(subscribers, c.Subscribers)
	}
	_, listed := o.listed()
	for _, a := range listed {
		if a.Followers != nil {
			users++
		}
	}
	figures := append([]freshness{}, o.summary("llama_tvl", tvl)...)
	figures = append(figures, o.summary("platforms", platforms)...)
	figures = append(figures, o.summary("followers_count", followers)...)
	figures = append(figures, o.summary("subscriber_count", subscribers)...)
	body := members{
		{"title", inLocale(o.catalog, o.catalog.Title, locale)},
		{"defaultLocale", o.catalog.DefaultLocale},
		{"locales", o.catalog.Locales},
		{"revision", o.revision},
		{"publishedAt", o.publishedAt.UTC().Format(time.RFC3339)},
		{"counts", members{
			{"categories", len(o.catalog.Categories)},
			{"users", users},
			{"chains", chains},
			{"channels", len(o.catalog.Channels)},
			{"menus", len(o.catalog.Menus)},
			{"apps", apps},
		}},
		{"chainStatus", members{{"live", statuses["live"]}, {"upcoming", statuses["upcoming"]}, {"retired", statuses["retired"]}}},
	}
	if roles := o.catalog.Roles; roles != nil && len(roles.Testnet) > 0 {
		testnets := 0
		for _, chain := range o.catalog.Chains {
			isTestnet := slices.ContainsFunc(chain.Categories, func(key string) bool { return slices.Contains(roles.Testnet, key) })
			if isTestnet && (chain.Status == "" || chain.Status == domain.StatusLive) {
				testnets++
			}
		}
		body = append(body, member{"chainNetworks", members{{"mainnets", statuses["live"] - testnets}, {"testnets", testnets}, {"upcoming", statuses["upcoming"]}}})
	}
	body = append(body, member{"figures", figures})
	return answer{status: 200, language: locale, body: encode(body)}
}

// summary returns one entry per source, ordered by source. Bare numbers of editors, without
// source and date, count as source "editor".
func (o oracle) summary(name domain.FigureName, figures []*domain.Figure) []freshness {
	var all []freshness
	bare := freshness{Figure: name, Source: "editor"}
	for _, f := range figures {
		if f == nil {
			continue
		}
		if f.AsOf == "" {
			bare.Records++
			continue
		}
		i := slices.IndexFunc(all, func(s freshness) bool { return s.Source == f.Source })
		if i < 0 {
			i = len(all)
			all = append(all, freshness{Figure: name, Source: f.Source, SourceURL: o.sourceURL(f), Oldest: f.AsOf, Newest: f.AsOf})
		}
		all[i].Records++
		if old, _ := o.old(name, f); old {
			all[i].Older++
		}
		all[i].Oldest = min(all[i].Oldest, f.AsOf)
		all[i].Newest = max(all[i].Newest, f.AsOf)
	}
	if bare.Records > 0 {
		all = append(all, bare)
	}
	slices.SortFunc(all, func(a, b freshness) int { return strings.Compare(a.Source, b.Source) })
	return all
}

func (o oracle) translations(text domain.Text) members {
	var all members
	for _, locale := range o.catalog.Locales {
		for _, translation := range text {
			if translation.Locale == locale {
				all = append(all, member{locale, translation.Value})
			}
		}
	}
	return all
}

// scopes returns the scopes in the order of their enumeration.
func scopes(c domain.Category) []string {
	var all []string
	for _, name := range moduleNames() {
		if slices.Contains(c.Scopes, domain.Module(name)) {
			all = append(all, name)
		}
	}
	return all
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// notFound returns the answer for an unknown slug, unless the query is invalid.
func notFound(query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	return answer{status: 404}
}
