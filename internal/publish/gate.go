package publish

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// The gate is a list of rules that every plan is held against, whichever way it
// came. What a rule holds is published only when somebody accepts it by name.

// Families of rules: what stands before the colon of a rule's name.
const (
	ShrinkRule   = "shrink"   // shrink:KIND: a large share of the records of a kind would be gone
	RollbackRule = "rollback" // rollback:REV: what that rollback took away would be back
	OlderRule    = "older"    // older: the directory is an earlier state of what is served
)

// Families returns what the names of rules begin with.
func Families() []string { return []string{ShrinkRule, RollbackRule, OlderRule} }

// Hold is what a rule of the gate has against a plan.
type Hold struct {
	Rule     string // what to accept: `shrink:chains`, `rollback:7`
	Message  string // what would be lost or undone and why it is held, in words without an end
	Accepted bool
	// Behind is, of OlderRule, the number of the revision that the directory is or
	// derives from, if one was found; else 0.
	Behind int64
}

// Family returns what the name of the rule begins with.
func (h Hold) Family() string {
	family, _, _ := strings.Cut(h.Rule, ":")
	return family
}

// HeldError says that the gate holds a plan. Nothing was published.
type HeldError struct {
	Head    store.Revision // what goes on being served
	Holds   []Hold         // those that were not accepted
	Waiting []Counts       // what the plan would change
}

func (e *HeldError) Error() string {
	parts := make([]string, len(e.Holds))
	for i, h := range e.Holds {
		parts[i] = h.Rule + ": " + h.Message
	}
	return "held: " + strings.Join(parts, "; ")
}

// Rules returns the names of the rules that hold, separated by commas, as
// --accept takes them.
func (e *HeldError) Rules() string {
	names := make([]string, len(e.Holds))
	for i, h := range e.Holds {
		names[i] = h.Rule
	}
	return strings.Join(names, ",")
}

// CheckRule returns an error if no rule of the gate can have that name.
func CheckRule(name string) error {
	family, of, _ := strings.Cut(name, ":")
	switch family {
	case ShrinkRule:
		if !slices.Contains(shrinkable(), of) {
			return fmt.Errorf("there is no rule %q; %s: is followed by one of %s", name, ShrinkRule, strings.Join(shrinkable(), ", "))
		}
		return nil
	case RollbackRule:
		if n, err := strconv.ParseInt(of, 10, 64); err != nil || n < 1 || strconv.FormatInt(n, 10) != of {
			return fmt.Errorf("there is no rule %q; %s: is followed by the number of a revision", name, RollbackRule)
		}
		return nil
	}
	if name == OlderRule {
		return nil
	}
	return fmt.Errorf("there is no rule %q; the rules are %s:KIND, %s:REV and %s", name, ShrinkRule, RollbackRule, OlderRule)
}

// Accept takes what rules hold as wanted, and returns the names of those that
// hold nothing here.
func (p *Plan) Accept(rules []string) (needless []string) {
	for _, name := range rules {
		i := slices.IndexFunc(p.Holds, func(h Hold) bool { return h.Rule == name })
		if i < 0 {
			needless = append(needless, name)
			continue
		}
		p.Holds[i].Accepted = true
	}
	return needless
}

// Held returns a [*HeldError] if a rule holds the plan that was not accepted,
// else nil.
func (p *Plan) Held() error {
	open := slices.DeleteFunc(slices.Clone(p.Holds), func(h Hold) bool { return h.Accepted })
	if len(open) == 0 {
		return nil
	}
	return &HeldError{Head: p.Head, Holds: open, Waiting: Count(p.Changes)}
}

// situation is what the rules of the gate look at: what is served, what would be, and
// what was published before.
type situation struct {
	head   *store.State // nil for an empty store
	draft  store.Draft
	dir    *bundle.Directory // that the draft comes from; nil for a rollback
	from   From
	served *domain.Catalog // what readers get; nil for an empty store
	serves *domain.Catalog // what they would get

	recent   []store.Revision // newest first; nil for a rollback
	kin      kinship          // of the commit of dir to the one that is served
	behind   *store.State     // the older state that dir may derive from; nil for none
	returned []returned       // of what rollbacks took away
}

// rule returns what it has against a publish, nil for nothing.
type rule func(situation) ([]Hold, error)

// rules returns the rules that hold an import, in the order in which they are told.
func rules() []rule { return []rule{shrinkRule, rollbackRule, olderRule} }

// weigh holds a situation against rules.
func weigh(at situation, rules ...rule) ([]Hold, error) {
	var all []Hold
	for _, rule := range rules {
		holds, err := rule(at)
		if err != nil {
			return nil, err
		}
		all = append(all, holds...)
	}
	return all, nil
}

func shrinkRule(at situation) ([]Hold, error) { return shrinkHolds(at.served, at.serves), nil }

// rollbackRule has one hold for each rollback of which a draft would bring something
// back (see [returnedBy]).
func rollbackRule(at situation) ([]Hold, error) {
	var holds []Hold
	for _, r := range at.returned {
		if r.values == 0 {
			continue
		}
		name := fmt.Sprintf("%s:%d", RollbackRule, r.rollback.Number)
		what := "values"
		if r.values == 1 {
			what = "value"
		}
		remedy := "revert them"
		switch r.missing {
		case 0:
		case r.values:
			remedy = "put back what is missing"
		default:
			remedy = "put back what is missing and revert the others"
		}
		holds = append(holds, Hold{Rule: name, Message: fmt.Sprintf(
			"%d %s that %s removed would return: %s; %s in the directory to publish the rest, or accept %s to publish everything",
			r.values, what, called(r.rollback), listOf(r.named, r.values, "; "), remedy, name)})
	}
	return holds, nil
}

// called names a revision: its number, what made it, who, when, and why.
func called(r store.Revision) string {
	s := fmt.Sprintf("revision %d (%s", r.Number, r.Op)
	if r.Actor != "" {
		s += " by " + short(r.Actor)
	}
	s += ", " + r.PublishedAt.UTC().Format("2006-01-02 15:04 UTC")
	if r.Message != "" {
		s += ", " + strconv.Quote(short(r.Message))
	}
	return s + ")"
}

// named is how many records a hold names.
const named = 5

// someOf names the first of some records, of which there is one at least.
func someOf(names []string) string {
	return listOf(names[:min(len(names), named)], len(names), ", ")
}

// listOf joins the first of n names.
func listOf(first []string, n int, separator string) string {
	list := strings.Join(first, separator)
	if n > len(first) {
		list += fmt.Sprintf(" and %d more", n-len(first))
	}
	return list
}
