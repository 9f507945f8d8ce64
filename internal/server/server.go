// Package server is the HTTP process: it serves two listeners (the public one and
// the operators') and ends without breaking off what is being answered.
//
// Of the API it knows the outcomes of requests, which it counts, but no route and
// no body; of what is followed, what operators are told. It must not know any
// engine of a store, or the command line. *Metrics are safe to share.
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

// Limits of a connection. Requests have no body and short headers.
const (
	// Well above what a handler takes, which answers better than the standard
	// library does. That reads 4 KiB more, request line included.
	maxHeaderBytes = 60 << 10

	// Probes and operators are few.
	adminConnections = 100
)

// publicLimits and adminLimits are how long connections may stay as they are.
// Profiles are written only when they are done.
var (
	publicLimits = limits{read: 5 * time.Second, write: 20 * time.Second, idle: 2 * time.Minute}
	adminLimits  = limits{read: 5 * time.Second, write: maxProfile + time.Minute, idle: 2 * time.Minute}
)

// Config says what [Run] runs.
type Config struct {
	Public        net.Listener
	PublicHandler http.Handler
	Admin         net.Listener // nil for none
	AdminHandler  http.Handler
	// Background is run beside the listeners: each function until its context
	// is done.
	Background []func(context.Context)
	// Begin returns when Public may be answered, or its context is done: until
	// then callers wait, or another process that shares the socket answers them.
	// It is nil where they need not.
	Begin func(context.Context)
	// MaxConnections bounds the open connections of Public; 0 sets no bound.
	MaxConnections int
	// Drain bounds how long the end of the service takes. For the Grace of that,
	// at most, new connections are still taken and kept ones are told to close.
	Drain, Grace time.Duration
	Log          *slog.Logger
	Metrics      *Metrics
}

// Run serves until ctx is done, goes on for config.Grace, then takes no new
// connections, lets requests end within config.Drain, counted from the first
// moment, and returns nil. There is no grace if the cause of ctx is [ErrAtOnce].
// It returns an error when a listener fails. Either way both listeners are
// closed, and nothing of it runs any more unless it took longer than
// config.Drain to notice (a large compile).
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
	if config.Metrics != nil && config.Admin != nil {
		running.Go(func() { config.Metrics.sample(inner) })
	}
	sweeping, swept := context.WithCancel(context.WithoutCancel(ctx)) // limits hold to the end
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
		return nil // asked to end, for whatever cause
	}
	return context.Cause(inner)
}

// server is an HTTP server with the listener that it is for.
type server struct {
	*http.Server
	on    *connections
	begin func(context.Context) // nil for at once
	ended chan struct{}         // serve has: nothing more is accepted
}

// serve tells fail what ends a listener, which counts if nothing came before.
func (s server) serve(ctx context.Context, fail context.CancelCauseFunc) {
	defer close(s.ended)
	if s.begin != nil {
		s.begin(ctx)
	}
	fail(fmt.Errorf("serve %s: %w", s.on.Addr(), s.Serve(s.on)))
}

// newServers returns the servers in the order in which they end: operators can
// watch the public one end.
func newServers(config Config, draining *drainer) []server {
	servers := []server{newServer(
		newConnections(config.Public, config.MaxConnections, publicLimits, config.Metrics.ofConnections()),
		draining.public(config.PublicHandler), config.Log)}
	servers[0].begin = config.Begin
	if config.Admin != nil {
		servers = append(servers, newServer(
			newConnections(config.Admin, adminConnections, adminLimits, newConnectionMetrics(promauto.With(nil))), // which nobody reads
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
		// `OPTIONS *` is the handler's, as every other request.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     newErrorLog(log),
	}}
}
