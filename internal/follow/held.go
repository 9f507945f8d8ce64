package follow

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// Held describes a directory that the gate holds, as JSON.
type Held struct {
	Rules   []string  `json:"rules"`
	Reasons []string  `json:"reasons"` // one per rule
	Since   time.Time `json:"since"`   // in UTC; when the directory was held first
	Accept  string    `json:"accept"`  // the command that accepts the hold and publishes, or what else does
	Waiting Waiting   `json:"waiting"`
	text    string
	at      string // fingerprint of the directory
	serving int64  // the revision that is served instead
	edits   editLog
}

// editLog is the state of logging edits of a held directory.
type editLog struct {
	logged int       // edits up to the last line
	last   time.Time // time of the last line
}

// editLogs is the minimum interval between logs of waiting edits, since a directory may
// change continuously. All edits are counted, and the next line counts those between.
const editLogs = time.Minute

// Waiting counts the unpublished changes of a held directory, including edits since the
// hold began.
type Waiting struct {
	Records int        `json:"records"`            // that differ from the served ones
	Edits   int        `json:"edits"`              // how often the directory changed since the hold began
	Last    *time.Time `json:"lastEdit,omitempty"` // in UTC
	Note    string     `json:"note"`               // a summary as text, with how to release the hold
}

// holds records the hold of the gate, and logs a new hold or a waiting edit.
func (w *Watcher) holds(err *publish.HeldError) {
	w.failure.clear() // the directory was read and the store works
	w.config.Metrics.broken.set(false)
	now := time.Now().UTC()
	next := &Held{Since: now, Accept: w.acceptance(err), text: err.Error(), at: w.readAt, serving: err.Head.Number}
	for _, h := range err.Holds {
		next.Rules, next.Reasons = append(next.Rules, h.Rule), append(next.Reasons, h.Reason())
		if h.Behind != 0 {
			w.behind = h.Behind
		}
	}
	before := w.held.Load()
	if before != nil {
		next.Since, next.Waiting, next.edits = before.Since, before.Waiting, before.edits
		if before.at != next.at {
			next.Waiting.Edits++
			next.Waiting.Last = &now
		}
	}
	next.Waiting.Records = err.Waiting
	next.Waiting.Note = next.note()
	if before == nil || before.text != next.text {
		next.edits.logged = next.Waiting.Edits
		w.config.Metrics.publishes.held.Inc()
		w.events.add(Event{Result: HeldBack, Reasons: next.Reasons})
		w.config.Log.Warn("the catalogue directory is held; the store is unchanged", "dir", w.config.Dir,
			"rules", next.Rules, "reasons", reasonList(next.Reasons), "still_serving", next.serving,
			"waiting_records", next.Waiting.Records, "accept_with", next.Accept)
	}
	w.held.Store(next)
	w.config.Metrics.holds(next)
}

// acceptance returns the command that accepts the holds, or the edit if no command does.
func (w *Watcher) acceptance(err *publish.HeldError) string {
	if stops := err.Stops(); len(stops) > 0 {
		return fmt.Sprintf("add %s to gate.accept in %s", strings.Join(stops, " and "), filepath.Join(w.config.Dir, "catalog.yaml"))
	}
	return w.config.Command + " --accept " + err.Rules()
}

// logEdits logs the edits of a held directory that the log does not have yet. It is called
// at each look, so that edits within editLogs of a line are logged after it.
func (w *Watcher) logEdits() {
	held, now := w.held.Load(), time.Now()
	if held == nil || held.edits.logged == held.Waiting.Edits || now.Sub(held.edits.last) < editLogs {
		return
	}
	next := *held
	next.edits = editLog{held.Waiting.Edits, now}
	w.held.Store(&next)
	w.events.add(Event{Result: HeldBack, Reasons: []string{next.Waiting.Note}})
	w.config.Log.Warn("the catalogue directory changed while held; the change is not published", "dir", w.config.Dir,
		"rules", next.Rules, "held_since", next.Since, "edits", next.Waiting.Edits, "waiting_records", next.Waiting.Records,
		"still_serving", next.serving, "accept_with", next.Accept)
}

// note returns a text about the waiting changes, the reason, and the release.
func (h *Held) note() string {
	s := fmt.Sprintf("the directory has %s unpublished since %s", count(h.Waiting.Records, "changed record", "changed records"),
		h.Since.Format("2006-01-02 15:04:05 UTC"))
	if h.Waiting.Edits > 0 {
		s += fmt.Sprintf("; it was edited %s since then, last at %s", count(h.Waiting.Edits, "time", "times"), h.Waiting.Last.Format("15:04:05 UTC"))
	}
	return s + "; all changes are published once the directory passes " + strings.Join(h.Rules, " and ") +
		", or when you run the command that accepts the hold"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// is reports whether the directory with a fingerprint is the held one. It is false for a
// nil h.
func (h *Held) is(fingerprint string) bool { return h != nil && h.at == fingerprint }

// released ends the hold, and reports whether there was one.
func (w *Watcher) released() bool {
	w.config.Metrics.holds(nil)
	return w.held.Swap(nil) != nil
}

// warns logs warnings about other publishers to the same store, and keeps them in the
// status until the next publish.
func (w *Watcher) warns(warnings []string) {
	if len(warnings) == 0 {
		w.rival.clear()
		return
	}
	w.rival.set(strings.Join(warnings, "; "))
	for _, warning := range warnings {
		w.config.Log.Warn("another directory is published to the same store", "dir", w.config.Dir, "warning", warning)
	}
}

// reconsider plans a held directory again after a new revision, which may change the decision of
// the gate. A directory that was published before is not published again. A revision from another
// directory is reported, since the next change of this directory reverts it.
func (w *Watcher) reconsider(r store.Revision) {
	if rival := publish.Rival(r, w.config.Publisher); rival != "" {
		w.warns([]string{rival})
	}
	if w.held.Load() == nil {
		if r.Op != store.OpRollback {
			return
		}
		w.planned = w.done
	}
	w.done = ""
}

// origin returns the log attributes of a revision's actor, commit and publisher, without unknown
// ones.
func origin(r store.Revision) []any {
	var attributes []any
	if r.Actor != "" {
		attributes = append(attributes, "actor", r.Actor)
	}
	if r.Publisher != "" {
		attributes = append(attributes, "publisher", r.Publisher)
	}
	if r.Commit != "" {
		attributes = append(attributes, "commit", r.Commit, "modified", r.Modified)
	}
	return attributes
}

// counts returns the log attributes of the changes of a publish.
func counts(o publish.Outcome) []any {
	var attributes []any
	for _, c := range publish.Count(o.Changes) {
		attributes = append(attributes, slog.Group(string(c.Kind), "added", c.Added, "changed", c.Changed, "removed", c.Removed))
	}
	return attributes
}

// reasonList is logged as a list in JSON. In text, " | " separates its reasons, which may have semicolons.
type reasonList []string

// MarshalText implements [encoding.TextMarshaler].
func (r reasonList) MarshalText() ([]byte, error) { return []byte(strings.Join(r, " | ")), nil }

// MarshalJSON implements [json.Marshaler].
func (r reasonList) MarshalJSON() ([]byte, error) { return json.Marshal([]string(r)) }
