package main

import (
	"fmt"
	"time"

	"vitrine/test/internal/trial"
)

// aware is how long a server may take to hear of a key.
const aware = 5 * time.Second

// keys follows one key of the default limit and one with its own, until it is
// revoked.
func keys(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h")
	if err != nil {
		return "", err
	}
	plain, heard, err := newKey(s, "plain")
	if err != nil {
		return "", err
	}
	own, _, err := newKey(s, "own", "--limit", "7/h")
	if err != nil {
		return "", err
	}
	if a, err := s.Ask("GET", path, "X-API-Key", plain); err != nil || a.Header.Get("RateLimit-Policy") != `"key";q=300;w=60` {
		return "", fmt.Errorf("RateLimit-Policy %q (%v)", a.Header.Get("RateLimit-Policy"), err)
	}
	start := time.Now()
	through, _, err := spend(s, 330, "X-API-Key", plain)
	if most := 300 + 1 + int(time.Since(start).Seconds()*5); err != nil || through < 299 || through > most {
		return "", fmt.Errorf("%d requests of the key got through (%v)", through, err)
	}
	owned, _, err := spend(s, 10, "X-API-Key", own)
	if err != nil || owned != 7 {
		return "", fmt.Errorf("%d requests of the key with 7/h got through (%v)", owned, err)
	}
	if _, err := s.Keys("revoke", "plain"); err != nil {
		return "", err
	}
	gone, err := trial.Until(aware, func() (bool, error) {
		a, err := s.Ask("HEAD", path, "X-API-Key", plain)
		return a.Status == 401, err
	})
	if err != nil {
		return "", fmt.Errorf("a revoked key: %w", err)
	}
	return fmt.Sprintf("known after %v, %d got through at once; %d of the one with 7/h; revoked, a 401 after %v",
		heard.Round(time.Millisecond), 1+through, owned, gone.Round(time.Millisecond)), nil
}

// newKey adds a key and returns it when the site knows it, and how long that
// took.
func newKey(s *trial.Site, name string, flags ...string) (key string, heard time.Duration, err error) {
	before, err := s.Metric("vitrine_api_keys")
	if err != nil {
		return "", 0, err
	}
	if key, err = s.Keys(append([]string{"add", name}, flags...)...); err != nil {
		return "", 0, err
	}
	heard, err = trial.Until(aware, func() (bool, error) {
		now, err := s.Metric("vitrine_api_keys")
		return now > before, err
	})
	return key, heard, err
}
