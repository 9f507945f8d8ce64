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

// expect makes requests in turn and returns the first that is not answered as
// it should be.
func expect(s *trial.Site, requests ...request) error {
	for _, r := range requests {
		a, err := s.Ask(r.method, r.path, r.headers...)
		if err != nil {
			return err
		}
		if err := r.check(a); err != nil {
			return fmt.Errorf("%s %s %v: %w", r.method, r.path, r.headers, err)
		}
	}
	return nil
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
func spend(s *trial.Site, most int, headers ...string) (through int, refused trial.Answer, err error) {
	for range most + 1 {
		a, err := s.Ask("GET", path, headers...)
		if err != nil {
			return through, a, err
		}
		if a.Status == 429 {
			return through, a, nil
		}
		if a.Status != 200 {
			return through, a, fmt.Errorf("status %d", a.Status)
		}
		through++
	}
	return through, refused, fmt.Errorf("no end after %d requests", through)
}

// retry waits for just as long as a refusal says, and asks again.
func retry(s *trial.Site, refused trial.Answer, headers ...string) (trial.Answer, error) {
	seconds, err := strconv.Atoi(refused.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		return trial.Answer{}, fmt.Errorf("Retry-After is %q", refused.Header.Get("Retry-After"))
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	a, err := s.Ask("GET", path, headers...)
	if err == nil && a.Status != 200 {
		err = fmt.Errorf("status %d after waiting for %d s as told", a.Status, seconds)
	}
	return a, err
}

// within fails unless a count is the quota and what came back meanwhile, of a
// policy of an hour.
func within(through, quota int, buckets int, took time.Duration) error {
	most := buckets * (quota + 1 + int(took.Hours()*float64(quota)))
	if through < buckets*quota || through > most {
		return fmt.Errorf("%d requests got through, want %d to %d", through, buckets*quota, most)
	}
	return nil
}
