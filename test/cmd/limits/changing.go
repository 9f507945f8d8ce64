package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"vitrine/test/internal/trial"
)

// bytes asks for large bodies until there are none left.
func bytes(b *bench) (string, error) {
	const quota = 1 << 20
	s, err := b.site("--rate-limit", "off", "--rate-limit-bytes", "1MiB/m")
	if err != nil {
		return "", err
	}
	start, sent, largest, times := time.Now(), 0, 0, 0
	var refused trial.Answer
	for refused.Status != 429 {
		a, err := s.Ask("GET", "/api/open/chains")
		if err != nil {
			return "", err
		}
		if refused = a; a.Status == 200 {
			sent, largest, times = sent+len(a.Body), max(largest, len(a.Body)), times+1
		}
		if sent > 4*quota {
			return "", fmt.Errorf("%d bytes were sent and nothing was refused", sent)
		}
	}
	back := int(time.Since(start).Minutes() * quota)
	if sent < quota || sent > quota+back+largest {
		return "", fmt.Errorf("%d bytes were sent, want %d and at most one body more", sent, quota)
	}
	if err := (request{status: 429, left: `"bytes";r=0;t=`}).check(refused); err != nil {
		return "", err
	}
	if _, err := retry(s, refused); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bodies of %d bytes of 1 MiB, then a 429 and an answer after the %s s of Retry-After", times, largest,
		refused.Header.Get("Retry-After")), nil
}

// reloaded changes the limit of a running server in all directions. What was
// spent stays spent, and what Retry-After says holds under the new limit.
func reloaded(b *bench) (string, error) {
	config, err := b.config("rate-limit: 60/h", "trusted-proxy: 127.0.0.1")
	if err != nil {
		return "", err
	}
	s, err := b.site("--config", config)
	if err != nil {
		return "", err
	}
	spent, half := []string{"X-Forwarded-For", "203.0.113.1"}, []string{"X-Forwarded-For", "203.0.113.2"}
	if _, _, err := spend(s, 61, spent...); err != nil {
		return "", err
	}
	for range 30 {
		if err := expect(s, request{"GET", path, half, 200, `"anonymous";r=`}); err != nil {
			return "", err
		}
	}
	for _, step := range []struct{ limit, policy, half string }{
		{"120/h", `"anonymous";q=120;w=3600`, `"anonymous";r=59;t=`},
		{"60/h", `"anonymous";q=60;w=3600`, `"anonymous";r=28;t=`},
		{"30/h", `"anonymous";q=30;w=3600`, `"anonymous";r=13;t=`},
	} {
		if err := b.change(s, step.limit, step.policy); err != nil {
			return "", err
		}
		if err := expect(s,
			request{"GET", path, spent, 429, `"anonymous";r=0;t=`},
			request{"GET", path, half, 200, step.half},
		); err != nil {
			return "", fmt.Errorf("%s: %w", step.limit, err)
		}
	}
	if err := b.change(s, "60/s", `"anonymous";q=60;w=1`); err != nil {
		return "", err
	}
	refused, err := s.Ask("GET", path, spent...)
	if err != nil {
		return "", err
	}
	if refused.Status != 429 {
		return "", errors.New("a shorter window freed who was limited")
	}
	_, err = retry(s, refused, spent...)
	return "60/h to 120, 60 and 30/h frees nobody; to 60/s, who was limited is back after Retry-After", err
}

// change changes the limit of a site and returns when it holds.
func (b *bench) change(s *trial.Site, limit, policy string) error {
	if _, err := b.config("rate-limit: "+limit, "trusted-proxy: 127.0.0.1"); err != nil {
		return err
	}
	if err := s.Reload(); err != nil {
		return err
	}
	_, err := trial.Until(aware, func() (bool, error) {
		a, err := s.Ask("GET", path, "X-Forwarded-For", "203.0.113.99")
		return a.Header.Get("RateLimit-Policy") == policy, err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", limit, err)
	}
	return nil
}

// decidedAlone says how many decisions servers made without Redis, which on a
// machine that is too busy explains what they let through.
func decidedAlone(sites []*trial.Site) string {
	total := 0.0
	for _, s := range sites {
		alone, err := s.Metric(`vitrine_limiter_decisions_total{store="local"}`)
		if err != nil {
			return err.Error()
		}
		total += alone
	}
	return fmt.Sprintf("%.0f decisions were made without Redis, since it did not answer within its milliseconds", total)
}

// shared lets one client ask two servers at once that count in one Redis.
func shared(b *bench) (string, error) {
	const quota, connections, each = 600, 8, 250
	var err error
	if b.redis, err = trial.NewRedis(b.dir); err != nil {
		return "", err
	}
	if err := b.redis.Start(); err != nil {
		return "", err
	}
	var sites []*trial.Site
	for range 2 {
		s, err := b.site("--rate-limit", "600/h", "--rate-limit-store", "redis://"+b.redis.Addr)
		if err != nil {
			return "", err
		}
		if _, err := s.Await("vitrine_limiter_redis_up", 1, aware); err != nil {
			return "", err
		}
		sites = append(sites, s)
	}
	var (
		mu       sync.Mutex
		through  int
		problems []string
		asking   sync.WaitGroup
	)
	start := time.Now()
	for i := range connections {
		asking.Go(func() {
			for range each {
				a, err := sites[i%2].Ask("GET", path)
				mu.Lock()
				switch {
				case err != nil:
					problems = append(problems, err.Error())
				case a.Status == 200:
					through++
				case a.Status != 429:
					problems = append(problems, fmt.Sprint("status ", a.Status))
				}
				mu.Unlock()
			}
		})
	}
	asking.Wait()
	if len(problems) > 0 {
		return "", fmt.Errorf("%d requests failed: %s", len(problems), strings.Join(problems[:min(3, len(problems))], "; "))
	}
	back := int(time.Since(start).Hours() * quota)
	if most := quota + quota/100 + back; through < quota || through > most {
		return "", fmt.Errorf("%d of %d requests got through, want %d to %d; %s", through, connections*each, quota, most, decidedAlone(sites))
	}
	return fmt.Sprintf("%d of %d requests got through, of a quota of %d", through, connections*each, quota), nil
}
