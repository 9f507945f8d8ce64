// Package ratelimit decides how much somebody may still take: by GCRA, whose
// burst is the whole quota, in the memory of the process (Memory) or in a Redis
// that several processes share (Redis).
//
// It must not know whom it limits: callers name that by opaque keys. It knows
// no HTTP, no addresses and no API keys. Policy, Key and Decision are values;
// Memory and Redis are safe for concurrent use.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"time"
)

// Store keeps how much each key has taken. A key is limited by one policy at a
// time: who limits requests and bytes of one client uses two keys. A policy may
// change from one call to the next; what a key owes is time, and is read under
// the policy at hand, though never as more than twice its window.
type Store interface {
	// Take takes cost units, all of them or none. A cost of 0, or below,
	// takes nothing and is allowed unless the key is in debt; a cost above
	// the quota is never allowed. A policy that limits nothing allows all, and
	// what remains is then the highest quota that there is. Take always decides: what fails behind it
	// is the matter of the store. The end of ctx does not end it.
	Take(ctx context.Context, key Key, p Policy, cost int64) Decision

	// Charge takes cost units even where fewer are there: it is for what is
	// known only when it is too late to refuse. The key may so get into debt,
	// by one quota at most, and nothing is allowed before that is paid off.
	// Charge does not wait for anything outside the process.
	Charge(ctx context.Context, key Key, p Policy, cost int64)
}

// Key names who or what is limited: bytes that callers choose, the same in every
// process. What has a longer name goes by KeyOf. Callers keep keys of different
// kinds apart. Nothing outside the process sees a Key as it is.
type Key [16]byte

// KeyOf returns a key for a name of any length, by SHA-256. Callers keep names of
// different kinds apart by a prefix.
func KeyOf[T ~string | ~[]byte](name T) Key {
	sum := sha256.Sum256([]byte(name))
	return Key(sum[:16])
}

// Decision is the answer to Take, as of that moment.
type Decision struct {
	// Allowed says that the cost fitted, and was taken.
	Allowed bool

	// Remaining is how many whole units could be taken right now, 0 to Quota.
	Remaining int64

	// Next is the time until there is one unit more than Remaining; 0 when
	// the whole quota is there.
	Next time.Duration

	// RetryAfter is the time after which the same cost fits, if nothing else
	// is taken until then; 0 when it was allowed. A cost above the quota
	// never fits: RetryAfter is then the longest Duration.
	RetryAfter time.Duration
}

// unlimited is the answer under a policy that limits nothing.
var unlimited = Decision{Allowed: true, Remaining: maxQuota}
