package follow

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"vitrine/internal/store"
)

const (
	scrubLimit = time.Hour
	// scrubRest is how many times as long as a check took the store is left alone
	// after it.
	scrubRest = 50
	// scrubAgain is how long a damaged store is left alone at least, and for as
	// long as a check takes: somebody is waiting to hear that it is mended.
	scrubAgain = 5 * time.Second
)

// checker is a store that can check all that it holds.
type checker interface {
	Check(ctx context.Context) error
}

// scrubber reads all of the store from time to time: damage to what nobody
// happens to read is found while there is a good copy still. It only reports
// it, since what is published may be all right.
type scrubber struct {
	every   time.Duration
	log     *slog.Logger
	metrics *Metrics
	line    line
	trouble trouble
}

func newScrubber(open Opener, every time.Duration, log *slog.Logger, metrics *Metrics) *scrubber {
	return &scrubber{every: every, log: log, metrics: metrics, line: newLine(open)}
}

func (s *scrubber) run(ctx context.Context) {
	timer := time.NewTimer(s.every)
	defer timer.Stop()
	select {
	case <-ctx.Done(): // a process starts without another reader of everything
	case <-timer.C:
		repeat(ctx, nil, s.scrub)
	}
}

func (s *scrubber) scrub(ctx context.Context) time.Duration {
	start := time.Now()
	_, err := ask(ctx, &s.line, scrubLimit, func(ctx context.Context, opened store.Store) (struct{}, error) {
		if c, ok := opened.(checker); ok {
			return struct{}{}, c.Check(ctx)
		}
		return struct{}{}, nil
	})
	s.line.drop(ctx)
	settle(time.Since(start))
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrEmpty):
		s.metrics.damaged.set(false)
		if s.trouble.clear() {
			s.log.Info("the store is not damaged any more")
		}
	case errors.Is(err, store.ErrCorrupt):
		s.metrics.damaged.set(true)
		if s.trouble.set(err.Error()) {
			s.log.Error("the store is damaged; what is served is not affected yet", "error", err,
				"remedy", "put a good copy in its place, or import the catalogue again into a new store")
		}
		return min(s.every, max(scrubAgain, time.Since(start)))
	case stackOf(err) != nil: // which nobody else would report
		if s.trouble.set(err.Error()) {
			s.log.Error("the store cannot be checked for damage", append([]any{"error", err.Error()}, stackOf(err)...)...)
		}
	} // what else kept it from being read is the follower's to report
	return max(s.every, scrubRest*time.Since(start))
}
