package main

import (
	"context"
	"slices"
	"time"

	"vitrine/test/internal/trial"
)

// The sampled metrics.
const (
	goroutines  = "go_goroutines"
	heap        = "go_memstats_heap_alloc_bytes"
	resident    = "process_resident_memory_bytes"
	files       = "process_open_fds"
	connections = "vitrine_connections"
	kept        = "vitrine_cache_bytes"
	quotas      = "vitrine_limiter_clients"
	revision    = "vitrine_revision"
	processor   = "process_cpu_seconds_total"
	displaced   = "vitrine_connections_displaced_total"
	loads       = `vitrine_loads_total{result="ok"}`
	badLoads    = `vitrine_loads_total{result="failed"}`
	publishes   = `vitrine_publishes_total{result="ok"}`
	badPublish  = `vitrine_publishes_total{result="failed"}`
	decisions   = `vitrine_limiter_decisions_total{store="local"}`
	stale       = "vitrine_stale"
)

// sample has the values of /metrics at one time by series.
type sample map[string]float64

// sampler reads the metrics of a server.
type sampler struct {
	admin string   // HOST:PORT
	taken []sample // in chronological order
}

// every takes a sample per second until ctx is done.
func (s *sampler) every(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now, err := s.now()
		if err != nil {
			return err
		}
		s.taken = append(s.taken, now)
	}
}

// now takes one sample without storing it.
func (s *sampler) now() (sample, error) { return trial.Metrics(s.admin) }

// tenth returns the median of a series in one tenth of the samples, from 0.
func (s *sampler) tenth(series string, n int) float64 {
	values := s.values(series)
	values = values[len(values)*n/10 : max(len(values)*n/10+1, len(values)*(n+1)/10)]
	slices.Sort(values)
	return values[len(values)/2]
}

// most returns the maximum of a series.
func (s *sampler) most(series string) float64 { return slices.Max(s.values(series)) }

// growth returns the difference of a series between the last and the first sample.
func (s *sampler) growth(series string) float64 {
	values := s.values(series)
	return values[len(values)-1] - values[0]
}

// slept returns the largest number of consecutive samples without a change of a series.
func (s *sampler) slept(series string) (most int) {
	values, since := s.values(series), 0
	for i := range values {
		if values[i] != values[since] {
			since = i
		}
		most = max(most, i-since)
	}
	return most
}

func (s *sampler) values(series string) []float64 {
	values := make([]float64, len(s.taken))
	for i, at := range s.taken {
		values[i] = at[series]
	}
	return values
}
