package server

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// pieceBytes is how much of a response a client must accept within one time limit. A long response
// may take long, but a client that hardly reads cannot hold a connection.
const pieceBytes = 64 << 10

// burstBytes is how much of a response is written at once. More would save no time, and delay other
// responses.
const burstBytes = 256 << 10

// limits are the time limits of a connection.
type limits struct {
	read  time.Duration // until the first request is read
	write time.Duration // for computing a response, and for each piece of it
	idle  time.Duration // until the next request is read
}

// sweepEvery is the interval of checking limits, and so their precision. The timeouts of the HTTP
// server are exact but set four timers per request.
const sweepEvery = time.Second

// stall is how long a client may take for a piece before its connection may be displaced.
const stall = 2 * time.Second

// connections is a listener that limits the number of open connections and closes those that
// exceed the time limits. At the maximum, a new connection displaces the one that has been idle
// longest. If all are answering a request, it displaces the one whose client has stalled longest.
// Accept waits only while all clients keep reading.
type connections struct {
	net.Listener
	max     int // 0 for no maximum
	limits  limits
	metrics *connectionMetrics
	began   time.Time

	mu     sync.Mutex
	open   map[*connection]struct{}
	closed bool

	waits atomic.Bool   // whether Accept waits for room
	room  chan struct{} // signals that there may be room
	// Used only by Accept: idle connections of the last scan, longest first. One scan serves many
	// new connections.
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
	// since is the state of the connection and its time by clock. Above 0: idle since then. Below
	// 0: a request is being answered, and the client last accepted data at -since. 0: it is being
	// closed.
	since      atomic.Int64
	asked      atomic.Bool // a request was read
	bursts     atomic.Bool // more than a piece is being written in bursts; see Write
	folded     atomic.Bool // a line of the input began with a blank; see Read
	lineBegins bool        // the next byte begins a line
}

func newConnections(on net.Listener, most int, limits limits, metrics *connectionMetrics) *connections {
	metrics.limit.Set(float64(most))
	return &connections{
		Listener: on, max: most, limits: limits, metrics: metrics, began: time.Now(),
		open: map[*connection]struct{}{}, room: make(chan struct{}, 1),
	}
}

// clock returns the time since the listener was created. It is never 0 and monotonic.
func (l *connections) clock() int64 { return int64(time.Since(l.began)) + 1 }

// Accept must be called by one goroutine.
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
		if !l.displace() { // again: connections that became idle before waits was set were not announced
			l.await()
		}
		l.waits.Store(false)
	}
	return c, nil
}

// admit adds a connection unless there are too many. A closed listener still admits the last
// accepted one, which is to be answered.
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

// await returns when there may be room: a connection became idle or closed, or may have stalled.
func (l *connections) await() {
	look := time.NewTimer(stall / 20)
	defer look.Stop()
	select {
	case <-l.room:
	case <-look.C:
	}
}

// displace closes the most dispensable connection, and reports whether there was one.
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

// spare closes a connection to make room, unless its state changed since the scan.
func (l *connections) spare(c candidate) bool {
	if !c.conn.closeSince(c.since) {
		return false
	}
	l.metrics.displaced.Inc()
	return true
}

// closeSince closes a connection whose state is unchanged (see [connection.since]), and reports
// whether it did.
func (c *connection) closeSince(since int64) bool {
	if !c.since.CompareAndSwap(since, 0) {
		return false
	}
	c.Close()
	return true
}

// scan collects the idle connections, longest first, and returns the connection that has stalled
// longest, if any.
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

// changed is the ConnState hook: a request header was read, or its response was sent. It runs for
// each request, so it takes no lock.
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

// sweep closes connections that exceed their limits, until ctx is done. It interrupts writes whose
// progress is unknown.
func (l *connections) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, sweepEvery)
		now := l.clock()
		for _, c := range l.openConnections() {
			since := c.since.Load()
			if since != 0 && now-max(since, -since) >= int64(l.limitOf(c, since)) {
				c.closeSince(since)
			} else {
				c.interrupt()
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
	default: // already announced
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

// closeSilent closes the connections that have been idle for long, and returns the number of the
// others.
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

// count returns the numbers of open connections and of those that are answering a request.
func (l *connections) count() (open, answering int) {
	all := l.openConnections()
	for _, c := range all {
		if c.since.Load() < 0 {
			answering++
		}
	}
	return len(all), answering
}

// openConnections returns the open connections in no particular order.
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
	c.since.Store(0) // it must not be displaced any more
	c.of.announce()
	return c.Conn.Close()
}

// CloseWrite closes the write side if the connection supports it. The HTTP server looks for this
// method.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Write writes in bursts, or in pieces after a sweep has interrupted a burst. It records after each
// that the client has accepted it.
func (c *connection) Write(p []byte) (written int, err error) {
	c.since.Store(-c.of.clock())
	c.bursts.Store(len(p) > pieceBytes)
	for size := burstBytes; written < len(p) && err == nil; {
		var n int
		n, err = c.Conn.Write(p[written:min(len(p), written+size)])
		written += n
		if errors.Is(err, os.ErrDeadlineExceeded) { // of interrupt, perhaps meant for an earlier Write
			size = pieceBytes
			err = c.Conn.SetWriteDeadline(time.Time{})
		}
		if n > 0 && written < len(p) {
			c.since.Store(-c.of.clock())
		}
	}
	c.bursts.Store(false)
	return written, err
}

// interrupt makes Write continue in pieces, because how much of a burst the client has accepted is
// unknown. It sets at most one deadline for each Write, which this or a later Write removes.
func (c *connection) interrupt() {
	if c.bursts.CompareAndSwap(true, false) {
		c.Conn.SetWriteDeadline(time.Unix(1, 0)) // fails only if the connection is closed
	}
}
