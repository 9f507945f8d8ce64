package main

import (
	"errors"
	"fmt"
	"time"

	"vitrine/test/internal/trial"
)

// spoofed: what strangers write about where they come from makes them nobody
// else.
func spoofed(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h")
	if err != nil {
		return "", err
	}
	through, err := counted(s, 10_000, 60, 1, func(i int) string {
		a := fmt.Sprintf("198.%d.%d.%d", 18+i%2, i>>8&255, i&255)
		return fmt.Sprintf("X-Forwarded-For: %s\r\nForwarded: for=%s\r\nX-Real-IP: %s\r\n", a, a, a)
	})
	return fmt.Sprintf("%d of 10000 got through", through), err
}

// proxied: behind a trusted proxy the address counts that it saw, not what
// stands before that.
func proxied(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h", "--trusted-proxy", "127.0.0.1")
	if err != nil {
		return "", err
	}
	one, err := counted(s, 10_000, 60, 1, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 198.18.%d.%d, 203.0.113.7\r\n", i>>8, i&255)
	})
	if err != nil {
		return "", fmt.Errorf("one client that says it forwards for many: %w", err)
	}
	if err := expect(s,
		request{"GET", path, []string{"X-Forwarded-For", "203.0.113.7"}, 429, `"anonymous";r=0;t=`},
		request{"GET", path, []string{"X-Forwarded-For", "203.0.113.7, 127.0.0.1"}, 429, `"anonymous";r=0;t=`},
		request{"GET", path, []string{"X-Forwarded-For", "203.0.113.8, 127.0.0.1"}, 200, `"anonymous";r=59;t=`},
		request{"GET", path, []string{"Forwarded", "for=203.0.113.7"}, 200, `"anonymous";r=59;t=`}, // the proxy itself
	); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d of 10000 got through from one client behind it, another one beside it is another one", one), nil
}

// networks: an IPv6 subscriber is one client, whatever addresses they take.
func networks(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h", "--trusted-proxy", "127.0.0.1")
	if err != nil {
		return "", err
	}
	one, err := counted(s, 65_536, 60, 1, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 2001:db8:1:2:%x:%x:%x:%x\r\n", i*40503&0xffff, i>>8, i&255, i)
	})
	if err != nil {
		return "", fmt.Errorf("65536 addresses of one /64: %w", err)
	}
	const each = 61
	many, err := counted(s, 256*each, 60, 256, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 2001:db8:2:%x::%x\r\n", i/each, i)
	})
	if err != nil {
		return "", fmt.Errorf("256 networks of /64: %w", err)
	}
	return fmt.Sprintf("%d of 65536 got through from one /64, %d of %d from 256 of them", one, many, 256*each), nil
}

// counted sends requests and fails unless each of so many buckets got what its
// quota of an hour has, and all others were refused.
func counted(s *trial.Site, requests, quota, buckets int, header func(int) string) (through int, err error) {
	start := time.Now()
	statuses, err := trial.Crowd(s.API, path, requests, header)
	if err != nil {
		return 0, err
	}
	if statuses[200]+statuses[429] != requests {
		return 0, fmt.Errorf("the answers have these statuses: %v", statuses)
	}
	return statuses[200], within(statuses[200], quota, buckets, time.Since(start))
}

// crowd lets many clients come once: they take little memory, and free nobody.
func crowd(b *bench) (string, error) {
	s, err := b.site("--rate-limit", "60/h", "--trusted-proxy", "127.0.0.1")
	if err != nil {
		return "", err
	}
	limited := []string{"X-Forwarded-For", "203.0.113.7"}
	if _, _, err := spend(s, 61, limited...); err != nil {
		return "", err
	}
	warm := func(int) string { return "X-Forwarded-For: 203.0.113.9\r\nIf-None-Match: *\r\n" }
	if _, err := trial.Crowd(s.API, path, 20_000, warm); err != nil {
		return "", err
	}
	before, err := s.Resident()
	if err != nil {
		return "", err
	}
	start := time.Now()
	statuses, err := trial.Crowd(s.API, path, b.clients, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d\r\nIf-None-Match: *\r\n", i>>16&255, i>>8&255, i&255)
	})
	if err != nil {
		return "", err
	}
	took := time.Since(start)
	after, err := s.Resident()
	if err != nil {
		return "", err
	}
	// Who has no place of their own may have to pay for another one.
	if statuses[304]+statuses[429] != b.clients || statuses[429] > b.clients/100 {
		return "", fmt.Errorf("the answers have these statuses: %v", statuses)
	}
	grown := after - before
	if grown > 96<<20 {
		err = errors.New("the memory of the process grew too much")
	}
	spills, _ := s.Metric("vitrine_limiter_spills_total") // a figure only
	figures := fmt.Sprintf("%d clients in %.0f s, %d of them refused, %.0f without a place, %d MiB more in %d MiB", b.clients, took.Seconds(),
		statuses[429], spills, grown>>20, after>>20)
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, figures)
	}
	return figures + ", and who was limited still is", expect(s, request{"GET", path, limited, 429, `"anonymous";r=0;t=`})
}
