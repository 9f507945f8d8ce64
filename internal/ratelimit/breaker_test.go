package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
)

// TestBreaker checks that timeouts open the breaker only after a period without a success,
// and other errors after a few failures in a row.
func TestBreaker(t *testing.T) {
	late := fmt.Errorf("ask: %w", context.DeadlineExceeded)
	wrong := errors.New("READONLY")
	type step struct {
		after time.Duration
		err   error
		open  bool
	}
	for _, tt := range []struct {
		name  string
		steps []step
	}{
		{"errors", []step{{0, wrong, false}, {0, wrong, false}, {0, wrong, true}}},
		{"errors, with a success between", []step{{0, wrong, false}, {0, wrong, false}, {0, nil, false}, {0, wrong, false}}},
		{"many timeouts at once", []step{{0, late, false}, {0, late, false}, {0, late, false}, {tolerable - 1, late, false}}},
		{"timeouts for a long time", []step{{0, late, false}, {tolerable / 2, late, false}, {tolerable / 2, late, true}}},
		{"timeouts for a long time, with a success between", []step{{0, late, false}, {0, late, false}, {tolerable, nil, false}, {0, late, false}, {0, late, false}, {0, late, false}}},
		{"few timeouts over a long time", []step{{0, late, false}, {time.Hour, late, false}, {0, redis.ErrPoolTimeout, true}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := breaker{log: slog.New(slog.DiscardHandler), began: time.Now()}
				b.probed(nil)
				for i, s := range tt.steps {
					time.Sleep(s.after)
					b.asked(s.err)
					if open := !b.closed(); open != s.open {
						t.Fatalf("step %d: open is %v", i, open)
					}
				}
				b.probed(nil)
				if !b.closed() {
					t.Error("a successful probe leaves the breaker open")
				}
			})
		})
	}
}
