package site

import (
	"cmp"
	"encoding/xml"
	"net/url"
	"strings"

	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// happening is an event as pages show it.
type happening struct {
	Name, Path string
	When       string // the day, as the language writes it
	What       string // that it began or ended, and what it is
	Ended      bool
	Note       string
}

// newsMain is what the page of what is new shows.
type newsMain struct{ Years []year }

// year is what happened in one year.
type year struct {
	Name   string
	Events []happening
}

// newsYears is how many years the page goes back, from the newest event.
const newsYears = 5

func newsPage(v *view) (response.Document, error) {
	var main newsMain
	events, _ := most(v.snapshot.News(v.locale), eventsOfNews)
	for _, e := range events {
		name := e.Date[:len("2006")]
		if n := len(main.Years); n == 0 || main.Years[n-1].Name != name {
			if n == newsYears {
				break
			}
			main.Years = append(main.Years, year{Name: name})
		}
		one, err := v.happening(e)
		if err != nil {
			return response.Document{}, err
		}
		last := &main.Years[len(main.Years)-1]
		last.Events = append(last.Events, one)
	}
	var err error
	if v.Title, err = v.T("news.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("news.lead"); err != nil {
		return response.Document{}, err
	}
	if err := v.tell(nil); err != nil {
		return response.Document{}, err
	}
	return v.show("news", main, main.twin)
}

func (m newsMain) twin(p *page) error {
	for _, year := range m.Years {
		p.heading(2, plain(year.Name))
		p.happenings(year.Events)
	}
	if len(m.Years) > 0 {
		return nil
	}
	none, err := p.texts("news.none")
	p.list(none...)
	return err
}

// happenings adds a list of what happened.
func (p *page) happenings(events []happening) {
	var lines []inline
	for _, e := range events {
		name := plain(e.Name)
		if e.Path != "" {
			name = link(e.Name, p.view.Absolute(e.Path))
		}
		lines = append(lines, sentence(plain(e.When), name, plain(e.What), plain(e.Note)))
	}
	p.list(lines...)
}

// latest returns the newest events, in a few words each and in their order: half of them
// what began and half what ended, as far as there is as much of both.
func (v *view) latest(n int) ([]happening, error) {
	var all []happening
	for _, e := range balanced(v.snapshot.News(v.locale), n) {
		one, err := v.happening(e)
		if err != nil {
			return nil, err
		}
		one.Note = ""
		all = append(all, one)
	}
	return all, nil
}

// balanced returns n of the events in their order, the first of those that began and the
// first of those that ended. What is short of half leaves its places to the others.
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

func (v *view) happening(e snapshot.Event) (happening, error) {
	what, err := v.T(whatOf(e))
	if err != nil {
		return happening{}, err
	}
	path, err := v.placeOf(e)
	return happening{Name: e.Name, Path: path, When: v.Date(e.Date), What: what, Ended: e.Ended, Note: cutShort(e.Note)}, err
}

// whatOf returns the key of the text that says what happened.
func whatOf(e snapshot.Event) string {
	switch {
	case e.Kind == query.KindChain && e.Ended:
		return "news.chainEnded"
	case e.Kind == query.KindChain:
		return "news.chainBegun"
	case e.Ended:
		return "news.appEnded"
	}
	return "news.appBegun"
}

// placeOf returns the path of the page where the record of an event stands.
func (v *view) placeOf(e snapshot.Event) (string, error) {
	if e.Kind == query.KindChain {
		return v.At("/chains/" + e.Key), nil
	}
	return v.itemPath(e.Menu, e.Item)
}

// feed is an Atom feed (RFC 4287).
type feed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []feedLink  `xml:"link"`
	Entries []feedEntry `xml:"entry"`
}

type feedLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type feedEntry struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Links   []feedLink `xml:"link"`
	Summary string     `xml:"summary"`
}

const feedPath = "/feed.atom"

// feedLength is how many events the feed has.
const feedLength = 50

// feedPage returns the Atom feed of the news. Its ids are tag URIs of the site, so two
// sites with public addresses have different ids for the same records. Times are the dates
// of the events: the same catalogue at the same address gives the same feed.
func feedPage(v *view) (response.Document, error) {
	title, err := v.T("news.title")
	if err != nil {
		return response.Document{}, err
	}
	f := feed{
		Lang: v.Lang, ID: v.site.tagURI("news/" + v.Lang), Title: v.Name() + " · " + title, Author: v.Name(),
		Updated: v.Meta.PublishedAt,
		Links: []feedLink{
			{"self", "application/atom+xml", v.Absolute(v.At(feedPath))},
			{"alternate", "text/html", v.Absolute(v.At("/news"))},
		},
	}
	events := v.snapshot.News(v.locale)
	for i, e := range events[:min(feedLength, len(events))] {
		what, err := v.T(whatOf(e))
		if err != nil {
			return response.Document{}, err
		}
		path, err := v.placeOf(e)
		if err != nil {
			return response.Document{}, err
		}
		entry := feedEntry{
			ID: v.site.tagURI("news/" + idOf(e)), Title: e.Name + ": " + what, Updated: e.Date + "T00:00:00Z",
			Links: []feedLink{{"alternate", "text/html", v.Absolute(path)}}, Summary: cmp.Or(e.Note, what),
		}
		if i == 0 {
			f.Updated = entry.Updated
		}
		f.Entries = append(f.Entries, entry)
	}
	body, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return response.Document{}, err
	}
	return response.Document{Body: append([]byte(xml.Header), body...), Fields: v.fields("application/atom+xml; charset=utf-8"), Effort: response.Often}, nil
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
