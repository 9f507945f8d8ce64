package quality_test

import (
	"slices"

	"vitrine/internal/domain"
)

// dimensions are the required dimension groups, by module. Further ones are allowed.
var dimensions = map[domain.Module][]string{
	domain.ModuleChain:   {"chain_network", "chain_layer", "chain_vm", "chain_stack", "chain_ecosystem", "chain_settlement"},
	domain.ModuleTwitter: {"twitter_kind", "twitter_topic"},
	domain.ModuleYouTube: {"youtube_kind", "youtube_topic"},
	domain.ModuleItem:    {"item_use", "item_explore", "item_build", "item_community"},
}

func registryBars(min atLeast) []bar {
	return []bar{
		{"sizes of the registry", func(c *domain.Catalog) []finding {
			return tooFew(len(c.Categories), min.categories, "categories")
		}},
		{"every question has answers", askedInVain},
		{"categories are used", idleCategories},
		{"accounts and channels say what they are and what about", unclassified},
		{"items of cards are categories", itemsWithoutCategory},
		{"an item is called as its category", itemNames},
	}
}

// A dimension with one category is useless.
func askedInVain(c *domain.Catalog) []finding {
	answers := map[string]int{} // by module and group
	for _, cat := range c.Categories {
		for _, g := range cat.Groups {
			for _, key := range g.Keys {
				answers[string(g.Module)+" "+key]++
			}
		}
	}
	var out []finding
	for _, module := range domain.Modules() {
		asked := slices.Clone(dimensions[module])
		for _, g := range c.Groups {
			if g.Module == module && !slices.Contains(asked, g.Key) {
				asked = append(asked, g.Key)
			}
		}
		for _, key := range asked {
			if answers[string(module)+" "+key] < 2 {
				out = append(out, finding{"dimension " + key, "fewer than two categories"})
			}
		}
	}
	return out
}

// Every category is used by a record of each of its scopes, or is the parent of one that
// is, so no filter is empty.
func idleCategories(c *domain.Catalog) []finding {
	used := usedCategories(c)
	parents := map[string]string{}
	for _, cat := range c.Categories {
		parents[cat.Key] = cat.Parent
	}
	for _, keys := range used {
		for _, cat := range c.Categories {
			if !keys[cat.Key] {
				continue
			}
			for up := cat.Parent; up != ""; up = parents[up] {
				keys[up] = true
			}
		}
	}
	var out []finding
	for _, cat := range c.Categories {
		for _, scope := range cat.Scopes {
			if !used[scope][cat.Key] {
				out = append(out, finding{"category " + cat.Key, "nothing with the scope " + string(scope) + " has it"})
			}
		}
	}
	return out
}

// usedCategories returns the categories of records, by module; those of items are on
// their cards.
func usedCategories(c *domain.Catalog) map[domain.Module]map[string]bool {
	used := map[domain.Module]map[string]bool{}
	for _, module := range domain.Modules() {
		used[module] = map[string]bool{}
	}
	mark := func(module domain.Module, keys ...string) {
		for _, key := range keys {
			used[module][key] = true
		}
	}
	for _, ch := range c.Chains {
		mark(domain.ModuleChain, ch.Categories...)
	}
	for _, a := range c.Accounts {
		mark(domain.ModuleTwitter, a.Categories...)
	}
	for _, ch := range c.Channels {
		mark(domain.ModuleYouTube, ch.Categories...)
	}
	for _, m := range menusOf(c) {
		for _, card := range cardsOf(m) {
			mark(domain.ModuleItem, card.Categories...)
		}
	}
	return used
}

// Accounts and channels have at least one category of each of their dimensions.
func unclassified(c *domain.Catalog) []finding {
	var out []finding
	look := func(record string, module domain.Module, categories []string) {
		groups, count := groupsOf(c, module), map[string]int{}
		for _, key := range categories {
			for _, group := range groups[key] {
				count[group]++
			}
		}
		for _, group := range dimensions[module] {
			if count[group] == 0 {
				out = append(out, finding{record, "no category of " + group})
			}
		}
	}
	for _, a := range c.Accounts {
		look("account "+a.Handle, domain.ModuleTwitter, a.Categories)
	}
	for _, ch := range c.Channels {
		look("channel "+ch.ChannelID, domain.ModuleYouTube, ch.Categories)
	}
	return out
}

// itemCategories returns the categories that items may have, by key.
func itemCategories(c *domain.Catalog) map[string]domain.Category {
	out := map[string]domain.Category{}
	for _, cat := range c.Categories {
		if slices.Contains(cat.Scopes, domain.ModuleItem) {
			out[cat.Key] = cat
		}
	}
	return out
}

// The rule of categories.yaml: the slug of an item with cards is the key of a category,
// that of a link is not.
func itemsWithoutCategory(c *domain.Catalog) []finding {
	var out []finding
	known := itemCategories(c)
	for _, m := range c.Menus {
		for _, it := range itemsOf(m) {
			_, ok := known[it.Slug]
			switch record := "item " + m.PathSlug + "/" + it.Slug; {
			case it.Type == domain.ItemCategory && !ok:
				out = append(out, finding{record, "the slug is no category with the scope item"})
			case it.Type == domain.ItemLink && ok:
				out = append(out, finding{record, "a link has the slug of a category"})
			}
		}
	}
	return out
}

func itemNames(c *domain.Catalog) []finding {
	var out []finding
	known := itemCategories(c)
	for _, m := range c.Menus {
		for _, it := range itemsOf(m) {
			cat, ok := known[it.Slug]
			if !ok {
				continue
			}
			for _, loc := range c.Locales {
				item, _ := it.Name.In(loc)
				category, _ := cat.Name.In(loc)
				if item != category {
					out = append(out, finding{"item " + m.PathSlug + "/" + it.Slug, loc + ": " + item + ", and the category is " + category})
				}
			}
		}
	}
	return out
}
