// Package gate compares the meaning of two catalogues: the served one and a candidate that would
// replace it. Its rules find changes that are valid field by field, but probably a mistake as a
// whole: half of the records removed, a chain id moved to another record, all endpoints replaced.
//
// It is pure: it knows no store, directory, clock or configuration file. All functions are
// deterministic and safe for concurrent use.
package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// Finding is the objection of one rule.
type Finding struct {
	Rule     string // FAMILY:SUBJECT, the name to accept
	Severity domain.GateSeverity
	Message  string // what changed, with counts and thresholds; without a full stop
	Why      string // why it matters; without a full stop
	Records  []Record
	Total    int // affected records; at least len(Records)
	// Few means that the rule holds single records of a kind with few records, and that its
	// severity is not configured. Editors probably know all of them.
	Few bool

	all    []Record
	enough func(n int) bool // whether so many records are a finding; nil for any but none
}

// Record is a record that a finding is about.
type Record struct {
	Kind   domain.Kind `json:"kind"`
	Key    string      `json:"key"`
	Field  string      `json:"field,omitempty"`  // as editors write it; "" for the record itself
	Before string      `json:"before,omitempty"` // "" for none
	After  string      `json:"after,omitempty"`  // "" for none
	Cause  string      `json:"cause,omitempty"`  // why a record is lost; "" for other findings
}

// Group is records of a finding with the same cause, the same values before and after, or one
// record.
type Group struct {
	Cause   string // "removed", "18 → 6"; "" for none
	Records []Record
}

const (
	maxRecords = 20 // of a finding
	few        = 10 // records of a kind, below which single ones count
)

// Compare returns the findings of all rules, in the order of [domain.GateFamilies] and then of
// kinds; nil for none. Both catalogues are as served, with observed figures. The thresholds and
// severities are those of the candidate. window is the catalogue at the beginning of the time
// over which gradual losses add up; nil for none. A nil served catalogue has no findings.
func Compare(served, candidate, window *domain.Catalog) []Finding {
	if served == nil {
		return nil
	}
	findings, _ := CompareSince(domain.DeltaOf(served, candidate), func() (*domain.Catalog, error) { return window, nil }) // has no error
	return findings
}

// CompareSince is [Compare] of a served catalogue and a candidate, with a window that is only read if
// records were lost. The error is that of window.
func CompareSince(delta *domain.Delta, window func() (*domain.Catalog, error)) ([]Finding, error) {
	c := newComparison(delta)
	all, err := c.shrunk(window)
	if err != nil {
		return nil, err
	}
	for _, rule := range []func(*comparison) []Finding{
		(*comparison).expected, (*comparison).columnsChanged, (*comparison).cardsElsewhere, (*comparison).moved, (*comparison).replaced, (*comparison).currencies,
		(*comparison).leftCategories, (*comparison).figures, (*comparison).lookalikes,
	} {
		all = append(all, rule(c)...)
	}
	for i := range all {
		c.weigh(&all[i])
	}
	order := domain.GateFamilies()
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Compare(slices.Index(order, a.Family()), slices.Index(order, b.Family()))
	})
	return all, nil
}

// weigh sets the severity of a finding, and whether it is about few records.
func (c *comparison) weigh(f *Finding) {
	configured := c.settings.Rules.Severity(f.Family())
	f.Severity = cmp.Or(configured, f.Severity, domain.GateAsk)
	if configured == "" && f.enough == nil && len(f.all) > 0 {
		f.Few = c.kind(f.all[0].Kind).Size(c.served) < few
	}
}

// Family returns the family of the rule.
func (f Finding) Family() domain.GateFamily {
	family, _, _ := strings.Cut(f.Rule, ":")
	return domain.GateFamily(family)
}

// Has reports whether a record with a key is affected.
func (f Finding) Has(key string) bool {
	return slices.ContainsFunc(f.all, func(r Record) bool { return r.Key == key })
}

// Accepts reports whether the finding is below its threshold without the accepted records. It is
// false for a finding without records.
func (f Finding) Accepts(accepted func(key string) bool) bool {
	left := 0
	for _, r := range f.all {
		if !accepted(r.Key) {
			left++
		}
	}
	return left < len(f.all) && (left == 0 || f.enough != nil && !f.enough(left))
}

// Groups returns the records grouped by cause, the largest group first.
func (f Finding) Groups() []Group {
	var groups []Group
	place := map[string]int{}
	for _, r := range f.affected() {
		cause := r.cause()
		i, known := place[cause]
		if !known {
			i = len(groups)
			place[cause] = i
			groups = append(groups, Group{Cause: cause})
		}
		groups[i].Records = append(groups[i].Records, r)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return len(b.Records) - len(a.Records) })
	return groups
}

func (f Finding) affected() []Record {
	if f.all == nil {
		return f.Records
	}
	return f.all
}

// cause returns the common value of the records of a group.
func (r Record) cause() string {
	if r.Cause != "" || r.Before == "" && r.After == "" {
		return r.Cause
	}
	return cmp.Or(short(r.Before), "nothing") + " → " + cmp.Or(short(r.After), "nothing")
}

// Affected returns the keys of the first affected records with their causes, in one line.
func (f Finding) Affected() string {
	groups := f.Groups()
	var parts []string
	separator := ", "
	named, counted := 0, 0
	for _, g := range groups {
		shown := g.Records[:min(len(g.Records), maxNamed-named)]
		if len(shown) == 0 {
			break
		}
		named += len(shown)
		counted += len(shown)
		list := keysOf(shown)
		switch more := len(g.Records) - len(shown); {
		case g.Cause == "" || g.Cause == removed && len(groups) == 1:
		case len(g.Records) == 1:
			list += " (" + g.Cause + ")"
		default:
			separator = "; "
			list = g.Cause + ": " + list
			if more > 0 {
				list += fmt.Sprintf(" and %d more", more)
				counted += more
			}
		}
		parts = append(parts, list)
	}
	list := strings.Join(parts, separator)
	if more := f.Total - counted; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

func keysOf(records []Record) string {
	keys := make([]string, len(records))
	for i, r := range records {
		keys[i] = r.Key
	}
	return strings.Join(keys, ", ")
}

// Objection returns the message with the affected records, in one line.
func (f Finding) Objection() string {
	if list := f.Affected(); list != "" {
		return f.Message + ": " + list
	}
	return f.Message
}

// Summary returns the objection and the reason, in one line.
func (f Finding) Summary() string { return f.Objection() + "; " + f.Why }

// maxNamed bounds the records in a summary, and maxShown the characters of a value in it.
const (
	maxNamed = 5
	maxShown = 60
)

func short(s string) string {
	if runes := []rune(s); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return s
}

// share is a large share of records: at least one of the limits is reached.
type share []limit

// limit is a number of records and their share of all.
type limit struct {
	min   int
	share float64
}

// standardShrink and standardValues are the default large shares. For few records, half of them
// is large, because mistakes often remove whole lists.
var (
	standardShrink = share{{6, .25}, {3, .5}}
	standardValues = share{{10, .25}}
)

// shareOf returns the configured share of a catalogue. Missing values are those of the first
// standard limit.
func shareOf(t *domain.Threshold, standard share) share {
	if t == nil {
		return standard
	}
	own := standard[0]
	if t.Min > 0 {
		own.min = int(t.Min)
	}
	if t.Share > 0 {
		own.share = t.Share
	}
	return share{own}
}

func (s share) isLarge(n, of int) bool {
	return slices.ContainsFunc(s, func(l limit) bool { return n >= l.min && float64(n) >= l.share*float64(of) })
}

// text describes a large share, with the limit that it reached.
func (s share) text(n, of int, noun string) string {
	i := slices.IndexFunc(s, func(l limit) bool { return n >= l.min })
	return fmt.Sprintf("%d of %d %s (%d %%; held from %.3g %%)", n, of, noun, (100*n+of/2)/max(of, 1), 100*s[max(i, 0)].share)
}

// finding returns a finding about records. enough reports whether their number is a finding; nil
// accepts any number above 0.
func finding(rule, message, why string, records []Record, enough func(n int) bool) Finding {
	return Finding{
		Rule: rule, Message: message, Why: why, Records: slices.Clip(records[:min(len(records), maxRecords)]), Total: len(records),
		all: records, enough: enough,
	}
}

// largeFinding returns a finding about a large share of records.
func largeFinding(rule, message, why string, records []Record, s share, of int) Finding {
	return finding(rule, message, why, records, func(n int) bool { return s.isLarge(n, of) })
}

// ruleOf returns the name of a rule about a field of a kind.
func ruleOf(family domain.GateFamily, kind domain.Kind, path string) string {
	return fmt.Sprintf("%s:%s.%s", family, kind, path)
}
