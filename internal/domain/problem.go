package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity tells whether a problem prevents publishing.
type Severity string

// The severities, as `vitrine check` prints them.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Ref is a place in a catalogue: a record and, within it, a field. Path has the names that
// editors write (`name`, `zh-hans`, `categories`) and decimal indices, from the record down. An
// empty path is the whole record.
type Ref struct {
	Kind  Kind
	Index int // in the catalogue's slice of that kind
	Path  []string
}

// Problem is an error or a warning for editors. Message describes it, and Remedy how to correct
// it. Rule is one of [Rules], and determines the severity.
type Problem struct {
	At      Ref
	Rule    Rule
	Message string
	Remedy  string
	// First is the place that At repeats, nil for none. Message must read well before ", first in
	// " and that place.
	First *Ref
	// Line and Column are the place within the content of an asset, from 1; 0 for other problems.
	Line, Column int
	// Accepted is true for a warning that the editors accept.
	Accepted bool
}

// MaxKept is the maximum number of reported problems per rule. Further ones are only counted: a
// faulty converter may break every record of a list.
const MaxKept = 10_000

// Count has the number of problems of each rule.
type Count map[Rule]int

// Keep counts a problem, and reports whether it is among the first [MaxKept] of its rule.
func (c Count) Keep(r Rule) bool {
	c[r]++
	return c[r] <= MaxKept
}

// Of returns the number of problems of one severity.
func (c Count) Of(s Severity) int {
	n := 0
	for r, of := range c {
		if r.Severity() == s {
			n += of
		}
	}
	return n
}

// ByRule returns the counts of one severity, such as `unknown-category 331, syntax 1`: largest
// first, then in the order of [Rules]; "" for none.
func (c Count) ByRule(s Severity) string {
	rules := slices.DeleteFunc(Rules(), func(r Rule) bool { return c[r] == 0 || r.Severity() != s })
	slices.SortStableFunc(rules, func(a, b Rule) int { return cmp.Compare(c[b], c[a]) })
	parts := make([]string, len(rules))
	for i, r := range rules {
		parts[i] = fmt.Sprintf("%s %d", r, c[r])
	}
	return strings.Join(parts, ", ")
}

// Findings is the result of [Check].
type Findings struct {
	// Problems has the first [MaxKept] of each rule, and as many accepted ones, in the order of
	// kinds, records and fields; nil for none.
	Problems []Problem
	// Found counts all problems except accepted ones, which Accepted counts.
	Found, Accepted Count
	// Clean has, for long lists, whether the values of each record have no problem. Missing
	// translations do not count, nor what other records cause, such as a repeated key.
	Clean map[Kind][]bool
}
