package site

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// The changes that pages have: those of the last days before the served revision. Changes of figures
// alone are left out, since syncs would bury the others; the API has them.
const (
	daysOfChanges   = 30
	changesOnPage   = 100
	changesFeedPath = "/changes.atom"
)

// changesMain is the data of the changes.
type changesMain struct {
	pager
	Known bool // the server knows earlier revisions
	Kinds []kindOption
	Days  []changesDay
}

type changesDay struct {
	Name string
	Rows []changeRow
}

// changeRow is a change of a record.
type changeRow struct {
	Op, Kind, Title, Was string
	Path                 string // "" for a removed record
	Fields               string // members of responses, "" for none
}

func changesPage(v *view) error {
	asked, err := query.ParseChanges(v.asked("since", "1"), v.snapshot.Locales())
	if err != nil {
		return err
	}
	v.Title, v.Description = v.T("changes.title"), v.T("changes.lead", "n", daysOfChanges)
	all, since, known := v.edits()
	m := changesMain{Known: known, Kinds: v.kindsOf(all)}
	of := slices.DeleteFunc(slices.Clone(all), func(c snapshot.Change) bool { return !slices.Contains(asked.Kinds, c.Kind) })
	m.pager = v.pager(len(of), changesOnPage)
	for _, c := range of[min(m.First-1, len(of)):max(m.Last, 0)] {
		name := v.Date(c.PublishedAt[:len(time.DateOnly)])
		if n := len(m.Days); n == 0 || m.Days[n-1].Name != name {
			m.Days = append(m.Days, changesDay{Name: name})
		}
		day := &m.Days[len(m.Days)-1]
		day.Rows = append(day.Rows, v.changeRow(c))
	}
	if known {
		v.JSON = "/api/open/changes?since=" + strconv.FormatInt(since, 10)
	}
	v.Main = m
	return nil
}

// edits returns the changes of pages, newest first, and the revision after which they begin. known is
// false if the server knows no earlier revision.
func (v *view) edits() (all []snapshot.Change, since int64, known bool) {
	asked := query.Changes{
		Locale: v.locale, Kinds: query.ChangeKinds(), Page: query.Page{On: true, Limit: changelog.MaxEntries},
		Time: v.snapshot.Revision().PublishedAt.AddDate(0, 0, -daysOfChanges),
	}
	since, err := v.snapshot.Since(asked)
	if unknown, ok := errors.AsType[*snapshot.UnknownChanges](err); ok {
		if unknown.Oldest == nil {
			return nil, 0, false
		}
		since = unknown.Oldest.Number
	}
	all = v.snapshot.ChangesView(asked, since).Changes
	return slices.DeleteFunc(all, snapshot.Change.IsOfFigures), since, true
}

// kindsOf returns the kinds that changed, with links that filter the changes.
func (v *view) kindsOf(all []snapshot.Change) []kindOption {
	counts := map[query.Kind]int{}
	for _, c := range all {
		counts[c.Kind]++
	}
	chosen := strings.Split(v.Query("kind"), ",")
	options := []kindOption{{On: v.Query("kind") == "", Path: v.With("kind", ""), Count: len(all)}}
	for _, kind := range query.ChangeKinds() {
		if on := slices.Contains(chosen, string(kind)); counts[kind] > 0 || on {
			options = append(options, kindOption{Key: string(kind), Count: counts[kind], On: on, Path: v.With("kind", string(kind))})
		}
	}
	return options
}

func (v *view) changeRow(c snapshot.Change) changeRow {
	row := changeRow{Op: string(c.Change), Kind: string(c.Kind), Title: c.Title, Was: c.Was, Fields: strings.Join(c.Fields, ", ")}
	if c.Change != domain.Removed {
		row.Path = v.pathOfChange(c)
	}
	return row
}

// pathOfChange returns the page of a changed record, or the page that lists it.
func (v *view) pathOfChange(c snapshot.Change) string {
	switch c.Kind {
	case query.KindApp:
		if place, ok := v.snapshot.FirstPlace(c.Key); ok {
			return v.itemPath(place.Menu, place.Item)
		}
		return v.At("/cards")
	case query.KindCard:
		return v.At("/nav/" + lastSegment(c.Href))
	case query.KindGroup:
		return v.At("/nav")
	case query.KindCategoryGroup:
		return v.At("/categories")
	}
	path, _ := v.recordPath(c.Kind, c.Key)
	return path
}

// loadChangesFeed loads the Atom feed of the changes. The same catalogue with the same history at the
// same address gives the same feed.
func loadChangesFeed(v *view) error {
	v.Title = v.T("changes.title")
	m := feedMain{ID: v.site.tagURI("changes/" + v.Lang), Self: changesFeedPath, Page: "/changes", Updated: v.Meta.PublishedAt}
	all, _, _ := v.edits()
	all, _ = most(all, feedLength)
	for i, c := range all {
		if i == 0 {
			m.Updated = c.PublishedAt
		}
		what := v.T("changes." + string(c.Change))
		place := string(c.Kind) + "/" + c.Key
		if c.Kind == query.KindCard {
			place += "/" + lastSegment(c.Href)
		}
		m.Entries = append(m.Entries, feedEntry{
			ID: v.site.tagURI("changes/" + place + "/" + c.PublishedAt), Title: c.Title + ": " + what, Updated: c.PublishedAt,
			Link:    v.Absolute(cmp.Or(v.changeRow(c).Path, v.At("/changes"))),
			Summary: strings.Join(slices.DeleteFunc([]string{v.T("kind." + string(c.Kind)), strings.Join(c.Fields, ", ")}, isBlank), " · "),
		})
	}
	v.Main = m
	return nil
}

func isBlank(s string) bool { return s == "" }
