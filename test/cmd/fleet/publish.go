package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"vitrine/test/internal/trial"
)

// edit changes the chain of the trial.
func (s *setting) edit(n int) error {
	text := fmt.Sprintf("- {slug: fleet, chain_id: fleet:1, name: Fleet, description: Edit %d, llama_tvl: %d}\n", n, 1e9+n)
	return os.WriteFile(filepath.Join(s.catalogDir, "chains", "fleet.yaml"), []byte(text), 0o644)
}

func (s *setting) publish(ctx context.Context) error {
	return trialCommand(ctx, s.options.vitrine, "import", s.catalogDir, "--store", s.store)
}

// publishNowAndThen publishes a revision in each interval. A publish that fails, as while PostgreSQL
// cannot be reached, is repeated with the next edit.
func (s *setting) publishNowAndThen(ctx context.Context) {
	for edit := 2; pause(ctx, s.every); edit++ {
		s.note(s.edit(edit))
		within, cancel := context.WithTimeout(ctx, 30*time.Second)
		err := s.publish(within)
		cancel()
		if err != nil {
			s.lags.failed()
			continue
		}
		number := s.lags.published()
		var learned error
		_, err = trial.Until(30*time.Second, func() bool {
			learned = s.truth.learn(ctx, s.publisher.address, number)
			return learned == nil || ctx.Err() != nil
		})
		if err != nil {
			s.note(fmt.Errorf("the publisher does not serve revision %d: %w", number, learned))
		}
	}
}

// lags has what is known of revisions: when they were published, and when readers served them.
type lags struct {
	mu      sync.Mutex
	times   []time.Time // of the publishes, from revision 1
	fails   int
	seen    []int64 // by reader, the newest revision
	longest []time.Duration
	sum     time.Duration
	n       int
	back    int // times that a reader served an older revision
}

func newLags(readers int) *lags {
	return &lags{times: []time.Time{time.Now()}, seen: make([]int64, readers), longest: make([]time.Duration, readers)}
}

// published returns the number of a revision that was published just now.
func (l *lags) published() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times = append(l.times, time.Now())
	return int64(len(l.times))
}

func (l *lags) failed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fails++
}

// served records the revision of a reader. The lag of a reader is the age of the oldest publish that
// it does not serve yet.
func (l *lags) served(reader int, revision int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if revision < l.seen[reader] {
		l.back++
	}
	l.seen[reader] = max(revision, l.seen[reader])
	if int(revision) < len(l.times) {
		lag := time.Since(l.times[revision])
		l.longest[reader] = max(l.longest[reader], lag)
		l.sum += lag
	}
	l.n++
}

// watchReaders asks each reader for its revision a few times per second.
func (s *setting) watchReaders(ctx context.Context) {
	var running sync.WaitGroup
	for i, r := range s.readers {
		running.Go(func() {
			for pause(ctx, 200*time.Millisecond) {
				if a, err := get(ctx, r.address, "/api/open/meta"); err == nil && a.status == 200 {
					s.lags.served(i, a.revision)
				}
			}
		})
	}
	running.Wait()
}
