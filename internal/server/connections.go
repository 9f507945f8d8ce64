package server

import (
	"cmp"
	"context"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// pieceBytes is how much of an answer is written within one limit. A client is
// given time for each piece: a long answer may take long, but a client that hardly
// reads cannot hold a connection.
const pieceBytes = 64 << 10

// limits are how long a connection may stay as it is.
type limits struct {
	read  time.Duration // until the first request is there
	write time.Duration // for a piece of an answer, and to find it
	idle  time.Duration // until the next request is there
}

// sweepEvery is how often limits are looked at, and so how far off they may be.
// The timeouts of the HTTP server would be exact, and set four timers for each
// request.
const sweepEvery = time.Second

// stall is how long a client may take for a piece before its connection may be
// closed for another one.
const stall = 2 * time.Second

// connections is a listener that bounds how many of its connections are open, and
// closes those that stay as they are beyond the limits.
// At the bound a new connection takes the place of the one that has waited longest
// for a request. If all are being answered, it takes the place of the one whose
// client has stalled longest. Accept waits only while every connection is being
// answered and its client goes on reading.
type connections struct {
	net.Listener
	max     int // 0 for no bound
	limits  limits
	metrics *connectionMetrics
	began   time.Time

	mu     sync.Mutex
	open   map[*connection]struct{}
	closed bool

	waits atomic.Bool   // whether Accept waits for room
	room  chan struct{} // there may be some
	// Touched by Accept alone: connections that wait for a request, as of the last
	// scan, the longest first. One scan and one sort do for many newcomers.
	waiting []candidate
}

// candidate is a connection and its state at a scan.
type candidate struct {
	conn  *connection
	since int64
}

// connection is one of a listener's connections.
type connection struct {
	net.Conn
	of *connections
	// since says what the connection does and since when, by clock. Above 0: it
	// waits for a request since then. Below 0: a request is being answered, and
	// its client last took something at -since. 0: it is being closed.
	since      atomic.Int64
	asked      atomic.Bool // there was a request
	folded     atomic.Bool // a line of what was read began with a blank, see Read
	lineBegins bool        // with the next byte that is read
}

func newConnections(on net.Listener, most int, limits limits, metrics *connectionMetrics) *connections {
	metrics.limit.Set(float64(most))
	return &connections{
		Listener: on, max: most, limits: limits, metrics: metrics, began: time.Now(),
		open: map[*connection]struct{}{}, room: make(chan struct{}, 1),
	}
}

// clock is the time since the listener began; it is never 0 and does not go back.
func (l *connections) clock() int64 { return int64(time.Since(l.began)) + 1 }

// Accept is called by one goroutine.
func (l *connections) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn, of: l}
	for !l.admit(c) {
		if l.displace() {
			continue
		}
		l.waits.Store(true)
		if !l.displace() { // again: what became idle before waits was set announced nothing
			l.await()
		}
		l.waits.Store(false)
	}
	return c, nil
}

// admit takes a connection in unless there are too many. A listener that is
// closed takes in the last one, which was accepted and is to be answered.
func (l *connections) admit(c *connection) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.max > 0 && len(l.open) >= l.max && !l.closed {
		return false
	}
	c.since.Store(l.clock())
	l.open[c] = struct{}{}
	l.metrics.open.Set(float64(len(l.open)))
	return true
}

// await returns when there may be room: a connection is idle or closed, or may
// have stalled by now.
func (l *connections) await() {
	look := time.NewTimer(stall / 20)
	defer look.Stop()
	select {
	case <-l.room:
	case <-look.C:
	}
}

// displace closes the connection that may best be spared, and reports whether
// there was one.
func (l *connections) displace() bool {
	var stalled candidate
	if len(l.waiting) == 0 {
		stalled = l.scan()
	}
	for len(l.waiting) > 0 {
		best := l.waiting[0]
		l.waiting[0] = candidate{}
		l.waiting = l.waiting[1:]
		if l.spare(best) {
			return true
		}
	}
	return stalled.conn != nil && l.spare(stalled)
}

// spare closes a connection to make room, unless it has got on or was closed since
// the scan.
func (l *connections) spare(c candidate) bool {
	if !c.conn.closeSince(c.since) {
		return false
	}
	l.metrics.displaced.Inc()
	return true
}

// closeSince closes a connection that is still as it was since a time, see
// [connection.since], and reports whether it was.
func (c *connection) closeSince(since int64) bool {
	if !c.since.CompareAndSwap(since, 0) {
		return false
	}
	c.Close()
	return true
}

// scan finds who waits for a request, the longest first, and returns who stalls
// the longest, without a connection if nobody does.
func (l *connections) scan() (stalled candidate) {
	now := l.clock()
	for _, c := range l.openConnections() {
		switch since := c.since.Load(); {
		case since > 0:
			l.waiting = append(l.waiting, candidate{c, since})
		case since < 0 && now+since >= int64(stall) && (stalled.conn == nil || since > stalled.since):
			stalled = candidate{c, since}
		}
	}
	slices.SortFunc(l.waiting, func(a, b candidate) int { return cmp.Compare(a.since, b.since) })
	return stalled
}

// changed is told by the HTTP server when the header of a request was read and
// when it was answered. It runs for each request, so it takes no lock.
func (l *connections) changed(conn net.Conn, state http.ConnState) {
	c := conn.(*connection)
	switch state {
	case http.StateActive:
		c.since.Store(-l.clock())
		c.asked.Store(true)
	case http.StateIdle:
		c.since.Store(l.clock())
		if l.waits.Load() {
			l.announce()
		}
	}
}

// sweep closes connections that are beyond their limits, until ctx is done.
func (l *connections) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, sweepEvery)
		now := l.clock()
		for _, c := range l.openConnections() {
			since := c.since.Load()
			if since != 0 && now-max(since, -since) >= int64(l.limitOf(c, since)) {
				c.closeSince(since)
			}
		}
	}
}

func (l *connections) limitOf(c *connection, since int64) time.Duration {
	switch {
	case since < 0:
		return l.limits.write
	case c.asked.Load():
		return l.limits.idle
	}
	return l.limits.read
}

// announce wakes an Accept that waits for room.
func (l *connections) announce() {
	select {
	case l.room <- struct{}{}:
	default: // it was announced already
	}
}

// Close ends Accept; open connections stay.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.announce()
	return l.Listener.Close()
}

// closeSilent closes the connections that have waited for a request for long,
// and returns how many of all are left.
func (l *connections) closeSilent(long time.Duration) (left int) {
	now := l.clock()
	for _, c := range l.openConnections() {
		since := c.since.Load()
		if since <= 0 || now-since < int64(long) || !c.closeSince(since) {
			left++
		}
	}
	return left
}

// count returns how many connections are open, and how many of them are being
// answered.
func (l *connections) count() (open, answering int) {
	all := l.openConnections()
	for _, c := range all {
		if c.since.Load() < 0 {
			answering++
		}
	}
	return len(all), answering
}

// openConnections returns the open connections, in no order.
func (l *connections) openConnections() []*connection {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.open))
}

// Close may be called more than once.
func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.metrics.open.Set(float64(len(c.of.open)))
	c.of.mu.Unlock()
	c.since.Store(0) // it is not to be displaced any more
	c.of.announce()
	return c.Conn.Close()
}

// CloseWrite tells the client that nothing more comes, where the connection can;
// the HTTP server looks for it.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Write writes piece by piece. Before each it notes that the client took all
// before.
func (c *connection) Write(p []byte) (written int, err error) {
	for len(p) > 0 && err == nil {
		c.since.Store(-c.of.clock())
		var n int
		n, err = c.Conn.Write(p[:min(len(p), pieceBytes)])
		written += n
		p = p[n:]
	}
	return written, err
}
