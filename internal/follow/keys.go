package follow

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/ratelimit"
	"vitrine/internal/store"
)

// KeyConfig says which keys a [KeyFollower] follows. Fields are needed unless
// they say otherwise.
type KeyConfig struct {
	Open  Opener        // as in [Config]
	Every time.Duration // how often the keys are read
	Log   *slog.Logger
	// LastGood is the file of the last good state, in which keys are known
	// without the store; "" for none.
	LastGood string
}

// KeyFollower keeps the API keys of a store. It has a connection of its own: keys
// and revisions never wait for each other. While the store fails, the keys that
// were read last count, or else those of the last good state; each ends in its
// time all the same. Run is to be called once; all other methods are safe for
// concurrent use.
type KeyFollower struct {
	config  KeyConfig
	keys    atomic.Pointer[admission.Keys]
	known   atomic.Pointer[[]store.APIKey] // what keys was made of; what it points to is not nil
	stored  atomic.Pointer[[]store.APIKey] // as the store had them last, with what does not decide about them; nil until then
	readAt  atomic.Pointer[time.Time]      // when they were read from the store last
	trouble trouble                        // of reading them
	changes *changes                       // of keys, and of the trouble
	wake    chan struct{}
	noter   *noter

	// Touched by Run alone:
	line     line
	pauses   pauses
	reported bool // whether the trouble was logged
	resumed  bool // whether the last good state was asked already
}

// NewKeyFollower makes a follower that has read no keys yet.
func NewKeyFollower(config KeyConfig) *KeyFollower {
	f := &KeyFollower{
		config: config, changes: newChanges(), wake: make(chan struct{}, 1), line: newLine(config.Open), pauses: pauses{usual: config.Every},
	}
	f.trouble.changes = f.changes
	f.noter = newNoter(config.Open, f.Keys, config.Log)
	began := time.Now()
	f.readAt.Store(&began)
	return f
}

// Keys returns the keys as they are known, nil while they are not. It takes one
// atomic load.
func (f *KeyFollower) Keys() *admission.Keys { return f.keys.Load() }

// Age returns how long ago the keys were read from the store, or since when this
// process tries to.
func (f *KeyFollower) Age() time.Duration { return time.Since(*f.readAt.Load()) }

// Run reads keys, and notes when they were used, until ctx is done. It returns
// within seconds then, whatever hangs.
func (f *KeyFollower) Run(ctx context.Context) {
	var beside sync.WaitGroup
	beside.Go(func() { f.noter.run(ctx) })
	f.line.slow = func() {
		if ctx.Err() == nil {
			f.failed(ctx, errSilent)
		}
	}
	repeat(ctx, f.wake, f.look)
	f.line.drop(ctx)
	beside.Wait()
}

// retryNow makes Run look at the store at once, if the keys could not be read.
func (f *KeyFollower) retryNow() {
	if f.trouble.String() == "" {
		return
	}
	select {
	case f.wake <- struct{}{}:
	default: // it is about to look already
	}
}

// settled reports whether the keys are known, or why they are not.
func (f *KeyFollower) settled() bool { return f.Keys() != nil || f.trouble.String() != "" }

func (f *KeyFollower) look(ctx context.Context) time.Duration {
	all, err := ask(ctx, &f.line, headLimit, func(ctx context.Context, s store.Store) ([]store.APIKey, error) {
		return s.Keys(ctx)
	})
	if ctx.Err() != nil {
		return f.pauses.well()
	}
	if err != nil {
		f.line.drop(ctx)
		f.failed(ctx, err)
		return f.pauses.failed()
	}
	now := time.Now()
	f.readAt.Store(&now)
	f.stored.Store(&all)
	f.setKeys(all)
	if f.trouble.clear() && f.reported {
		f.reported = false
		f.config.Log.Info("the API keys can be read again")
	}
	return f.pauses.well()
}

// failed takes note that the keys cannot be read, and says so once. Of a store
// that is not there the [Follower] says all that there is to say.
func (f *KeyFollower) failed(ctx context.Context, err error) {
	f.resume(ctx, err)
	if !f.trouble.set(describe(err)) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	f.reported = true
	if f.Keys() == nil {
		f.config.Log.Error("the API keys cannot be read, and none are known", append([]any{"error", describe(err),
			"meanwhile", "requests with a key are answered with 503, and the process is not ready"}, stackOf(err)...)...)
		return
	}
	f.config.Log.Warn("the API keys cannot be read",
		append([]any{"error", describe(err), "meanwhile", "those that were read last count"}, stackOf(err)...)...)
}

// resume takes the keys of the last good state while there are no better ones.
func (f *KeyFollower) resume(ctx context.Context, why error) {
	if f.resumed || f.config.LastGood == "" || f.Keys() != nil {
		return
	}
	f.resumed = true
	reading := guard{grace: grace} // no other call is held up if this one hangs
	kept, err := run(ctx, &reading, call[store.LastGood]{
		limit: fileLimit,
		do:    func(context.Context) (store.LastGood, error) { return store.ReadLastGoodKeys(f.config.LastGood) },
	})
	switch {
	case ctx.Err() != nil, errors.Is(err, fs.ErrNotExist):
	case err != nil:
		f.config.Log.Error("the API keys of the last good state cannot be read", "file", f.config.LastGood, "error", err.Error())
	case kept.Keys != nil:
		f.setKeys(kept.Keys)
		f.config.Log.Warn("the API keys are those of the last good state; what was changed since does not count",
			"file", f.config.LastGood, "valid", f.Keys().Valid(time.Now()), "because", describe(why))
	}
}

// setKeys makes keys those that are known.
func (f *KeyFollower) setKeys(all []store.APIKey) {
	known := make([]store.APIKey, len(all))
	for i, k := range all { // as the last good state has them, so that nothing else is a change
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
	f.changes.tell()
}

// limit returns a key's own limit, nil if it has none that can be read.
func (f *KeyFollower) limit(key store.APIKey) *ratelimit.Policy {
	if key.Limit == "" {
		return nil
	}
	policy, _, err := ratelimit.ParsePolicy(key.Limit)
	if err != nil {
		f.config.Log.Warn("the limit of an API key cannot be read; that of all keys holds for it", "key", key.Name, "error", err)
		return nil
	}
	return &policy
}
