package main

import (
	"fmt"
	"time"

	"vitrine/test/internal/trial"
)

// spoofed checks that headers of clients do not change their identity.
func spoofed(b *bench) string {
	through := counted(b.site("--rate-limit", "60/h"), 10_000, 60, 1, func(i int) string {
		a := fmt.Sprintf("198.%d.%d.%d", 18+i%2, i>>8&255, i&255)
		return fmt.Sprintf("X-Forwarded-For: %s\r\nForwarded: for=%s\r\nX-Real-IP: %s\r\n", a, a, a)
	})
	return fmt.Sprintf("%d of 10000 got through", through)
}

// proxied checks that behind a trusted proxy, the address that it saw counts, not the elements
// before it.
func proxied(b *bench) string {
	s := b.site("--rate-limit", "60/h", "--trusted-proxy", "127.0.0.1")
	one := counted(s, 10_000, 60, 1, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 198.18.%d.%d, 203.0.113.7\r\n", i>>8, i&255)
	})
	expect(s,
		request{"GET", path, []string{"X-Forwarded-For", "203.0.113.7"}, 429, `"anonymous";r=0;t=`},
		request{"GET", path, []string{"X-Forwarded-For", "203.0.113.7, 127.0.0.1"}, 429, `"anonymous";r=0;t=`},
		request{"GET", path, []string{"X-Forwarded-For", "203.0.113.8, 127.0.0.1"}, 200, `"anonymous";r=59;t=`},
		request{"GET", path, []string{"Forwarded", "for=203.0.113.7"}, 200, `"anonymous";r=59;t=`}) // the proxy itself
	return fmt.Sprintf("%d of 10000 got through from one client behind it, another one beside it is another one", one)
}

// networks checks that an IPv6 subscriber is one client with any address.
func networks(b *bench) string {
	s := b.site("--rate-limit", "60/h", "--trusted-proxy", "127.0.0.1")
	one := counted(s, 65_536, 60, 1, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 2001:db8:1:2:%x:%x:%x:%x\r\n", i*40503&0xffff, i>>8, i&255, i)
	})
	const each = 61
	many := counted(s, 256*each, 60, 256, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 2001:db8:2:%x::%x\r\n", i/each, i)
	})
	return fmt.Sprintf("%d of 65536 got through from one /64, %d of %d from 256 of them", one, many, 256*each)
}

// counted sends requests and fails unless each of the buckets got its quota of an hour, with the
// refilled units, and all other requests were rejected.
func counted(s *trial.Site, requests, quota, buckets int, header func(int) string) (through int) {
	start := time.Now()
	statuses := trial.Crowd(s.API, path, requests, header)
	if statuses[200]+statuses[429] != requests {
		trial.Failf("the answers have these statuses: %v", statuses)
	}
	through = statuses[200]
	most := buckets * (quota + 1 + int(time.Since(start).Hours()*float64(quota)))
	if through < buckets*quota || through > most {
		trial.Failf("%d requests got through, want %d to %d", through, buckets*quota, most)
	}
	return through
}

// crowd sends one request for each of many clients: they take little memory, and reset no quota.
func crowd(b *bench) string {
	s := b.site("--rate-limit", "60/h", "--trusted-proxy", "127.0.0.1")
	limited := []string{"X-Forwarded-For", "203.0.113.7"}
	spend(s, 61, limited...)
	trial.Crowd(s.API, path, 20_000, func(int) string { return "X-Forwarded-For: 203.0.113.9\r\nIf-None-Match: *\r\n" }) // warms up
	before := s.Resident()
	start := time.Now()
	statuses := trial.Crowd(s.API, path, b.clients, func(i int) string {
		return fmt.Sprintf("X-Forwarded-For: 10.%d.%d.%d\r\nIf-None-Match: *\r\n", i>>16&255, i>>8&255, i&255)
	})
	took := time.Since(start)
	grown := s.Resident() - before
	// A client without a place of its own may share the debt of another one.
	if statuses[304]+statuses[429] != b.clients || statuses[429] > b.clients/100 {
		trial.Failf("the answers have these statuses: %v", statuses)
	}
	figures := fmt.Sprintf("%d clients in %.0f s, %d of them refused, %.0f without a place, %d MiB more in %d MiB", b.clients, took.Seconds(),
		statuses[429], s.Metric("vitrine_limiter_spills_total"), grown>>20, (before+grown)>>20)
	if grown > 96<<20 {
		trial.Failf("the memory of the process grew too much: %s", figures)
	}
	expect(s, request{"GET", path, limited, 429, `"anonymous";r=0;t=`})
	return figures + ", and who was limited still is"
}
