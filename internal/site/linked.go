package site

import "slices"

// Linked data (JSON-LD) of pages, by the vocabulary of schema.org, for search engines. It says
// nothing that the page does not show.

type jsonLD = map[string]any

// tell sets what the page tells of itself: the way to it, from the first page over the
// pages that are given as keys of their titles each followed by a path, and things.
func (v *view) tell(over []string, things ...jsonLD) error {
	var steps []jsonLD
	step := func(name, path string) {
		steps = append(steps, jsonLD{"@type": "ListItem", "position": len(steps) + 1, "name": name, "item": v.Absolute(v.At(path))})
	}
	step(v.Name(), "/")
	for i := 0; i+1 < len(over); i += 2 {
		name, err := v.T(over[i])
		if err != nil {
			return err
		}
		step(name, over[i+1])
	}
	step(v.Title, v.address.path)
	v.graph(append(things, jsonLD{"@type": "BreadcrumbList", "itemListElement": steps})...)
	return nil
}

// graph sets what the page tells of itself.
func (v *view) graph(things ...jsonLD) {
	told := slices.DeleteFunc(things, func(thing jsonLD) bool { return thing == nil })
	v.Linked = jsonLD{"@context": "https://schema.org", "@graph": told}
}

// listItem is a thing of a list that a page shows: its name and where it is.
type listItem struct{ Name, URL string }

// itemList is a list that a page shows, nil for none.
func itemList(items []listItem) jsonLD {
	if len(items) == 0 {
		return nil
	}
	var all []jsonLD
	for i, item := range items {
		all = append(all, jsonLD{"@type": "ListItem", "position": i + 1, "name": item.Name, "url": item.URL})
	}
	return jsonLD{"@type": "ItemList", "numberOfItems": len(all), "itemListElement": all}
}

// linked is the list of what a menu leads to.
func (m menuMain) linked() jsonLD {
	var items []listItem
	for _, s := range m.Sections {
		for _, item := range s.Items {
			items = append(items, outside(item.Entries)...)
		}
	}
	return itemList(items)
}

// linked is the list of what this page of cards leads to.
func (m cardsMain) linked() jsonLD { return itemList(outside(m.Rows)) }

// outside returns the entries that lead to another host.
func outside(entries []entry) []listItem {
	var items []listItem
	for _, e := range entries {
		if e.Out {
			items = append(items, listItem{e.Title, e.Link})
		}
	}
	return items
}

// linked is the list of all menus.
func (m menusMain) linked(v *view) jsonLD {
	var items []listItem
	for _, group := range m.Groups {
		for _, menu := range group.Menus {
			items = append(items, listItem{menu.Title, v.Absolute(v.At("/nav/" + menu.Slug))})
		}
	}
	return itemList(items)
}

// linked is the list of the chains of this page.
func (m chainsMain) linked(v *view) jsonLD {
	var items []listItem
	for _, chain := range m.Rows {
		items = append(items, listItem{chain.Name, v.Absolute(v.At("/chains/" + chain.Slug))})
	}
	return itemList(items)
}

// searchAction tells how the site is searched.
func (v *view) searchAction() jsonLD {
	return jsonLD{
		"@type": "WebSite", "name": v.Name(), "url": v.Absolute(v.At("/")), "inLanguage": v.Lang,
		"potentialAction": jsonLD{
			"@type": "SearchAction", "query-input": "required name=q",
			"target": jsonLD{"@type": "EntryPoint", "urlTemplate": v.Absolute(v.At("/search")) + "?q={q}"},
		},
	}
}
