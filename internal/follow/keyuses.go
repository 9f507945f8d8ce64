package follow

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/store"
)

const (
	noteEvery = time.Minute     // the store hears when keys were used
	noteLimit = 3 * time.Second // for telling it
	noteGrace = time.Second     // for all of it, when the process ends
)

// noter tells the store when API keys were used last, beside everything else and
// all at once. A store that takes no notes hurts nobody: the next one says the
// same.
type noter struct {
	keys    func() *admission.Keys
	log     *slog.Logger
	line    line
	trouble trouble
	noted   map[[32]byte]time.Time // what the store was told; as many as keys were used
}

func newNoter(open Opener, keys func() *admission.Keys, log *slog.Logger) *noter {
	return &noter{keys: keys, log: log, line: newLine(open), noted: map[[32]byte]time.Time{}}
}

// run tells until ctx is done, and once more then.
func (n *noter) run(ctx context.Context) {
	repeat(ctx, nil, func(ctx context.Context) time.Duration {
		n.note(ctx)
		return noteEvery
	})
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteGrace)
	defer cancel()
	n.note(last)
}

// note tells of the uses since the last note. It holds no connection between two.
func (n *noter) note(ctx context.Context) {
	uses := n.news()
	if len(uses) == 0 {
		return
	}
	_, err := ask(ctx, &n.line, noteLimit, func(ctx context.Context, s store.Store) (struct{}, error) {
		return struct{}{}, s.KeysUsed(ctx, uses)
	})
	n.line.drop(ctx)
	if err != nil {
		n.failed(ctx, err)
		return
	}
	n.trouble.clear()
	for _, use := range uses {
		n.noted[use.Hash] = use.At
	}
}

// news returns the keys that were used since the store heard of it.
func (n *noter) news() []store.KeyUse {
	var uses []store.KeyUse
	for hash, at := range n.keys().LastUses() {
		if at.After(n.noted[hash]) {
			uses = append(uses, store.KeyUse{Hash: hash, At: at})
		}
	}
	return uses
}

// failed says once that the store takes no notes. Of a store that is not there
// others tell.
func (n *noter) failed(ctx context.Context, err error) {
	if ctx.Err() != nil || !n.trouble.set(describe(err)) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	n.log.Warn("the store does not take when API keys were used last; vitrine keys list shows older uses", "error", describe(err))
}
