package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine/test/internal/trial"
)

const users = "/api/open/twitter/users"

// Distinct targets: matches of nearly all accounts, nearly the whole list, the largest possible
// page.
func search(i int) string {
	return fmt.Sprintf("%s?q=%c&locale=%s&offset=%d", users, "asc"[i%3], []string{"en", "ja", "es"}[i/3%3], i/9)
}
func list(i int) string { return fmt.Sprintf("%s?offset=%d", users, i) }
func page(i int) string { return fmt.Sprintf("%s?limit=1000&offset=%d", users, i*100) }

// asker returns an HTTP client at its own loopback address, with a new connection for each
// request.
func asker(addr string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(addr)}, Timeout: 10 * time.Second}
	return &http.Client{
		Transport: &http.Transport{DialContext: dialer.DialContext, DisableCompression: true, DisableKeepAlives: true},
		Timeout:   30 * time.Second,
	}
}

// counts has outcomes by name.
type counts map[string]int

func (c counts) String() string {
	var all []string
	for _, outcome := range slices.Sorted(maps.Keys(c)) {
		all = append(all, fmt.Sprintf("%d times %s", c[outcome], outcome))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// hostile is a client that uses its whole quota as fast as possible.
type hostile struct {
	name     string
	target   func(i int) string // nil for none
	encoding string
	slow     bool // reads 4 KiB per second
	still    bool // reads only the header
}

// run attacks until ctx is done: first with the whole quota, then with the refilled units.
func (a hostile) run(ctx context.Context, round int, api string) counts {
	all := counts{}
	if a.target == nil {
		return all
	}
	var mu sync.Mutex
	var asking sync.WaitGroup
	client := asker(fmt.Sprintf("127.66.%d.1", round)) // with a quota of its own
	client.Timeout = 0
	for i := 0; ctx.Err() == nil; i++ {
		asking.Go(func() {
			outcome := a.ask(ctx, client, "http://"+api+a.target(i))
			mu.Lock()
			defer mu.Unlock()
			all[outcome]++
		})
		if i >= 60 {
			time.Sleep(time.Second)
		}
	}
	asking.Wait()
	return all
}

func (a hostile) ask(ctx context.Context, client *http.Client, url string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Accept-Encoding", a.encoding)
	response, err := client.Do(r)
	if err != nil {
		return "no answer"
	}
	defer response.Body.Close()
	if a.still && response.StatusCode == http.StatusOK {
		<-ctx.Done()
	}
	for a.slow && response.StatusCode == http.StatusOK && ctx.Err() == nil {
		if _, err := io.CopyN(io.Discard, response.Body, 4<<10); err != nil {
			break
		}
		time.Sleep(time.Second)
	}
	if !a.slow {
		_, _ = io.Copy(io.Discard, response.Body) // the content is irrelevant
	}
	return fmt.Sprint(response.StatusCode)
}

// others has the results of well-behaved clients.
type others struct {
	mu           sync.Mutex
	small, large []time.Duration
	failed       counts
}

// measure sends requests from separate addresses until ctx is done: for small results of a
// search, and for large distinct ones in all encodings.
func measure(ctx context.Context, round int, api string) *others {
	all := &others{failed: counts{}}
	var asking sync.WaitGroup
	for i := range 20 {
		asking.Go(func() {
			all.keepAsking(ctx, fmt.Sprintf("127.1.%d.%d", round, i+1), time.Second, "gzip", &all.small, func(n int) string {
				return fmt.Sprintf("http://%s%s?q=night&limit=20&offset=%d", api, users, 20*(n+1000*round)+i)
			})
		})
	}
	for i, encoding := range []string{"identity", "gzip", "br", "zstd"} {
		asking.Go(func() {
			all.keepAsking(ctx, fmt.Sprintf("127.2.%d.%d", round, i+1), 2*time.Second, encoding, &all.large, func(n int) string {
				return fmt.Sprintf("http://%s%s?q=%c&offset=%d", api, users, "bdfg"[i], n+1000*round)
			})
		})
	}
	asking.Wait()
	return all
}

func (o *others) keepAsking(ctx context.Context, addr string, every time.Duration, encoding string, took *[]time.Duration, target func(n int) string) {
	client := asker(addr)
	for n := 0; ctx.Err() == nil; n++ {
		start := time.Now()
		outcome := whole(client, target(n), encoding)
		o.mu.Lock()
		if outcome == "" {
			*took = append(*took, time.Since(start))
		} else {
			o.failed[outcome]++
		}
		o.mu.Unlock()
		time.Sleep(time.Until(start.Add(every)))
	}
}

// whole sends one request; "" means a complete response.
func whole(client *http.Client, url, encoding string) string {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Accept-Encoding", encoding)
	response, err := client.Do(r)
	if err != nil {
		return "no answer"
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	switch {
	case response.StatusCode != http.StatusOK:
		return fmt.Sprint(response.StatusCode)
	case err != nil || n != response.ContentLength:
		return "cut short"
	}
	return ""
}

// harmed reports whether any request failed, or the 99th percentile of small responses is too
// high.
func (o *others) harmed(longest time.Duration) bool {
	return len(o.failed) > 0 || len(o.small) == 0 || len(o.large) == 0 || trial.Percentile(o.small, 99) > longest
}

func (o *others) String() string {
	of := func(took []time.Duration, p float64) time.Duration {
		return trial.Percentile(took, p).Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("others: %d small answers, p50 %v, p99 %v, %d large ones, p50 %v, slowest %v, failed: %v",
		len(o.small), of(o.small, 50), of(o.small, 99), len(o.large), of(o.large, 50), of(o.large, 100), o.failed)
}
