package ratelimit

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// tolerated is the number of failures in a row that leave a breaker closed.
	tolerated = 2
	// tolerable is how long all decisions may time out before a breaker opens. On a busy
	// machine several time out together, and local decisions may allow more.
	tolerable = 100 * time.Millisecond
)

// breaker is a circuit breaker for Redis. It starts open, so no request waits for a Redis
// that was never reached. Failed decisions open it, probes close it. It logs each change.
type breaker struct {
	log      *slog.Logger
	mode     atomic.Int32
	failures atomic.Int32 // in a row
	began    time.Time
	since    atomic.Int64 // when the first of the failures in a row was, after began
}

// The modes of a breaker.
const (
	starting int32 = iota // open: Redis was not reached yet
	broken                // open
	closed
	stopped // open for good
)

func (b *breaker) closed() bool { return b.mode.Load() == closed }

// asked records the result of a decision.
func (b *breaker) asked(err error) {
	if err == nil {
		if b.failures.Load() != 0 {
			b.failures.Store(0)
		}
		return
	}
	now := time.Since(b.began)
	failures := b.failures.Add(1)
	if failures == 1 {
		b.since.Store(int64(now))
	}
	if failures <= tolerated || isLate(err) && now-time.Duration(b.since.Load()) < tolerable {
		return
	}
	if b.mode.CompareAndSwap(closed, broken) {
		b.broke(err)
	}
}

// isLate reports whether Redis only failed to answer in time.
func isLate(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &timeout) && timeout.Timeout()
}

// probed notes how a probe ended.
func (b *breaker) probed(err error) {
	if err != nil {
		if b.mode.CompareAndSwap(starting, broken) {
			b.broke(err)
		}
		return
	}
	b.failures.Store(0)
	switch {
	case b.mode.CompareAndSwap(starting, closed):
		b.log.Info("rate limits are kept in Redis")
	case b.mode.CompareAndSwap(broken, closed):
		b.log.Info("rate limits are kept in Redis again")
	}
}

func (b *breaker) broke(err error) {
	b.log.Warn("rate limits are kept locally: Redis does not answer as it should", "error", err)
}

// stop opens the breaker for good.
func (b *breaker) stop() { b.mode.Store(stopped) }
