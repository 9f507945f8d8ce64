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

// Limits of the remembered slow requests.
const (
	slowLimit  = 20
	slowFor    = time.Hour
	slowTarget = 200 // bytes of path and query
)

// slowest keeps the slowest requests of the last hour. A faster request costs one atomic load.
type slowest struct {
	floor atomic.Int64 // requests up to this duration are not kept

	mu   sync.Mutex
	kept []slowRequest // slowest first
}

// slowRequest is a slow request, without its client.
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

// forget removes requests that are too old.
func (s *slowest) forget(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(r slowRequest) bool { return now.Sub(r.at) > slowFor })
	s.raise()
}

// raise updates the floor.
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

// targetOf returns the path and the known query parameters of a request; "" for an error response,
// whose path may be anything. Unknown parameters may be passwords and are not kept.
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
	return strings.Clone(target) // does not keep a large string alive
}
