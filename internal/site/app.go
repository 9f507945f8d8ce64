package site

import (
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

func appPage(v *view) error {
	app, err := recordOf[snapshot.App](v, query.KindApp, "there is no app with this key")
	if err != nil {
		return err
	}
	pic := v.Logo(app.Title, app.Image)
	m := recordMain{
		Name: app.Title, Description: app.Description, Website: app.Link, Logo: &pic, Aliases: app.Aliases, Image: app.Image,
		State: v.stateFor(app.Status, app.StatusSince, app.StatusNote, v.appNamed(app.Successor)),
	}
	platforms := fact{Label: v.T("fact.platforms"), IsList: true}
	for _, platform := range app.Platforms {
		platforms.Values = append(platforms.Values, value{Text: v.T("platform." + string(platform))})
	}
	m.Facts, m.Compare = v.placesOf(app), v.comparison(comparedApps.parameter, []string{app.Key})
	v.Description = v.T("app.description", "name", app.Title)
	appRecord.show(v, app.Key, m, app, map[string][]fact{"platforms": {platforms}})
	return nil
}

// appNamed returns the name and page of an app by its key, nil for none.
func (v *view) appNamed(key string) *named {
	app := snapshot.Details[snapshot.App](v.snapshot, query.KindApp, key, v.localized())
	if key == "" || app == nil {
		return nil
	}
	return &named{app.Title, v.At("/apps/" + app.Key)}
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
