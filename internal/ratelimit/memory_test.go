package ratelimit

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var perMinute = Policy{Quota: 60, Window: time.Minute}

// stopped is a clock that goes on only when it is told to.
type stopped struct{ at time.Duration }

func (c *stopped) now() time.Duration { return c.at }

func TestTake(t *testing.T) {
	type step struct {
		after time.Duration
		cost  int64
		want  Decision
	}
	const s = time.Second
	for _, test := range []struct {
		name   string
		policy Policy
		steps  []step
	}{
		{"the first leaves all but one", perMinute, []step{
			{0, 1, Decision{Allowed: true, Remaining: 59, Next: s}},
			{s / 2, 1, Decision{Allowed: true, Remaining: 58, Next: s / 2}},
			{s, 0, Decision{Allowed: true, Remaining: 59, Next: s / 2}},
			{s / 2, 0, Decision{Allowed: true, Remaining: 60}},
		}},
		{"the whole quota at once, and no more", perMinute, []step{
			{0, 60, Decision{Allowed: true, Remaining: 0, Next: s}},
			{0, 1, Decision{Remaining: 0, Next: s, RetryAfter: s}},
			{0, 10, Decision{Remaining: 0, Next: s, RetryAfter: 10 * s}},
			{s - 1, 1, Decision{Remaining: 0, Next: 1, RetryAfter: 1}},
			{1, 1, Decision{Allowed: true, Remaining: 0, Next: s}},
		}},
		{"what is refused costs nothing", perMinute, []step{
			{0, 59, Decision{Allowed: true, Remaining: 1, Next: s}},
			{0, 2, Decision{Remaining: 1, Next: s, RetryAfter: s}},
			{0, 1, Decision{Allowed: true, Remaining: 0, Next: s}},
		}},
		{"a unit that is no whole number of nanoseconds", Policy{7, time.Second}, []step{
			{0, 1, Decision{Allowed: true, Remaining: 6, Next: 142857143}},
			{0, 5, Decision{Allowed: true, Remaining: 1, Next: 142857143}},
			{0, 1, Decision{Allowed: true, Remaining: 0, Next: 142857143}},
			{142857142, 1, Decision{Next: 1, RetryAfter: 1}},
			{1, 1, Decision{Allowed: true, Next: 142857143}},
		}},
		{"units of less than a nanosecond", Policy{1e12, time.Second}, []step{
			{0, 1, Decision{Allowed: true, Remaining: 1e12 - 1, Next: 1}},
			{0, 999, Decision{Allowed: true, Remaining: 1e12 - 1000, Next: 1}},
			{1, 1e12, Decision{Allowed: true, Remaining: 0, Next: 1}},
		}},
		{"costs beyond all quotas", perMinute, []step{
			{0, 61, Decision{Remaining: 60, RetryAfter: math.MaxInt64}},
			{0, math.MaxInt64, Decision{Remaining: 60, RetryAfter: math.MaxInt64}},
			{0, math.MinInt64, Decision{Allowed: true, Remaining: 60}},
		}},
		{"quotas and windows beyond all bounds", Policy{math.MaxInt64, math.MaxInt64}, []step{
			{0, maxQuota, Decision{Allowed: true, Next: 29}},
			{0, 1, Decision{Next: 29, RetryAfter: 29}},
		}},
		{"no limit", Policy{}, []step{
			{0, math.MaxInt64, unlimited},
			{0, math.MaxInt64, unlimited},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := &stopped{}
			m := newMemory(1, 1, clock.now)
			for i, step := range test.steps {
				clock.at += step.after
				got := m.Take(context.Background(), KeyOf("a"), test.policy, step.cost)
				if diff := cmp.Diff(step.want, got); diff != "" {
					t.Errorf("step %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func TestCharge(t *testing.T) {
	clock, ctx, key := &stopped{}, context.Background(), KeyOf("a")
	m := newMemory(1, 1, clock.now)
	m.Charge(ctx, key, perMinute, 0)
	m.Charge(ctx, key, perMinute, -5)
	m.Charge(ctx, key, Policy{}, 5)
	m.Charge(ctx, key, perMinute, 90)
	want := Decision{Next: 31 * time.Second, RetryAfter: 30 * time.Second}
	if diff := cmp.Diff(want, m.Take(ctx, key, perMinute, 0)); diff != "" {
		t.Errorf("30 units in debt (-want +got):\n%s", diff)
	}
	clock.at += 30 * time.Second
	want = Decision{Allowed: true, Next: time.Second}
	if diff := cmp.Diff(want, m.Take(ctx, key, perMinute, 0)); diff != "" {
		t.Errorf("debt paid (-want +got):\n%s", diff)
	}
	m.Charge(ctx, key, perMinute, math.MaxInt64)
	want = Decision{Next: 61 * time.Second, RetryAfter: 61 * time.Second}
	if diff := cmp.Diff(want, m.Take(ctx, key, perMinute, 1)); diff != "" {
		t.Errorf("as deep in debt as can be (-want +got):\n%s", diff)
	}
}
