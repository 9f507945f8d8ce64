package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// ErrAtOnce is the cause of a context that ends [Run] without its grace:
// somebody at a terminal waits.
var ErrAtOnce = errors.New("asked to end at once")

// drainer makes the end of a service known to its callers before it comes. To
// close an idle connection cuts off a request that is on its way already, so
// each connection is told with its next response instead.
type drainer struct{ begun atomic.Bool }

// public tells callers to open a new connection for their next request, which
// a load balancer then sends elsewhere.
func (d *drainer) public(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.begun.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// admin answers load balancers that ask whether to go on sending requests here.
func (d *drainer) admin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.begun.Load() && r.URL.Path == "/readyz" {
			writeJSON(w, http.StatusServiceUnavailable, readiness{Draining: "the process was asked to end and will soon take no new requests"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// end lets go of callers: it says so for the grace, in which everything is
// still answered, then ends the servers, one after the other, by the deadline.
func (d *drainer) end(deadline context.Context, grace time.Duration, config Config, servers []server) {
	d.begun.Store(true)
	public := servers[0]
	public.on.metrics.draining.Set(1)
	told := newProgress(deadline, config.Log, public.on)
	if grace > 0 {
		told.during("draining: new requests are still taken", func() { pause(deadline, grace) })
	}
	var late error
	told.during("finishing requests: no new connection is taken", func() { late = public.end(deadline) })
	told.end(late != nil)
	public.Close()
	for _, s := range servers[1:] {
		if s.end(deadline) != nil {
			config.Log.Warn("requests of operators were broken off")
		}
		s.Close()
	}
}

// graceOf returns how long the service still takes new requests once it is asked to
// end. After a failed listener there is no grace: no new request can come.
func graceOf(ctx context.Context, config Config) time.Duration {
	if ctx.Err() == nil || errors.Is(context.Cause(ctx), ErrAtOnce) {
		return 0
	}
	return config.Grace
}

// silentFor is how long a connection must have been without a request to be closed
// at the end. A request may be on its way on one that was accepted just now.
const silentFor = time.Second

// end closes the listener and waits until all requests are answered; the caller
// closes what is left.
// http.Server.Shutdown would not do: a request that it reads after its call gets no
// answer.
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

// moment is what goroutines get to notice what happened to them just now.
const moment = 100 * time.Millisecond

// await waits for what runs beside the listeners, a moment longer than for
// requests.
func await(deadline context.Context, running *sync.WaitGroup, config Config) {
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	late := make(chan struct{})
	stop := context.AfterFunc(deadline, func() { time.AfterFunc(moment, func() { close(late) }) })
	defer stop()
	select {
	case <-done:
	case <-late:
		config.Log.Warn("background work was broken off", "after", config.Drain)
	}
}

// pause waits for a time, or until ctx is done.
func pause(ctx context.Context, long time.Duration) {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
