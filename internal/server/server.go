// Package server runs the service: it follows the store, watches a catalogue
// directory, serves two listeners (the public one and the operators') and ends
// without breaking off what is being answered.
//
// Of the API it knows the outcomes of requests, which it counts, but no route and
// no body. It must not know any engine of a store, or the command line. A *Follower and *Metrics are safe to share.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Limits of a connection. Requests have no body and short headers; answers are
// at most some megabytes.
const (
	// One bound for header and body: no operation reads a body, and every further
	// one is a timer that is set for each request.
	readTimeout  = 5 * time.Second
	writeTimeout = time.Minute
	idleTimeout  = 2 * time.Minute
	// Well above what a handler takes, which answers better than the standard
	// library does. That reads 4 KiB more, request line included.
	maxHeaderBytes = 60 << 10

	// Profiles and traces are written for longer, see maxProfile.
	adminWriteTimeout = time.Minute
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
	// Drain bounds how long requests may take to end when the service ends.
	Drain time.Duration
	Log   *slog.Logger
}

// Run serves until ctx is done, then takes no new connections, lets requests
// end within config.Drain and returns nil. It returns an error when a listener
// fails. Either way both listeners are closed, and nothing of it runs any more
// unless it took longer than config.Drain to notice (a large compile).
func Run(ctx context.Context, config Config) error {
	inner, fail := context.WithCancelCause(ctx)
	defer fail(nil)

	var running sync.WaitGroup
	for _, run := range config.Background {
		running.Go(func() { run(inner) })
	}
	servers := newServers(config)
	for _, s := range servers {
		running.Go(func() { s.serve(fail) })
	}

	<-inner.Done()
	drain(config, servers)
	await(&running, config)
	if ctx.Err() != nil {
		return nil // asked to end, for whatever cause
	}
	return context.Cause(inner)
}

// await waits for what runs beside the listeners, no longer than for requests.
func await(running *sync.WaitGroup, config Config) {
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(config.Drain):
		config.Log.Warn("background work was broken off", "after", config.Drain)
	}
}

// server is an HTTP server with the listener that it is for.
type server struct {
	*http.Server
	on net.Listener
}

// serve tells fail what else than a shutdown ends a listener.
func (s server) serve(fail context.CancelCauseFunc) {
	if err := s.Serve(s.on); !errors.Is(err, http.ErrServerClosed) {
		fail(fmt.Errorf("serve %s: %w", s.on.Addr(), err))
	}
}

// newServers returns the servers in the order in which they end: operators can
// watch the public one end.
func newServers(config Config) []server {
	servers := []server{{newServer(config.PublicHandler, writeTimeout, config.Log), config.Public}}
	if config.Admin != nil {
		servers = append(servers, server{newServer(config.AdminHandler, adminWriteTimeout, config.Log), config.Admin})
	}
	return servers
}

func newServer(handler http.Handler, write time.Duration, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:        handler,
		ReadTimeout:    readTimeout,
		WriteTimeout:   write,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		// `OPTIONS *` is the handler's, as every other request.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     newErrorLog(log),
	}
}

// drain ends the servers, one after the other, within one bound for all.
func drain(config Config, servers []server) {
	ctx, cancel := context.WithTimeout(context.Background(), config.Drain)
	defer cancel()
	for _, s := range servers {
		if err := s.Shutdown(ctx); err != nil {
			config.Log.Warn("requests were broken off", "after", config.Drain)
			s.Close()
		}
	}
}
