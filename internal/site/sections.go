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

	description *domain.Description // of its records, nil for cards and menus
}

var (
	chains   = newSection(query.KindChain, "chains", "/chains")
	apps     = newSection(query.KindApp, "apps", "/apps")
	cards    = section{name: "cards", path: "/cards", api: "/api/open/nav/cards", module: domain.ModuleItem, kind: query.KindCard, counted: query.KindApp, nav: "apps"}
	accounts = newSection(query.KindUser, "accounts", "/twitter")
	channels = newSection(query.KindChannel, "channels", "/youtube")
)

// menus is the page above the list of cards and the menus.
var menus = section{name: "menus", path: "/nav", records: "/nav", kind: query.KindMenu, nav: "menus"}

// plainSections are those of the other kinds with a list.
var plainSections = func() []section {
	var all []section
	for _, of := range snapshot.ListedKinds() {
		if !slices.Contains([]query.Kind{chains.kind, apps.kind, accounts.kind, channels.kind}, of.Kind) {
			all = append(all, newSection(of.Kind, of.Name, "/"+of.Name))
		}
	}
	return all
}()

// newSection returns the section of a kind with a description.
func newSection(kind query.Kind, name, path string) section {
	all := snapshot.ListedKinds()
	of := all[slices.IndexFunc(all, func(of snapshot.ListedKind) bool { return of.Kind == kind })]
	s := section{
		name: name, path: path, records: path, api: strings.TrimSuffix(of.Path, "/"), kind: kind, counted: kind, nav: name, description: of.Description,
	}
	if f := of.Description.Shape.Categories(); f != nil {
		s.module = f.Scope
	}
	return s
}

// sections returns the sections of records in the order of pages.
func sections() []section {
	return append([]section{chains, apps, cards, accounts, channels}, plainSections...)
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
