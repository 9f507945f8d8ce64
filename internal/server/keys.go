package server

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/ratelimit"
	"vitrine/internal/store"
)

// KeyFollower keeps the valid API keys of a store. It has a connection of its
// own: keys and revisions never wait for each other. While the store fails, the
// keys that were read last stay valid. Run is to be called once; Keys is safe
// for concurrent use.
type KeyFollower struct {
	log  *slog.Logger
	keys atomic.Pointer[admission.Keys]

	// Touched by Run alone:
	line    line
	pauses  pauses
	trouble trouble
	read    []store.APIKey // what keys was made of
}

// NewKeyFollower makes a follower that has read no keys yet. It reads them at
// such intervals; open is as in [FollowerConfig].
func NewKeyFollower(open Opener, every time.Duration, log *slog.Logger) *KeyFollower {
	return &KeyFollower{log: log, line: newLine(open), pauses: pauses{usual: every}}
}

// Keys returns the valid keys as they were read last, nil while they never were.
// It takes one atomic load.
func (f *KeyFollower) Keys() *admission.Keys { return f.keys.Load() }

// Run reads keys until ctx is done. It returns within seconds then, whatever
// hangs.
func (f *KeyFollower) Run(ctx context.Context) {
	repeat(ctx, nil, f.look)
	f.line.drop(ctx)
}

func (f *KeyFollower) look(ctx context.Context) time.Duration {
	all, err := ask(ctx, &f.line, headLimit, func(ctx context.Context, s store.Store) ([]store.APIKey, error) {
		return s.Keys(ctx)
	})
	if ctx.Err() != nil {
		return f.pauses.well()
	}
	if err != nil {
		f.line.drop(ctx)
		f.failed(err)
		return f.pauses.failed()
	}
	if f.trouble.clear() {
		f.log.Info("the API keys can be read again")
	}
	if f.Keys() == nil || !slices.Equal(f.read, all) {
		f.keys.Store(f.valid(all))
		f.read = all
	}
	return f.pauses.well()
}

// failed says once that keys cannot be read. Of a store that is not there the
// [Follower] says all that there is to say.
func (f *KeyFollower) failed(err error) {
	if errors.Is(err, fs.ErrNotExist) || !f.trouble.set(describe(err)) {
		return
	}
	meanwhile := "those that were read last stay valid"
	if f.Keys() == nil {
		meanwhile = "callers with a key have the anonymous quota"
	}
	f.log.Warn("the API keys cannot be read", "error", describe(err), "meanwhile", meanwhile)
}

// valid returns the keys that were not revoked.
func (f *KeyFollower) valid(all []store.APIKey) *admission.Keys {
	var keys []admission.Key
	for _, k := range all {
		if k.RevokedAt.IsZero() {
			keys = append(keys, admission.Key{Hash: k.Hash, Limit: f.limit(k)})
		}
	}
	return admission.NewKeys(keys)
}

// limit returns a key's own limit, nil if it has none that can be read.
func (f *KeyFollower) limit(key store.APIKey) *ratelimit.Policy {
	if key.Limit == "" {
		return nil
	}
	policy, _, err := ratelimit.ParsePolicy(key.Limit)
	if err != nil {
		f.log.Warn("the limit of an API key cannot be read; that of all keys holds for it", "key", key.Name, "error", err)
		return nil
	}
	return &policy
}
