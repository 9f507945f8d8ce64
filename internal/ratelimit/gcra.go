package ratelimit

import (
	"math"
	"math/bits"
	"time"
)

// debt is the time until a key has its whole quota again: ticks and part/quota of
// one more tick.
//
// The part is needed because most quotas do not divide their window. Prices rounded up
// would refuse the last unit of seven a second; rounded down, a byte of a large quota would
// be free.
type debt struct{ ticks, part uint64 }

// rate is a policy in ticks of a clock, with the arithmetic of GCRA. Taken units are owed as
// time: a unit costs window/quota, and a key may owe up to the window.
type rate struct {
	quota, window uint64
	tick          time.Duration
}

// rateOf returns the rate of a policy that limits something.
func rateOf(p Policy, tick time.Duration) rate {
	return rate{
		quota:  uint64(min(p.Quota, maxQuota)),
		window: uint64(max(min(p.Window, maxWindow)/tick, 1)),
		tick:   tick,
	}
}

// deepest is the largest debt: the window, and one more window by Charge. It also bounds
// debts from before a change of the policy or the clock of Redis.
func (r rate) deepest() uint64 { return 2 * r.window }

// price returns what cost units cost, at most the deepest debt.
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

// bounded returns a stored debt, maybe of another policy, within the bounds of this rate.
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

// take returns the debt of a key after a request for cost units, and whether it is allowed.
func (r rate) take(d debt, cost int64) (debt, bool) {
	after := r.plus(d, r.price(cost))
	if !r.allows(after) {
		return d, false
	}
	return after, true
}

// charge returns the debt of a key after cost units, even beyond the quota.
func (r rate) charge(d debt, cost int64) debt {
	return r.bounded(r.plus(d, r.price(cost)))
}

// decision returns the decision for a key that owes d after a request for cost units.
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
