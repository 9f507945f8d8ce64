package snapshot

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
)

// registry holds the category registry and the dimension groups. The scope ""
// stands for all scopes.
type registry struct {
	short  map[domain.Module]bodies
	full   map[domain.Module][]byte
	groups map[domain.Module]bodies

	keys   map[string]string // from keys, former ones included, to present ones
	scoped map[domain.Module]scope
}

// registryOrder returns all categories as the registry lists them.
func (c *compiler) registryOrder() []domain.Category {
	return slices.SortedFunc(slices.Values(c.catalog.Categories), func(a, b domain.Category) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Key, b.Key))
	})
}

// allDimensions returns the dimensions of every module, given the categories as the
// registry lists them.
func (c *compiler) allDimensions(categories []domain.Category) map[domain.Module]*dimensions {
	now := map[string]string{}
	for _, category := range categories {
		for _, former := range category.Former {
			now[former] = category.Key
		}
	}
	all := map[domain.Module]*dimensions{}
	for _, module := range domain.Modules() {
		all[module] = c.newDimensions(module, categories, now)
	}
	return all
}

func (c *compiler) registry(categories []domain.Category) registry {
	r := registry{
		short:  map[domain.Module]bodies{},
		full:   map[domain.Module][]byte{},
		groups: map[domain.Module]bodies{},
		keys:   map[string]string{},
		scoped: scopesOf(categories),
	}
	for _, category := range categories {
		for _, key := range append(slices.Clip(category.Former), category.Key) {
			r.keys[key] = category.Key
		}
	}
	for _, scope := range append([]domain.Module{""}, domain.Modules()...) {
		within := inScope(categories, scope)
		r.short[scope] = c.categories(within, scope)
		r.full[scope] = c.categoriesFull(within, scope)
	}
	for _, module := range domain.Modules() {
		r.groups[module] = c.categoryGroups(module)
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

// categories encodes the short form (docs/api.md#categories).
func (c *compiler) categories(categories []domain.Category, scope domain.Module) bodies {
	return c.each(func(w *writer, resolve func(domain.Text) string) {
		w.open('{')
		array(w, "categories", categories, func(category domain.Category) {
			w.open('{')
			w.text("key", category.Key)
			w.text("name", resolve(category.Name))
			w.nullable("parent", category.Parent)
			w.number("priority", category.Priority)
			if scope == "" {
				w.strings("scopes", scopes(category))
			}
			w.close('}')
		})
		w.close('}')
	})
}

// categoriesFull encodes the form with all translations
// (docs/api.md#categories).
func (c *compiler) categoriesFull(categories []domain.Category, scope domain.Module) []byte {
	w := new(writer)
	w.open('{')
	array(w, "categories", categories, func(category domain.Category) {
		w.open('{')
		w.text("key", category.Key)
		w.translations("i18n", category.Name, c.catalog.Locales)
		if len(category.Description) > 0 {
			w.translations("descriptionI18n", category.Description, c.catalog.Locales)
		}
		w.nullable("parent", category.Parent)
		w.number("priority", category.Priority)
		w.strings("scopes", scopes(category))
		if scope == "" {
			w.moduleGroupKeys(category)
		} else if keys := groupKeys(category, scope); len(keys) > 0 {
			w.text("groupKey", keys[0])
		}
		w.close('}')
	})
	w.close('}')
	return w.buf
}

func (w *writer) moduleGroupKeys(category domain.Category) {
	w.key("moduleGroupKeys")
	w.open('{')
	for _, module := range domain.Modules() {
		if keys := groupKeys(category, module); len(keys) > 0 {
			w.strings(string(module), keys)
		}
	}
	w.close('}')
}

func groupKeys(category domain.Category, module domain.Module) []string {
	for _, groups := range category.Groups {
		if groups.Module == module {
			return groups.Keys
		}
	}
	return nil
}

// scopes returns the scopes of a category in the order of the enumeration.
func scopes(category domain.Category) []string {
	var ordered []string
	for _, module := range domain.Modules() {
		if slices.Contains(category.Scopes, module) {
			ordered = append(ordered, string(module))
		}
	}
	return ordered
}

func (c *compiler) categoryGroups(module domain.Module) bodies {
	groups := groupsOf(c.catalog, module)
	return c.each(func(w *writer, resolve func(domain.Text) string) {
		w.open('{')
		w.text("module", string(module))
		array(w, "groups", groups, func(group domain.Group) {
			w.open('{')
			w.text("key", group.Key)
			w.text("name", resolve(group.Name))
			w.translations("i18n", group.Name, c.catalog.Locales)
			w.number("priority", group.Priority)
			w.close('}')
		})
		w.close('}')
	})
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
