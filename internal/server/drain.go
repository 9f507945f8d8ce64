package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// ErrAtOnce is the cause of a context that ends [Run] without a grace period, for an operator at a
// terminal.
var ErrAtOnce = errors.New("asked to end at once")

// drainer announces a shutdown to clients. Closing an idle connection could drop a request that is
// on its way, so each connection is closed after its next response.
type drainer struct{ begun atomic.Bool }

// public asks clients to open a new connection for their next request, which a load balancer sends
// elsewhere.
func (d *drainer) public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.begun.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// admin answers readiness checks of load balancers.
func (d *drainer) admin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.begun.Load() && r.URL.Path == "/readyz" {
			writeJSON(w, http.StatusServiceUnavailable, readiness{Draining: "the process was asked to end and will soon take no new requests"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// end shuts down: it announces the end for the grace period, in which all requests are answered,
// then shuts down the servers one after the other, by the deadline.
func (d *drainer) end(deadline context.Context, grace time.Duration, config Config, servers []server) {
	d.begun.Store(true)
	public := servers[0]
	public.on.metrics.draining.Set(1)
	report := newProgress(deadline, config.Log, public.on)
	if grace > 0 {
		report.during("draining: new requests are still taken", func() { pause(deadline, grace) })
	}
	var late error
	report.during("finishing requests: no new connection is taken", func() { late = public.end(deadline) })
	report.end(late != nil)
	public.Close()
	for _, s := range servers[1:] {
		if s.end(deadline) != nil {
			config.Log.Warn("requests to the admin listener were aborted")
		}
		s.Close()
	}
}

// graceOf returns how long new requests are accepted after the shutdown began: 0 after a failed
// listener.
func graceOf(ctx context.Context, config Config) time.Duration {
	if ctx.Err() == nil || errors.Is(context.Cause(ctx), ErrAtOnce) {
		return 0
	}
	return config.Grace
}

// silentFor is how long a connection must have been idle to be closed at the end. A new connection
// may have a request on its way.
const silentFor = time.Second

// end closes the listener and waits until all requests are answered. The caller closes the
// remaining connections. [http.Server.Shutdown] does not answer a request that it reads after its
// call.
func (s server) end(ctx context.Context) error {
	s.on.Close()
	select {
	case <-s.ended:
	case <-ctx.Done():
	}
	for s.on.closeSilent(silentFor) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause(ctx, 10*time.Millisecond)
	}
	return nil
}

// moment is the time for goroutines to notice the end of their context.
const moment = 100 * time.Millisecond

// await waits for the background functions, a moment longer than for requests.
func await(deadline context.Context, running *sync.WaitGroup, config Config) {
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	until, _ := deadline.Deadline()
	select {
	case <-done:
	case <-time.After(time.Until(until) + moment):
		config.Log.Warn("background work was aborted", "after", config.Drain)
	}
}

// pause waits for a duration, or until ctx is done.
func pause(ctx context.Context, long time.Duration) {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
