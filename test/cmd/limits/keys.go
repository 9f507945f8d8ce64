package main

import (
	"fmt"
	"time"

	"vitrine/test/internal/trial"
)

// aware is the maximum time until a server knows a new key.
const aware = 5 * time.Second

// keys follows a key with the default quota and one with its own until both are revoked.
func keys(b *bench) string {
	s := b.site("--rate-limit", "60/h")
	plain, heard := newKey(s, "plain")
	own, _ := newKey(s, "own", "--limit", "7/h")
	if policy := s.Ask("GET", path, "X-API-Key", plain).Header.Get("RateLimit-Policy"); policy != `"key";q=300;w=60` {
		trial.Failf("RateLimit-Policy %q", policy)
	}
	start := time.Now()
	through, _ := spend(s, 330, "X-API-Key", plain)
	if most := 300 + 1 + int(time.Since(start).Seconds()*5); through < 299 || through > most {
		trial.Failf("%d requests of the key got through", through)
	}
	owned, _ := spend(s, 10, "X-API-Key", own)
	if owned != 7 {
		trial.Failf("%d requests of the key with 7/h got through", owned)
	}
	trial.Must(s.Keys("revoke", "plain"))
	gone := awaitStatus(s, plain, 401, aware)
	return fmt.Sprintf("known after %v, %d got through at once; %d of the one with 7/h; revoked, a 401 after %v",
		heard.Round(time.Millisecond), 1+through, owned, gone.Round(time.Millisecond))
}

// newKey adds a key. It returns the key when the site knows it, and how long that took.
func newKey(s *trial.Site, name string, flags ...string) (key string, heard time.Duration) {
	before := s.Metric("vitrine_api_keys")
	key = trial.Must(s.Keys(append([]string{"add", name}, flags...)...))
	return key, trial.Must(trial.Until(aware, func() bool { return s.Metric("vitrine_api_keys") > before }))
}

// awaitStatus sends requests with a key until the status changes, and returns how long that took.
func awaitStatus(s *trial.Site, key string, status int, longest time.Duration) time.Duration {
	took, err := trial.Until(longest, func() bool { return s.Ask("HEAD", path, "X-API-Key", key).Status == status })
	trial.Check(err, "waiting for a ", status)
	return took
}
