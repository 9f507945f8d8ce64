package site

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// newsItem is an event.
type newsItem struct {
	Name, Path string
	When, What string // date and kind of the event
	Ended      bool
	Note       string
}

// newsMain is the data of the news.
type newsMain struct {
	Filters []kindOption
	Years   []newsYear
}

// newsYear is a year with its launches and its retirements, if there are any.
type newsYear struct {
	Name   string
	Groups []*newsGroup
}

// newsGroup is the events of one kind of a year, newest first.
type newsGroup struct {
	Key    string // of newsEvents
	Count  int    // with those that the page omits
	Events []newsItem
}

// group returns the group of a kind of events. It adds one if there is none, in the order of newsEvents.
func (y *newsYear) group(key string) *newsGroup {
	order := func(g *newsGroup, key string) int {
		return cmp.Compare(slices.Index(newsEvents, g.Key), slices.Index(newsEvents, key))
	}
	at, found := slices.BinarySearchFunc(y.Groups, key, order)
	if !found {
		y.Groups = slices.Insert(y.Groups, at, &newsGroup{Key: key})
	}
	return y.Groups[at]
}

// newsYears is the number of years with events on the page.
const newsYears = 5

// The values of the parameter "event".
var newsEvents = []string{"begun", "ended"}

func newsPage(v *view) error {
	events, asked := v.snapshot.News(v.locale), v.Query("event")
	m := newsMain{Years: make([]newsYear, 0, newsYears)}
	years, shown := map[string]*newsYear{}, 0
	count := map[string]int{"": len(events)}
	for _, e := range events {
		event := map[bool]string{false: "begun", true: "ended"}[e.Ended]
		count[event]++
		if asked != "" && event != asked {
			continue
		}
		name := e.Date[:len("2006")]
		year := years[name]
		if year == nil {
			if len(m.Years) == newsYears {
				continue
			}
			m.Years = append(m.Years, newsYear{Name: name})
			year = &m.Years[len(m.Years)-1] // of the capacity below
			years[name] = year
		}
		group := year.group(event)
		group.Count++
		if shown < eventsOfNews {
			group.Events = append(group.Events, v.newsItem(e))
			shown++
		}
	}
	for i := range m.Years {
		m.Years[i].Groups = slices.DeleteFunc(m.Years[i].Groups, func(g *newsGroup) bool { return len(g.Events) == 0 })
	}
	m.Years = slices.DeleteFunc(m.Years, func(year newsYear) bool { return len(year.Groups) == 0 })
	for _, key := range append([]string{""}, newsEvents...) {
		m.Filters = append(m.Filters, kindOption{key, count[key], v.With("event", key), asked == key})
	}
	v.Title, v.Description, v.Main = v.T("news.title"), v.T("news.lead"), m
	v.link(nil)
	return nil
}

// balanced returns n events in their order, the newest launches and the newest ends. Each
// has half of the places, or more if the other has fewer.
func balanced(events []snapshot.Event, n int) []snapshot.Event {
	ended := 0
	for _, e := range events {
		if e.Ended {
			ended++
		}
	}
	half := n / 2
	left := map[bool]int{false: n - min(half, ended), true: n - min(n-half, len(events)-ended)}
	var some []snapshot.Event
	for _, e := range events {
		if left[e.Ended] > 0 {
			left[e.Ended]--
			some = append(some, e)
		}
	}
	return some
}

func (v *view) newsItem(e snapshot.Event) newsItem {
	return newsItem{Name: e.Name, Path: v.placeOf(e), When: v.Date(e.Date), What: v.whatOf(e), Ended: e.Ended, Note: cutShort(e.Note)}
}

// whatOf returns the words for an event.
func (v *view) whatOf(e snapshot.Event) string {
	switch {
	case e.Kind == query.KindChain && e.Ended:
		return v.T("news.chainEnded")
	case e.Kind == query.KindChain:
		return v.T("news.chainBegun")
	case e.Ended:
		return v.T("news.appEnded")
	}
	return v.T("news.appBegun")
}

// placeOf returns the path of the record of an event.
func (v *view) placeOf(e snapshot.Event) string {
	if e.Kind == query.KindChain {
		return v.At("/chains/" + e.Key)
	}
	return v.At("/apps/" + e.Key)
}

// feedMain is the data of an Atom feed (RFC 4287).
type feedMain struct {
	ID, Updated string
	Self, Page  string // paths of the feed and of the page with the same entries
	Entries     []feedEntry
}

type feedEntry struct{ ID, Title, Updated, Link, Summary string }

const feedPath = "/feed.atom"

// feedLength is the number of entries in a feed.
const feedLength = 50

// loadFeed loads the Atom feed of the news. Its times are the dates of the events, so the
// same catalogue at the same address gives the same feed.
func loadFeed(v *view) error {
	v.Title = v.T("news.title")
	m := feedMain{ID: v.site.tagURI("news/" + v.Lang), Self: feedPath, Page: "/news", Updated: v.Meta.PublishedAt}
	events, _ := most(v.snapshot.News(v.locale), feedLength)
	for i, e := range events {
		what, updated := v.whatOf(e), e.Date+"T00:00:00Z"
		if i == 0 {
			m.Updated = updated
		}
		m.Entries = append(m.Entries, feedEntry{
			ID: v.site.tagURI("news/" + idOf(e)), Title: e.Name + ": " + what, Updated: updated,
			Link: v.Absolute(v.placeOf(e)), Summary: cmp.Or(e.Note, what),
		})
	}
	v.Main = m
	return nil
}

const jsonFeedPath = "/feed.json"

// loadJSONFeed loads the feed of the news as a JSON Feed 1.1.
func loadJSONFeed(v *view) error {
	type item struct {
		ID        string `json:"id"`
		URL       string `json:"url"`
		Title     string `json:"title"`
		Text      string `json:"content_text"`
		Published string `json:"date_published"`
	}
	if err := loadFeed(v); err != nil {
		return err
	}
	main, items := v.Main.(feedMain), []item{}
	for _, e := range main.Entries {
		items = append(items, item{e.ID, e.Link, e.Title, e.Summary, e.Updated})
	}
	body, err := json.Marshal(map[string]any{
		"version": "https://jsonfeed.org/version/1.1", "title": v.Name() + " · " + v.Title, "language": v.Lang,
		"home_page_url": v.Absolute(v.At(main.Page)), "feed_url": v.Absolute(v.At(jsonFeedPath)), "items": items,
	})
	v.raw = body
	return err
}

// idOf returns the stable part of an event's id.
func idOf(e snapshot.Event) string {
	happened := map[bool]string{false: "begun", true: "ended"}[e.Ended]
	return string(e.Kind) + "/" + e.Key + "/" + happened
}

// tagURI returns a tag URI (RFC 4151) of this site. Sites without a public address share
// the authority localhost, so their URIs are not unique.
func (s *Site) tagURI(specific string) string {
	authority, path := "localhost", ""
	if public, err := url.Parse(s.publicURL); err == nil && public.Hostname() != "" {
		authority, path = strings.ReplaceAll(url.PathEscape(strings.ToLower(public.Hostname())), ":", "-"), strings.Trim(public.EscapedPath(), "/")
		if port := public.Port(); port != "" {
			path = strings.Trim(port+"/"+path, "/")
		}
	}
	if path != "" {
		specific = path + "/" + specific
	}
	return "tag:" + authority + "," + tagYear + ":" + specific
}

// tagYear is the date of all tag URIs. It must never change, or feed readers would show
// every entry as new.
const tagYear = "2026"
