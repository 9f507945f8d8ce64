package publish

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// The gate is a list of rules that every plan is held against, whichever way it
// came. What a rule holds is published only when somebody accepts it by name.

// Families of rules: what stands before the colon of a rule's name.
const (
	ShrinkRule   = "shrink"   // shrink:KIND: a large share of the records of a kind would be gone
	RollbackRule = "rollback" // rollback:REV: what that rollback took away would be back
)

// Families returns what the names of rules begin with.
func Families() []string { return []string{ShrinkRule, RollbackRule} }

// Hold is what a rule of the gate has against a plan.
type Hold struct {
	Rule     string // what to accept: `shrink:chains`, `rollback:7`
	Message  string // what would be lost or undone, in words without an end
	Accepted bool
}

// Family returns what the name of the rule begins with.
func (h Hold) Family() string {
	family, _, _ := strings.Cut(h.Rule, ":")
	return family
}

// HeldError says that the gate holds a plan. Nothing was published.
type HeldError struct {
	Head  store.Revision // what goes on being served
	Holds []Hold         // those that nobody accepted
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
	return fmt.Errorf("there is no rule %q; the rules are %s:KIND and %s:REV", name, ShrinkRule, RollbackRule)
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
	return &HeldError{Head: p.Head, Holds: open}
}

// rollbackHolds returns one hold for each rollback that a draft would undo in part:
// the draft has the very version of a record that the rollback took away. Once that
// version has been accepted and published again, the rollback holds it no more.
func rollbackHolds(ctx context.Context, s Store, draft store.Draft) ([]Hold, error) {
	retracted, err := s.Retracted(ctx)
	if err != nil || len(retracted) == 0 {
		return nil, err
	}
	rows, err := rowsLike(retracted, draft.Catalog)
	if err != nil {
		return nil, err
	}
	var holds []Hold
	for len(retracted) > 0 {
		rollback := retracted[0].Rollback
		var back []string
		for len(retracted) > 0 && retracted[0].Rollback.Number == rollback.Number {
			r := retracted[0]
			if r.ReturnsWith(rows[recordOf(r.Row)]) {
				back = append(back, nameOf(r))
			}
			retracted = retracted[1:]
		}
		if len(back) > 0 {
			holds = append(holds, Hold{
				Rule: fmt.Sprintf("%s:%d", RollbackRule, rollback.Number),
				Message: fmt.Sprintf("what revision %d, a rollback%s, took away would be back: %s",
					rollback.Number, by(rollback), someOf(back)),
			})
		}
	}
	return holds, nil
}

func by(r store.Revision) string {
	if r.Actor == "" {
		return ""
	}
	return " by " + r.Actor
}

type record struct {
	kind domain.Kind
	key  string
}

func recordOf(row store.Row) record { return record{row.Kind, row.Key} }

// rowsLike returns the rows of c that are of the records of some retractions.
func rowsLike(retracted []store.Retraction, c *domain.Catalog) (map[record]store.Row, error) {
	wanted := map[record]bool{}
	for _, r := range retracted {
		wanted[recordOf(r.Row)] = true
	}
	rows := map[record]store.Row{}
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			return nil, err
		}
		if wanted[recordOf(row)] {
			rows[recordOf(row)] = row
		}
	}
	return rows, nil
}

func nameOf(r store.Retraction) string {
	name := string(r.Row.Kind)
	if r.Row.Kind != domain.KindCatalog {
		name += " " + r.Row.Key
	}
	switch {
	case r.Moved:
		return name + " (its place)"
	case r.Row.Body == nil:
		return name + " (gone)"
	}
	return name
}

// named is how many records a hold names.
const named = 5

// someOf names the first of some records, of which there is one at least.
func someOf(names []string) string {
	if len(names) <= named {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}
