package server

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/http/pprof"
	"strconv"
	"sync"
	"time"

	"vitrine/internal/follow"
)

// readiness is the body of /readyz.
type readiness struct {
	follow.Status
	Draining string `json:"draining,omitempty"` // set during shutdown; other fields are then empty
}

// maxProfile is the maximum duration of a profile or trace.
const maxProfile = 5 * time.Minute

// NewAdmin returns the handler of the admin listener: the overview at the root, /healthz (the
// process answers), /readyz (a revision is served and the API keys are known; [Run] makes it fail
// during shutdown), /metrics and /debug/pprof/. It must not be reachable from the public listener
// or from web pages.
func NewAdmin(f *follow.Follower, m *Metrics, about About) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", &overviewPage{follower: f, metrics: m, about: about})
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, http.StatusOK, struct {
			Healthy bool `json:"healthy"`
		}{true})
	})
	mux.HandleFunc("GET /readyz", func(rw http.ResponseWriter, _ *http.Request) {
		state := f.Status()
		status := http.StatusOK
		if !state.Ready {
			status = http.StatusServiceUnavailable
		}
		writeJSON(rw, status, state)
	})
	mux.Handle("GET /metrics", m.handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", observation("CPU profile", wholeSeconds, pprof.Profile))
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", observation("trace", someSeconds, pprof.Trace))
	return withoutPages(mux)
}

// observation returns the handler of an observation of package pprof.
//
//   - It answers 400 if the parameter seconds is present and invalid, for which pprof would use its default.
//   - It answers 409 while another request of it runs: the runtime has one CPU profiler and one tracer.
//   - It limits the duration, because pprof extends the write deadline of its server. The client gets
//     what was observed until the limit.
func observation(name string, valid func(seconds string) bool, observe http.HandlerFunc) http.HandlerFunc {
	var running sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		if seconds := r.FormValue("seconds"); seconds != "" && !valid(seconds) {
			http.Error(w, "seconds must be a positive number, whole for a CPU profile", http.StatusBadRequest)
			return
		}
		if !running.TryLock() {
			http.Error(w, "another "+name+" is running; retry when it has ended", http.StatusConflict)
			return
		}
		defer running.Unlock()
		ctx, cancel := context.WithTimeout(r.Context(), maxProfile)
		defer cancel()
		observe(w, r.WithContext(ctx))
	}
}

func wholeSeconds(seconds string) bool {
	n, err := strconv.ParseInt(seconds, 10, 64)
	return err == nil && n > 0
}

func someSeconds(seconds string) bool {
	n, err := strconv.ParseFloat(seconds, 64)
	return err == nil && n > 0 && !math.IsInf(n, 0)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// This fails only if the client has disconnected.
	_ = json.NewEncoder(w).Encode(body)
}
