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

// recentLimit is the maximum number of remembered revisions and of events.
const recentLimit = 10

// Served is the served state at a moment. It is read only.
type Served struct {
	Snapshot *snapshot.Snapshot
	Revision store.Revision
	Catalog  *domain.Catalog // source of the snapshot
	Since    time.Time       // in UTC; start of serving it in this process
}

// Served returns the served state, and whether there is one.
func (f *Follower) Served() (Served, bool) {
	s := f.serving.Load()
	if s == nil {
		return Served{}, false
	}
	return Served{Snapshot: s.snapshot, Revision: s.state.Revision, Catalog: s.state.Merged(), Since: s.since}, true
}

// Recent returns the newest revisions of the store when the served one was loaded, newest first;
// nil before that.
func (f *Follower) Recent() []store.Revision {
	if recent := f.recent.Load(); recent != nil {
		return *recent
	}
	return nil
}

// recall reads the newest revisions once per served revision. Errors are ignored, because the next
// look at the head reports them.
func (f *Follower) recall(ctx context.Context) {
	if same(f.recalled, f.state.Revision) {
		return
	}
	f.recalled = f.state.Revision
	revisions, err := do(ctx, &f.conn, headLimit, func(ctx context.Context, s Source) ([]store.Revision, error) {
		return s.History(ctx, recentLimit)
	})
	if err == nil {
		f.recent.Store(&revisions)
	}
}

// KeyUse describes an API key and its use, without the key itself.
type KeyUse struct {
	Name  string
	Until time.Time // end of validity, zero for none
	Limit string    // its own quota, "" for the default
	Used  time.Time // last use, zero if unknown
}

// Uses returns the keys that are valid at a time and their uses, by name. Uses on other servers
// are about a minute late.
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

// Watched is the state of a watched directory.
type Watched struct {
	Dir    string
	Read   Reading // zero before the first reading
	Events []Event // newest first
}

// Reading is one reading of a catalogue directory.
type Reading struct {
	At               time.Time // in UTC
	Errors, Warnings int
	Commit           string // git commit of the directory; "" if unknown
	Modified         bool
	CommitProblem    string // why the commit is unknown
}

// Event is a change of a watched directory and its result.
type Event struct {
	At       time.Time // in UTC
	Result   Result
	Revision int64    // the published revision, else 0
	Reasons  []string // why nothing was published
}

// Result is the result of a change.
type Result string

// The results.
const (
	Published Result = "published"
	HeldBack  Result = "held"
	Broken    Result = "broken"
	Failed    Result = "failed"
)

// Watched returns the state of the watched directory, and whether one is watched.
func (f *Follower) Watched() (Watched, bool) {
	w := f.config.Watcher
	if w == nil {
		return Watched{}, false
	}
	watched := w.events.copy()
	watched.Dir = w.config.Dir
	return watched, true
}

// eventLog is the history of a watcher for the overview.
type eventLog struct {
	mu     sync.Mutex
	latest Reading
	events []Event // oldest first, at most recentLimit
}

func (d *eventLog) read(dir *bundle.Directory) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.latest = Reading{
		At: time.Now().UTC(), Errors: dir.Errors(), Warnings: dir.Warnings(), Commit: dir.Commit.Hash, Modified: dir.Commit.Modified,
	}
	if dir.CommitProblem != nil {
		d.latest.CommitProblem = dir.CommitProblem.Error()
	}
}

func (d *eventLog) add(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e.At = time.Now().UTC()
	d.events = append(d.events, e)
	d.events = d.events[max(0, len(d.events)-recentLimit):]
}

func (d *eventLog) copy() Watched {
	d.mu.Lock()
	defer d.mu.Unlock()
	events := slices.Clone(d.events)
	slices.Reverse(events)
	return Watched{Read: d.latest, Events: events}
}
