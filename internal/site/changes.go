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

// edits are the changes that pages have, newest first, in no language.
type edits struct {
	all    []changelog.Change
	counts map[query.Kind]int
	since  int64 // the revision after which they begin
	known  bool  // false if the server knows no earlier revision
}

func changesPage(v *view) error {
	asked, err := query.ParseChanges(v.asked("since", "1"), v.snapshot.Locales())
	if err != nil {
		return err
	}
	v.Title, v.Description = v.T("changes.title"), v.T("changes.lead", "n", daysOfChanges)
	e := v.edits()
	m := changesMain{Known: e.known, Kinds: v.kindOptions(query.ChangeKinds(), func(kind query.Kind) int { return e.counts[kind] })}
	some := e.all
	if v.Query("kind") != "" {
		some = slices.DeleteFunc(slices.Clone(e.all), func(c changelog.Change) bool { return !slices.Contains(asked.Kinds, snapshot.KindOfChange(c)) })
	}
	m.pager = v.pager(len(some), changesOnPage)
	for _, c := range v.snapshot.ChangeViews(some[min(m.First-1, len(some)):max(m.Last, 0)], v.locale) {
		name := v.Date(c.PublishedAt[:len(time.DateOnly)])
		if n := len(m.Days); n == 0 || m.Days[n-1].Name != name {
			m.Days = append(m.Days, changesDay{Name: name})
		}
		day := &m.Days[len(m.Days)-1]
		day.Rows = append(day.Rows, v.changeRow(c))
	}
	if e.known {
		v.JSON = "/api/open/changes?since=" + strconv.FormatInt(e.since, 10)
	}
	v.Main = m
	return nil
}

// edits returns the changes of pages, which all languages share.
func (v *view) edits() *edits {
	return v.site.edits.of(v.snapshot, v.snapshot.Locales().Default(), func() *edits {
		since, err := v.snapshot.Since(query.Changes{Time: v.snapshot.Revision().PublishedAt.AddDate(0, 0, -daysOfChanges)})
		if unknown, ok := errors.AsType[*snapshot.UnknownChanges](err); ok {
			if unknown.Oldest == nil {
				return &edits{}
			}
			since = unknown.Oldest.Number
		}
		e := &edits{all: v.snapshot.Edits(since), counts: map[query.Kind]int{}, since: since, known: true}
		for _, c := range e.all {
			e.counts[snapshot.KindOfChange(c)]++
		}
		return e
	})
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
	newest, _ := most(v.edits().all, feedLength)
	for i, c := range v.snapshot.ChangeViews(newest, v.locale) {
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
