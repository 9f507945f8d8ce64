package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"vitrine/test/internal/trial"
)

// bytes requests large bodies until the quota of bytes is exhausted.
func bytes(b *bench) string {
	const quota = 1 << 20
	s := b.site("--rate-limit", "off", "--rate-limit-bytes", "1MiB/m")
	start, sent, largest, times := time.Now(), 0, 0, 0
	answer := s.Ask("GET", "/api/open/chains")
	for ; answer.Status != 429; answer = s.Ask("GET", "/api/open/chains") {
		if answer.Status == 200 {
			sent, largest, times = sent+len(answer.Body), max(largest, len(answer.Body)), times+1
		}
		if sent > 4*quota {
			trial.Failf("%d bytes were sent and nothing was refused", sent)
		}
	}
	back := int(time.Since(start).Minutes() * quota)
	if sent < quota || sent > quota+back+largest {
		trial.Failf("%d bytes were sent, want %d and at most one body more", sent, quota)
	}
	trial.Check(request{status: 429, left: `"bytes";r=0;t=`}.check(answer))
	retry(s, answer)
	return fmt.Sprintf("%d bodies of %d bytes of 1 MiB, then a 429 and an answer after the %s s of Retry-After", times, largest,
		answer.Header.Get("Retry-After"))
}

// reloaded changes the quota of a running server in all directions. Debts stay, and Retry-After
// is right under the new quota.
func reloaded(b *bench) string {
	s := b.site("--config", b.config("rate-limit: 60/h", "trusted-proxy: 127.0.0.1"))
	spent, half := []string{"X-Forwarded-For", "203.0.113.1"}, []string{"X-Forwarded-For", "203.0.113.2"}
	spend(s, 61, spent...)
	for range 30 {
		expect(s, request{"GET", path, half, 200, `"anonymous";r=`})
	}
	for _, step := range []struct{ limit, policy, half string }{
		{"120/h", `"anonymous";q=120;w=3600`, `"anonymous";r=59;t=`},
		{"60/h", `"anonymous";q=60;w=3600`, `"anonymous";r=28;t=`},
		{"30/h", `"anonymous";q=30;w=3600`, `"anonymous";r=13;t=`},
	} {
		b.change(s, step.limit, step.policy)
		err := trial.Try(func() {
			expect(s,
				request{"GET", path, spent, 429, `"anonymous";r=0;t=`},
				request{"GET", path, half, 200, step.half})
		})
		trial.Check(err, step.limit)
	}
	b.change(s, "60/s", `"anonymous";q=60;w=1`)
	refused := s.Ask("GET", path, spent...)
	if refused.Status != 429 {
		trial.Failf("a shorter window admitted a limited client")
	}
	retry(s, refused, spent...)
	return "from 60/h to 120, 60 and 30/h, a limited client stays limited; to 60/s, it is admitted after Retry-After"
}

// change changes the quota of a site, and returns when it is in effect.
func (b *bench) change(s *trial.Site, limit, policy string) {
	b.config("rate-limit: "+limit, "trusted-proxy: 127.0.0.1")
	trial.Check(s.Reload())
	_, err := trial.Until(aware, func() bool {
		return s.Ask("GET", path, "X-Forwarded-For", "203.0.113.99").Header.Get("RateLimit-Policy") == policy
	})
	trial.Check(err, limit)
}

// decidedAlone returns the number of decisions without Redis. On an overloaded machine, they
// explain admitted requests.
func decidedAlone(sites []*trial.Site) string {
	total := 0.0
	for _, s := range sites {
		total += s.Metric(`vitrine_limiter_decisions_total{store="local"}`)
	}
	return fmt.Sprintf("%.0f decisions were made without Redis, since it did not answer within its milliseconds", total)
}

// shared sends the requests of one client to two servers with one Redis.
func shared(b *bench) string {
	const quota, connections, each = 600, 8, 250
	b.redis = trial.NewRedis(b.dir)
	trial.Check(b.redis.Start())
	var sites []*trial.Site
	for range 2 {
		s := b.site("--rate-limit", "600/h", "--rate-limit-store", "redis://"+b.redis.Addr)
		trial.Must(s.Await("vitrine_limiter_redis_up", 1, aware))
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
				a, err := sites[i%2].TryAsk("GET", path)
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
		trial.Failf("%d requests failed: %s", len(problems), strings.Join(problems[:min(3, len(problems))], "; "))
	}
	back := int(time.Since(start).Hours() * quota)
	if most := quota + quota/100 + back; through < quota || through > most {
		trial.Failf("%d of %d requests got through, want %d to %d; %s", through, connections*each, quota, most, decidedAlone(sites))
	}
	return fmt.Sprintf("%d of %d requests got through, of a quota of %d", through, connections*each, quota)
}
