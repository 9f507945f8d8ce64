package follow

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"vitrine/internal/store"
)

const (
	scrubLimit = time.Hour
	// scrubRest is the pause after a check, as a multiple of its duration.
	scrubRest = 50
	// scrubAgain is the minimum pause after a check that found damage, so that a repair is noticed
	// soon. The pause is at least as long as the check.
	scrubAgain = 5 * time.Second
)

// checker is a store that can check all its rows.
type checker interface {
	Check(ctx context.Context) error
}

// scrubber reads the whole store at intervals, to find damage in rarely read rows while a good
// copy still exists. It only reports damage, because the served state may be intact.
type scrubber struct {
	config  Config
	conn    connection[Source]
	failure failure
}

func (s *scrubber) run(ctx context.Context) {
	select {
	case <-ctx.Done(): // so that a start has no additional reader
	case <-time.After(s.config.Scrub):
		repeat(ctx, nil, s.scrub)
	}
}

func (s *scrubber) scrub(ctx context.Context) time.Duration {
	start := time.Now()
	_, err := do(ctx, &s.conn, scrubLimit, func(ctx context.Context, opened Source) (struct{}, error) {
		if c, ok := opened.(checker); ok {
			return struct{}{}, c.Check(ctx)
		}
		return struct{}{}, nil
	})
	s.conn.drop(ctx)
	releaseMemory(time.Since(start))
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrEmpty):
		s.config.Metrics.damaged.set(false)
		if s.failure.clear() {
			s.config.Log.Info("the store is no longer damaged")
		}
	case errors.Is(err, store.ErrCorrupt):
		s.config.Metrics.damaged.set(true)
		if s.failure.set(err.Error()) {
			s.config.Log.Error("the store is damaged; what is served is not affected yet", "error", err,
				"remedy", "put a good copy in its place, or import the catalogue again into a new store")
		}
		return min(s.config.Scrub, max(scrubAgain, time.Since(start)))
	case stackOf(err) != nil: // nothing else reports a panic
		if s.failure.set(err.Error()) {
			s.config.Log.Error("the store cannot be checked for damage", append([]any{"error", err.Error()}, stackOf(err)...)...)
		}
	} // the follower reports other errors
	return max(s.config.Scrub, scrubRest*time.Since(start))
}
