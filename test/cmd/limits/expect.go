package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"vitrine/test/internal/trial"
)

const path = "/api/open/chains?limit=1"

// request is one request and what is expected of the answer.
type request struct {
	method, path string
	headers      []string // names and values in turn
	status       int
	left         string // RateLimit up to t, "" for no such header
}

// expect makes requests in turn and fails at the first that is not answered as
// it should be.
func expect(s *trial.Site, requests ...request) {
	for _, r := range requests {
		a := s.Ask(r.method, r.path, r.headers...)
		trial.Check(r.check(a), r.method, " ", r.path, " ", r.headers)
	}
}

func (r request) check(a trial.Answer) error {
	limit := a.Header.Get("RateLimit")
	switch {
	case a.Status != r.status:
		return fmt.Errorf("status %d, want %d", a.Status, r.status)
	case r.left == "" && limit != "", len(limit) < len(r.left) || limit[:len(r.left)] != r.left:
		return fmt.Errorf("RateLimit %q, want %q…", limit, r.left)
	case r.left != "" && a.Header.Get("RateLimit-Policy") == "":
		return errors.New("no RateLimit-Policy")
	case (a.Status == 429) != (a.Header.Get("Retry-After") != ""):
		return fmt.Errorf("status %d with Retry-After %q", a.Status, a.Header.Get("Retry-After"))
	case (a.Status == 401 || a.Status == 429) && a.Header.Get("Cache-Control") != "no-store":
		return fmt.Errorf("status %d with Cache-Control %q", a.Status, a.Header.Get("Cache-Control"))
	}
	return nil
}

// spend asks until the quota is spent and returns how many got through and the
// refusal.
func spend(s *trial.Site, most int, headers ...string) (through int, refused trial.Answer) {
	for range most + 1 {
		a := s.Ask("GET", path, headers...)
		if a.Status == 429 {
			return through, a
		}
		if a.Status != 200 {
			trial.Failf("status %d", a.Status)
		}
		through++
	}
	trial.Failf("no end after %d requests", through)
	return through, refused
}

// retry waits for just as long as a refusal says, and must be let through then.
func retry(s *trial.Site, refused trial.Answer, headers ...string) {
	seconds, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		trial.Failf("Retry-After is %q", refused.Header.Get("Retry-After"))
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	if a := s.Ask("GET", path, headers...); a.Status != 200 {
		trial.Failf("status %d after waiting for %d s as told", a.Status, seconds)
	}
}
