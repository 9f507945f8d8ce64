package server

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"vitrine/internal/operations"
	"vitrine/internal/query"
)

// Bounds of what is remembered of slow requests.
const (
	slowLimit  = 20
	slowFor    = time.Hour
	slowTarget = 200 // bytes of a path and query
)

// slowest remembers the slowest requests of the last hour. What is faster than all of
// them takes one atomic load to tell.
type slowest struct {
	floor atomic.Int64 // no request that took less is kept

	mu   sync.Mutex
	kept []slowRequest // slowest first
}

// slowRequest is a request that took long. It has nothing of who asked.
type slowRequest struct {
	at        time.Time // when it ended
	operation string
	target    string // see targetOf
	status    int
	took      time.Duration
}

func (s *slowest) observe(operation string, o operations.Outcome) {
	if int64(o.Took) <= s.floor.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) == slowLimit && o.Took <= s.kept[slowLimit-1].took {
		return
	}
	place, _ := slices.BinarySearchFunc(s.kept, o.Took, func(r slowRequest, took time.Duration) int { return cmp.Compare(took, r.took) })
	s.kept = slices.Insert(s.kept[:min(len(s.kept), slowLimit-1)], place, slowRequest{
		at: time.Now(), operation: operation, target: targetOf(o), status: o.Status, took: o.Took,
	})
	s.raise()
}

// forget lets go of what is too old.
func (s *slowest) forget(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(r slowRequest) bool { return now.Sub(r.at) > slowFor })
	s.raise()
}

// raise sets the floor by what is kept.
func (s *slowest) raise() {
	floor := time.Duration(0)
	if len(s.kept) == slowLimit {
		floor = s.kept[slowLimit-1].took
	}
	s.floor.Store(int64(floor))
}

func (s *slowest) list() []slowRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}

// targetOf returns the path of a request and what the API knows of its query, as they
// were sent; "" where it was not answered with what was asked for. Its path may be
// anything then, and so may what is not known of a query: a password that
// somebody has put in the wrong place is not to be kept.
func targetOf(o operations.Outcome) string {
	if o.URL == nil || o.Status < http.StatusOK || o.Status >= http.StatusBadRequest {
		return ""
	}
	target := o.URL.EscapedPath()
	if known := query.Known(o.URL.RawQuery); known != "" {
		target += "?" + known
	}
	if len(target) > slowTarget {
		target = target[:slowTarget] + "…"
	}
	return strings.Clone(target) // of a string that may be large
}
