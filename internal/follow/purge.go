package follow

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"vitrine/internal/store"
)

// purgeEvery is the interval of purges. Services limit their number.
const purgeEvery = 15 * time.Second

// purger tells the caches in front of the server that it serves another revision. It does so in the
// background: publishes and requests do not wait. Several revisions within an interval are one
// purge, and a purge that fails is repeated.
type purger struct {
	purge   func(context.Context) error
	serving *atomic.Pointer[serving]
	changes *changes
	log     *slog.Logger
	metrics *Metrics
	failure failure
	done    *store.State // the served state of the last purge, nil for none
}

func newPurger(f *Follower) *purger {
	return &purger{purge: f.config.Purge, serving: &f.serving, changes: f.changes, log: f.config.Log, metrics: f.config.Metrics}
}

// run purges after each change until ctx is done.
func (p *purger) run(ctx context.Context) {
	for ctx.Err() == nil {
		changed, pause := p.changes.wait(), (<-chan time.Time)(nil)
		if s := p.serving.Load(); s != nil && s.state != p.done {
			p.send(ctx, s.state)
			changed, pause = nil, time.After(purgeEvery)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-pause:
		}
	}
}

// send purges once, because of a state.
func (p *purger) send(ctx context.Context, state *store.State) {
	err := p.purge(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		p.metrics.purges.failed.Inc()
		p.metrics.purgeFailing.set(true)
		if text := strings.Join(strings.Fields(err.Error()), " "); p.failure.set(text) {
			p.log.Error("the caches could not be purged; they serve older responses until these expire", "error", text)
		}
	default:
		p.done = state
		p.metrics.purges.ok.Inc()
		p.metrics.purgeFailing.set(false)
		if p.failure.clear() {
			p.log.Info("the caches could be purged again", "revision", state.Revision.Number)
		}
	}
}
