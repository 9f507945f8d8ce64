package snapshot

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// registry holds the categories and dimension groups. The scope "" is all scopes.
type registry struct {
	categories []domain.Category // by priority and key
	groups     map[domain.Module][]domain.Group
	scoped     map[domain.Module]scope
}

// registryOrder returns all categories in the order of the registry.
func (c *compiler) registryOrder() []domain.Category {
	return slices.SortedFunc(slices.Values(c.catalog.Categories), func(a, b domain.Category) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Key, b.Key))
	})
}

// keysByName returns the keys of the records of kinds without a list, by their keys and former keys.
func keysByName(c *domain.Catalog) map[query.Kind]map[string]string {
	keys := map[query.Kind]map[string]string{}
	for kind, of := range map[query.Kind]domain.Kind{
		query.KindMenu: domain.KindMenu, query.KindNavGroup: domain.KindNavGroup, query.KindCategory: domain.KindCategory,
	} {
		d := domain.Describe(of)
		keys[kind] = map[string]string{}
		for i := range d.Size(c) {
			key := d.Address(d.Record(c, i))
			keys[kind][key] = key
			for _, former := range d.FormerKeys(d.Record(c, i)) {
				keys[kind][former] = key
			}
		}
	}
	return keys
}

func (c *compiler) registry(categories []domain.Category) registry {
	r := registry{categories: categories, groups: map[domain.Module][]domain.Group{}, scoped: scopesOf(categories)}
	for _, module := range domain.Modules() {
		r.groups[module] = groupsOf(c.catalog, module)
	}
	return r
}

func inScope(categories []domain.Category, scope domain.Module) []domain.Category {
	if scope == "" {
		return categories
	}
	var within []domain.Category
	for _, category := range categories {
		if slices.Contains(category.Scopes, scope) {
			within = append(within, category)
		}
	}
	return within
}

// categoryList is the body of the registry.
type categoryList[V any] struct {
	Categories []V `json:"categories"`
}

// view returns the short form of the categories of a scope (docs/api.md#categories).
func (r *registry) view(scope domain.Module, in language) []Category {
	return views(inScope(r.categories, scope), func(category domain.Category) Category {
		view := Category{Key: category.Key, Name: in.text(category.Name), Parent: category.Parent, Priority: category.Priority}
		if scope == "" {
			view.Scopes = scopes(category)
		}
		return view
	})
}

// fullView returns the full form of the categories of a scope (docs/api.md#categories).
func (r *registry) fullView(scope domain.Module, locales []string) []FullCategory {
	return views(inScope(r.categories, scope), func(category domain.Category) FullCategory {
		view := FullCategory{
			Key: category.Key, Names: translations(category.Name, locales), Parent: category.Parent,
			Priority: category.Priority, Scopes: scopes(category),
		}
		if len(category.Description) > 0 {
			view.Descriptions = translations(category.Description, locales)
		}
		if scope == "" {
			view.ModuleGroupKeys = moduleGroupKeys(category)
		} else if keys := groupKeys(category, scope); len(keys) > 0 {
			view.GroupKey = keys[0]
		}
		return view
	})
}

// translations returns a text by locale, in the order of locales; never nil.
func translations(text domain.Text, locales []string) Object[string] {
	all := Object[string]{}
	for _, locale := range locales {
		if value, ok := text.In(locale); ok {
			all = append(all, Member[string]{locale, value})
		}
	}
	return all
}

// moduleGroupKeys returns the keys of the dimension groups of a category by module; never
// nil.
func moduleGroupKeys(category domain.Category) Object[[]string] {
	all := Object[[]string]{}
	for _, module := range domain.Modules() {
		if keys := groupKeys(category, module); len(keys) > 0 {
			all = append(all, Member[[]string]{string(module), keys})
		}
	}
	return all
}

func groupKeys(category domain.Category, module domain.Module) []string {
	for _, groups := range category.Groups {
		if groups.Module == module {
			return groups.Keys
		}
	}
	return nil
}

// scopes returns the scopes of a category in the order of the enumeration; never nil.
func scopes(category domain.Category) []domain.Module {
	ordered := []domain.Module{}
	for _, module := range domain.Modules() {
		if slices.Contains(category.Scopes, module) {
			ordered = append(ordered, module)
		}
	}
	return ordered
}

func categoryGroups(module domain.Module, groups []domain.Group, locales []string, in language) *CategoryGroups {
	return &CategoryGroups{Module: module, Groups: views(groups, func(group domain.Group) CategoryGroup {
		return CategoryGroup{Key: group.Key, Name: in.text(group.Name), Names: translations(group.Name, locales), Priority: group.Priority}
	})}
}

// groupsOf returns the dimension groups of a module by priority and key.
func groupsOf(c *domain.Catalog, module domain.Module) []domain.Group {
	var groups []domain.Group
	for _, group := range c.Groups {
		if group.Module == module {
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, func(a, b domain.Group) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Key, b.Key))
	})
	return groups
}

// group returns a dimension group, an empty one if there is none.
func (r *registry) group(module domain.Module, key string) *domain.Group {
	for i := range r.groups[module] {
		if r.groups[module][i].Key == key {
			return &r.groups[module][i]
		}
	}
	return new(domain.Group)
}
