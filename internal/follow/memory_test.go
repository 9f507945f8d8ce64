package follow_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// memory is a store in memory with switchable failures. Its handles detect misuse.
type memory struct {
	t testing.TB

	mu      sync.Mutex
	history []revision // oldest first
	faults  map[string]error
	hangs   map[string]chan struct{} // channels that calls of a method wait for
	deaf    bool                     // hanging calls ignore their context
	calls   map[string]int
	opened  int // open handles
	keys    []store.APIKey
	used    []store.KeyUse
}

// revision is a whole stored revision.
type revision struct {
	store.Revision
	catalog *domain.Catalog
}

// handle is an open memory. The methods that it does not have are not called.
type handle struct {
	store.Store
	memory *memory
	busy   atomic.Int32
	closed atomic.Bool
}

// errPanic makes a method panic.
var errPanic = errors.New("index out of range")

func newMemory(t testing.TB) *memory {
	return &memory{t: t, faults: map[string]error{}, hangs: map[string]chan struct{}{}, calls: map[string]int{}}
}

// begin counts a call, and makes it hang or fail.
func (m *memory) begin(ctx context.Context, method string) error {
	m.mu.Lock()
	m.calls[method]++
	wait, deaf := m.hangs[method], m.deaf
	m.mu.Unlock()
	if wait != nil {
		done := ctx.Done()
		if deaf {
			done = nil
		}
		select {
		case <-wait:
		case <-done:
			return fmt.Errorf("read tcp 127.0.0.1:%d: %w", time.Now().UnixMilli(), ctx.Err()) // as varied as real ones
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.faults[method]; err != nil {
		if errors.Is(err, errPanic) {
			panic(err)
		}
		return err
	}
	return m.faults["all"]
}

func (m *memory) open(ctx context.Context) (store.Store, error) {
	if err := m.begin(ctx, "open"); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.opened++
	return &handle{memory: m}, nil
}

func (h *handle) begin(ctx context.Context, method string) (end func(), err error) {
	h.busy.Add(1)
	defer func() {
		if cause := recover(); cause != nil {
			h.busy.Add(-1)
			panic(cause)
		}
	}()
	if h.closed.Load() {
		h.memory.t.Errorf("%s after Close", method)
	}
	return func() { h.busy.Add(-1) }, h.memory.begin(ctx, method)
}

func (h *handle) Close() error {
	if h.busy.Load() != 0 {
		h.memory.t.Error("Close during a call")
	}
	if h.closed.Swap(true) {
		h.memory.t.Error("closed twice")
	}
	_ = h.memory.begin(context.Background(), "close")
	h.memory.mu.Lock()
	defer h.memory.mu.Unlock()
	h.memory.opened--
	return nil
}

func (h *handle) Head(ctx context.Context) (store.Revision, error) {
	end, err := h.begin(ctx, "head")
	defer end()
	if err != nil {
		return store.Revision{}, err
	}
	head, ok := h.memory.newest()
	if !ok {
		return store.Revision{}, store.ErrEmpty
	}
	return head.Revision, nil
}

// Check finds damage only if it was made to fail.
func (h *handle) Check(ctx context.Context) error {
	end, err := h.begin(ctx, "check")
	defer end()
	return err
}

func (h *handle) Load(ctx context.Context, number int64) (*store.State, error) {
	end, err := h.begin(ctx, "load")
	defer end()
	if err != nil {
		return nil, err
	}
	head, ok := h.memory.newest()
	switch {
	case !ok:
		return nil, store.ErrEmpty
	case number != 0:
		return nil, errors.New("only the head is loaded in these tests")
	}
	return stateOf(head.Revision, head.catalog), nil
}

func (h *handle) Changes(ctx context.Context, since int64) (*store.Changes, error) {
	end, err := h.begin(ctx, "changes")
	defer end()
	if err != nil {
		return nil, err
	}
	m := h.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.IndexFunc(m.history, func(r revision) bool { return r.Number == since })
	if at < 0 {
		return nil, store.ErrNoRevision
	}
	last := m.history[len(m.history)-1]
	return &store.Changes{
		Since: since, Revision: last.Revision, Rows: difference(m.history[at].catalog, last.catalog),
	}, nil
}

func (h *handle) History(ctx context.Context, limit int) ([]store.Revision, error) {
	end, err := h.begin(ctx, "history")
	defer end()
	if err != nil {
		return nil, err
	}
	h.memory.mu.Lock()
	defer h.memory.mu.Unlock()
	var revisions []store.Revision
	for _, r := range slices.Backward(h.memory.history) {
		if limit == 0 || len(revisions) < limit {
			revisions = append(revisions, r.Revision)
		}
	}
	return revisions, nil
}

// Versions returns the newest version of a record, if there is one.
func (h *handle) Versions(ctx context.Context, kind domain.Kind, key string, _ int64) ([]store.Version, error) {
	end, err := h.begin(ctx, "versions")
	defer end()
	if err != nil {
		return nil, err
	}
	h.memory.mu.Lock()
	defer h.memory.mu.Unlock()
	for _, r := range slices.Backward(h.memory.history) {
		for row, err := range store.Rows(r.catalog, nil) {
			if err == nil && row.Kind == kind && row.Key == key {
				return []store.Version{{Revision: r.Revision, Row: row}}, nil
			}
		}
	}
	return nil, nil
}

// Touched returns no content: the log of changes has its own tests.
func (h *handle) Touched(ctx context.Context, _, until int64, _ int) (*store.Touched, error) {
	end, err := h.begin(ctx, "touched")
	defer end()
	if err != nil {
		return nil, err
	}
	h.memory.mu.Lock()
	defer h.memory.mu.Unlock()
	for _, r := range h.memory.history {
		if r.Number == until {
			return &store.Touched{Revisions: []store.Revision{r.Revision}}, nil
		}
	}
	return nil, store.ErrNoRevision
}

func (h *handle) Tombstones(context.Context) ([]store.Version, error) { return nil, nil }

// Retracted yields the changes of the last revision if it is a rollback.
func (h *handle) Retracted(ctx context.Context, yield func(store.Retraction) error) error {
	end, err := h.begin(ctx, "retracted")
	defer end()
	if err != nil {
		return err
	}
	for _, r := range h.memory.retracted() {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) retracted() []store.Retraction {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.history)
	if n < 2 || m.history[n-1].Op != store.OpRollback {
		return nil
	}
	var all []store.Retraction
	now := rowsOf(m.history[n-1].catalog)
	for _, row := range rowsOf(m.history[n-2].catalog) {
		restored := store.Row{Kind: row.Kind, Key: row.Key}
		i := slices.IndexFunc(now, func(r store.Row) bool { return r.Kind == row.Kind && r.Key == row.Key })
		if i >= 0 {
			restored = now[i]
		}
		if string(restored.Body) != string(row.Body) {
			all = append(all, store.Retraction{Rollback: m.history[n-1].Revision, Taken: row, Restored: restored})
		}
	}
	return all
}

func (h *handle) Released(context.Context) ([]store.Release, error) { return nil, nil }

func (h *handle) Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error) {
	end, err := h.begin(ctx, "publish")
	defer end()
	if err != nil {
		return store.Revision{}, err
	}
	m := h.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	head := int64(0)
	if n := len(m.history); n > 0 {
		head = m.history[n-1].Number
	}
	if base != head {
		return store.Revision{}, store.ErrConflict
	}
	m.history = append(m.history, revision{d.Revision(base), d.Catalog})
	return d.Revision(base), nil
}

// fail makes a method fail, "all" for all but open and close; nil ends the failure.
func (m *memory) fail(method string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.faults[method] = err
}

// hang makes calls of a method hang until they are released.
func (m *memory) hang(method string, deaf bool) (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	wait := make(chan struct{})
	m.hangs[method], m.deaf = wait, deaf
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		close(wait)
		delete(m.hangs, method)
	}
}

// put publishes c as a revision, like another process.
func (m *memory) put(number int64, c *domain.Catalog) {
	m.add(revision{store.Revision{Number: number, PublishedAt: time.Now().UTC()}, c})
}

func (m *memory) add(r revision) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.history = append(m.history, r)
}

// newest returns the head, false for an empty store.
func (m *memory) newest() (revision, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.history) == 0 {
		return revision{}, false
	}
	return m.history[len(m.history)-1], true
}

// replace replaces the store by a new one with one revision.
func (m *memory) replace(number int64, c *domain.Catalog) {
	m.mu.Lock()
	m.history = nil
	m.mu.Unlock()
	m.put(number, c)
}

func (m *memory) called(method string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls[method]
}

func (m *memory) handles() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opened
}

func (m *memory) wantHandles(open int) {
	m.t.Helper()
	if n := m.handles(); n != open {
		m.t.Errorf("%d handles are open, want %d", n, open)
	}
}

func rowsOf(c *domain.Catalog) []store.Row {
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			panic(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func stateOf(rev store.Revision, c *domain.Catalog) *store.State {
	state, err := store.NewState(rev, rowsOf(c), nil)
	if err != nil {
		panic(err)
	}
	return state
}

// difference returns all rows of to, and tombstones of the rows that only from has.
func difference(from, to *domain.Catalog) []store.Row {
	rows := rowsOf(to)
	for _, old := range rowsOf(from) {
		if !slices.ContainsFunc(rows, func(r store.Row) bool { return r.Kind == old.Kind && r.Key == old.Key }) {
			rows = append(rows, store.Row{Kind: old.Kind, Key: old.Key})
		}
	}
	return rows
}

// digest returns the digest of the last imported directory.
func (m *memory) digest() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.history[len(m.history)-1].Digest
}
