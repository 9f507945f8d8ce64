package ratelimit

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var perMinute = Policy{Quota: 60, Window: time.Minute}

// manual is a clock that tests set.
type manual struct{ at time.Duration }

func (c *manual) now() time.Duration { return c.at }

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
		{"the first unit", perMinute, []step{
			{0, 1, Decision{Allowed: true, Remaining: 59, Next: s}},
			{s / 2, 1, Decision{Allowed: true, Remaining: 58, Next: s / 2}},
			{s, 0, Decision{Allowed: true, Remaining: 59, Next: s / 2}},
			{s / 2, 0, Decision{Allowed: true, Remaining: 60}},
		}},
		{"the whole quota at once", perMinute, []step{
			{0, 60, Decision{Allowed: true, Remaining: 0, Next: s}},
			{0, 1, Decision{Remaining: 0, Next: s, RetryAfter: s}},
			{0, 10, Decision{Remaining: 0, Next: s, RetryAfter: 10 * s}},
			{s - 1, 1, Decision{Remaining: 0, Next: 1, RetryAfter: 1}},
			{1, 1, Decision{Allowed: true, Remaining: 0, Next: s}},
		}},
		{"a refused request costs nothing", perMinute, []step{
			{0, 59, Decision{Allowed: true, Remaining: 1, Next: s}},
			{0, 2, Decision{Remaining: 1, Next: s, RetryAfter: s}},
			{0, 1, Decision{Allowed: true, Remaining: 0, Next: s}},
		}},
		{"a fractional number of nanoseconds per unit", Policy{7, time.Second}, []step{
			{0, 1, Decision{Allowed: true, Remaining: 6, Next: 142857143}},
			{0, 5, Decision{Allowed: true, Remaining: 1, Next: 142857143}},
			{0, 1, Decision{Allowed: true, Remaining: 0, Next: 142857143}},
			{142857142, 1, Decision{Next: 1, RetryAfter: 1}},
			{1, 1, Decision{Allowed: true, Next: 142857143}},
		}},
		{"less than a nanosecond per unit", Policy{1e12, time.Second}, []step{
			{0, 1, Decision{Allowed: true, Remaining: 1e12 - 1, Next: 1}},
			{0, 999, Decision{Allowed: true, Remaining: 1e12 - 1000, Next: 1}},
			{1, 1e12, Decision{Allowed: true, Remaining: 0, Next: 1}},
		}},
		{"costs above the quota", perMinute, []step{
			{0, 61, Decision{Remaining: 60, RetryAfter: math.MaxInt64}},
			{0, math.MaxInt64, Decision{Remaining: 60, RetryAfter: math.MaxInt64}},
			{0, math.MinInt64, Decision{Allowed: true, Remaining: 60}},
		}},
		{"quotas and windows above the bounds", Policy{math.MaxInt64, math.MaxInt64}, []step{
			{0, maxQuota, Decision{Allowed: true, Next: 29}},
			{0, 1, Decision{Next: 29, RetryAfter: 29}},
		}},
		{"no limit", Policy{}, []step{
			{0, math.MaxInt64, unlimited},
			{0, math.MaxInt64, unlimited},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := &manual{}
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
	clock, ctx, key := &manual{}, context.Background(), KeyOf("a")
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
		t.Errorf("the largest debt (-want +got):\n%s", diff)
	}
}

// TestPolicyChange checks that a debt is a time, which a new policy keeps within its own
// bound.
func TestPolicyChange(t *testing.T) {
	perHour := Policy{Quota: 60, Window: time.Hour}
	for _, test := range []struct {
		name          string
		before, after Policy
		taken         int64
		want          Decision
	}{
		{"a higher quota keeps the time", perMinute, Policy{300, time.Minute}, 60, Decision{Next: 200 * time.Millisecond, RetryAfter: 200 * time.Millisecond}},
		{"a lower quota keeps the time", perMinute, Policy{30, time.Minute}, 60, Decision{Next: 2 * time.Second, RetryAfter: 2 * time.Second}},
		{"a lower quota after a partial use", perMinute, Policy{30, time.Minute}, 30, Decision{Allowed: true, Remaining: 14, Next: 2 * time.Second}},
		{"a longer window keeps the time", perMinute, perHour, 60, Decision{Allowed: true, Remaining: 58, Next: time.Minute}},
		{"a shorter window bounds the debt", perHour, perMinute, 60, Decision{Next: 61 * time.Second, RetryAfter: 61 * time.Second}},
		{"fractions of a nanosecond are dropped", Policy{maxQuota, time.Second}, Policy{1, time.Second}, 1, Decision{Allowed: true, Next: time.Second}},
		{"a policy without a limit takes nothing", Policy{}, perMinute, 60, Decision{Allowed: true, Remaining: 59, Next: time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock, ctx, key := &manual{}, context.Background(), KeyOf("a")
			m := newMemory(1, 1, clock.now)
			m.Take(ctx, key, test.before, test.taken)
			got := m.Take(ctx, key, test.after, 1)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			clock.at += got.RetryAfter
			if !got.Allowed && !m.Take(ctx, key, test.after, 1).Allowed {
				t.Errorf("refused after RetryAfter, %v", got.RetryAfter)
			}
		})
	}
}

// TestSpill checks that a full set evicts the smallest debt, which may be the new one, to
// its cell.
func TestSpill(t *testing.T) {
	clock, ctx := &manual{}, context.Background()
	m := newMemory(1, 1<<10, clock.now)
	for n := range ways {
		m.Take(ctx, number(n), perMinute, int64(10+n))
	}
	look := func(n int, remaining int64) {
		t.Helper()
		if got := m.Take(ctx, number(n), perMinute, 0).Remaining; got != remaining {
			t.Errorf("key %d has %d remaining, want %d", n, got, remaining)
		}
	}
	m.Take(ctx, number(100), perMinute, 5) // has no place
	look(100, 55)
	m.Take(ctx, number(101), perMinute, 60) // evicts key 0
	look(101, 0)
	look(0, 50)
	if got, want := m.Stats(), (Stats{Local: ways + 5, Entries: ways, Spills: 2}); got != want {
		t.Errorf("Stats = %+v, want %+v", got, want)
	}
	clock.at += time.Minute // all debts are paid
	m.Take(ctx, number(102), perMinute, 1)
	look(102, 59)
	look(0, 60)
	look(100, 60)
	if got := m.Stats(); got.Entries != 1 || got.Spills != 2 {
		t.Errorf("Stats = %+v, want one entry and no more spills", got)
	}
}

// TestMonotonic checks the default clock of a Memory in a synctest bubble.
func TestMonotonic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, key, m := t.Context(), KeyOf("a"), NewMemory()
		m.Take(ctx, key, perMinute, 60)
		time.Sleep(time.Second - time.Nanosecond)
		if m.Take(ctx, key, perMinute, 1).Allowed {
			t.Error("a unit was available too early")
		}
		time.Sleep(time.Nanosecond)
		if !m.Take(ctx, key, perMinute, 1).Allowed {
			t.Error("no unit was available after a second")
		}
	})
}

// TestClock lists the places that read the clock. Only time.Since measures durations, so a
// jump of the wall clock has no effect.
func TestClock(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	var reads []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		must(t, err)
		for _, call := range regexp.MustCompile(`time\.(Now|Since|Until|Unix)\w*\(`).FindAllString(string(source), -1) {
			reads = append(reads, file+" "+call)
		}
	}
	if diff := cmp.Diff([]string{"breaker.go time.Since(", "memory.go time.Now(", "memory.go time.Since(", "redis.go time.Now("}, reads); diff != "" {
		t.Errorf("reads of the clock (-want +got):\n%s", diff)
	}
}

// TestConcurrent checks that concurrent calls admit exactly the quota, for keys in places
// and in cells.
func TestConcurrent(t *testing.T) {
	clock := &manual{}
	m := newMemory(4, 4, clock.now)
	const keys, each = 100, 40
	p := Policy{Quota: 20, Window: time.Minute}
	var admitted [keys]atomic.Int64
	var work sync.WaitGroup
	for range each {
		work.Go(func() {
			for n := range keys {
				if m.Take(context.Background(), number(n), p, 1).Allowed {
					admitted[n].Add(1)
				}
				m.Stats()
			}
		})
	}
	work.Wait()
	total := int64(0)
	for n := range admitted {
		total += admitted[n].Load()
		if got := admitted[n].Load(); got > p.Quota {
			t.Errorf("key %d was admitted %d times", n, got)
		}
	}
	if total < 4*ways {
		t.Errorf("only %d calls were admitted in total", total)
	}
}

// TestHashesAreSecret checks that clients cannot predict which keys share a set.
func TestHashesAreSecret(t *testing.T) {
	key := KeyOf("client")
	hashes := map[uint64]bool{}
	for range 2 {
		m := newMemory(1, 1, (&manual{}).now)
		hashes[m.lock(key).hash] = true
	}
	if len(hashes) != 2 {
		t.Error("two memories have the same hash of a key")
	}
}
