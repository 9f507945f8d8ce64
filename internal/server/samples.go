package server

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"vitrine/internal/overview"
)

// Samples of the last hour.
const (
	sampleEvery = 10 * time.Second
	sampleLimit = int(time.Hour/sampleEvery) + 1
)

// samples are the values of the request counter over the last hour.
type samples struct {
	counter *prometheus.Registry // with that counter only

	mu   sync.Mutex
	kept []overview.Sample // oldest first
}

func newSamples(requests *prometheus.CounterVec) samples {
	counter := prometheus.NewRegistry()
	counter.MustRegister(requests)
	return samples{counter: counter}
}

// sample takes samples until ctx is done.
func (m *Metrics) sample(ctx context.Context) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	m.samples.take(time.Now())
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			m.samples.take(now)
			m.slowest.forget(now)
		}
	}
}

func (s *samples) take(now time.Time) {
	next := s.now(now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, next)
	if extra := len(s.kept) - sampleLimit; extra > 0 {
		s.kept = append(s.kept[:0], s.kept[extra:]...)
	}
}

// list returns the samples and one of now.
func (s *samples) list(now time.Time) []overview.Sample {
	last := s.now(now)
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(append(make([]overview.Sample, 0, len(s.kept)+1), s.kept...), last)
}

// now returns the current counts by class of status.
func (s *samples) now(now time.Time) overview.Sample {
	sample := overview.Sample{At: now}
	all, _ := gather(s.counter) // cannot fail: a single counter is always consistent
	for _, f := range all[requestsMetric] {
		switch code := f.labels["code"]; {
		case code < "4":
			sample.Answered += f.value
		case code < "5":
			sample.Refused += f.value
		default: // also "none"
			sample.Failed += f.value
		}
	}
	return sample
}
