package probe

import (
	"cmp"
	"context"
	"errors"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// task is the task of the store that has the history of probes.
const task = "probe"

const (
	saveLimit    = 10 * time.Second // of writing the history
	maxConflicts = 5                // attempts to publish beside other publishers
)

// Run probes the served catalogue of a store, and keeps the results in the store. A Run is safe for
// concurrent use.
type Run struct {
	Prober Prober        // without Save
	Time   time.Duration // maximum duration; 0 checks nothing
	DryRun bool          // stores nothing
}

// Result is the result of a run.
type Result struct {
	Revision int64  `json:"revision,omitempty"` // the published one, 0 for none
	Problem  string `json:"problem,omitempty"`
	Changed  int    `json:"changed"` // addresses whose reach changed
	Made     int    `json:"checked"` // checks
	Left     int    `json:"left"`
	*Report         // nil with an error
}

// On checks what is due, and publishes what changed as a revision. The history is stored as a task, so
// that a later run continues; if another run stores its own meanwhile, the error is [store.ErrTaken].
// Other errors are those of the store and of ctx. note describes the revision; its operation and time
// are set.
func (r *Run) On(ctx context.Context, s store.Store, note store.Note) (Result, error) {
	var done Result
	head, err := s.Load(ctx, 0)
	if err != nil {
		return done, err
	}
	stored, err := s.Task(ctx, task)
	if err != nil {
		return done, err
	}
	history, targets := ReadHistory(stored.State), Targets(head.Editors())
	if r.Time > 0 {
		within, end := context.WithTimeout(ctx, r.Time)
		defer end()
		prober := r.Prober
		prober.Save = r.save(ctx, s, stored)
		done.Made, done.Left, err = prober.Run(within, targets, history)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return done, err
		}
	}
	note.At, note.Op = r.Prober.Now(), store.OpSync
	if history.Offline() {
		done.Problem = "nearly all checks fail, so the network of this process is probably at fault; nothing becomes down"
	}
	observations, observed := Observations(targets, history, head.Observed(), note.At), head.Observed()
	if !r.DryRun && len(observations) > 0 {
		if done.Revision, observed, err = publish(ctx, s, targets, history, note); err != nil {
			return done, err
		}
	}
	done.Changed, done.Report = len(observations), NewReport(targets, history, observed)
	return done, nil
}

// save returns the function that stores the history in a task.
func (r *Run) save(ctx context.Context, s store.Store, stored store.Task) func(*History) error {
	return func(h *History) error {
		if r.DryRun {
			return nil
		}
		state, err := h.Bytes()
		if err != nil {
			return err
		}
		ctx, end := context.WithTimeout(context.WithoutCancel(ctx), saveLimit) // the results of an interrupted run count
		defer end()
		next := store.Task{Name: stored.Name, Token: stored.Token + 1, State: state}
		if err := s.SetTask(ctx, stored.Token, next); err != nil {
			return err
		}
		stored = next
		return nil
	}
}

// publish publishes the reach of targets, beside other publishers. It returns the revision, and what
// is observed then.
func publish(ctx context.Context, s store.Store, targets []Target, history *History, note store.Note) (int64, []domain.Observation, error) {
	for range maxConflicts {
		head, err := s.Load(ctx, 0)
		if err != nil {
			return 0, nil, err
		}
		observations := Observations(targets, history, head.Observed(), note.At)
		if len(observations) == 0 {
			return 0, head.Observed(), nil
		}
		revision, err := s.Observe(ctx, head.Revision.Number, observations, note)
		if errors.Is(err, store.ErrConflict) {
			continue
		}
		observed := head.Observed()[:len(head.Observed()):len(head.Observed())]
		for _, o := range observations {
			observed = append(observed, o.Observation)
		}
		return revision.Number, observed, err
	}
	return 0, nil, store.ErrConflict
}
