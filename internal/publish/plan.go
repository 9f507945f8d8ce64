package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Plan is a prepared publish on top of a revision. It can be shown before it is published.
type Plan struct {
	// Head is the revision that the plan is based on, zero for an empty store.
	Head store.Revision
	// Changes are the differences between what Head serves and what the plan would
	// serve, including observed figures; nil for none.
	Changes []domain.Change
	// Serves is the catalogue that would be served. It must not be changed.
	Serves *domain.Catalog
	// Notes are warnings about ids and addresses that records take over, about a commit of unknown
	// age, and about figures that a rollback keeps, one sentence each; nil for none.
	Notes []string
	// Suggestions are likely renames without `former`.
	Suggestions []domain.FormerSuggestion
	// Holds are the objections of the gate; nil for none.
	Holds []Hold
	// Warnings are about other publishers to the same store whose publishes and this one revert
	// each other; nil for none.
	Warnings []string

	draft        store.Draft
	delta        *domain.Delta       // from what Head serves to Serves; nil for an empty store
	observations []store.Observation // of [Observed], which publishes them in place of the draft
}

// Import plans to publish dir. Records keep their derived ids (see
// [domain.KeepIDs]). A directory with errors is refused with a
// [*RefusedError]; any other error is the store's, or a [*contain.Error].
func Import(ctx context.Context, s store.Store, dir *bundle.Directory, from From) (_ *Plan, err error) {
	defer contain.Panic(&err, publishing)
	if err := refuse(dir); err != nil {
		return nil, err
	}
	draft := importOf(dir, from)
	head, err := s.Load(ctx, 0)
	if errors.Is(err, store.ErrEmpty) {
		var denied []domain.NewID
		draft.Catalog, denied = domain.KeepIDs(nil, dir.Catalog, nil)
		plan := newPlan(nil, draft)
		plan.Notes = newIDNotes(denied)
		return plan, nil
	}
	if err != nil {
		return nil, err
	}
	earlier, err := removedChains(ctx, s, head.Editors(), dir.Catalog)
	if err != nil {
		return nil, err
	}
	var denied []domain.NewID
	draft.Catalog, denied = domain.KeepIDs(head.Editors(), dir.Catalog, earlier)
	plan := newPlan(head, draft)
	plan.Notes = slices.Concat(newIDNotes(denied), takenAddressNotes(plan.draft.Delta), TakenIdentityNotes(head.Editors(), draft.Catalog))
	plan.Suggestions = plan.draft.Delta.SuggestFormer()
	if len(plan.Changes) == 0 {
		return plan, nil
	}
	at := gateInput{head: head, draft: plan.draft, dir: dir, from: from, serves: plan.Serves, delta: plan.delta}
	if at.kin, err = at.relate(); err != nil { // publishing goes on
		plan.Notes = append(plan.Notes, fmt.Sprintf("cannot tell whether the directory's commit is older than the served one: %v", err))
	}
	now := time.Now()
	if err := at.compare(ctx, s, now); err != nil {
		return nil, err
	}
	if err := at.look(ctx, s); err != nil {
		return nil, err
	}
	if plan.Warnings, err = at.rivals(ctx, s); err != nil {
		return nil, err
	}
	plan.weigh(at, now, importRules...)
	return plan, nil
}

// look reads the input of the rules from a store.
func (at *gateInput) look(ctx context.Context, s store.Store) (err error) {
	if at.returned, err = returnedBy(ctx, s, at.head, at.draft.Catalog); err != nil {
		return err
	}
	if at.purged, err = purgedIn(ctx, s, at.draft); err != nil {
		return err
	}
	limit := recentLimit
	if at.from.Starting {
		limit = startLimit
	}
	if at.recent, err = s.History(ctx, limit); err != nil {
		return err
	}
	numbers, err := at.origins(ctx, s)
	if err != nil {
		return err
	}
	for _, number := range numbers {
		at.behind, err = s.Load(ctx, number)
		switch known := at.from.Behind != 0; {
		case errors.Is(err, store.ErrNoRevision): // it was pruned
			at.behind = nil
		case err != nil:
			return err
		case known || compareWith(at.behind, at.head, at.draft.Catalog, false).holds(false):
			return nil
		}
	}
	return nil
}

// weigh adds the holds of rules. Publishing the plan releases the values that it returns.
func (p *Plan) weigh(at gateInput, now time.Time, rules ...rule) {
	for _, r := range at.returned {
		p.draft.Releases = append(p.draft.Releases, r.releases...)
	}
	for _, rule := range rules {
		p.Holds = append(p.Holds, rule(at)...)
	}
	p.acceptWritten(domain.DateOf(now))
}

func importOf(dir *bundle.Directory, from From) store.Draft {
	return store.Draft{
		Note: store.Note{Op: store.OpImport, Digest: dir.Digest, Commit: dir.Commit.Hash, Modified: dir.Commit.Modified,
			Publisher: from.Publisher},
		Catalog: dir.Catalog,
		Origin:  dir.Origin,
	}
}

// Rollback plans to publish the editors' layer of an old revision again. Observed figures
// stay. Values that another rollback removed are not held, because the revision is named
// explicitly; findings of the comparison with the served catalogue are. Errors are the store's
// ([store.ErrNoRevision], [store.ErrEmpty]) or an [*InvalidError].
func Rollback(ctx context.Context, s store.Store, number int64) (_ *Plan, err error) {
	defer contain.Panic(&err, publishing)
	head, err := s.Load(ctx, 0)
	if err != nil {
		return nil, err
	}
	old, err := s.Load(ctx, number)
	if err != nil {
		return nil, err
	}
	draft := store.Draft{
		Note: store.Note{Op: store.OpRollback, Digest: head.Revision.Digest,
			Commit: old.Revision.Commit, Modified: old.Revision.Modified},
		Catalog: domain.KeepPastIDs(head.Editors(), old.Editors()),
	}
	plan := newPlan(head, draft)
	if err := domain.Invalid(nil, plan.Serves); err != nil {
		return nil, &InvalidError{number, err}
	}
	at := gateInput{head: head, draft: plan.draft, serves: plan.Serves, delta: plan.delta}
	now := time.Now()
	if err := at.compare(ctx, s, now); err != nil {
		return nil, err
	}
	if at.returned, err = returnedBy(ctx, s, head, draft.Catalog); err != nil {
		return nil, err
	}
	if at.purged, err = purgedIn(ctx, s, plan.draft); err != nil {
		return nil, err
	}
	plan.Notes = keptFigures(number, old, head)
	plan.weigh(at, now, gateRule, purgedRule)
	return plan, nil
}

// newPlan compares the served catalogue with the one that would be served: an edit that
// readers cannot notice is not a change. Head is nil for an empty store.
func newPlan(head *store.State, draft store.Draft) *Plan {
	if head == nil {
		return &Plan{Changes: domain.Diff(nil, draft.Catalog), Serves: draft.Catalog, draft: draft}
	}
	draft.Base, draft.Delta = head.Revision, domain.DeltaOf(head.Editors(), draft.Catalog)
	serves := domain.MergeSince(head.Merged(), head.Editors(), draft.Catalog, head.Observed(), nil)
	delta := draft.Delta.Merged(head.Merged(), serves)
	return &Plan{Head: head.Revision, Changes: delta.Changes(), Serves: serves, draft: draft, delta: delta}
}

// Publish publishes the plan as the next revision, unless it changes nothing. The error is
// a [*HeldError] if the gate holds the plan, a [*ConflictError] if the head is no longer
// p.Head, else the store's or a [*contain.Error].
func (p *Plan) Publish(ctx context.Context, s store.Store, note store.Note) (_ Outcome, err error) {
	defer contain.Panic(&err, publishing)
	if len(p.Changes) == 0 {
		return Outcome{Revision: p.Head}, nil
	}
	if err := p.Held(); err != nil {
		return Outcome{}, err
	}
	revision, err := p.write(ctx, s, note)
	if errors.Is(err, store.ErrConflict) {
		return Outcome{}, p.conflict(ctx, s)
	}
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Revision: revision, Published: true, Changes: p.Changes, Notes: p.Notes, Warnings: p.Warnings, Findings: p.Warned(), Serves: p.Serves}, nil
}

// write writes the next revision.
func (p *Plan) write(ctx context.Context, s store.Store, note store.Note) (store.Revision, error) {
	note.Accepted = p.acceptances(note.Actor)
	if p.observations != nil {
		note.Op = store.OpSync
		return s.Observe(ctx, p.Head.Number, p.observations, note)
	}
	draft := p.draft
	draft.At, draft.Actor, draft.Message, draft.Accepted = note.At, note.Actor, note.Message, note.Accepted
	return s.Publish(ctx, p.Head.Number, draft)
}

func (p *Plan) conflict(ctx context.Context, s store.Store) error {
	head, err := s.Head(ctx)
	if err != nil {
		return &ConflictError{Base: p.Head} // the other revision is unknown
	}
	return &ConflictError{Base: p.Head, Head: head}
}

// HeldBack returns the handles of the accounts that the list would omit because their
// followers are unknown or too old (docs/figures.md#missing-figures), in the catalogue's
// order.
func (p *Plan) HeldBack() []string {
	var handles []string
	for _, a := range domain.Listed(p.Serves).Accounts {
		if domain.HeldBack(a) {
			handles = append(handles, a.Handle)
		}
	}
	return handles
}

// ConflictError reports that another process published first. It wraps
// [store.ErrConflict].
type ConflictError struct {
	Base store.Revision // the head that the plan is based on, zero for an empty store
	Head store.Revision // the head now, zero if unknown
}

func (e *ConflictError) Error() string { return store.ErrConflict.Error() }

// Unwrap returns [store.ErrConflict].
func (e *ConflictError) Unwrap() error { return store.ErrConflict }

// RefusedError reports that a directory has errors and was not published.
type RefusedError struct {
	Errors, Warnings int
	Problems         []bundle.Problem // as the directory has them
	Found            domain.Count     // all problems, by rule
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("the catalogue directory is broken (errors: %d, warnings: %d)", e.Errors, e.Warnings)
}

func refuse(dir *bundle.Directory) error {
	if n := dir.Errors(); n > 0 {
		return &RefusedError{Errors: n, Warnings: dir.Warnings(), Problems: dir.Problems, Found: dir.Found}
	}
	return nil
}

// InvalidError reports that an old revision breaks the current rules, which may have become stricter,
// and was not published again. A server would reject it.
type InvalidError struct {
	Revision int64
	Cause    error // a [*domain.InvalidError]
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("revision %d is not valid any more: %v", e.Revision, e.Cause)
}
