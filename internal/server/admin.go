package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/pprof"
	"time"
)

// readiness is the body of /readyz.
type readiness struct {
	Ready    bool       `json:"ready"`
	Revision int64      `json:"revision,omitempty"` // that is served
	Since    *time.Time `json:"since,omitempty"`    // when this process began to serve it

	Demonstration bool `json:"demonstration,omitempty"` // what is served is the bundled catalogue

	// Stale: what is served may be older than what was published, because of
	// StoreProblem. (A store that can be followed, but in which damage was found,
	// is a problem without that.) StaleSince is when the store was well last or, if it was not
	// yet, when this process noticed.
	Stale      bool       `json:"stale,omitempty"`
	StaleSince *time.Time `json:"staleSince,omitempty"`

	// Draining: why a process that ends is not ready; nothing else is said then.
	Draining string `json:"draining,omitempty"`

	// APIKeysProblem: what keeps the API keys from being read. Those count that
	// were read last, when APIKeysStaleSince says; without any the process is not
	// ready.
	APIKeysProblem    string     `json:"apiKeysProblem,omitempty"`
	APIKeysStaleSince *time.Time `json:"apiKeysStaleSince,omitempty"`

	// What an operator should see to; the service may be ready all the same.
	StoreProblem    string `json:"storeProblem,omitempty"`
	LastGoodProblem string `json:"lastGoodProblem,omitempty"` // a restart would not serve this revision without the store
	CatalogProblem  string `json:"catalogProblem,omitempty"`
	PublishHeld     *held  `json:"publishHeld,omitempty"` // the directory could be published, and waits for somebody to accept what it does
}

// maxProfile is how long a profile or a trace may run.
const maxProfile = 5 * time.Minute

// index is what an operator finds at the root.
const index = `Vitrine, for operators

/healthz        the process answers
/readyz         it serves a revision and knows the API keys; what is wrong, if anything is
/metrics        for Prometheus
/debug/pprof/   profiles
`

// NewAdmin makes the handler of the admin listener: a list of what there is at
// the root, /healthz (the process answers), /readyz (it serves a revision and knows the API keys, with details;
// [Run] says no while it ends), /metrics and
// /debug/pprof/. Nothing of it may be reachable from the public listener, nor
// for pages in a browser.
// Watcher is nil where no directory is watched.
func NewAdmin(f *Follower, w *Watcher, m *Metrics) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(rw, index) // fails when the operator has gone
	})
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, http.StatusOK, struct {
			Healthy bool `json:"healthy"`
		}{true})
	})
	mux.HandleFunc("GET /readyz", func(rw http.ResponseWriter, _ *http.Request) {
		state := readinessOf(f, w)
		status := http.StatusOK
		if !state.Ready {
			status = http.StatusServiceUnavailable
		}
		writeJSON(rw, status, state)
	})
	mux.Handle("GET /metrics", m.handler())
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", shortly(pprof.Profile))
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", shortly(pprof.Trace))
	return withoutPages(mux)
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

func readinessOf(f *Follower, w *Watcher) readiness {
	state := readiness{Demonstration: f.config.Demonstration}
	if s := f.serving.Load(); s != nil {
		state.Ready = f.Ready()
		state.Revision = s.snapshot.Revision().Number
		state.Since = &s.since
	}
	if fault := f.trouble.current.Load(); fault != nil {
		state.StoreProblem = fault.text
		if state.Revision != 0 {
			state.Stale, state.StaleSince = true, &fault.since
		}
	}
	if f.config.Keys != nil {
		state.keys(f.config.Keys)
	}
	if f.scrub != nil && state.StoreProblem == "" {
		state.StoreProblem = f.scrub.trouble.String()
	}
	if f.keeper != nil {
		state.LastGoodProblem = f.keeper.trouble.String()
	}
	if w != nil {
		state.CatalogProblem = w.trouble.String()
		state.PublishHeld = w.held.Load()
	}
	return state
}

// keys says what is wrong with the API keys.
func (state *readiness) keys(f *KeyFollower) {
	fault, known := f.trouble.current.Load(), f.Keys() != nil
	switch {
	case fault != nil && known:
		state.APIKeysProblem, state.APIKeysStaleSince = fault.text, &fault.since
	case fault != nil:
		state.APIKeysProblem = fault.text
	case !known:
		state.APIKeysProblem = "they have not been read yet"
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A prober that has gone away is the only reason to fail here.
	_ = json.NewEncoder(w).Encode(body)
}
