package site

import (
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/query"
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
var menus = section{name: "menus", path: "/nav"}

// sections returns the sections of records in the order of pages.
func sections() []section { return []section{chains, apps, cards, accounts, channels} }

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
