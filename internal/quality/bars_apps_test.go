package quality_test

import (
	"fmt"
	"reflect"
	"slices"

	"vitrine/internal/domain"
)

func appBars(min atLeast) []bar {
	return []bar{
		{"sizes of the apps", func(c *domain.Catalog) []finding { return appSizes(c, min) }},
		{"apps are in the order of their keys", appOrder},
		{"apps say what they are", unclassifiedApps},
		{"an app has a link of its own", sharedAppLinks},
		{"a card does not repeat its app", repeatedFields},
		{"cards say what they are", unclassifiedCards},
	}
}

// menusOf returns the menus as readers see them: cards include the values that they
// inherit from their apps.
func menusOf(c *domain.Catalog) []domain.Menu {
	apps := c.AppsByKey()
	menus := slices.Clone(c.Menus)
	for i := range menus {
		menus[i] = menus[i].Complete(apps)
	}
	return menus
}

func appRecord(a domain.App) string { return "app " + a.Key }

func appSizes(c *domain.Catalog, min atLeast) []finding {
	named := 0
	for _, m := range c.Menus {
		for _, card := range cardsOf(m) {
			if card.App != "" {
				named++
			}
		}
	}
	return tooFew(named, min.cardsOfApps, "cards of apps")
}

func appOrder(c *domain.Catalog) []finding {
	var out []finding
	for i, a := range c.Apps {
		if i > 0 && a.Key < c.Apps[i-1].Key {
			out = append(out, finding{appRecord(a), "stands behind " + c.Apps[i-1].Key})
		}
	}
	return out
}

func unclassifiedApps(c *domain.Catalog) []finding {
	var out []finding
	for _, a := range c.Apps {
		if len(a.Categories) == 0 {
			out = append(out, finding{appRecord(a), "no category"})
		}
	}
	return out
}

// Two apps with one link are duplicates.
func sharedAppLinks(c *domain.Catalog) []finding {
	var out []finding
	first := map[string]string{}
	for _, a := range c.Apps {
		if other, ok := first[a.Link]; ok {
			out = append(out, finding{appRecord(a), "the link of " + other})
			continue
		}
		first[a.Link] = a.Key
	}
	return out
}

// A repeated value on a card would become outdated when the app changes.
func repeatedFields(c *domain.Catalog) []finding {
	var out []finding
	apps := c.AppsByKey()
	for _, m := range c.Menus {
		for _, card := range cardsOf(m) {
			app := apps[card.App]
			if app == nil {
				continue
			}
			record := cardRecord(m, card.Of(app))
			for _, f := range []struct {
				name      string
				card, app any
			}{
				{"title", card.Title, app.Title}, {"description", card.Description, app.Description},
				{"link", card.Link, app.Link}, {"image", card.Image, app.Image},
				{"categories", card.Categories, app.Categories}, {"chains", card.Chains, app.Chains},
				{"platforms", card.Platforms, app.Platforms}, {"extra", card.Extra, app.Extra},
			} {
				if !reflect.ValueOf(f.card).IsZero() && reflect.DeepEqual(f.card, f.app) {
					out = append(out, finding{record, fmt.Sprintf("its %s is that of app %s: leave it out", f.name, app.Key)})
				}
			}
		}
	}
	return out
}

// Every card has a category. A card in an item that is named as a category has that
// category, so the filter and the menu agree.
func unclassifiedCards(c *domain.Catalog) []finding {
	var out []finding
	known := itemCategories(c)
	for _, m := range menusOf(c) {
		for _, it := range itemsOf(m) {
			_, ok := known[it.Slug]
			for _, card := range it.Cards {
				switch {
				case len(card.Categories) == 0:
					out = append(out, finding{cardRecord(m, card), "no category"})
				case ok && !slices.Contains(card.Categories, it.Slug):
					out = append(out, finding{cardRecord(m, card), "not in the category of its item, " + it.Slug})
				}
			}
		}
	}
	return out
}
