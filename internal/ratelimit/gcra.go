package ratelimit

import (
	"math"
	"math/bits"
	"time"
)

// debt is the time until a key has its whole quota again: ticks, and part of
// one more, counted in fractions of 1/quota. So no price is ever rounded, and
// seven takes of one of seven units cost exactly the window.
type debt struct{ ticks, part uint64 }

// rate is a policy in ticks of a clock, and all of the arithmetic of GCRA.
// Here a key is never said to have taken units: it owes time, a unit costs
// window/quota of it, and a key may owe up to the window.
type rate struct {
	quota, window uint64
	tick          time.Duration
}

// rateOf returns the rate of a policy that limits, on a clock of such ticks.
func rateOf(p Policy, tick time.Duration) rate {
	return rate{
		quota:  uint64(min(p.Quota, maxQuota)),
		window: uint64(max(min(p.Window, maxWindow)/tick, 1)),
		tick:   tick,
	}
}

// deepest is the most that a key can owe: its quota, and once more that by
// Charge. It also bounds what is left of a debt when the policy, or the clock
// of Redis, changed.
func (r rate) deepest() uint64 { return 2 * r.window }

// price returns what cost units cost. More than fits under the deepest debt is
// returned as just that.
func (r rate) price(cost int64) debt {
	high, low := bits.Mul64(uint64(max(cost, 0)), r.window)
	if high >= r.quota {
		return debt{ticks: r.deepest()}
	}
	ticks, part := bits.Div64(high, low, r.quota)
	if ticks >= r.deepest() {
		return debt{ticks: r.deepest()}
	}
	return debt{ticks, part}
}

// plus returns the sum of two debts, which is not bounded.
func (r rate) plus(a, b debt) debt {
	sum := debt{a.ticks + b.ticks, a.part + b.part}
	if sum.part >= r.quota {
		sum.ticks++
		sum.part -= r.quota
	}
	return sum
}

// bounded returns a debt that was kept, perhaps under another policy, as one
// that this rate can have led to.
func (r rate) bounded(d debt) debt {
	if d.ticks >= r.deepest() {
		return debt{ticks: r.deepest()}
	}
	return debt{d.ticks, min(d.part, r.quota-1)}
}

// allows reports whether a key may owe as much.
func (r rate) allows(d debt) bool { return d.up() <= r.window }

// up returns the debt in whole ticks, rounded up.
func (d debt) up() uint64 {
	if d.part > 0 {
		return d.ticks + 1
	}
	return d.ticks
}

// take returns what a key owes after it asked for cost units, and whether it
// got them.
func (r rate) take(d debt, cost int64) (debt, bool) {
	after := r.plus(d, r.price(cost))
	if !r.allows(after) {
		return d, false
	}
	return after, true
}

// charge returns what a key owes after cost units, whether they fit or not.
func (r rate) charge(d debt, cost int64) debt {
	return r.bounded(r.plus(d, r.price(cost)))
}

// decision describes a key that owes d after it asked for cost units.
func (r rate) decision(d debt, cost int64, allowed bool) Decision {
	remaining := r.remaining(d)
	answer := Decision{Allowed: allowed, Remaining: remaining}
	if remaining < int64(r.quota) {
		answer.Next = r.wait(d, remaining+1)
	}
	if !allowed {
		answer.RetryAfter = r.wait(d, cost)
	}
	return answer
}

// remaining returns how many whole units a key that owes d can still take.
func (r rate) remaining(d debt) int64 {
	if !r.allows(d) {
		return 0
	}
	high, low := bits.Mul64(r.window-d.ticks, r.quota)
	low, borrow := bits.Sub64(low, d.part, 0)
	units, _ := bits.Div64(high-borrow, low, r.window)
	return int64(units)
}

// wait returns the time after which a key that owes d can take cost units.
func (r rate) wait(d debt, cost int64) time.Duration {
	if cost > int64(r.quota) {
		return math.MaxInt64
	}
	until := r.plus(d, r.price(cost)).up()
	if until <= r.window {
		return 0
	}
	return time.Duration(until-r.window) * r.tick
}
