package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// tasks checks that only a process with the current token can write a task or publish with it.
func tasks(t *testing.T, s store.Store) {
	const since = 2 // the schema with tasks
	if schema, err := s.Schema(t.Context()); err != nil {
		t.Fatal(err)
	} else if schema.Version < since {
		_, reading := s.Task(t.Context(), "sync:it")
		for _, err := range []error{reading, s.SetTask(t.Context(), 0, store.Task{Name: "sync:it", Token: 1})} {
			if !errors.Is(err, store.ErrSchema) || !strings.Contains(err.Error(), "this needs schema 2: run vitrine migrate") {
				t.Errorf("tasks on schema %d: %v", schema.Version, err)
			}
		}
		return
	}
	task := func(token int64, state string) store.Task {
		return store.Task{Name: "sync:it", Token: token, State: []byte(state)}
	}
	stored := func(what string, want store.Task) {
		t.Helper()
		returns(t, what, want)(s.Task(t.Context(), want.Name))
	}
	stored("a task that was never stored", store.Task{Name: "sync:it"})
	set := func(what string, from int64, task store.Task, want error) {
		t.Helper()
		if err := s.SetTask(t.Context(), from, task); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	set("a missing task", 1, task(2, "x"), store.ErrTaken)
	set("a new task", 0, task(1, `{"a":1}`), nil)
	set("an existing task as new", 0, task(1, "x"), store.ErrTaken)
	set("renewed", 1, task(1, "b"), nil)
	set("taken over", 1, task(2, "c ✓"), nil)
	set("by the previous owner", 1, task(1, "x"), store.ErrTaken)
	set("another task", 0, store.Task{Name: "probe", Token: 1}, nil)
	for what, wrong := range map[string]store.Task{
		"without a name": {Token: 1}, "without a token": {Name: "n"}, "with a NUL": {Name: "n", Token: 1, State: []byte{0}},
	} {
		if err := s.SetTask(t.Context(), 0, wrong); err == nil || errors.Is(err, store.ErrTaken) {
			t.Errorf("%s: %v", what, err)
		}
	}
	stored("the other task", store.Task{Name: "probe", Token: 1, State: []byte{}})
	stored("the task", task(2, "c ✓"))

	publish(t, s, 0, draft(numbered(1)))
	observe := func(base int64, task store.Task) error {
		observations := []store.Observation{observation(domain.KindChain, "base", domain.FigureTVL)}
		_, err := s.Observe(t.Context(), base, observations, store.Note{Op: store.OpSync, Task: &task})
		return err
	}
	if err := observe(1, task(1, "x")); !errors.Is(err, store.ErrTaken) {
		t.Errorf("a publish of the previous owner: %v, want ErrTaken", err)
	}
	if err := observe(0, task(2, "x")); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a publish on an old head: %v, want ErrConflict", err)
	}
	stored("after publishes that failed", task(2, "c ✓"))
	if err := observe(1, task(2, "done")); err != nil {
		t.Errorf("a publish of the owner: %v", err)
	}
	stored("after a publish", task(2, "done"))
	if head, err := s.Head(t.Context()); err != nil || head.Number != 2 {
		t.Errorf("head %v, %v", head, err)
	}
	oneTakes(t, s)
}

// oneTakes checks that one of several concurrent writers takes over a task.
func oneTakes(t *testing.T, s store.Store) {
	const rounds, takers = 20, 4
	for round := range int64(rounds) {
		var won atomic.Int64
		var running sync.WaitGroup
		for taker := range takers {
			running.Go(func() {
				err := s.SetTask(t.Context(), round, store.Task{Name: "raced", Token: round + 1, State: fmt.Append(nil, taker)})
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, store.ErrTaken) {
					t.Errorf("round %d: %v", round, err)
				}
			})
		}
		running.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d: %d processes took over the task", round, won.Load())
		}
	}
}
