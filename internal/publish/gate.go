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

// The gate is a list of rules that check every plan. A plan that a rule holds is
// published only if the rule is accepted by its name.

// Families of rules: the part of a rule's name before the colon.
const (
	ShrinkRule   = "shrink"   // shrink:KIND: a large share of the records of a kind would be removed
	RollbackRule = "rollback" // rollback:REV: values that this rollback removed would return
	OlderRule    = "older"    // older: the directory is an earlier state of the served catalogue
)

// Families returns the families of all rules.
func Families() []string { return []string{ShrinkRule, RollbackRule, OlderRule} }

// Hold is the objection of a rule to a plan.
type Hold struct {
	Rule     string // the name to accept, such as `shrink:chains` or `rollback:7`
	Message  string // what would be lost or undone, and why it is held; without a full stop
	Accepted bool
	// Behind is the number of the revision that the directory equals or derives from, if
	// OlderRule found one; else 0.
	Behind int64
}

// Family returns the family of the rule.
func (h Hold) Family() string {
	family, _, _ := strings.Cut(h.Rule, ":")
	return family
}

// HeldError reports that the gate holds a plan. Nothing was published.
type HeldError struct {
	Head    store.Revision // the revision that stays served
	Holds   []Hold         // the holds that were not accepted
	Waiting []Counts       // the changes of the plan
}

func (e *HeldError) Error() string {
	parts := make([]string, len(e.Holds))
	for i, h := range e.Holds {
		parts[i] = h.Rule + ": " + h.Message
	}
	return "held: " + strings.Join(parts, "; ")
}

// Rules returns the names of the rules that hold, separated by commas, in the form that
// --accept takes.
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

// Accept accepts the holds of rules, and returns the names of the rules that do not hold
// the plan.
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

// Held returns a [*HeldError] if the plan has a hold that was not accepted, else nil.
func (p *Plan) Held() error {
	open := slices.DeleteFunc(slices.Clone(p.Holds), func(h Hold) bool { return h.Accepted })
	if len(open) == 0 {
		return nil
	}
	return &HeldError{Head: p.Head, Holds: open, Waiting: Count(p.Changes)}
}

// situation is the input of the rules.
type situation struct {
	head   *store.State // nil for an empty store
	draft  store.Draft
	dir    *bundle.Directory // source of the draft; nil for a rollback
	from   From
	served *domain.Catalog // the served catalogue; nil for an empty store
	serves *domain.Catalog // the catalogue that the plan would serve

	recent   []store.Revision // newest first; nil for a rollback
	kin      kinship          // of the commit of dir to the served one
	behind   *store.State     // the older state that dir may derive from; nil for none
	returned []returned       // values that rollbacks removed and the draft has again
}

// rule returns its holds, nil for none.
type rule func(situation) ([]Hold, error)

// rules returns the rules for imports, in the order in which holds are listed.
func rules() []rule { return []rule{shrinkRule, rollbackRule, olderRule} }

// weigh returns the holds of rules.
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

// rollbackRule returns one hold for each rollback whose removed values the draft has
// again (see [returnedBy]).
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

// called describes a revision: number, operation, actor, time and message.
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

// named bounds the records that a hold names.
const named = 5

// someOf lists the first of at least one record.
func someOf(names []string) string {
	return listOf(names[:min(len(names), named)], len(names), ", ")
}

// listOf joins the first of n names and counts the others.
func listOf(first []string, n int, separator string) string {
	list := strings.Join(first, separator)
	if n > len(first) {
		list += fmt.Sprintf(" and %d more", n-len(first))
	}
	return list
}
