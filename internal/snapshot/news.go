package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// Event is the launch or end of a record, with its date in the record.
type Event struct {
	Kind query.Kind // KindChain, or KindCard for an app with a card in a menu
	Key  string     // slug of the chain, key of the app
	Name string
	Date string // YYYY-MM-DD
	// Ended is true for the end of the record, false for its launch.
	Ended bool
	Note  string // on the end, or the description of the launched record; "" for none
}

// event is an [Event] in all locales.
type event struct {
	Event
	name, note domain.Text
}

// News returns the launches and ends of records, newest first. Dates are those of launch and
// retirement in the records. Future dates are left out.
func (s *Snapshot) News(id locale.ID) []Event {
	in := s.in(id)
	all := make([]Event, len(s.news))
	for i, e := range s.news {
		all[i] = e.Event
		all[i].Name, all[i].Note = in.text(e.name), in.text(e.note)
	}
	return all
}

// news prepares the events of [Snapshot.News].
func (c *compiler) news() []event {
	var all []event
	add := func(e event, description domain.Text, launched domain.Date, status domain.Status, since domain.Date, note domain.Text) {
		if launched != "" && status != domain.StatusUpcoming {
			begun := e
			begun.Date, begun.note = string(launched), description
			all = append(all, begun)
		}
		if status.Retired() && since != "" {
			e.Date, e.Ended, e.note = string(since), true, note
			all = append(all, e)
		}
	}
	for _, chain := range c.catalog.Chains {
		e := event{Event: Event{Kind: query.KindChain, Key: chain.Slug}, name: chain.Name}
		add(e, chain.Description, chain.Launched, chain.Status, chain.StatusSince, chain.StatusNote)
	}
	for _, app := range c.catalog.Apps {
		if len(c.appCards[app.Key]) > 0 {
			e := event{Event: Event{Kind: query.KindCard, Key: app.Key}, name: app.Title}
			add(e, app.Description, app.Launched, app.Status, app.StatusSince, app.StatusNote)
		}
	}
	slices.SortFunc(all, func(a, b event) int {
		return cmp.Or(strings.Compare(b.Date, a.Date), strings.Compare(string(a.Kind), string(b.Kind)),
			strings.Compare(a.Key, b.Key), compareBool(b.Ended, a.Ended))
	})
	return all
}
