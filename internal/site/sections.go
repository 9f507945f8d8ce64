package site

import (
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// section is a kind of records with a list and pages.
type section struct {
	name    string // of the route of its list; keys of its words begin with it
	path    string // of its list
	records string // of the pages of its records, "" for none
	api     string // of its list
	module  domain.Module
	kind    query.Kind // of its records in a search over everything
	counted query.Kind // whose words name its categories
	nav     string     // key of its words in the navigation, after "nav."
}

var (
	chains   = section{"chains", "/chains", "/chains", "/api/open/chains", domain.ModuleChain, query.KindChain, query.KindChain, "chains"}
	apps     = section{"apps", "/apps", "/apps", "/api/open/apps", domain.ModuleItem, query.KindApp, query.KindApp, "apps"}
	cards    = section{"cards", "/cards", "", "/api/open/nav/cards", domain.ModuleItem, query.KindCard, query.KindApp, "apps"}
	accounts = section{"accounts", "/twitter", "/twitter", "/api/open/twitter/users", domain.ModuleTwitter, query.KindUser, query.KindUser, "accounts"}
	channels = section{"channels", "/youtube", "/youtube", "/api/open/youtube/channels", domain.ModuleYouTube, query.KindChannel, query.KindChannel, "channels"}
)

// menus is the page above the list of cards and the menus.
var menus = section{name: "menus", path: "/nav", records: "/nav", kind: query.KindMenu, nav: "menus"}

// plainKinds are the kinds with a list that have no section of their own.
var plainKinds = slices.DeleteFunc(slices.Clone(snapshot.ListedKinds()), func(of snapshot.ListedKind) bool {
	return slices.Contains([]query.Kind{chains.kind, apps.kind, accounts.kind, channels.kind}, of.Kind)
})

// plainSection returns the section of a kind without one of its own.
func plainSection(of snapshot.ListedKind) section {
	path := "/" + of.Name
	plain := section{name: of.Name, path: path, records: path, api: strings.TrimSuffix(of.Path, "/"), kind: of.Kind, counted: of.Kind, nav: of.Name}
	if f := of.Description.Shape.Categories(); f != nil {
		plain.module = f.Scope
	}
	return plain
}

// sections returns the sections of records in the order of pages.
func sections() []section {
	all := []section{chains, apps, cards, accounts, channels}
	for _, of := range plainKinds {
		all = append(all, plainSection(of))
	}
	return all
}

// listOf returns the section with the list of a category of a module. Apps and cards share a module:
// it has cards only if no app has the category.
func (v *view) listOf(module domain.Module, category string) section {
	if module == domain.ModuleItem && v.common.byApp[category] == 0 {
		return cards
	}
	return v.classified(module)
}

// classified returns the section with the records of a module: cards in a catalogue without apps.
func (v *view) classified(module domain.Module) section {
	all := sections()
	if module == domain.ModuleItem && !v.Has(apps.name) {
		return cards
	}
	return all[slices.IndexFunc(all, func(of section) bool { return of.module == module })]
}

// RecordPage is a kind of records with pages, and the path above these.
type RecordPage struct {
	Kind query.Kind
	Path string
}

// RecordPages returns the kinds of records with pages.
func RecordPages() []RecordPage {
	var all []RecordPage
	for _, of := range append(sections(), menus) {
		if of.records != "" {
			all = append(all, RecordPage{of.kind, of.records + "/"})
		}
	}
	return all
}

// Overviews returns the paths of the first page, of lists, and of the pages that sum up all records.
func Overviews() []string {
	all := []string{"/"}
	for _, of := range sections() {
		all = append(all, of.path)
	}
	return append(all, menus.path, "/categories", "/news")
}

// menuLink is a link of the navigation.
type menuLink struct {
	Path, Name string
	On         bool // the page belongs to this part of the site
}

// Menu returns the links to the parts of the site that have content. Apps, menus and cards share one.
func (v *view) Menu() []menuLink {
	var all []menuLink
	add := func(of section, word string, pages ...string) {
		if v.Has(of.name) {
			all = append(all, menuLink{v.At(of.path), v.T(word), slices.Contains(append(pages, of.path), v.route.path)})
		}
	}
	for _, of := range sections() {
		switch of {
		case apps:
			if !v.Has(apps.name) {
				of = menus
			}
			add(of, "nav.apps", apps.path, apps.records+"/", menus.path, menus.records+"/", cards.path)
		case cards:
		default:
			add(of, "nav."+of.nav, of.records+"/")
		}
	}
	add(section{name: "categories", path: "/categories"}, "nav.categories")
	add(section{name: "news", path: "/news"}, "feed")
	return all
}
