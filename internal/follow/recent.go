package follow

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// recentLimit bounds the revisions and the events that are remembered.
const recentLimit = 10

// Served is what is served at a moment. It is read only.
type Served struct {
	Snapshot *snapshot.Snapshot
	Revision store.Revision
	Catalog  *domain.Catalog // what the snapshot was compiled from
	Since    time.Time       // in UTC; when this process began to serve it
}

// Served returns what is served now, and whether there is anything.
func (f *Follower) Served() (Served, bool) {
	s := f.serving.Load()
	if s == nil {
		return Served{}, false
	}
	return Served{Snapshot: s.snapshot, Revision: s.state.Revision, Catalog: s.state.Merged(), Since: s.since}, true
}

// Recent returns the newest revisions of the store, newest first, as it had them
// when the one that is served was taken from it; nil before that.
func (f *Follower) Recent() []store.Revision {
	if recent := f.recent.Load(); recent != nil {
		return *recent
	}
	return nil
}

// recall asks the store for its newest revisions, once for each that is served.
// They are for people to look at: if the store does not say, the next look at its
// head tells of what is wrong with it.
func (f *Follower) recall(ctx context.Context) {
	if same(f.recalled, f.state.Revision) {
		return
	}
	f.recalled = f.state.Revision
	revisions, err := ask(ctx, &f.line, headLimit, func(ctx context.Context, s store.Store) ([]store.Revision, error) {
		return s.History(ctx, recentLimit)
	})
	if err == nil {
		f.recent.Store(&revisions)
	}
}

// KeyUse is what is known of the use of an API key: never the key itself.
type KeyUse struct {
	Name  string
	Until time.Time // from when on it is refused, zero for never
	Limit string    // its own rate limit, "" for that of all keys
	Used  time.Time // when it was used last, zero while that is not known
}

// Uses returns what is known of the keys that are valid at a time, by name. Of a use
// elsewhere the store tells, about a minute late.
func (f *KeyFollower) Uses(now time.Time) []KeyUse {
	known := f.known.Load()
	if known == nil {
		return nil
	}
	used := map[[32]byte]time.Time{}
	if stored := f.stored.Load(); stored != nil {
		for _, k := range *stored {
			used[k.Hash] = k.UsedAt
		}
	}
	for hash, at := range f.Keys().LastUses() {
		if at.After(used[hash]) {
			used[hash] = at
		}
	}
	var uses []KeyUse
	for _, k := range *known {
		if k.ValidAt(now) {
			uses = append(uses, KeyUse{Name: k.Name, Until: k.EndsAt(), Limit: k.Limit, Used: used[k.Hash]})
		}
	}
	slices.SortStableFunc(uses, func(a, b KeyUse) int { return cmp.Compare(a.Name, b.Name) })
	return uses
}

// KeyUses is [KeyFollower.Uses] of the follower's keys, nil without any.
func (f *Follower) KeyUses(now time.Time) []KeyUse {
	if f.config.Keys == nil {
		return nil
	}
	return f.config.Keys.Uses(now)
}

// Watched is what became of a catalogue directory.
type Watched struct {
	Dir    string
	Read   Reading // zero until it was read first
	Events []Event // the last ones, newest first
}

// Reading is one reading of a catalogue directory.
type Reading struct {
	At               time.Time // in UTC
	Errors, Warnings int
	Commit           string // of git, that it was at; "" where that is not known
	Modified         bool
	CommitProblem    string // why the commit could not be found out
}

// Event is a change of a catalogue directory that was to be published, and what
// became of it.
type Event struct {
	At       time.Time // in UTC
	Result   Result
	Revision int64    // that was published, else 0
	Reasons  []string // why it was not
}

// Result is what became of a change.
type Result string

// The results.
const (
	Published Result = "published"
	HeldBack  Result = "held"
	Broken    Result = "broken"
	Failed    Result = "failed"
)

// Watched returns what became of the directory that is watched, and whether one is.
func (f *Follower) Watched() (Watched, bool) {
	w := f.config.Watcher
	if w == nil {
		return Watched{}, false
	}
	watched := w.diary.copy()
	watched.Dir = w.config.Dir
	return watched, true
}

// diary is what a watcher remembers for others to look at.
type diary struct {
	mu     sync.Mutex
	latest Reading
	events []Event // oldest first, at most recentLimit
}

func (d *diary) read(dir *bundle.Directory) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.latest = Reading{
		At: time.Now().UTC(), Errors: dir.Errors(), Warnings: dir.Warnings(), Commit: dir.Commit.Hash, Modified: dir.Commit.Modified,
	}
	if dir.CommitProblem != nil {
		d.latest.CommitProblem = dir.CommitProblem.Error()
	}
}

func (d *diary) add(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e.At = time.Now().UTC()
	d.events = append(d.events, e)
	d.events = d.events[max(0, len(d.events)-recentLimit):]
}

func (d *diary) copy() Watched {
	d.mu.Lock()
	defer d.mu.Unlock()
	events := slices.Clone(d.events)
	slices.Reverse(events)
	return Watched{Read: d.latest, Events: events}
}
