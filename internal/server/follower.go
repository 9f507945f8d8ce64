package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"vitrine/internal/catalog"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// Revisions is what following a store needs of it.
type Revisions interface {
	Head(ctx context.Context) (store.Revision, error)
	Load(ctx context.Context) (*catalog.Catalog, store.Revision, error)
}

// FollowerConfig says what a [Follower] follows. All fields are needed.
type FollowerConfig struct {
	Store   Revisions
	Every   time.Duration // how often the head is looked at
	Log     *slog.Logger
	Metrics *Metrics
	// WhenEmpty tells an operator what to do about a store without a revision.
	WhenEmpty string
}

// Follower keeps the snapshot of a store's head. What cannot be loaded, checked
// or compiled leaves the snapshot before it in place. Run is to be called once;
// all other methods are safe for concurrent use.
type Follower struct {
	config  FollowerConfig
	wake    chan struct{}
	serving atomic.Pointer[serving]
	trouble trouble
	refused refusal // touched by Run alone
}

// serving is a snapshot that is served and since when.
type serving struct {
	snapshot *snapshot.Snapshot
	since    time.Time
}

// refusal is a revision that was found unfit, and why: it is not loaded again
// with every look at the store.
type refusal struct {
	revision snapshot.Revision
	err      error
}

// NewFollower makes a follower that has no snapshot yet.
func NewFollower(config FollowerConfig) *Follower {
	return &Follower{config: config, wake: make(chan struct{}, 1)}
}

// Snapshot returns what is to be served now, nil while there is nothing. It
// takes one atomic load.
func (f *Follower) Snapshot() *snapshot.Snapshot {
	if s := f.serving.Load(); s != nil {
		return s.snapshot
	}
	return nil
}

// Wake makes Run look at the store at once.
func (f *Follower) Wake() {
	select {
	case f.wake <- struct{}{}:
	default: // it is about to look already
	}
}

// Run follows the store until ctx is done.
func (f *Follower) Run(ctx context.Context) {
	repeat(ctx, f.config.Every, f.wake, f.follow)
}

func (f *Follower) follow(ctx context.Context) {
	head, err := f.config.Store.Head(ctx)
	switch {
	case errors.Is(err, store.ErrEmpty) && f.Snapshot() == nil:
		f.empty()
	case err != nil:
		f.failed(ctx, fmt.Errorf("look at the store: %w", err))
	case f.has(compiled(head)):
		f.well()
	case f.refused.err != nil && same(f.refused.revision, compiled(head)):
		f.failed(ctx, f.refused.err)
	default:
		f.take(ctx)
	}
}

// take serves what the store holds now, compiled beside what is served.
func (f *Follower) take(ctx context.Context) {
	c, rev, err := f.config.Store.Load(ctx)
	if err != nil {
		f.failed(ctx, err) // perhaps it passes: the next look tries again
		return
	}
	start := time.Now()
	s, err := compile(c, compiled(rev))
	if err != nil {
		f.refused = refusal{revision: compiled(rev), err: err}
		f.failed(ctx, err)
		return
	}
	took := time.Since(start)
	f.serving.Store(&serving{snapshot: s, since: time.Now().UTC()})
	f.trouble.clear()
	f.config.Metrics.served(rev.Number, took)
	f.config.Log.Info("serving a new revision", "revision", rev.Number, "published_at", rev.PublishedAt,
		"message", rev.Message, "compiled_in", took.Round(10*time.Microsecond).String())
}

// compile trusts no database: a catalogue that was valid when it was published
// may have been tampered with since, or be held to newer rules now.
func compile(c *catalog.Catalog, rev snapshot.Revision) (*snapshot.Snapshot, error) {
	if err := firstError(catalog.Check(c, catalog.Unread{})); err != nil {
		return nil, fmt.Errorf("revision %d is not valid: %w", rev.Number, err)
	}
	s, err := snapshot.Compile(c, rev)
	if err != nil {
		return nil, fmt.Errorf("compile revision %d: %w", rev.Number, err)
	}
	return s, nil
}

// firstError returns the first error of problems with the number of all, nil if
// there are only warnings.
func firstError(problems []catalog.Problem) error {
	var first catalog.Problem
	n := 0
	for _, p := range problems {
		if p.Rule.Severity() != catalog.Error {
			continue
		}
		if n++; n == 1 {
			first = p
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d errors, the first in %s[%d]: %s: %s", n, first.At.Kind, first.At.Index, first.Rule, first.Message)
}

// compiled returns the part of a revision that a snapshot knows.
func compiled(rev store.Revision) snapshot.Revision {
	return snapshot.Revision{Number: rev.Number, PublishedAt: rev.PublishedAt}
}

func (f *Follower) has(rev snapshot.Revision) bool {
	s := f.Snapshot()
	return s != nil && same(s.Revision(), rev)
}

// same compares times, too: numbers repeat where a store was replaced by
// another one.
func same(a, b snapshot.Revision) bool {
	return a.Number == b.Number && a.PublishedAt.Equal(b.PublishedAt)
}

func (f *Follower) empty() {
	if f.trouble.set(store.ErrEmpty.Error()) {
		f.config.Log.Warn("nothing is served: "+store.ErrEmpty.Error(), "remedy", f.config.WhenEmpty)
	}
}

func (f *Follower) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the process ends, which is no failure
	}
	if f.trouble.set(err.Error()) {
		f.config.Metrics.loadFailed()
		f.config.Log.Error("the store's revision cannot be served", "error", err, "still_serving", f.number())
	}
}

func (f *Follower) well() {
	if f.trouble.clear() {
		f.config.Log.Info("the store is well again", "serving", f.number())
	}
}

// number returns that of the revision which is served, 0 for none.
func (f *Follower) number() int64 {
	if s := f.Snapshot(); s != nil {
		return s.Revision().Number
	}
	return 0
}
