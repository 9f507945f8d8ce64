package publish

import (
	"context"
	"time"

	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Figures publishes observations if they change what is served. Its errors are those of [Directory]; if
// another process publishes at the same time, it plans again, a few times.
func Figures(ctx context.Context, s store.Store, observations []store.Observation, note store.Note) (Outcome, error) {
	return again(func() (Outcome, error) {
		plan, err := Observed(ctx, s, observations)
		if err != nil {
			return Outcome{}, err
		}
		return plan.Publish(ctx, s, note)
	})
}

// Observed plans to add observations to the head. The gate compares the served catalogue with the
// one that they lead to. Errors are the store's ([store.ErrEmpty]) or a [*contain.Error].
func Observed(ctx context.Context, s store.Store, observations []store.Observation) (_ *Plan, err error) {
	defer contain.Panic(&err, publishing)
	head, err := s.Load(ctx, 0)
	if err != nil {
		return nil, err
	}
	all := head.Observed()[:len(head.Observed()):len(head.Observed())]
	for _, o := range observations {
		all = append(all, o.Observation)
	}
	changed := all[len(head.Observed()):]
	serves := domain.MergeSince(head.Merged(), head.Editors(), head.Editors(), all, changed)
	plan := &Plan{Head: head.Revision, Serves: serves, observations: observations}
	plan.delta = domain.DeltaOf(head.Merged(), plan.Serves)
	plan.Changes = plan.delta.Changes()
	now := time.Now()
	at := gateInput{head: head, serves: plan.Serves, delta: plan.delta}
	if err := at.compare(ctx, s, now); err != nil {
		return nil, err
	}
	for _, f := range at.found {
		plan.Holds = append(plan.Holds, holdOf(f))
	}
	plan.acceptWritten(domain.DateOf(now))
	return plan, nil
}
