package site

import (
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
	cards    = section{"cards", "/cards", "", "/api/open/nav/cards", domain.ModuleItem, query.KindCard, query.KindApp, "apps"}
	accounts = section{"accounts", "/twitter", "/twitter", "/api/open/twitter/users", domain.ModuleTwitter, query.KindUser, query.KindUser, "accounts"}
	channels = section{"channels", "/youtube", "/youtube", "/api/open/youtube/channels", domain.ModuleYouTube, query.KindChannel, query.KindChannel, "channels"}
)

// apps are the pages of apps. The list that they belong to has cards.
var apps = section{cards.name, cards.path, "/apps", "/api/open/apps", cards.module, query.KindApp, query.KindApp, cards.nav}

// menus is the page above the list of cards and the menus.
var menus = section{name: "menus", path: "/nav"}

// sections returns the sections of records in the order of pages.
func sections() []section { return []section{chains, cards, accounts, channels} }
