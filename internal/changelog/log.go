package changelog

import (
	"cmp"
	"slices"
	"time"

	"vitrine/internal/domain"
)

// The bounds of a [Log].
const (
	MaxRevisions = 1000
	MaxEntries   = 50_000
)

// Revision is a published revision and what it changed. Its JSON is that of a distribution, like that
// of an [Entry].
type Revision struct {
	Number      int64     `json:"number"`
	PublishedAt time.Time `json:"publishedAt"` // in UTC
	Entries     []Entry   `json:"entries,omitempty"`
}

// Log has the changes of the last revisions, within [MaxRevisions] and [MaxEntries]. It is immutable
// and safe for concurrent use.
type Log struct {
	revisions []Revision // ascending, at least one; the first one without its entries
}

// New returns a log that begins with a revision.
func New(first Revision) *Log {
	first.Entries = nil
	return &Log{[]Revision{first}}
}

// Append returns the log with further revisions in ascending order. It drops the oldest ones beyond
// the bounds, and the entries of purged records before the purge.
func (l *Log) Append(revisions ...Revision) *Log {
	all := slices.Concat(l.revisions, revisions)
	size := 0
	first := len(all) - 1 // whose entries are not needed
	for first > 0 && len(all)-first < MaxRevisions && size+len(all[first].Entries) <= MaxEntries {
		size += len(all[first].Entries)
		first--
	}
	all = slices.Clone(all[first:])
	all[0].Entries = nil
	forgetPurged(all)
	return &Log{all}
}

// forgetPurged removes the entries of purged records before the purge, which may have their
// titles.
func forgetPurged(revisions []Revision) {
	purged := map[recordID]bool{}
	forgotten := func(e Entry) bool {
		if e.Kind == KindCard {
			return purged[recordID{domain.KindMenu, e.Menu}]
		}
		return !e.Purged && (purged[recordID{e.Kind, e.ID}] || purged[recordID{e.Kind, e.WasID}])
	}
	for i, r := range slices.Backward(revisions) {
		if slices.ContainsFunc(r.Entries, forgotten) {
			revisions[i].Entries = slices.DeleteFunc(slices.Clone(r.Entries), forgotten)
		}
		for _, e := range r.Entries {
			if e.Purged {
				purged[recordID{e.Kind, e.ID}] = true
			}
		}
	}
}

// Revisions returns the revisions in ascending order, the first one without its entries. The result
// is shared and read only.
func (l *Log) Revisions() []Revision { return l.revisions }

// Oldest returns the oldest revision whose later changes are known.
func (l *Log) Oldest() Revision { return l.revisions[0] }

// Newest returns the newest revision.
func (l *Log) Newest() Revision { return l.revisions[len(l.revisions)-1] }

// Current returns the number of the revision that was current at a time. ok is false if it is older
// than [Log.Oldest], or if there was none.
func (l *Log) Current(at time.Time) (number int64, ok bool) {
	after, _ := slices.BinarySearchFunc(l.revisions, at, func(r Revision, at time.Time) int {
		if r.PublishedAt.After(at) {
			return 1
		}
		return -1
	})
	if after == 0 {
		return 0, false
	}
	return l.revisions[after-1].Number, true
}

// PublishedAt returns the time of a revision after [Log.Oldest].
func (l *Log) PublishedAt(number int64) time.Time {
	i, _ := slices.BinarySearchFunc(l.revisions, number, func(r Revision, number int64) int { return cmp.Compare(r.Number, number) })
	return l.revisions[i].PublishedAt
}

// Change is the change of a record over several revisions.
type Change struct {
	Kind     domain.Kind // or KindCard
	Key      string      // the current key, of a removed record the key at the revision
	Was      string      // the key before the revisions, if it differs; "" unless Op is Changed
	Menu     string      // path slug of the menu of a card, "" for other kinds
	Op       domain.Op   // Added, Removed or Changed
	Fields   []string    // that differ, in any order; nil unless Op is Changed
	Revision int64       // the last one that changed the record
	Title    domain.Text // of a removed record, as in [Entry]
	Name     string      // of a removed record, as in [Entry]
}

// Since returns the changes after a revision, each record once, in any order. It compares the state
// at the revision with the newest one, so changes that were undone are omitted. Changes of fields
// that keep returns false for do not count. The revision must not be older than [Log.Oldest].
func (l *Log) Since(revision int64, keep func(kind domain.Kind, field string) bool) []Change {
	records := map[recordID]*history{}
	for _, r := range l.revisions {
		if r.Number <= revision {
			continue
		}
		for i := range r.Entries {
			follow(records, &r.Entries[i])
		}
	}
	var changes []Change
	for _, h := range records {
		if c, ok := h.change(keep); ok {
			changes = append(changes, c)
		}
	}
	return changes
}

type recordID struct {
	kind domain.Kind
	id   string
}

// history is what happened to a record since a revision.
type history struct {
	first, last *Entry
	fields      map[string]*Value // hashes at the revision and now
}

// follow adds an entry to the history of its record. A record that is renamed to the key of a
// removed one replaces it.
func follow(records map[recordID]*history, e *Entry) {
	before := recordID{e.Kind, cmp.Or(e.WasID, e.ID)}
	h := records[before]
	if h == nil {
		h = &history{first: e, fields: map[string]*Value{}}
	}
	delete(records, before)
	records[recordID{e.Kind, e.ID}] = h
	h.last = e
	for _, v := range e.Values {
		if known := h.fields[v.Field]; known != nil {
			known.After = v.After
			continue
		}
		h.fields[v.Field] = &Value{v.Field, v.Before, v.After}
	}
}

// change returns the change from the first to the last entry. ok is false if there is none.
func (h *history) change(keep func(kind domain.Kind, field string) bool) (c Change, ok bool) {
	e := h.last
	c = Change{Kind: e.Kind, Key: e.Key, Menu: e.Menu, Op: domain.Changed, Revision: e.Revision}
	existed, exists := h.first.Op != domain.Added, e.Op != domain.Removed
	switch {
	case !existed && !exists:
		return c, false
	case !existed:
		c.Op = domain.Added
		return c, true
	case !exists:
		c.Op, c.Key, c.Title, c.Name = domain.Removed, h.first.Was, domain.Text(e.Title), e.Name
		return c, true
	}
	for field, v := range h.fields {
		if v.Before != v.After && keep(c.Kind, field) {
			c.Fields = append(c.Fields, field)
		}
	}
	if h.first.Was != c.Key && c.Kind != KindCard {
		c.Was = h.first.Was
	}
	return c, len(c.Fields) > 0 || c.Was != ""
}
