package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"vitrine/test/internal/trial"
)

const path = "/api/open/chains?limit=1"

// request is a request with the expected response.
type request struct {
	method, path string
	headers      []string // names and values alternate
	status       int
	left         string // RateLimit up to t, "" for no such header
}

// expect sends requests in turn and fails at the first unexpected response.
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

// spend sends requests until the quota is exhausted, and returns the number of admitted ones and
// the rejection.
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

// retry waits for the Retry-After of a rejection, and requires that the next request is admitted.
func retry(s *trial.Site, refused trial.Answer, headers ...string) {
	seconds, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		trial.Failf("Retry-After is %q", refused.Header.Get("Retry-After"))
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	if a := s.Ask("GET", path, headers...); a.Status != 200 {
		trial.Failf("status %d after waiting for Retry-After, %d s", a.Status, seconds)
	}
}
