package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says whether a problem keeps a catalogue from being published.
type Severity string

// The severities, as `vitrine check` prints them.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Ref points into a catalogue: a record and, within it, a field. Path has the
// names that the editors write (`name`, `zh-hans`, `categories`) and decimal
// indices, from the record down; empty means the record as a whole.
type Ref struct {
	Kind  Kind
	Index int // in the catalogue's slice of that kind
	Path  []string
}

// Problem is one thing that is wrong or doubtful, in words for an editor:
// Message says what is wrong, Remedy what to do about it. Rule is one of the
// names in [Rules]; the severity is the rule's.
type Problem struct {
	At      Ref
	Rule    Rule
	Message string
	Remedy  string
	// First is the place that At repeats, nil where it repeats nothing. Message
	// reads well before ", first in " and that place.
	First *Ref
	// Accepted says that it is a warning which the editors accept.
	Accepted bool
}

// MaxKept is how many problems of one rule are kept. The others are counted: a
// converter gone wrong spoils every record of a list, and whoever mends the
// first ten thousand sees the next.
const MaxKept = 10_000

// Count says how many problems of each rule there are.
type Count map[Rule]int

// Keep counts one more, and reports whether it is among the first [MaxKept] of
// its rule, which are kept.
func (c Count) Keep(r Rule) bool {
	c[r]++
	return c[r] <= MaxKept
}

// Of counts the problems of one severity.
func (c Count) Of(s Severity) int {
	n := 0
	for r, of := range c {
		if r.Severity() == s {
			n += of
		}
	}
	return n
}

// ByRule tells the problems of one severity, as `unknown-category 331, syntax 1`:
// the most first, then by the order of [Rules]; "" for none.
func (c Count) ByRule(s Severity) string {
	rules := slices.DeleteFunc(Rules(), func(r Rule) bool { return c[r] == 0 || r.Severity() != s })
	slices.SortStableFunc(rules, func(a, b Rule) int { return cmp.Compare(c[b], c[a]) })
	parts := make([]string, len(rules))
	for i, r := range rules {
		parts[i] = fmt.Sprintf("%s %d", r, c[r])
	}
	return strings.Join(parts, ", ")
}

// Findings are what [Check] found.
type Findings struct {
	// Problems has the first [MaxKept] of each rule, of accepted ones as many again, in the order of the kinds, of
	// their records and of the fields of a record; nil for none.
	Problems []Problem
	// Found counts all of them but those that are accepted, which Accepted does.
	Found, Accepted Count
}
