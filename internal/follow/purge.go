package follow

import (
	"context"
	"strings"
	"time"

	"vitrine/internal/store"
)

// purgeEvery is the interval of purges. Services limit their number.
const purgeEvery = 15 * time.Second

// purger tells the caches in front of the server that it serves another revision. It does so in the
// background: publishes and requests do not wait. Several revisions within an interval are one
// purge, and a purge that fails is repeated.
type purger struct {
	f       *Follower // which serves the revision
	failure failure
	done    *store.State // the served state of the last purge, nil for none
}

// run purges after each change until ctx is done.
func (p *purger) run(ctx context.Context) {
	for ctx.Err() == nil {
		changed, pause := p.f.changes.wait(), (<-chan time.Time)(nil)
		if state := p.f.served(); state != nil && state != p.done {
			p.send(ctx, state)
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
	log, metrics := p.f.config.Log, p.f.config.Metrics
	err := p.f.config.Purge(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		metrics.purges.failed.Inc()
		metrics.purgeFailing.set(true)
		if text := strings.Join(strings.Fields(err.Error()), " "); p.failure.set(text) {
			log.Error("the caches could not be purged; they serve older responses until these expire", "error", text)
		}
	default:
		p.done = state
		metrics.purges.ok.Inc()
		metrics.purgeFailing.set(false)
		if p.failure.clear() {
			log.Info("the caches could be purged again", "revision", state.Revision.Number)
		}
	}
}
