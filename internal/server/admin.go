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
	Draining string `json:"draining,omitempty"` // why a process that ends is not ready; nothing else is said then
}

// maxProfile is how long a profile or a trace may run.
const maxProfile = 5 * time.Minute

// NewAdmin makes the handler of the admin listener: an overview for people at
// the root, /healthz (the process answers), /readyz (it serves a revision and knows the API keys, with details;
// [Run] says no while it ends), /metrics and
// /debug/pprof/. Nothing of it may be reachable from the public listener, nor
// for pages in a browser.
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
	mux.HandleFunc("GET /debug/pprof/profile", withSeconds(wholeSeconds, oneAtATime("CPU profile", shortly(pprof.Profile))))
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", withSeconds(someSeconds, oneAtATime("trace", shortly(pprof.Trace))))
	return withoutPages(mux)
}

// withSeconds answers 400 if the parameter seconds is not valid: package pprof would
// use its default instead. The parameter may be absent.
func withSeconds(valid func(seconds string) bool, observe http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if seconds := r.FormValue("seconds"); seconds != "" && !valid(seconds) {
			http.Error(w, "seconds must be a positive number, whole for a CPU profile", http.StatusBadRequest)
			return
		}
		observe(w, r)
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

// oneAtATime answers 409 while another request of the same handler runs: the runtime
// has one CPU profiler and one tracer.
func oneAtATime(name string, observe http.HandlerFunc) http.HandlerFunc {
	var running sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		if !running.TryLock() {
			http.Error(w, "another "+name+" is running; retry when it has ended", http.StatusConflict)
			return
		}
		defer running.Unlock()
		observe(w, r)
	}
}

// shortly bounds how long something is observed, whatever the request asks for:
// package pprof extends the write deadline of its server, and there is one
// profiler only. What was seen until then is sent.
func shortly(observe http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), maxProfile)
		defer cancel()
		observe(w, r.WithContext(ctx))
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A prober that has gone away is the only reason to fail here.
	_ = json.NewEncoder(w).Encode(body)
}
