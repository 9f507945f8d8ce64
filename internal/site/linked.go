package site

import (
	"slices"

	"vitrine/internal/snapshot"
)

// jsonLD is linked data by schema.org for search engines. It repeats data that the page shows.
type jsonLD = map[string]any

// link sets the linked data of the page: a thing, nil for none, and the path to the page
// from the first page through sections.
func (v *view) link(thing jsonLD, through ...section) {
	var steps []jsonLD
	step := func(name, path string) {
		steps = append(steps, jsonLD{"@type": "ListItem", "position": len(steps) + 1, "name": name, "item": v.Absolute(v.At(path))})
	}
	step(v.Name(), "/")
	for _, s := range through {
		step(v.T("title."+s.name), s.path)
	}
	step(v.Title, v.Plain())
	graph := []jsonLD{{"@type": "BreadcrumbList", "itemListElement": steps}}
	if thing != nil {
		graph = append([]jsonLD{thing}, graph...)
	}
	v.Linked = jsonLD{"@context": "https://schema.org", "@graph": graph}
}

// itemList returns the list of the entries of a page that have a link, nil for none.
func itemList(v *view, entries []entry) jsonLD {
	var all []jsonLD
	for _, e := range entries {
		if e.Link == "" {
			continue
		}
		address := e.Link
		if !e.Out {
			address = v.Absolute(e.Link)
		}
		all = append(all, jsonLD{"@type": "ListItem", "position": len(all) + 1, "name": e.Title, "url": address})
	}
	if len(all) == 0 {
		return nil
	}
	return jsonLD{"@type": "ItemList", "numberOfItems": len(all), "itemListElement": all}
}

// linkedRecord returns the linked data of a record.
func (v *view) linkedRecord(m recordMain, links []snapshot.Link) jsonLD {
	here := v.Absolute(v.Here())
	if m.Outside == "" {
		aliases, _ := most(m.Aliases, partsOfRecord)
		return thing(m.Name, here, jsonLD{
			"identifier": m.ID, "alternateName": aliases, "image": v.imageAddress(m.Image),
			"description": m.Description, "sameAs": webAddresses(append([]string{m.Website}, addresses(links)...)),
		})
	}
	return jsonLD{"@type": "ProfilePage", "name": m.Name, "url": here, "mainEntity": thing(m.Name, m.Outside, jsonLD{
		"alternateName": m.Handle, "identifier": m.ID,
		"description": m.Description, "sameAs": webAddresses(append([]string{m.Website, m.Outside}, addresses(links)...)),
	})}
}

// thing returns a thing with the members that are not empty.
func thing(name, address string, more jsonLD) jsonLD {
	all := jsonLD{"@type": "Thing", "name": name, "url": address}
	for key, value := range more {
		switch value := value.(type) {
		case string:
			if value != "" {
				all[key] = value
			}
		case []string:
			if len(value) > 0 {
				all[key] = value
			}
		}
	}
	return all
}

func addresses(links []snapshot.Link) []string {
	all := make([]string, len(links))
	for i, link := range links {
		all[i] = link.URL
	}
	return all
}

// webAddresses returns the distinct http and https URLs.
func webAddresses(all []string) []string {
	var web []string
	for _, address := range all {
		if isWeb(address) && !slices.Contains(web, address) {
			web = append(web, address)
		}
	}
	return web
}
