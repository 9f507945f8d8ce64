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
	noteEvery = time.Minute     // interval of reporting uses to the store
	noteLimit = 3 * time.Second // limit of a report
	noteGrace = time.Second     // limit of the last report at shutdown
)

// noter reports the last uses of API keys to the store, in batches, in the background. A failed
// report is repeated with the next one.
type noter struct {
	keys    func() *admission.Keys
	log     *slog.Logger
	line    line[store.Store]
	trouble trouble
	noted   map[[32]byte]time.Time // last reported use by hash
}

func newNoter(open Opener, keys func() *admission.Keys, log *slog.Logger) *noter {
	return &noter{keys: keys, log: log, line: newLine[store.Store](open), noted: map[[32]byte]time.Time{}}
}

// run reports uses until ctx is done, and once more then.
func (n *noter) run(ctx context.Context) {
	repeat(ctx, nil, func(ctx context.Context) time.Duration {
		n.note(ctx)
		return noteEvery
	})
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteGrace)
	defer cancel()
	n.note(last)
}

// note reports the uses since the last report. It keeps no connection between reports.
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

// news returns the uses that were not reported yet.
func (n *noter) news() []store.KeyUse {
	var uses []store.KeyUse
	for hash, at := range n.keys().LastUses() {
		if at.After(n.noted[hash]) {
			uses = append(uses, store.KeyUse{Hash: hash, At: at})
		}
	}
	return uses
}

// failed logs once that the store rejects reports. The [Follower] reports a missing store.
func (n *noter) failed(ctx context.Context, err error) {
	if ctx.Err() != nil || !n.trouble.set(describe(err)) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	n.log.Warn("the last uses of API keys cannot be stored; vitrine keys list shows older ones", "error", describe(err))
}
