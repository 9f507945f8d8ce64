package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// paths are the requests of the trial. Their bodies differ from revision to revision.
var paths = []string{
	"/api/open/chains", "/api/open/chains/fleet", "/api/open/chains?q=fleet&limit=5", "/api/open/meta", "/api/open/search?q=fleet",
	"/api/open/changes?since=1&limit=20", "/en/chains/fleet", "/api/open/nav/menus/wallets",
}

// answer is a response.
type answer struct {
	status   int
	revision int64
	sum      [sha256.Size]byte
}

var client = &http.Client{
	Timeout:   15 * time.Second,
	Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
}

func get(ctx context.Context, address, path string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return answer{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	revision, _ := strconv.ParseInt(response.Header.Get("Catalog-Revision"), 10, 64)
	return answer{response.StatusCode, revision, sha256.Sum256(body)}, nil
}

// place and revision of a body.
type body struct {
	path     string
	revision int64
}

// truth has the responses of the publisher.
type truth struct {
	mu   sync.Mutex
	sums map[body][sha256.Size]byte
}

func newTruth() *truth { return &truth{sums: map[body][sha256.Size]byte{}} }

// learn records the responses of a server at a revision.
func (t *truth) learn(ctx context.Context, address string, revision int64) error {
	for _, path := range paths {
		a, err := get(ctx, address, path)
		if err != nil {
			return err
		}
		if a.status != http.StatusOK || a.revision != revision {
			return fmt.Errorf("%s has status %d and revision %d, not %d", path, a.status, a.revision, revision)
		}
		t.mu.Lock()
		t.sums[body{path, revision}] = a.sum
		t.mu.Unlock()
	}
	return nil
}

// answers has the responses of the fleet. It is safe for concurrent use.
type answers struct {
	mu       sync.Mutex
	sums     map[body]map[[sha256.Size]byte]int
	n        int
	failed   int
	problems []string
	took     []time.Duration
}

func newAnswers() *answers { return &answers{sums: map[body]map[[sha256.Size]byte]int{}} }

func (a *answers) problem(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.problems = append(a.problems, time.Now().Format(time.TimeOnly)+" "+what)
}

func (a *answers) add(path string, got answer, err error, took time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
	a.took = append(a.took, took)
	if err != nil || got.status != http.StatusOK {
		a.failed++
		a.problems = append(a.problems, fmt.Sprintf("%s %s: status %d, %v", time.Now().Format(time.TimeOnly), path, got.status, err))
		return
	}
	b := body{path, got.revision}
	if a.sums[b] == nil {
		a.sums[b] = map[[sha256.Size]byte]int{}
	}
	a.sums[b][got.sum]++
}

// ask sends requests through nginx at a steady rate until ctx is done, and waits for their responses.
func (s *setting) ask(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	tick := time.NewTicker(time.Second / time.Duration(s.rate))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		path := paths[rand.IntN(len(paths))]
		running.Go(func() {
			start := time.Now()
			got, err := get(context.Background(), s.front, path)
			s.answers.add(path, got, err, time.Since(start))
		})
	}
}
