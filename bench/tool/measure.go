package main

import (
	"slices"
	"time"
)

// spread says how long many searches took, each measured several times: the
// figure of a search is the median of its times, so that what the machine did
// meanwhile is not in it. Seconds.
type spread struct {
	Searches int     `json:"searches"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	Max      float64 `json:"max"`
}

// summed makes the spread of searches with these times; there must be some.
func summed(times [][]time.Duration) spread {
	var medians []time.Duration
	for _, t := range times {
		medians = append(medians, quantile(t, 0.5))
	}
	return spread{
		Searches: len(medians),
		P50:      quantile(medians, 0.5).Seconds(),
		P99:      quantile(medians, 0.99).Seconds(),
		Max:      slices.Max(medians).Seconds(),
	}
}

// quantile returns the value that a share of the sorted values are below.
func quantile(values []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// slowest returns the place of the search with the highest median; there must
// be some.
func slowest(times [][]time.Duration) int {
	at := 0
	for i, t := range times {
		if quantile(t, 0.5) > quantile(times[at], 0.5) {
			at = i
		}
	}
	return at
}
