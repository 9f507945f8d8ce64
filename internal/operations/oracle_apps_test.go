package operations_test

// The oracle's apps.

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/domain"
)

type listedApp struct {
	Key           string   `json:"key"`
	Title         string   `json:"title"`
	Description   string   `json:"description,omitempty"`
	Link          string   `json:"link"`
	Image         string   `json:"image,omitempty"`
	CategorySlugs []string `json:"categorySlugs,omitempty"`
	Chains        []string `json:"chains,omitempty"`
	Platforms     []string `json:"platforms,omitempty"`
	Status        string   `json:"status"`
}

type wholeApp struct {
	listedApp
	Launched    string          `json:"launched,omitempty"`
	StatusSince string          `json:"statusSince,omitempty"`
	StatusNote  string          `json:"statusNote,omitempty"`
	Successor   string          `json:"successor,omitempty"`
	Links       []link          `json:"links,omitempty"`
	Menus       []appPlace      `json:"menus,omitempty"`
	Aliases     []string        `json:"aliases,omitempty"`
	Former      []string        `json:"former,omitempty"`
	Sources     json.RawMessage `json:"sources,omitempty"`
	Extra       json.RawMessage `json:"extra,omitempty"`
}

type appPlace struct {
	Menu string `json:"menu"`
	Item string `json:"item"`
	Href string `json:"href"`
}

func (o oracle) apps(query oracleQuery) answer {
	query.oneOf("sort", "title", "relevance")
	query.oneOf("platform", "web", "ios", "android", "desktop", "extension", "cli")
	locale := resolveLocale(o.catalog, query.value("locale"))
	all, parameters := o.appRecords(locale), url.Values{}
	if chain := o.chainNamed(query, parameters); chain != "" {
		all = slices.DeleteFunc(all, func(r record[listedApp]) bool { return !slices.Contains(r.row.Chains, chain) })
	}
	if platform := query.value("platform"); platform != "" {
		parameters.Set("platform", platform)
		all = slices.DeleteFunc(all, func(r record[listedApp]) bool { return !slices.Contains(r.row.Platforms, platform) })
	}
	of := listed{"apps", domain.ModuleItem, o.appKey, "apps/", func(key string) any { return o.wholeApp(key, locale) }}
	return list(o, query, of, all, parameters)
}

// app returns the answer for the app with a name.
func (o oracle) app(name string, query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	key, ok := o.appKey(name)
	if !ok {
		return answer{status: 404, keys: keysOf(o.appNames())}
	}
	return o.found("apps/", name, key, query, func() any { return o.wholeApp(key, resolveLocale(o.catalog, query.value("locale"))) })
}

func (o oracle) appKey(name string) (string, bool) { return resolve(o.appNames(), name) }

func (o oracle) appNames() []nameable {
	var all []nameable
	for _, a := range o.catalog.Apps {
		all = append(all, nameable{
			key: a.Key, own: [][]string{{a.Key}, a.Former}, labels: append(values(a.Title), a.Aliases...), status: a.Status,
		})
	}
	return all
}

func (o oracle) wholeApp(key, locale string) wholeApp {
	a := o.catalog.Apps[slices.IndexFunc(o.catalog.Apps, func(a domain.App) bool { return a.Key == key })]
	whole := wholeApp{
		listedApp: o.listedApp(a, locale), Launched: string(a.Launched), StatusSince: string(a.StatusSince), StatusNote: inLocale(o.catalog, a.StatusNote, locale),
		Successor: a.Successor, Links: links(a.Links), Aliases: a.Aliases, Former: a.Former, Sources: asJSON(a.Sources), Extra: asJSON(a.Extra),
	}
	for _, r := range o.cardRecords(locale) {
		place := appPlace{r.row.Menu, r.row.Item, "/api/open/nav/menus/" + r.row.Menu}
		if r.row.App == a.Key && !slices.Contains(whole.Menus, place) {
			whole.Menus = append(whole.Menus, place)
		}
	}
	return whole
}

// appRecords returns all apps by title, those with equal titles by key.
func (o oracle) appRecords(locale string) []record[listedApp] {
	var all []record[listedApp]
	for _, a := range o.catalog.Apps {
		row := o.listedApp(a, locale)
		texts := values(a.Description)
		if u, err := url.Parse(a.Link); err == nil {
			texts = append(texts, u.Hostname())
		}
		menus := o.menusOf(a.Key)
		chainLabels, chainIDs := o.ofChains(a.Chains)
		mainLabels, mainIDs := o.ofChains(a.Chains[:min(1, len(a.Chains))])
		all = append(all, record[listedApp]{
			title: a.Title, chainLabels: chainLabels, chainIDs: chainIDs, mainLabels: mainLabels, mainIDs: mainIDs,
			labels: append(values(a.Title), a.Aliases...), texts: texts, categories: a.Categories, status: a.Status, row: row,
			hit: result{"app", a.Key, row.Title, row.Description, a.Image, a.Link, "/api/open/apps/" + a.Key, &menus, ""},
		})
	}
	collator := collate.New(language.Make(locale))
	slices.SortFunc(all, func(a, b record[listedApp]) int {
		return cmp.Or(collator.CompareString(a.row.Title, b.row.Title), cmp.Compare(a.row.Key, b.row.Key))
	})
	return all
}

func (o oracle) listedApp(a domain.App, locale string) listedApp {
	row := listedApp{
		Key: a.Key, Title: inLocale(o.catalog, a.Title, locale), Description: inLocale(o.catalog, a.Description, locale),
		Link: a.Link, Image: a.Image, CategorySlugs: a.Categories, Chains: a.Chains, Status: cmp.Or(string(a.Status), "live"),
	}
	for _, platform := range a.Platforms {
		row.Platforms = append(row.Platforms, string(platform))
	}
	return row
}

// menusOf returns the menus that have a card of an app, in the order of nav/cards.
func (o oracle) menusOf(app string) []string {
	menus := []string{}
	for _, r := range o.cardRecords(o.catalog.DefaultLocale) {
		if r.row.App == app && !slices.Contains(menus, r.row.Menu) {
			menus = append(menus, r.row.Menu)
		}
	}
	return menus
}
