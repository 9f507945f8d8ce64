package ratelimit

import (
	"context"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// bucket is a token bucket in exact fractions, the model of GCRA.
type bucket struct {
	policy Policy
	units  *big.Rat
	at     time.Duration
}

func newBucket(p Policy) *bucket {
	return &bucket{policy: p, units: new(big.Rat).SetInt64(p.Quota)}
}

func (b *bucket) fill(now time.Duration) {
	back := big.NewRat(int64(now-b.at), int64(b.policy.Window))
	b.units.Add(b.units, back.Mul(back, new(big.Rat).SetInt64(b.policy.Quota)))
	if quota := new(big.Rat).SetInt64(b.policy.Quota); b.units.Cmp(quota) > 0 {
		b.units = quota
	}
	b.at = now
}

func (b *bucket) take(now time.Duration, cost int64) Decision {
	b.fill(now)
	want := new(big.Rat).SetInt64(cost)
	allowed := b.units.Cmp(want) >= 0 || cost == 0 && b.units.Sign() >= 0
	answer := Decision{Allowed: allowed}
	if allowed {
		b.units.Sub(b.units, want)
	} else {
		answer.RetryAfter = b.until(cost)
	}
	if b.units.Sign() > 0 {
		answer.Remaining = new(big.Int).Div(b.units.Num(), b.units.Denom()).Int64()
	}
	if answer.Remaining < b.policy.Quota {
		answer.Next = b.until(answer.Remaining + 1)
	}
	return answer
}

func (b *bucket) charge(now time.Duration, cost int64) {
	b.fill(now)
	b.units.Sub(b.units, new(big.Rat).SetInt64(cost))
	if least := new(big.Rat).SetInt64(-b.policy.Quota); b.units.Cmp(least) < 0 {
		b.units = least
	}
}

// until returns the time until so many units are available, in nanoseconds rounded up.
func (b *bucket) until(units int64) time.Duration {
	if units > b.policy.Quota {
		return math.MaxInt64
	}
	missing := new(big.Rat).SetInt64(units)
	missing.Sub(missing, b.units)
	missing.Mul(missing, big.NewRat(int64(b.policy.Window), b.policy.Quota))
	up := new(big.Int).Add(missing.Num(), missing.Denom())
	return time.Duration(up.Sub(up, big.NewInt(1)).Div(up, missing.Denom()).Int64())
}

func policies() *rapid.Generator[Policy] {
	return rapid.Custom(func(t *rapid.T) Policy {
		return Policy{
			Quota: rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, maxQuota)).Draw(t, "quota"),
			Window: rapid.OneOf(
				rapid.SampledFrom([]time.Duration{1, 7, time.Second, time.Minute, time.Hour, maxWindow}),
				rapid.Custom(func(t *rapid.T) time.Duration {
					return time.Duration(rapid.Int64Range(1, int64(maxWindow)).Draw(t, "window"))
				}),
			).Draw(t, "windows"),
		}
	})
}

// pauses draws the time between two calls: none, a little, or up to more than a window.
func pauses(p Policy) *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.OneOf(
		rapid.Just(int64(0)),
		rapid.Int64Range(0, 3),
		rapid.Int64Range(0, 2*int64(p.Window)/p.Quota+1),
		rapid.Int64Range(0, 3*int64(p.Window)),
	), func(n int64) time.Duration { return time.Duration(n) })
}

func costs(p Policy) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Just(int64(1)), rapid.Int64Range(0, 5), rapid.Int64Range(0, p.Quota+1))
}

// TestExact compares a Memory with the model, to the nanosecond.
func TestExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		clock, ctx, key := &manual{}, context.Background(), KeyOf("a")
		m, model := newMemory(1, 1, clock.now), newBucket(p)
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			clock.at += pauses(p).Draw(t, "pause")
			cost := costs(p).Draw(t, "cost")
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				m.Charge(ctx, key, p, cost)
				model.charge(clock.at, cost)
				continue
			}
			got := m.Take(ctx, key, p, cost)
			if diff := cmp.Diff(model.take(clock.at, cost), got); diff != "" {
				t.Fatalf("%v after %v (-want +got):\n%s", p, clock.at, diff)
			}
			if !got.Allowed && got.RetryAfter != math.MaxInt64 && rapid.Bool().Draw(t, "retry") {
				clock.at += got.RetryAfter
				model.take(clock.at, cost)
				if again := m.Take(ctx, key, p, cost); !again.Allowed {
					t.Fatalf("%v refuses after RetryAfter, %v", p, got.RetryAfter)
				}
			}
		}
	})
}

// TestNeverMore checks that no interval admits more than the quota plus the units that were
// refilled in it.
func TestNeverMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		clock := &manual{}
		m := newMemory(1, 1, clock.now)
		type admission struct {
			at   time.Duration
			cost int64
		}
		var admitted []admission
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			clock.at += pauses(p).Draw(t, "pause")
			cost := costs(p).Draw(t, "cost")
			if m.Take(context.Background(), KeyOf("a"), p, cost).Allowed {
				admitted = append(admitted, admission{clock.at, cost})
			}
		}
		for i, first := range admitted {
			sum := new(big.Rat)
			for _, last := range admitted[i:] {
				sum.Add(sum, new(big.Rat).SetInt64(last.cost))
				most := big.NewRat(int64(last.at-first.at), int64(p.Window))
				most.Add(most, big.NewRat(1, 1))
				most.Mul(most, new(big.Rat).SetInt64(p.Quota))
				if sum.Cmp(most) > 0 {
					t.Fatalf("%v admitted %v from %v to %v", p, sum, first.at, last.at)
				}
			}
		}
	})
}

// TestCrowd checks that keys in an overcrowded Memory never have more units than in one of
// their own.
func TestCrowd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Policy{Quota: 5, Window: time.Second}
		clock, ctx := &manual{}, context.Background()
		m := newMemory(2, 4, clock.now)
		models := map[string]*bucket{}
		names := rapid.StringMatching(`[a-z]{1,2}`)
		for range rapid.IntRange(1, 400).Draw(t, "calls") {
			clock.at += rapid.SampledFrom([]time.Duration{0, 0, 0, 1, time.Millisecond, time.Second / 5}).Draw(t, "pause")
			name := names.Draw(t, "name")
			model := models[name]
			if model == nil {
				model = newBucket(p)
				models[name] = model
			}
			cost := rapid.Int64Range(1, 5).Draw(t, "cost")
			got := m.Take(ctx, KeyOf(name), p, cost)
			if !got.Allowed {
				cost = 0 // the model may have more units and must not take them
			}
			if want := model.take(clock.at, cost); !want.Allowed || got.Remaining > want.Remaining {
				t.Fatalf("%s has %d remaining, alone it would have %d", name, got.Remaining, want.Remaining)
			}
		}
	})
}
