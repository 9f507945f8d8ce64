package site

import (
	"vitrine/internal/snapshot"
)

// partsOfApp adds the menus of an app to its page.
func partsOfApp(v *view, m *recordMain, record any) map[string][]fact {
	app := record.(*snapshot.App)
	m.Facts, m.Compare = v.placesOf(app), v.comparison(comparedApps.parameter, []string{app.Key})
	v.Description = v.T("app.description", "name", app.Title)
	return map[string][]fact{"platforms": {v.platformsOf(app)}}
}

// platformsOf returns the fact with the platforms of an app.
func (v *view) platformsOf(app *snapshot.App) fact {
	platforms := fact{Label: v.T("fact.platforms"), IsList: true}
	for _, platform := range app.Platforms {
		platforms.Values = append(platforms.Values, value{Text: v.T("platform." + string(platform))})
	}
	return platforms
}

// placesOf returns the fact that names the menus with cards of an app, nil for none.
func (v *view) placesOf(app *snapshot.App) []fact {
	in := fact{Label: v.T("fact.menus"), IsList: true}
	for _, place := range app.Menus {
		name := place.Menu
		for _, menu := range v.cardIndex().menus {
			if menu.Value == place.Menu {
				name = menu.Name
			}
		}
		in.Values = append(in.Values, value{Text: name, Path: v.itemPath(place.Menu, place.Item)})
	}
	if in.Values == nil {
		return nil
	}
	return []fact{in}
}
