package follow

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/ratelimit"
	"vitrine/internal/store"
)

// KeySource is the part of a store that a [KeyFollower] reads; see [store.Store] for the methods.
type KeySource interface {
	Keys(ctx context.Context) ([]store.APIKey, error)
	Close() error
}

// KeyConfig configures a [KeyFollower]. Fields are required unless they say otherwise.
type KeyConfig struct {
	Open Opener // as in [Config]
	// Source has the keys instead of a store; nil for none. Open is then nil, and uses are not
	// reported. It stays usable after Close.
	Source KeySource
	Every  time.Duration // interval of reading the keys
	// Limit is the time limit of reading them; 0 for that of a database.
	Limit time.Duration
	// Spread lengthens each pause by up to a fifth, so that many servers do not ask together.
	Spread bool
	Log    *slog.Logger
	// LastGood is the path of the last good file, for keys without the store; "" for none.
	LastGood string
}

// KeyFollower follows the API keys of a store, on its own connection, so that keys and revisions
// do not wait for each other. While the store fails, the last known keys are valid, else those of
// the last good file; each still expires. Run must be called once; all other methods are safe for
// concurrent use.
type KeyFollower struct {
	config  KeyConfig
	keys    atomic.Pointer[admission.Keys]
	known   atomic.Pointer[[]store.APIKey] // source of keys; points to a slice that is not nil
	stored  atomic.Pointer[[]store.APIKey] // as last read, with the fields that do not affect validity; nil before the first read
	readAt  atomic.Pointer[time.Time]      // time of the last read
	failure failure                        // of reading them
	changes *changes                       // of keys, and of the failure
	wake    chan struct{}
	uses    *useReporter // nil for a source without uses

	// Used only by Run:
	conn     connection[KeySource]
	backoff  backoff
	reported bool // whether the problem was logged
	resumed  bool // whether the last good file was read
}

// open returns a function that opens the source of the keys.
func (c *KeyConfig) open() func(context.Context) (KeySource, error) {
	if c.Source != nil {
		return func(context.Context) (KeySource, error) { return c.Source, nil }
	}
	return func(ctx context.Context) (KeySource, error) { return c.Open(ctx) }
}

// NewKeyFollower returns a follower that has read no keys yet.
func NewKeyFollower(config KeyConfig) *KeyFollower {
	f := &KeyFollower{
		config: config, changes: newChanges(), wake: make(chan struct{}, 1), conn: newConnection(config.open()), backoff: backoff{usual: config.Every},
	}
	f.failure.changes = f.changes
	if config.Source == nil {
		f.uses = &useReporter{f: f, conn: newConnection[store.Store](config.Open), reported: map[[32]byte]time.Time{}}
	}
	began := time.Now()
	f.readAt.Store(&began)
	return f
}

// Keys returns the known keys, nil while they are unknown. It takes one atomic load.
func (f *KeyFollower) Keys() *admission.Keys { return f.keys.Load() }

// Stored returns the keys as last read from the store, with those that are no longer valid; nil
// before the first read. Keys of the last good file are not among them. Each read returns a new
// slice, which must not be changed.
func (f *KeyFollower) Stored() []store.APIKey {
	if stored := f.stored.Load(); stored != nil {
		return *stored
	}
	return nil
}

// Age returns the time since the keys were read, or since the first attempt.
func (f *KeyFollower) Age() time.Duration { return time.Since(*f.readAt.Load()) }

// Run reads the keys and reports their uses until ctx is done. Then it returns within seconds,
// even if calls hang.
func (f *KeyFollower) Run(ctx context.Context) {
	var beside sync.WaitGroup
	if f.uses != nil {
		beside.Go(func() { f.uses.run(ctx) })
	}
	f.conn.slow = func() {
		if ctx.Err() == nil {
			f.failed(ctx, errTimeout)
		}
	}
	repeat(ctx, f.wake, func(ctx context.Context) time.Duration {
		pause := f.look(ctx)
		if f.config.Spread {
			pause += rand.N(pause/5 + 1)
		}
		return pause
	})
	f.conn.drop(ctx)
	beside.Wait()
}

// retryNow makes Run look at the store immediately, if the keys could not be read.
func (f *KeyFollower) retryNow() {
	if f.failure.String() == "" {
		return
	}
	select {
	case f.wake <- struct{}{}:
	default: // Run is about to look already
	}
}

// settled reports whether the keys are known or failed to load.
func (f *KeyFollower) settled() bool { return f.Keys() != nil || f.failure.String() != "" }

func (f *KeyFollower) look(ctx context.Context) time.Duration {
	all, err := do(ctx, &f.conn, cmp.Or(f.config.Limit, headLimit), func(ctx context.Context, s KeySource) ([]store.APIKey, error) {
		return s.Keys(ctx)
	})
	if ctx.Err() != nil {
		return f.backoff.well()
	}
	if err != nil {
		f.conn.drop(ctx)
		f.failed(ctx, err)
		return f.backoff.failed()
	}
	now := time.Now()
	f.readAt.Store(&now)
	f.stored.Store(&all)
	f.setKeys(all)
	if f.failure.clear() && f.reported {
		f.reported = false
		f.config.Log.Info("the API keys can be read again")
	}
	return f.backoff.well()
}

// failed records that the keys cannot be read, and logs it once. The [Follower] reports a missing
// store.
func (f *KeyFollower) failed(ctx context.Context, err error) {
	f.resume(ctx, err)
	if !f.failure.set(describe(err)) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	f.reported = true
	if f.Keys() == nil {
		f.config.Log.Error("the API keys cannot be read, and none are known", append([]any{"error", describe(err),
			"meanwhile", "requests with a key are answered with 503, and the process is not ready"}, stackOf(err)...)...)
		return
	}
	f.config.Log.Warn("the API keys cannot be read",
		append([]any{"error", describe(err), "meanwhile", "the last known keys stay valid"}, stackOf(err)...)...)
}

// resume reads the keys of the last good file, if no keys are known.
func (f *KeyFollower) resume(ctx context.Context, why error) {
	if f.resumed || f.config.LastGood == "" || f.Keys() != nil {
		return
	}
	f.resumed = true
	for _, path := range lastGoodFiles(f.config.LastGood) {
		f.resumeFrom(ctx, path, why)
		if f.Keys() != nil {
			return
		}
	}
}

func (f *KeyFollower) resumeFrom(ctx context.Context, path string, why error) {
	reading := guard{grace: grace} // its own guard, so that a hanging read delays no other call
	kept, err := run(ctx, &reading, call[store.LastGood]{
		limit: fileLimit,
		do:    func(context.Context) (store.LastGood, error) { return store.ReadLastGoodKeys(path) },
	})
	switch {
	case ctx.Err() != nil, errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.config.Log.Error("the API keys of the last good state cannot be read", "file", path, "error", err.Error())
	case kept.Keys != nil:
		f.setKeys(kept.Keys)
		f.config.Log.Warn("the API keys are those of the last good state; later changes are missing",
			"file", path, "valid", f.Keys().Valid(time.Now()), "because", describe(why))
	}
}

// setKeys replaces the known keys.
func (f *KeyFollower) setKeys(all []store.APIKey) {
	known := make([]store.APIKey, len(all))
	for i, k := range all { // only the fields of the last good file count as changes
		known[i] = store.APIKey{Name: k.Name, Hash: k.Hash, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, Limit: k.Limit}
	}
	if before := f.known.Load(); before != nil && slices.Equal(*before, known) {
		return
	}
	keys := make([]admission.Key, len(known))
	for i, k := range known {
		keys[i] = admission.Key{Name: k.Name, Hash: k.Hash, Until: k.EndsAt(), Limit: f.limit(k)}
	}
	f.keys.Store(admission.NewKeys(keys, f.Keys()))
	f.known.Store(&known)
	f.changes.notify()
}

// limit returns the quota of a key, nil if it has none or an invalid one.
func (f *KeyFollower) limit(key store.APIKey) *ratelimit.Policy {
	if key.Limit == "" {
		return nil
	}
	policy, _, err := ratelimit.ParsePolicy(key.Limit)
	if err != nil {
		f.config.Log.Warn("the limit of an API key cannot be read; the default quota applies", "key", key.Name, "error", err)
		return nil
	}
	return &policy
}
