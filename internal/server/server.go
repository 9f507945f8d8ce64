// Package server is the HTTP process: it serves the public and the admin listener, and shuts down
// gracefully.
//
// It knows the outcomes of API requests, but no route and no body, and the status of following. It
// must not know any engine of a store, or the command line. *Metrics are safe for concurrent use.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Limits of requests and connections. Requests have short headers and no body.
const (
	// Above the limit of the handler, whose error is better than that of the standard library,
	// which adds 4 KiB and the request line.
	maxHeaderBytes = 60 << 10

	// Enough for probes and operators.
	adminConnections = 100
)

// publicLimits and adminLimits are the time limits of connections. A profile is written only at
// its end.
var (
	publicLimits = limits{read: 5 * time.Second, write: 20 * time.Second, idle: 2 * time.Minute}
	adminLimits  = limits{read: 5 * time.Second, write: maxProfile + time.Minute, idle: 2 * time.Minute}
)

// Config configures [Run].
type Config struct {
	Public        net.Listener
	PublicHandler http.Handler
	Admin         net.Listener // nil for none
	AdminHandler  http.Handler
	// Background functions run in parallel to the listeners until their context is done.
	Background []func(context.Context)
	// Begin returns when Public may be served, or its context is done. Until then clients wait, or
	// another process with the same socket answers. It may be nil.
	Begin func(context.Context)
	// MaxConnections is the maximum number of open connections of Public; 0 for none.
	MaxConnections int
	// Drain is the maximum duration of a shutdown. For its first part, Grace at most, new
	// connections are accepted and kept ones are asked to close.
	Drain, Grace time.Duration
	Log          *slog.Logger
	Metrics      *Metrics
}

// Run serves until ctx is done. Then it continues for config.Grace, stops accepting connections,
// and waits for requests until config.Drain has passed since ctx was done, and returns nil. There
// is no grace if the cause of ctx is [ErrAtOnce]. If a listener fails, it returns the error. On
// return both listeners are closed and all its goroutines have ended, unless they took longer than
// config.Drain (a large compile).
func Run(ctx context.Context, config Config) error {
	inner, fail := context.WithCancelCause(ctx)
	defer fail(nil)

	var running sync.WaitGroup
	for _, run := range config.Background {
		running.Go(func() { run(inner) })
	}
	var draining drainer
	servers := newServers(config, &draining)
	for _, s := range servers {
		running.Go(func() { s.serve(inner, fail) })
	}
	if config.Admin != nil {
		running.Go(func() { config.Metrics.sample(inner) })
	}
	sweeping, swept := context.WithCancel(context.WithoutCancel(ctx)) // limits apply to the end
	defer swept()
	for _, s := range servers {
		running.Go(func() { s.on.sweep(sweeping) })
	}

	<-inner.Done()
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), config.Drain)
	defer cancel()
	draining.end(deadline, graceOf(ctx, config), config, servers)
	swept()
	await(deadline, &running, config)
	if ctx.Err() != nil {
		return nil // a shutdown is no error
	}
	return context.Cause(inner)
}

// server is an HTTP server with its listener.
type server struct {
	*http.Server
	on    *connections
	begin func(context.Context) // may be nil
	ended chan struct{}         // closed when serve has returned
}

// serve serves and reports the error of the listener to fail, which keeps the first.
func (s server) serve(ctx context.Context, fail context.CancelCauseFunc) {
	defer close(s.ended)
	if s.begin != nil {
		s.begin(ctx)
	}
	fail(fmt.Errorf("serve %s: %w", s.on.Addr(), s.Serve(s.on)))
}

// newServers returns the servers in the order of shutdown: the admin listener ends last, so
// operators can watch.
func newServers(config Config, draining *drainer) []server {
	servers := []server{newServer(
		newConnections(config.Public, config.MaxConnections, publicLimits, config.Metrics.connections),
		draining.public(config.PublicHandler), config.Log)}
	servers[0].begin = config.Begin
	if config.Admin != nil {
		servers = append(servers, newServer(
			newConnections(config.Admin, adminConnections, adminLimits, newConnectionMetrics(promauto.With(nil))), // unregistered
			draining.admin(config.AdminHandler), config.Log))
	}
	return servers
}

func newServer(on *connections, handler http.Handler, log *slog.Logger) server {
	return server{on: on, ended: make(chan struct{}), Server: &http.Server{
		Handler:        endAfterDoubt(handler),
		ConnContext:    connContext,
		ConnState:      on.changed,
		MaxHeaderBytes: maxHeaderBytes,
		// The handler answers `OPTIONS *` too.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     newErrorLog(log),
	}}
}
