package follow

import (
	"log/slog"
	"time"

	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// Held is what the gate of package publish holds of a directory, as JSON.
type Held struct {
	Rules   []string  `json:"rules"`
	Reasons []string  `json:"reasons"` // one a rule
	Since   time.Time `json:"since"`   // in UTC; when it was found first, whatever held it since
	Accept  string    `json:"accept"`  // the command that publishes it all the same
	text    string
}

// holds takes note of what the gate holds, and says it if it is news.
func (w *Watcher) holds(err *publish.HeldError) {
	w.trouble.clear() // it could be read, and the store answers
	w.config.Metrics.broken.set(false)
	next := &Held{Since: time.Now().UTC(), Accept: w.config.Command + " --accept " + err.Rules(), text: err.Error()}
	for _, h := range err.Holds {
		next.Rules, next.Reasons = append(next.Rules, h.Rule), append(next.Reasons, h.Message)
	}
	before := w.held.Load()
	if before != nil {
		next.Since = before.Since
	}
	w.held.Store(next)
	w.config.Metrics.holds(err.Holds)
	if before != nil && before.text == next.text {
		return
	}
	w.config.Metrics.publishes.held.Inc()
	w.diary.add(Event{Result: HeldBack, Reasons: next.Reasons})
	w.config.Log.Warn("the catalogue directory is held; the store keeps what it has", "dir", w.config.Dir,
		"rules", next.Rules, "reasons", next.Reasons, "still_serving", err.Head.Number, "accept_with", next.Accept)
}

// released says that nothing is held, and reports whether something was.
func (w *Watcher) released() bool {
	w.config.Metrics.holds(nil)
	return w.held.Swap(nil) != nil
}

// reconsider has the directory weighed again where a new revision may have
// changed what the gate says of it: it is what was held, or what a rollback took
// away. A directory that was dealt with before is not published for that.
func (w *Watcher) reconsider(r store.Revision) {
	if w.held.Load() == nil {
		if r.Op != store.OpRollback {
			return
		}
		w.weighed = w.done
	}
	w.done = ""
}

// origin are the attributes of a log line that say where a revision comes from,
// as far as that is known.
func origin(r store.Revision) []any {
	var attributes []any
	if r.Actor != "" {
		attributes = append(attributes, "actor", r.Actor)
	}
	if r.Commit != "" {
		attributes = append(attributes, "commit", r.Commit, "modified", r.Modified)
	}
	return attributes
}

// counts are the attributes of a log line that say what a publish did.
func counts(o publish.Outcome) []any {
	var attributes []any
	for _, c := range publish.Count(o.Changes) {
		attributes = append(attributes, slog.Group(string(c.Kind), "added", c.Added, "changed", c.Changed, "removed", c.Removed))
	}
	return attributes
}
