package probe

import (
	"cmp"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"vitrine/internal/domain"
)

// Cause is a probable common cause of problems.
type Cause string

// The causes, in the order of a report. Those of single checks are their outcomes.
const (
	CauseOperator   Cause = "operator-gone" // everything under a domain fails, for several records
	CauseChain      Cause = "chain-gone"    // every endpoint of a chain fails
	CauseHost             = Cause(OutcomeHostGone)
	CauseWrongChain       = Cause(OutcomeWrongChain)
	CauseError            = Cause(OutcomeError)
	CauseSlow             = Cause(OutcomeSlow)
	CauseUnchecked        = Cause(OutcomeUnchecked)
	CauseRefused          = Cause(OutcomeRefused)
	CauseLimited          = Cause(OutcomeLimited)
)

// Causes returns all causes in the order of a report.
func Causes() []Cause {
	return []Cause{CauseOperator, CauseChain, CauseHost, CauseWrongChain, CauseError, CauseSlow, CauseUnchecked, CauseRefused, CauseLimited}
}

// Undecided is the name of [domain.ReachUnknown] in a report.
const Undecided domain.Reach = "unknown"

// Report is what is known of the targets of a catalogue.
type Report struct {
	Targets int                  `json:"addresses"`
	Unknown int                  `json:"-"`      // targets that were never checked
	Reach   map[domain.Reach]int `json:"states"` // targets by reach
	Groups  []Group              `json:"groups"` // problems, by cause and size
}

// Group are targets with a common cause.
type Group struct {
	Cause   Cause   `json:"cause"`
	Name    string  `json:"name,omitempty"` // the domain, chain or host; "" for other causes
	Entries []Entry `json:"addresses"`
}

// Entry is a target whose last check was not up.
type Entry struct {
	Target
	domain.Reached           // as observed
	Outcome        Outcome   `json:"outcome"` // of the last check
	Detail         string    `json:"detail,omitempty"`
	Checked        time.Time `json:"lastCheck"`
	Failures       int       `json:"failures,omitempty"`    // that count towards down
	First          time.Time `json:"firstFailure,omitzero"` // the first of the present failures, zero for none
}

// failing reports whether the target is of no use now.
func (e *Entry) failing() bool { return e.Outcome.failed() || e.Outcome == OutcomeWrongChain }

// NewReport returns the report about targets, which are ordered as [Targets] does. served are the observations.
func NewReport(targets []Target, h *History, observed []domain.Observation) *Report {
	r := &Report{Targets: len(targets), Reach: map[domain.Reach]int{}}
	was := served(observed)
	var entries []*Entry
	for _, t := range targets {
		reached := was[placeOf(t)]
		r.Reach[cmp.Or(reached.Reach, Undecided)]++
		past, ok := h.Checks[t.id()]
		if !ok {
			r.Unknown++
			continue
		}
		entries = append(entries, &Entry{
			Target: t, Reached: reached, Checked: past.Last, Outcome: past.Outcome, Detail: past.Detail,
			Failures: past.Failures, First: past.First,
		})
	}
	operators, chains := goneOperators(entries), goneChains(entries)
	groups := map[groupKey]*Group{}
	for _, e := range entries {
		if e.Outcome == OutcomeUp {
			continue
		}
		key := causeOf(e, operators, chains)
		if groups[key] == nil {
			groups[key] = &Group{Cause: key.cause, Name: key.name}
		}
		groups[key].Entries = append(groups[key].Entries, *e)
	}
	for _, g := range groups {
		r.Groups = append(r.Groups, *g)
	}
	slices.SortFunc(r.Groups, func(a, b Group) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Causes(), a.Cause), slices.Index(Causes(), b.Cause)),
			cmp.Compare(len(b.Entries), len(a.Entries)), cmp.Compare(a.Name, b.Name))
	})
	return r
}

type groupKey struct {
	cause Cause
	name  string
}

func causeOf(e *Entry, operators, chains map[string]bool) groupKey {
	operator := operatorOf(e.URL)
	switch {
	case e.Outcome.failed() && operators[operator]:
		return groupKey{CauseOperator, operator}
	case e.Outcome.failed() && e.Kind == domain.KindChain && e.Field == "rpc" && chains[e.Key]:
		return groupKey{CauseChain, e.Key}
	}
	if e.Outcome == OutcomeHostGone || e.Outcome == OutcomeLimited {
		return groupKey{Cause(e.Outcome), e.host()}
	}
	return groupKey{cause: Cause(e.Outcome)}
}

// goneOperators returns the domains under which everything fails, for two records or more.
func goneOperators(entries []*Entry) map[string]bool {
	type record struct {
		kind domain.Kind
		key  string
	}
	records, alive := map[string]map[record]bool{}, map[string]bool{}
	for _, e := range entries {
		operator := operatorOf(e.URL)
		if records[operator] == nil {
			records[operator] = map[record]bool{}
		}
		records[operator][record{e.Kind, e.Key}] = true
		alive[operator] = alive[operator] || !e.Outcome.failed()
	}
	gone := map[string]bool{}
	for operator, of := range records {
		gone[operator] = operator != "" && !alive[operator] && len(of) > 1
	}
	return gone
}

// goneChains returns the chains whose endpoints all fail: at least two, or one of a retired chain or
// of a chain whose website fails as well.
func goneChains(entries []*Entry) map[string]bool {
	endpoints, more, alive := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		switch {
		case e.Kind != domain.KindChain:
		case e.Field == "rpc":
			endpoints[e.Key]++
			alive[e.Key] = alive[e.Key] || !e.failing()
			more[e.Key] = more[e.Key] || e.Retired
		case e.Field == "website":
			more[e.Key] = more[e.Key] || e.failing()
		}
	}
	gone := map[string]bool{}
	for chain, n := range endpoints {
		gone[chain] = !alive[chain] && (n > 1 || more[chain])
	}
	return gone
}

// operatorOf returns the registrable domain of an address, or its host; "" for an IP address.
func operatorOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if net.ParseIP(host) != nil {
		return ""
	}
	if registrable, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return registrable
	}
	return host
}

// Removable returns the endpoints that are down or answer for another chain, in the order of targets.
func (r *Report) Removable() []Entry {
	var all []Entry
	for _, g := range r.Groups {
		for _, e := range g.Entries {
			if e.Field == "rpc" && (e.Reach == domain.ReachDown || e.Reach == domain.ReachWrongChain) {
				all = append(all, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.URL, b.URL)) })
	return all
}
