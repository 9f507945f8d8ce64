package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/store"
)

// The gate is a list of rules that check every plan. A plan that a rule holds is
// published only if the rule is accepted by its name.

// Families of rules: the part of a rule's name before the colon.
const (
	ShrinkRule   = string(domain.GateShrink)
	RollbackRule = "rollback" // rollback:REV: values that this rollback removed would return
	OlderRule    = "older"    // older: the directory is an earlier state of the served catalogue
	PurgedRule   = "purged"   // purged:REV: a record that this purge removed would return
)

// Families returns the families of all rules.
func Families() []string {
	families := []string{PurgedRule, RollbackRule, OlderRule}
	for _, family := range domain.GateFamilies() {
		families = append(families, string(family))
	}
	return families
}

// Hold is the objection of a rule to a plan.
type Hold struct {
	Rule     string // the name to accept, such as `shrink:chains` or `rollback:7`
	Severity domain.GateSeverity
	Message  string // what would be lost or undone, and why it is held; without a full stop
	Why      string // why that matters; "" if the message has the reason
	Accepted bool
	// Behind is the number of the revision that the directory equals or derives from, if
	// OlderRule found one; else 0.
	Behind int64

	Finding  gate.Finding       // of a rule that compares the catalogues; zero for others
	accepted []store.Acceptance // by which it is accepted, or a part of it
}

// Family returns the family of the rule.
func (h Hold) Family() string {
	family, _, _ := strings.Cut(h.Rule, ":")
	return family
}

// Reason returns the message and why it matters.
func (h Hold) Reason() string {
	if h.Why == "" {
		return h.Message
	}
	return h.Message + "; " + h.Why
}

// HeldError reports that the gate holds a plan. Nothing was published.
type HeldError struct {
	Head    store.Revision // the revision that stays served
	Holds   []Hold         // the holds that were not accepted
	Waiting int            // changes of the plan
}

func (e *HeldError) Error() string {
	parts := make([]string, len(e.Holds))
	for i, h := range e.Holds {
		parts[i] = h.Rule + ": " + h.Reason()
	}
	return "held: " + strings.Join(parts, "; ")
}

// Rules returns the names of the rules that hold and can be accepted by name, separated by
// commas, in the form that --accept takes; "" for none.
func (e *HeldError) Rules() string { return strings.Join(e.names(false), ",") }

// Stops returns the names of the rules that hold and that only the directory accepts.
func (e *HeldError) Stops() []string { return e.names(true) }

// names returns the names of the rules that only the directory accepts, or of the others.
func (e *HeldError) names(stops bool) []string {
	var names []string
	for _, h := range e.Holds {
		if stops == (h.Severity == domain.GateStop) {
			names = append(names, h.Rule)
		}
	}
	return names
}

// CheckRule returns an error if no rule of the gate can have that name. `=KEY` may follow it.
func CheckRule(name string) error {
	name, _, _ = strings.Cut(name, "=")
	family, of, _ := strings.Cut(name, ":")
	switch family {
	case ShrinkRule:
		if !slices.Contains(gate.Kinds(), of) {
			return fmt.Errorf("there is no rule %q; %s: is followed by one of %s", name, ShrinkRule, strings.Join(gate.Kinds(), ", "))
		}
		return nil
	case RollbackRule, PurgedRule:
		if n, err := strconv.ParseInt(of, 10, 64); err != nil || n < 1 || strconv.FormatInt(n, 10) != of {
			return fmt.Errorf("there is no rule %q; %s: is followed by the number of a revision", name, family)
		}
		return nil
	}
	if name == OlderRule || domain.IsGateRule(name) {
		return nil
	}
	var families []string
	for _, f := range domain.GateFamilies() {
		families = append(families, string(f))
	}
	return fmt.Errorf("there is no rule %q; write %s, %s:REV, %s:REV, or a rule as the hold names it, which begins with one of %s",
		name, OlderRule, RollbackRule, PurgedRule, strings.Join(families, ", "))
}

// Accept accepts holds by the names of their rules, or RULE=KEY for what a rule finds of one
// record. It returns the names that accept nothing: the rule does not hold the plan, or only the
// directory accepts it (see [domain.GateStop]).
func (p *Plan) Accept(names []string) (needless []string) {
	for _, name := range names {
		rule, key, _ := strings.Cut(name, "=")
		if !p.accept(domain.GateAsk, store.Acceptance{Rule: rule, Key: key}) {
			needless = append(needless, name)
		}
	}
	return needless
}

// accept adds an acceptance to the hold of its rule, if it is not stricter than a severity and has
// the record.
func (p *Plan) accept(strictest domain.GateSeverity, a store.Acceptance) bool {
	i := slices.IndexFunc(p.Holds, func(h Hold) bool { return h.Rule == a.Rule })
	if i < 0 || p.Holds[i].Severity == domain.GateStop && strictest != domain.GateStop {
		return false
	}
	h := &p.Holds[i]
	if a.Key != "" && !h.Finding.Has(a.Key) {
		return false
	}
	h.accepted = append(h.accepted, a)
	h.Accepted = slices.ContainsFunc(h.accepted, func(a store.Acceptance) bool { return a.Key == "" }) ||
		h.Finding.Accepts(func(key string) bool {
			return slices.ContainsFunc(h.accepted, func(a store.Acceptance) bool { return a.Key == key })
		})
	return true
}

// acceptWritten applies the acceptances of the catalogue on a day.
func (p *Plan) acceptWritten(today domain.Date) {
	for _, a := range written(p.Serves, today) {
		p.accept(domain.GateStop, a)
	}
}

// written returns the acceptances of a catalogue that have not expired.
func written(c *domain.Catalog, today domain.Date) []store.Acceptance {
	if c.Gate == nil {
		return nil
	}
	var all []store.Acceptance
	for _, a := range c.Gate.Accept {
		if !a.Expired(today) {
			all = append(all, store.Acceptance{Rule: a.Rule, Key: a.Key, By: a.Author, Reason: a.Reason})
		}
	}
	return all
}

// Accepted reports whether a catalogue accepts a finding on a day.
func Accepted(f gate.Finding, c *domain.Catalog, today domain.Date) bool {
	p := Plan{Serves: c, Holds: []Hold{holdOf(f)}}
	p.acceptWritten(today)
	return p.Holds[0].Accepted
}

// acceptances returns the accepted holds in their order, as revisions store them. by is the name
// for acceptances without one.
func (p *Plan) acceptances(by string) string {
	var all []store.Acceptance
	for _, h := range p.Holds {
		for _, a := range h.accepted {
			a.By = cmp.Or(a.By, by)
			a.Found = h.Message
			all = append(all, a)
		}
	}
	return store.EncodeAcceptances(all)
}

// Held returns a [*HeldError] if the plan has a hold that was not accepted, else nil.
func (p *Plan) Held() error {
	open := slices.DeleteFunc(slices.Clone(p.Holds), func(h Hold) bool { return h.Accepted || h.Severity == domain.GateWarn })
	if len(open) == 0 {
		return nil
	}
	return &HeldError{Head: p.Head, Holds: open, Waiting: len(p.Changes)}
}

// Warned returns the findings with which the plan is published all the same, one line each.
func (p *Plan) Warned() []string {
	var lines []string
	for _, h := range p.Holds {
		if h.Severity == domain.GateWarn && !h.Accepted {
			lines = append(lines, h.Rule+": "+h.Reason())
		}
	}
	return lines
}

// gateInput is the input of the rules.
type gateInput struct {
	head   *store.State // nil for an empty store
	draft  store.Draft
	dir    *bundle.Directory // source of the draft; nil for a rollback
	from   From
	serves *domain.Catalog // the catalogue that the plan would serve
	delta  *domain.Delta   // from the served catalogue to serves; nil for an empty store

	found    []gate.Finding   // the differences that are probably mistakes
	recent   []store.Revision // newest first; nil for a rollback
	kin      ancestry         // of the commit of dir to the served one
	behind   *store.State     // the older state that dir may derive from; nil for none
	returned []returned       // values that rollbacks removed and the draft has again
	purged   []purged         // records that purges removed and the draft has again
}

// rule returns its holds, nil for none.
type rule func(gateInput) []Hold

// importRules are the rules for imports, in the order in which holds are listed.
var importRules = []rule{gateRule, purgedRule, rollbackRule, olderRule}

// gateRule returns a hold for each finding. Findings about single records of a kind with few of
// them only warn.
func gateRule(at gateInput) []Hold {
	var holds []Hold
	for _, f := range at.found {
		if f.Few {
			f.Severity = domain.GateWarn
		}
		holds = append(holds, holdOf(f))
	}
	return holds
}

func holdOf(f gate.Finding) Hold {
	return Hold{Rule: f.Rule, Severity: f.Severity, Message: f.Objection(), Why: f.Why, Finding: f}
}

// rollbackRule returns one hold for each rollback whose removed values the draft has
// again (see [returnedBy]).
func rollbackRule(at gateInput) []Hold {
	var holds []Hold
	for _, r := range at.returned {
		if r.values == 0 {
			continue
		}
		name := fmt.Sprintf("%s:%d", RollbackRule, r.rollback.Number)
		what, remedy := "return %s that %s removed", "revert that"
		switch r.missing {
		case 0:
		case r.values:
			what, remedy = "lose %s that %s restored", "put that back"
		default:
			what, remedy = "undo %s of %s", "put back what is missing and revert the others"
		}
		n := fmt.Sprintf("%d values", r.values)
		if r.values == 1 {
			n = "1 value"
		}
		holds = append(holds, Hold{Rule: name, Severity: domain.GateAsk, Message: fmt.Sprintf(
			"this publish would "+what+": %s; %s in the directory to publish the rest, or accept %s to publish everything",
			n, describeRevision(r.rollback), listOf(r.named, r.values, "; "), remedy, name)})
	}
	return holds
}

// describeRevision describes a revision: number, operation, actor, time and message.
func describeRevision(r store.Revision) string {
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
