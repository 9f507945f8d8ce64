package query

import (
	"slices"

	"vitrine/internal/domain"
)

// Kind is a kind of record that responses have.
type Kind string

// The kinds. A search over everything finds all up to categories.
const (
	KindChain    Kind = "chain"
	KindApp      Kind = "app"
	KindUser     Kind = "user"
	KindChannel  Kind = "channel"
	KindCard     Kind = "card"
	KindMenu     Kind = "menu"
	KindCategory Kind = "category"
	KindNavGroup Kind = "nav-group"
)

// Kinds returns the kinds of results of a search over everything, in the order in which
// equal matches are listed.
func Kinds() []Kind {
	return []Kind{KindChain, KindApp, KindUser, KindChannel, KindCard, KindMenu, KindCategory}
}

// The kinds of changes that no search finds.
const (
	KindGroup         Kind = "group"          // a nav group
	KindCategoryGroup Kind = "category-group" // a dimension group
)

// ChangeKinds returns the kinds of changes, in the order in which changes of one revision are listed.
func ChangeKinds() []Kind { return append(Kinds(), KindGroup, KindCategoryGroup) }

// listParameters has the parameters of the lists.
var listParameters = map[Kind]Parameters{
	KindUser:    parametersOfList(KindUser, "", nil, viewParameter, followersParameter),
	KindChannel: parametersOfList(KindChannel, "", nil, viewParameter),
	KindChain:   parametersOfList(KindChain, SortTVL, []Sort{SortName, SortChainID, SortPlatforms, SortTVL}, sortDirParameter, viewParameter),
	KindCard:    parametersOfList(KindCard, SortMenu, []Sort{SortMenu, SortTitle}, menuParameter, chainParameter),
	KindApp:     parametersOfList(KindApp, SortTitle, []Sort{SortTitle}, chainParameter, platformParameter, viewParameter),
}

// ListParameters returns the parameters of the list of a kind, nil for a kind without a
// list.
func ListParameters(kind Kind) Parameters { return listParameters[kind] }

// parametersOfList returns the parameters of the list of a kind. standard is its order if a
// request names none; "" if that order has no name.
func parametersOfList(kind Kind, standard Sort, sorts []Sort, more ...Parameter) Parameters {
	id := Parameter{Name: "id", Type: Keys, Max: MaxNames, Repeatable: true, Names: kind}
	sort := Parameter{Name: "sort", Type: Enum, Allowed: domain.Convert[string](append(sorts, SortRelevance)), Default: string(standard)}
	return slices.Concat(Parameters{localeParameter, sort}, more, Parameters{
		searchParameter, limitParameter, offsetParameter, revisionParameter, matchParameter, statusParameter, facetsParameter, tagParameter, id,
	})
}
