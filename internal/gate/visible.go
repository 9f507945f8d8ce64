package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/domain"
)

// shrunk holds if readers lose many records of a kind, or some of the first: records that were removed,
// or that lists hide because they are retired, unlisted or held back. Losses count from the served catalogue
// and, if there are some, from the window.
func (c *comparison) shrunk(window func() (*domain.Catalog, error)) ([]Finding, error) {
	share := shareOf(c.settings.Shrink, standardShrink)
	window = sync.OnceValues(window)
	var all []Finding
	for _, kind := range Kinds() {
		if !c.mayLose(kind) {
			continue
		}
		l := c.lossOf(kind)
		if f, ok := l.finding(kind, share, c.served, ""); ok {
			all = append(all, f)
			continue
		}
		if len(l.removed)+len(l.unseen) == 0 {
			continue
		}
		first, err := window()
		if err != nil {
			return nil, err
		}
		if first == nil {
			continue
		}
		if f, ok := c.lossFrom(kind, first).finding(kind, share, first, withinWindow); ok {
			all = append(all, f)
		}
	}
	return c.withMenus(all, window)
}

// withMenus adds the finding about single menus, unless the cards of all menus are one.
func (c *comparison) withMenus(all []Finding, window func() (*domain.Catalog, error)) ([]Finding, error) {
	if !c.mayLose(cards) || slices.ContainsFunc(all, func(f Finding) bool { return f.Rule == fmt.Sprintf("%s:%s", domain.GateShrink, cards) }) {
		return all, nil
	}
	f, ok, err := c.emptiedMenus(window)
	if ok {
		all = append(all, f)
	}
	return all, err
}

// withinWindow says that a loss counts from the beginning of the window.
const withinWindow = " within the window"

// lossOf returns the loss from the served catalogue to the candidate. If only records themselves
// decide whether readers see them, it compares those that differ.
func (c *comparison) lossOf(kind string) loss {
	d := domain.Describe(domain.Kind(kind))
	aged := c.served.MaxAge != nil || c.candidate.MaxAge != nil
	if d == nil || d.Kind == domain.KindMenu || d.Kind == domain.KindApp || d.Kind == domain.KindAccount && aged {
		return c.lossFrom(kind, c.served)
	}
	k := c.kind(d.Kind)
	var before, now presence
	for _, p := range k.changed {
		before.records, now.records = append(before.records, seenOf(d, p.before)), append(now.records, seenOf(d, p.after))
	}
	for _, record := range k.removed {
		before.records = append(before.records, seenOf(d, record))
	}
	for _, p := range k.added {
		now.records = append(now.records, seenOf(d, p.after))
	}
	l := lossOf(kind, before, now)
	l.of, l.seen = d.Size(c.served), 0
	for i := range l.of {
		if hiddenBy(d.Record(c.served, i)) == "" {
			l.seen++
		}
	}
	return l
}

// lossFrom returns the loss from a catalogue to the candidate.
func (c *comparison) lossFrom(kind string, before *domain.Catalog) loss {
	if kind == cards {
		return lossOf(kind, cardsIn(before, relinked(before, c.candidate)), cardsIn(c.candidate, nil))
	}
	return lossOf(kind, seenIn(kind, before), seenIn(kind, c.candidate))
}

// mayLose reports whether records of a kind changed, or what decides if readers see them.
func (c *comparison) mayLose(kind string) bool {
	of := []domain.Kind{domain.Kind(kind)}
	switch domain.Kind(kind) {
	case cards:
		of = []domain.Kind{domain.KindMenu, domain.KindApp}
	case domain.KindMenu:
		of = append(of, domain.KindNavGroup)
	case domain.KindAccount:
		of = append(of, domain.KindCatalog) // with the age of figures
	}
	return slices.ContainsFunc(of, func(kind domain.Kind) bool {
		k := c.kind(kind)
		return len(k.changed)+len(k.removed) > 0
	})
}

// Cards are not a kind; rules use this name for them.
const cards = "cards"

// Kinds returns the kinds that rules of losses name.
func Kinds() []string {
	var kinds []string
	for _, k := range domain.Kinds() {
		if k != domain.KindCatalog {
			kinds = append(kinds, string(k))
		}
	}
	return append(kinds, cards)
}

// loss is what readers lose of a kind.
type loss struct {
	removed []Record // removed records
	of      int      // records before
	unseen  []Record // records that readers saw and no longer see, removed ones included
	seen    int      // records that readers saw
}

// finding returns the finding of a large loss from a catalogue, or of the loss of its leaders. A renamed
// record that does not list its former key is lost, because readers know that key.
func (l loss) finding(kind string, s share, from *domain.Catalog, when string) (Finding, bool) {
	records, of, noun := l.removed, l.of, kind
	if d := domain.Describe(domain.Kind(kind)); d != nil {
		noun = d.Plural
	}
	if kind == string(domain.KindAccount) || !s.isLarge(len(records), of) {
		records, of, noun = l.unseen, l.seen, "listed "+noun
	}
	if !s.isLarge(len(records), of) {
		return l.ofLeaders(kind, from, when)
	}
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.Key, b.Key) })
	return largeFinding(fmt.Sprintf("%s:%s", domain.GateShrink, kind), s.text(len(records), of, noun)+" would be gone"+when,
		"readers no longer find them in lists and menus", records, s, of), true
}

// The loss of leaders of a long list is large, whatever their share of the records.
const (
	leaders     = 20
	lostLeaders = 3
	longList    = 100 // records with a figure
)

// ofLeaders returns the finding of the loss of records with the largest first figures of a long list.
func (l loss) ofLeaders(kind string, from *domain.Catalog, when string) (Finding, bool) {
	d := domain.Describe(domain.Kind(kind))
	if len(l.unseen) < lostLeaders || d == nil || len(d.Shape.Figures()) == 0 {
		return Finding{}, false
	}
	type ranked struct {
		key   string
		value float64
	}
	var all []ranked
	figure := d.Shape.Figures()[0]
	for i := range d.Size(from) {
		record := d.Record(from, i)
		if f := *figure.Figure(record); f != nil && hiddenBy(record) == "" {
			all = append(all, ranked{d.Identity(d.Address(record)), f.Value})
		}
	}
	if len(all) < longList {
		return Finding{}, false
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.value, a.value) })
	first := map[string]bool{}
	for _, r := range all[:leaders] {
		first[r.key] = true
	}
	lost := slices.DeleteFunc(slices.Clone(l.unseen), func(r Record) bool { return !first[r.Key] })
	if len(lost) < lostLeaders {
		return Finding{}, false
	}
	return finding(fmt.Sprintf("%s:%s", domain.GateShrink, kind),
		fmt.Sprintf("%d of the %d %s with the largest %s would be gone%s (held from %d)", len(lost), leaders, d.Plural, figure.Name, when, lostLeaders),
		"readers no longer find them at the head of lists", lost, func(n int) bool { return n >= lostLeaders }), true
}

// removed is the cause of a removed record.
const removed = "removed"

// seen is a record of a kind, or a card.
type seen struct {
	key    string
	former []string
	hidden string // why readers do not see it, "" if they do
	link   string // of an app; "" otherwise
}

// presence has the visible records of a kind.
type presence struct {
	records []seen
	links   map[string]bool // of cards without an app where the kind is apps, and the reverse
}

// seenIn returns the visible records of a kind: not retired ones, held-back accounts, menus
// without a group.
func seenIn(kind string, catalog *domain.Catalog) presence {
	d := domain.Describe(domain.Kind(kind))
	p := presence{records: make([]seen, 0, d.Size(catalog))}
	of, grouped := catalog, map[string]bool{}
	switch d.Kind {
	case domain.KindAccount:
		of = domain.Listed(catalog)
	case domain.KindMenu:
		for _, g := range catalog.NavGroups {
			for _, slug := range g.Menus {
				grouped[slug] = true
			}
		}
	case domain.KindApp:
		p.links = map[string]bool{}
		for card := range shownCards(catalog) {
			if card.written.App == "" {
				p.links[card.Link] = true
			}
		}
	}
	for i := range d.Size(of) {
		record := d.Record(of, i)
		s := seenOf(d, record)
		if menu, is := record.(*domain.Menu); is && !grouped[menu.PathSlug] {
			s.hidden = "unlisted"
		}
		if app, is := record.(*domain.App); is {
			s.link = app.Link
		}
		p.records = append(p.records, s)
	}
	return p
}

// seenOf returns a record of a kind as far as it decides for itself.
func seenOf(d *domain.Description, record any) seen {
	s := seen{key: d.Identity(d.Address(record)), hidden: hiddenBy(record)}
	for _, key := range d.FormerKeys(record) {
		s.former = append(s.former, d.Identity(key))
	}
	return s
}

// hiddenBy returns why a record is not in its list, "" if it is.
func hiddenBy(record any) string {
	if account, is := record.(*domain.Account); is && domain.HeldBack(account) {
		return "held back"
	}
	if domain.IsRetired(record) {
		return "retired"
	}
	return ""
}

// cardsIn returns the cards by link, their own or that of their app, or the later one of relinked
// cards. Cards of retired apps are hidden.
func cardsIn(catalog *domain.Catalog, relinked map[*domain.Card]string) presence {
	p := presence{links: map[string]bool{}}
	for card := range shownCards(catalog) {
		s := seen{key: cmp.Or(relinked[card.written], card.Link)}
		if card.retired {
			s.hidden = "retired"
		}
		p.records = append(p.records, s)
	}
	for _, app := range catalog.Apps {
		p.links[app.Link] = true
	}
	return p
}

// lossOf returns the lost records. A record is not lost if it has a former key. An app is not
// lost if a card without an app has its link. A card is not lost if it became an app: a new app
// has its link.
func lossOf(kind string, before, now presence) loss {
	there, shown, why := map[string]int{}, map[string]int{}, map[string]string{}
	for _, s := range now.records {
		for _, key := range append([]string{s.key}, s.former...) {
			there[key]++
			if s.hidden == "" {
				shown[key]++
			} else {
				why[key] = s.hidden
			}
		}
	}
	var l loss
	for _, s := range before.records {
		if kind == string(domain.KindApp) && now.links[s.link] || kind == cards && there[s.key] == 0 && now.links[s.key] && !before.links[s.key] {
			l.of, l.seen = l.of+1, l.seen+1
			continue
		}
		l.of++
		r := Record{Kind: domain.Kind(kind), Key: s.key, Cause: removed}
		there[s.key]--
		if there[s.key] < 0 {
			l.removed = append(l.removed, r)
		} else if why[s.key] != "" {
			r.Cause = why[s.key]
		}
		if s.hidden != "" {
			continue
		}
		l.seen++
		if shown[s.key]--; shown[s.key] < 0 {
			l.unseen = append(l.unseen, r)
		}
	}
	return l
}
