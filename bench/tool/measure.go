package main

import (
	"slices"
	"time"
)

// spread is the distribution of the durations of many searches, in seconds. Each search is
// measured several times and counts with its median, to exclude other load.
type spread struct {
	Searches int     `json:"searches"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	Max      float64 `json:"max"`
}

// summed returns the spread of searches with these times, at least one.
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

// quantile returns the quantile of sorted values for a share.
func quantile(values []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// slowest returns the index of the search with the highest median. There must be one.
func slowest(times [][]time.Duration) int {
	at := 0
	for i, t := range times {
		if quantile(t, 0.5) > quantile(times[at], 0.5) {
			at = i
		}
	}
	return at
}
