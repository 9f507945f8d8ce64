package store_test

import (
	"cmp"

	"pgregory.net/rapid"

	"vitrine/internal/catalog"
)

// The generators make catalogues of any content, valid or not: the rows judge
// nothing. Lists are nil or have elements, never empty, names in a map are
// different, and what has a standard is not empty, as in all that is read.

func anyCatalog() *rapid.Generator[*catalog.Catalog] {
	return rapid.Custom(func(t *rapid.T) *catalog.Catalog {
		return &catalog.Catalog{
			Title:         anyText(t, "title"),
			DefaultLocale: anyString(t, "default locale"),
			Locales:       anyList(t, "locales", anyString),
			LinkSchemes:   anyList(t, "schemes", anyString),
			Accept:        anyList(t, "accept", anyAcceptance),
			Groups:        anyList(t, "groups", anyGroup),
			Categories:    anyList(t, "categories", anyCategory),
			Chains:        anyList(t, "chains", anyChain),
			Accounts:      anyList(t, "accounts", anyAccount),
			Channels:      anyList(t, "channels", anyChannel),
			NavGroups:     anyList(t, "nav groups", anyNavGroup),
			Menus:         anyList(t, "menus", anyMenu),
		}
	})
}

func anyString(t *rapid.T, label string) string { return rapid.String().Draw(t, label) }

func anyNumber(t *rapid.T, label string) float64 { return rapid.Float64().Draw(t, label) }

func anyList[T any](t *rapid.T, label string, element func(*rapid.T, string) T) []T {
	n := rapid.IntRange(0, 3).Draw(t, label)
	if n == 0 {
		return nil
	}
	list := make([]T, n)
	for i := range list {
		list[i] = element(t, label)
	}
	return list
}

func anyText(t *rapid.T, label string) catalog.Text {
	return uniqueBy(anyList(t, label, func(t *rapid.T, label string) catalog.Translation {
		return catalog.Translation{Locale: anyString(t, label), Value: anyString(t, label)}
	}), func(tr catalog.Translation) string { return tr.Locale })
}

func anyModule(t *rapid.T, label string) catalog.Module { return catalog.Module(anyString(t, label)) }

func anyFigure(t *rapid.T, label string) *catalog.Figure {
	if !rapid.Bool().Draw(t, label) {
		return nil
	}
	return &catalog.Figure{
		Value: anyNumber(t, label), Source: anyString(t, label), AsOf: catalog.Date(anyString(t, label)),
	}
}

func anyGroup(t *rapid.T, label string) catalog.Group {
	return catalog.Group{
		Key: anyString(t, label), Module: anyModule(t, label), Name: anyText(t, label), Priority: anyNumber(t, label),
	}
}

func anyCategory(t *rapid.T, label string) catalog.Category {
	return catalog.Category{
		Key: anyString(t, label), Name: anyText(t, label), Description: anyText(t, label),
		Parent: anyString(t, label), Priority: anyNumber(t, label), Scopes: anyList(t, label, anyModule),
		Groups: uniqueBy(anyList(t, label, func(t *rapid.T, label string) catalog.ModuleGroups {
			return catalog.ModuleGroups{Module: anyModule(t, label), Keys: anyList(t, label, anyString)}
		}), func(g catalog.ModuleGroups) string { return string(g.Module) }),
	}
}

func anyChain(t *rapid.T, label string) catalog.Chain {
	return catalog.Chain{
		Slug: anyString(t, label), Name: anyText(t, label), ChainID: anyString(t, label), ID: anyString(t, label),
		Logo: anyString(t, label), Categories: anyList(t, label, anyString),
		TVL: anyFigure(t, label), Platforms: anyFigure(t, label), Aliases: anyList(t, label, anyString),
	}
}

func anyAccount(t *rapid.T, label string) catalog.Account {
	return catalog.Account{
		Handle: anyString(t, label), Name: anyString(t, label), Description: anyText(t, label),
		Categories: anyList(t, label, anyString), Followers: anyFigure(t, label),
	}
}

func anyChannel(t *rapid.T, label string) catalog.Channel {
	return catalog.Channel{
		ChannelID: anyString(t, label), Name: anyString(t, label), Description: anyText(t, label),
		Categories: anyList(t, label, anyString),
	}
}

func anyNavGroup(t *rapid.T, label string) catalog.NavGroup {
	key := anyString(t, label)
	return catalog.NavGroup{
		Key: key, Slug: cmp.Or(anyString(t, label), key), Name: anyText(t, label),
		Description: anyText(t, label), Menus: anyList(t, label, anyString),
	}
}

func anyMenu(t *rapid.T, label string) catalog.Menu {
	return catalog.Menu{
		PathSlug: anyString(t, label), Title: anyText(t, label), Description: anyText(t, label),
		OGImage: anyString(t, label), BlogSlugs: anyList(t, label, anyString),
		Groups: anyList(t, label, func(t *rapid.T, label string) catalog.MenuGroup {
			return catalog.MenuGroup{
				Slug: anyString(t, label), ID: anyString(t, label), Name: anyText(t, label),
				Items: anyList(t, label, anyItem),
			}
		}),
		Standalone: anyList(t, label, anyItem),
	}
}

func anyItem(t *rapid.T, label string) catalog.Item {
	return catalog.Item{
		Slug: anyString(t, label), ID: anyString(t, label), Name: anyText(t, label),
		Type: cmp.Or(catalog.ItemType(anyString(t, label)), catalog.ItemCategory), Description: anyText(t, label),
		Cards: anyList(t, label, func(t *rapid.T, label string) catalog.Card {
			return catalog.Card{
				Title: anyText(t, label), ID: anyString(t, label), Description: anyText(t, label),
				Link: anyString(t, label), Image: anyString(t, label),
			}
		}),
	}
}

func anyAcceptance(t *rapid.T, label string) catalog.Acceptance {
	return catalog.Acceptance{
		Rule:   catalog.Rule(anyString(t, label+" rule")),
		Kind:   catalog.Kind(anyString(t, label+" kind")),
		Key:    anyString(t, label+" key"),
		Locale: anyString(t, label+" locale"),
		Reason: anyString(t, label+" reason"),
	}
}
