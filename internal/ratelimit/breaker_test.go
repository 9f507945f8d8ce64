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

// What comes too late opens the breaker only after a while without anything in
// time; what fails outright, after a few times in a row.
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
		{"outright", []step{{0, wrong, false}, {0, wrong, false}, {0, wrong, true}}},
		{"outright, with a success between", []step{{0, wrong, false}, {0, wrong, false}, {0, nil, false}, {0, wrong, false}}},
		{"late, many at a time", []step{{0, late, false}, {0, late, false}, {0, late, false}, {tolerable - 1, late, false}}},
		{"late for long", []step{{0, late, false}, {tolerable / 2, late, false}, {tolerable / 2, late, true}}},
		{"late for long, with a success between", []step{{0, late, false}, {0, late, false}, {tolerable, nil, false}, {0, late, false}, {0, late, false}, {0, late, false}}},
		{"few and late", []step{{0, late, false}, {time.Hour, late, false}, {0, redis.ErrPoolTimeout, true}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := breaker{log: slog.New(slog.DiscardHandler), began: time.Now()}
				b.probed(nil)
				for i, s := range tt.steps {
					time.Sleep(s.after)
					b.asked(s.err)
					if open := !b.closed(); open != s.open {
						t.Fatalf("after step %d it is open: %v", i, open)
					}
				}
				b.probed(nil)
				if !b.closed() {
					t.Error("a probe that goes well leaves it open")
				}
			})
		})
	}
}
