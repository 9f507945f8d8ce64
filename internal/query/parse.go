package query

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
)

// ParseLocalized reads `locale`.
func ParseLocalized(raw string, locales *locale.Set) (Localized, error) {
	p, err := scan(raw, LocalizedParameters)
	if err != nil {
		return Localized{}, err
	}
	return Localized{Locale: p.locale(locales)}, nil
}

// ParseCategories reads `locale`, `scope` and `includeI18n`.
func ParseCategories(raw string, locales *locale.Set) (Categories, error) {
	p, err := scan(raw, CategoriesParameters)
	if err != nil {
		return Categories{}, err
	}
	scope, err := enum(p, "scope", domain.Modules(), "")
	if err != nil {
		return Categories{}, err
	}
	full, err := p.switched("includeI18n")
	if err != nil {
		return Categories{}, err
	}
	return Categories{Locale: p.locale(locales), Scope: scope, Full: full}, nil
}

// ParseCategoryGroups reads `locale` and `module`, which is required.
func ParseCategoryGroups(raw string, locales *locale.Set) (CategoryGroups, error) {
	p, err := scan(raw, CategoryGroupsParameters)
	if err != nil {
		return CategoryGroups{}, err
	}
	module, err := enum(p, "module", domain.Modules(), "")
	if err != nil {
		return CategoryGroups{}, err
	}
	if module == "" {
		allowed := names(domain.Modules())
		return CategoryGroups{}, &Error{
			Parameter: "module",
			Detail:    "module is required: one of " + strings.Join(allowed, ", "),
			Allowed:   allowed,
		}
	}
	return CategoryGroups{Locale: p.locale(locales), Module: module}, nil
}

// ParseList reads `locale`, `q`, `tag`, `match`, `status`, `facets`, `sort`, which
// may be relevance alone, `limit` and `offset`.
func ParseList(raw string, locales *locale.Set) (List, error) {
	p, err := scan(raw, ListParameters)
	if err != nil {
		return List{}, err
	}
	sort, err := enum(p, "sort", []Sort{SortRelevance}, "")
	if err != nil {
		return List{}, err
	}
	return p.list(locales, sort)
}

// ParseChains reads what [ParseList] reads with more sorts, and `sortDir`.
func ParseChains(raw string, locales *locale.Set) (Chains, error) {
	p, err := scan(raw, ChainsParameters)
	if err != nil {
		return Chains{}, err
	}
	sort, err := enum(p, "sort", ChainSorts(), SortTVL)
	if err != nil {
		return Chains{}, err
	}
	dir, err := enum(p, "sortDir", []string{"asc", "desc"}, "desc")
	if err != nil {
		return Chains{}, err
	}
	list, err := p.list(locales, sort)
	if err != nil {
		return Chains{}, err
	}
	if sort == SortRelevance { // by which nothing is sorted in another direction
		return Chains{List: list, Sort: SortTVL}, nil
	}
	return Chains{List: list, Sort: sort, Ascending: dir == "asc"}, nil
}

// ParseCards reads what [ParseList] reads with more sorts, `menu` and `chain`.
func ParseCards(raw string, locales *locale.Set) (Cards, error) {
	p, err := scan(raw, CardsParameters)
	if err != nil {
		return Cards{}, err
	}
	sort, err := enum(p, "sort", CardSorts(), SortMenu)
	if err != nil {
		return Cards{}, err
	}
	list, err := p.list(locales, sort)
	if err != nil {
		return Cards{}, err
	}
	if sort == SortRelevance {
		sort = SortMenu
	}
	return Cards{List: list, Sort: sort, Menu: Slug(p.first("menu")), Chain: Slug(p.first("chain"))}, nil
}

// ParseApps reads what [ParseList] reads with one more sort, `chain` and `platform`.
func ParseApps(raw string, locales *locale.Set) (Apps, error) {
	p, err := scan(raw, AppsParameters)
	if err != nil {
		return Apps{}, err
	}
	sort, err := enum(p, "sort", AppSorts(), SortTitle)
	if err != nil {
		return Apps{}, err
	}
	platform, err := enum(p, "platform", domain.Platforms(), "")
	if err != nil {
		return Apps{}, err
	}
	list, err := p.list(locales, sort)
	if err != nil {
		return Apps{}, err
	}
	return Apps{List: list, Chain: Slug(p.first("chain")), Platform: platform}, nil
}

// ParseSearch reads `q`, which is required, `kind`, `locale`, `limit` and `offset`.
func ParseSearch(raw string, locales *locale.Set) (Search, error) {
	p, err := scan(raw, SearchParameters)
	if err != nil {
		return Search{}, err
	}
	search, err := p.search()
	if err != nil {
		return Search{}, err
	}
	if search == "" {
		return Search{}, &Error{Parameter: "q", Detail: "q is required: the words to search for"}
	}
	kinds, named, err := p.kinds()
	if err != nil {
		return Search{}, err
	}
	page, err := p.page(MaxResults)
	if err != nil {
		return Search{}, err
	}
	page.On, page.Limit = true, cmp.Or(page.Limit, Results)
	q := ForLabel(search, p.locale(locales))
	q.Kinds, q.AppCards, q.Page = kinds, named && slices.Contains(kinds, KindCard), page
	return q, nil
}

// ForName returns the search for the records that a name may mean, which stands in a
// path and has dashes for spaces. A long one is cut.
func ForName(name string, id locale.ID) Search {
	return ForLabel(strings.NewReplacer("-", " ", "_", " ").Replace(name[:min(len(name), MaxSearch)]), id)
}

// ForLabel returns the search for the records that are called something.
func ForLabel(words string, id locale.ID) Search {
	q := Search{Locale: id, Search: words, Terms: sortedTerms(words), Phrase: fold.Phrase(words), Kinds: Kinds()}
	if written := strings.Join(strings.Fields(words), " "); written != q.Phrase {
		q.Written = written
	}
	return q
}
