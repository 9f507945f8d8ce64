package probe

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// When failures make an address down, and when a reach is no longer known.
const (
	downFailures = 3                   // at least, …
	downApart    = 6 * time.Hour       // …of which each is that much later than the one before, …
	downSpan     = 2 * 24 * time.Hour  // …from the first to the last
	knownFor     = 14 * 24 * time.Hour // without a check that says up or down
	offlineFrom  = 20                  // checks, of which more than nine tenths fail
)

// History is what a prober remembers between runs. The zero value is an empty one.
type History struct {
	Checks map[string]Past      `json:"checks"`
	Hosts  map[string]time.Time `json:"hosts,omitempty"` // hosts that limit requests, until when
}

// Past is the past of one check.
type Past struct {
	Last    time.Time `json:"last"`
	Outcome Outcome   `json:"outcome"`
	Detail  string    `json:"detail,omitempty"`
	Single  bool      `json:"single,omitempty"` // found through one resolver only, which may be at fault

	// Known is the last check that said up or down, unless that is Last.
	Known time.Time `json:"known,omitzero"`
	// First and Counted are the first and last failure of the present row of failures, of which
	// Failures count.
	First    time.Time `json:"first,omitzero"`
	Counted  time.Time `json:"counted,omitzero"`
	Failures int       `json:"failures,omitempty"`
}

// ReadHistory reads a stored history. An unreadable one counts as empty.
func ReadHistory(state []byte) *History {
	h := &History{}
	if json.Unmarshal(state, h) != nil {
		h = &History{}
	}
	if h.Checks == nil {
		h.Checks = map[string]Past{}
	}
	if h.Hosts == nil {
		h.Hosts = map[string]time.Time{}
	}
	return h
}

// Bytes returns the stored form, which [ReadHistory] reads.
func (h *History) Bytes() ([]byte, error) { return json.Marshal(h) }

// retain forgets checks without a target, and limits that have ended.
func (h *History) retain(targets []Target, now time.Time) {
	present := make(map[string]bool, len(targets))
	for _, t := range targets {
		present[t.id()] = true
	}
	for id := range h.Checks {
		if !present[id] {
			delete(h.Checks, id)
		}
	}
	for host, until := range h.Hosts {
		if !now.Before(until) || until.Sub(now) > maxLimit {
			delete(h.Hosts, host)
		}
	}
}

// record adds the result of a check.
func (h *History) record(id string, found finding, now time.Time) {
	past := h.Checks[id]
	now = now.UTC().Truncate(time.Second)
	past.Known = past.known()
	past.Last, past.Outcome, past.Detail, past.Single = now, found.outcome, found.detail, found.single
	switch {
	case found.single:
	case found.outcome == OutcomeUp || found.outcome == OutcomeWrongChain:
		past = Past{Last: now, Outcome: found.outcome, Detail: found.detail}
	case found.outcome.failed():
		past.Known = time.Time{}
		if past.First.IsZero() {
			past.First = now
		}
		if past.Counted.IsZero() || now.Sub(past.Counted) >= downApart {
			past.Counted = now
			past.Failures++
		}
	}
	h.Checks[id] = past
}

// Offline reports whether nearly all checks fail, so that the prober's own network is probably at
// fault.
func (h *History) Offline() bool {
	failed := 0
	for _, past := range h.Checks {
		if past.Outcome.failed() {
			failed++
		}
	}
	return len(h.Checks) >= offlineFrom && 10*failed > 9*len(h.Checks)
}

// known returns the last check that said up or down, zero for none.
func (p Past) known() time.Time {
	if !p.Single && (p.Outcome == OutcomeUp || p.Outcome == OutcomeWrongChain || p.Outcome.failed()) {
		return p.Last
	}
	return p.Known
}

// isDown reports whether the failures are enough, over a time that is long enough.
func (p Past) isDown() bool {
	return p.Failures >= downFailures && p.Counted.Sub(p.First) >= downSpan
}

// reach returns the reach after a past, if another one was served before.
func (p Past) reach(served domain.Reached, now time.Time) domain.Reached {
	next, from := served.Reach, domain.DateOf(now)
	switch {
	case p.Outcome == OutcomeUp:
		next = domain.ReachUp
	case p.Outcome == OutcomeWrongChain && !p.Single:
		next = domain.ReachWrongChain
	case p.isDown():
		next, from = domain.ReachDown, domain.DateOf(p.First)
	case now.Sub(p.known()) >= knownFor:
		next = domain.ReachUnknown
	}
	if next == served.Reach {
		return served
	}
	return domain.Reached{Reach: next, Since: max(from, served.Since)} // the newest observation wins
}

// Observations returns what is to be observed so that the reach of each target is that of the
// history, in the order of targets; nil for nothing. Nothing goes down while the prober is probably
// offline.
func Observations(targets []Target, h *History, observed []domain.Observation, now time.Time) []store.Observation {
	reached, offline := served(observed), h.Offline()
	var changed []store.Observation
	for _, t := range targets {
		past, ok := h.Checks[t.id()]
		if !ok {
			continue
		}
		was := reached[placeOf(t)]
		if next := past.reach(was, now); next != was && !(offline && next.Reach == domain.ReachDown) {
			changed = append(changed, store.Observation{Observation: domain.ObserveReach(t.Kind, t.Key, t.Field, t.URL, next)})
		}
	}
	return changed
}

// place identifies the observed reach of an address.
type place struct {
	kind   domain.Kind
	key    string
	figure domain.FigureName
}

func placeOf(t Target) place { return place{t.Kind, store.FigureKey(t.Key), t.Figure()} }

// served returns the observed reaches.
func served(observed []domain.Observation) map[place]domain.Reached {
	all := map[place]domain.Reached{}
	for _, o := range observed {
		if o.Source == domain.SourceProbe && strings.Contains(string(o.Figure), ":") {
			all[place{o.Kind, store.FigureKey(o.Key), o.Figure}] = o.Reached()
		}
	}
	return all
}

// leastRecent orders targets by their last check, those without one first.
func (h *History) leastRecent(targets []Target) {
	slices.SortStableFunc(targets, func(a, b Target) int { return h.Checks[a.id()].Last.Compare(h.Checks[b.id()].Last) })
}
