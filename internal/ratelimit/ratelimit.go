// Package ratelimit implements quotas by GCRA, whose burst is the whole quota: in the
// memory of the process (Memory), or in a Redis that several processes share (Redis).
//
// The script for Redis is not replaced by go-redis/redis_rate, which has no charge beyond
// the quota, no minimum debt from a local fallback, no batches, and inexact fractions.
//
// The package must not know HTTP, addresses or API keys: callers choose opaque keys.
// Policy, Key and Decision are values; Memory and Redis are safe for concurrent use.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"time"
)

// Store keeps how much each key has taken. A key has one policy: a client with quotas of
// requests and bytes needs two keys. The policy may change between calls. What a key owes
// is a time, at most twice the window of the current policy.
type Store interface {
	// Take takes all of cost units, or none. A cost of 0 or below takes nothing and is
	// allowed unless the key is in debt. A cost above the quota is never allowed. A policy
	// that limits nothing allows all, and Remaining is the highest possible quota. Take
	// never fails: the store has a fallback. It ignores the end of ctx.
	Take(ctx context.Context, key Key, p Policy, cost int64) Decision

	// Charge takes cost units even if fewer remain, for costs that are known only after the
	// request was allowed. The key may get into debt by at most one quota, and nothing is
	// allowed until that is paid. Charge does not wait for anything outside the process.
	Charge(ctx context.Context, key Key, p Policy, cost int64)
}

// Key identifies a client: bytes that callers choose, the same in every process. KeyOf
// returns keys for longer names. Callers keep keys of different kinds distinct. Only hashes
// of keys leave the process.
type Key [16]byte

// KeyOf returns a key for a name of any length, by SHA-256. Names of different kinds need
// different prefixes.
func KeyOf[T ~string | ~[]byte](name T) Key {
	sum := sha256.Sum256([]byte(name))
	return Key(sum[:16])
}

// Decision is the result of Take at that moment.
type Decision struct {
	// Allowed reports whether the cost was taken.
	Allowed bool

	// Remaining is the number of whole units that remain, 0 to Quota.
	Remaining int64

	// Next is the time until one more unit remains; 0 if the whole quota remains.
	Next time.Duration

	// RetryAfter is the time after which the same cost is allowed, if nothing else is taken
	// until then; 0 if it was allowed. It is the longest Duration for a cost above the quota.
	RetryAfter time.Duration
}

// unlimited is the decision for a policy that limits nothing.
var unlimited = Decision{Allowed: true, Remaining: maxQuota}
