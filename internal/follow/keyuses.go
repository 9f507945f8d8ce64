package follow

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"vitrine/internal/store"
)

const (
	noteEvery = time.Minute     // interval of reporting uses to the store
	noteLimit = 3 * time.Second // limit of a report
	noteGrace = time.Second     // limit of the last report at shutdown
)

// useReporter reports the last uses of API keys to the store, in batches, in the background. A failed
// report is repeated with the next one.
type useReporter struct {
	f        *KeyFollower // whose keys are used
	conn     connection[store.Store]
	failure  failure
	reported map[[32]byte]time.Time // last reported use by hash
}

// run reports uses until ctx is done, and once more then.
func (n *useReporter) run(ctx context.Context) {
	repeat(ctx, nil, func(ctx context.Context) time.Duration {
		n.report(ctx)
		return noteEvery
	})
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteGrace)
	defer cancel()
	n.report(last)
}

// report reports the uses since the last report. It keeps no connection between reports.
func (n *useReporter) report(ctx context.Context) {
	uses := n.unreported()
	if len(uses) == 0 {
		return
	}
	_, err := do(ctx, &n.conn, noteLimit, func(ctx context.Context, s store.Store) (struct{}, error) {
		return struct{}{}, s.KeysUsed(ctx, uses)
	})
	n.conn.drop(ctx)
	if err != nil {
		n.failed(ctx, err)
		return
	}
	n.failure.clear()
	for _, use := range uses {
		n.reported[use.Hash] = use.At
	}
}

// unreported returns the uses that were not reported yet.
func (n *useReporter) unreported() []store.KeyUse {
	var uses []store.KeyUse
	for hash, at := range n.f.Keys().LastUses() {
		if at.After(n.reported[hash]) {
			uses = append(uses, store.KeyUse{Hash: hash, At: at})
		}
	}
	return uses
}

// failed logs once that the store rejects reports. The [Follower] reports a missing store.
func (n *useReporter) failed(ctx context.Context, err error) {
	if ctx.Err() != nil || !n.failure.set(describe(err)) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	n.f.config.Log.Warn("the last uses of API keys cannot be stored; vitrine keys list shows older ones", "error", describe(err))
}
