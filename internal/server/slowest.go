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
	"vitrine/internal/overview"
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
	kept []overview.Slow // slowest first
}

func (s *slowest) observe(operation string, o operations.Outcome) {
	if int64(o.Took) <= s.floor.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) == slowLimit && o.Took <= s.kept[slowLimit-1].Took {
		return
	}
	place, _ := slices.BinarySearchFunc(s.kept, o.Took, func(r overview.Slow, took time.Duration) int { return cmp.Compare(took, r.Took) })
	s.kept = slices.Insert(s.kept[:min(len(s.kept), slowLimit-1)], place, overview.Slow{
		At: time.Now(), Operation: operation, Target: targetOf(o), Status: o.Status, Took: o.Took,
	})
	s.raise()
}

// forget removes requests that are too old.
func (s *slowest) forget(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(r overview.Slow) bool { return now.Sub(r.At) > slowFor })
	s.raise()
}

// raise updates the floor.
func (s *slowest) raise() {
	floor := time.Duration(0)
	if len(s.kept) == slowLimit {
		floor = s.kept[slowLimit-1].Took
	}
	s.floor.Store(int64(floor))
}

func (s *slowest) list(now time.Time) []overview.Slow {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.kept), func(r overview.Slow) bool { return now.Sub(r.At) > slowFor })
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
