package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// report checks all exchanges, prints figures by chain, and returns the number of wrong ones.
func (s *setting) report() (faults int) {
	fmt.Printf("%d requests for %d targets, %d revisions\n", len(s.exchanges), len(s.targets), len(s.truth.answers))
	for i := range s.chains {
		c := &s.chains[i]
		statuses, kept := map[int]int{}, 0
		var oldest, oldestError time.Duration
		total, wrong := 0, 0
		for _, e := range s.exchanges {
			if e.chain != c {
				continue
			}
			total++
			statuses[e.response.StatusCode]++
			if isKept(e.response) {
				kept++
			}
			if e.response.StatusCode < 400 {
				oldest = max(oldest, s.truth.behind(e))
			} else {
				oldestError = max(oldestError, s.truth.behind(e))
			}
			if err := s.truth.wrong(e); err != nil {
				if wrong++; wrong <= 5 {
					fmt.Printf("WRONG %s, %s %s, %+v, If-None-Match %q: %v\n", c.name, e.method, e.target, e.accept, e.tags, err)
				}
			}
		}
		faults += wrong
		fmt.Printf("%-20s %6d requests, %d wrong, %2d %% from the cache, bodies %.0f s old at most, errors %.0f s; statuses",
			c.name, total, wrong, 100*kept/max(1, total), oldest.Seconds(), oldestError.Seconds())
		for _, status := range slices.Sorted(maps.Keys(statuses)) {
			fmt.Printf(" %d: %d", status, statuses[status])
		}
		fmt.Println()
	}
	return faults
}

// isKept reports whether the response comes from a cache: nginx adds a header, and Varnish names
// the request that filled the cache.
func isKept(r *http.Response) bool {
	return slices.Contains([]string{"HIT", "STALE", "UPDATING", "REVALIDATED"}, r.Header.Get("X-Cache")) && r.Header.Get("X-Varnish") == "" ||
		strings.Contains(r.Header.Get("X-Varnish"), " ")
}

// withoutVitrine stops Vitrine, waits until cached responses are stale, and sends requests again:
// all chains must still respond correctly.
func (s *setting) withoutVitrine(ctx context.Context) (faults int) {
	const target = "/api/open/nav/menus/wallets"
	asked := func(c *chain) *exchange {
		return &exchange{chain: c, method: http.MethodGet, target: target, accept: acceptance{value: "gzip", codings: []string{"", "gzip"}}}
	}
	for i := range s.chains {
		if e := asked(&s.chains[i]); e.send(s.client) != nil {
			faults++
			fmt.Printf("WRONG %s: no answer before Vitrine is ended\n", e.chain.name)
		}
	}
	stop(s.vitrine)
	select {
	case <-ctx.Done():
		return faults
	case <-time.After(2*fresh + slack): // one for each cache in a row
	}
	for range 2 { // the first may be fetched in the background
		for i := range s.chains {
			e := asked(&s.chains[i])
			err := e.send(s.client)
			if err == nil && e.response.StatusCode == 200 {
				err = s.truth.wrong(e)
			}
			if err != nil || e.response.StatusCode != 200 {
				faults++
				fmt.Printf("WRONG %s without Vitrine: %s, %v\n", e.chain.name, status(e), err)
			}
		}
	}
	fmt.Printf("without Vitrine for %v: %d wrong\n", 2*fresh+slack, faults)
	return faults
}

func status(e *exchange) string {
	if e.response == nil {
		return "no answer"
	}
	return e.response.Status
}

// said returns the output of the processes.
func (f *fleet) said() string {
	var all strings.Builder
	logs, _ := filepath.Glob(filepath.Join(f.dir, "*.log")) // the pattern is valid
	for _, name := range logs {
		if text, err := os.ReadFile(name); err == nil && len(text) > 0 {
			fmt.Fprintf(&all, "%s: %s\n", filepath.Base(name), text)
		}
	}
	return all.String()
}
