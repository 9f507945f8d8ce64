package trial

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// Load describes the requests to a service: half of them on new connections, half on persistent
// ones.
type Load struct {
	Addr string // HOST:PORT
	Path string
	Rate int // requests per second
	Kept int // persistent connections
}

// The kinds of failures of a request.
const (
	Refused = "refused" // no connection, so that nothing was asked
	Reset   = "reset"
	Short   = "cut short"
	Late    = "timed out"
	Other   = "other"
)

// patience is the timeout of a response.
const patience = 15 * time.Second

// Tally has the results of requests. It is safe for concurrent use until Run returns; its fields
// may be read afterwards.
type Tally struct {
	mu      sync.Mutex
	Answers int // with status 200, complete
	Closed  int // of those, with Connection: close on a persistent connection
	Failed  map[string]int
	First   map[string]time.Time // of each kind of failure
	Errors  []string             // some, as text
	Took    []time.Duration      // durations of responses, including connecting
}

// Run sends requests until ctx is done, and waits for the last responses.
func (l Load) Run(ctx context.Context) *Tally {
	tally := &Tally{Failed: map[string]int{}, First: map[string]time.Time{}}
	var running sync.WaitGroup
	every := time.Second * 2 / time.Duration(l.Rate)
	running.Go(func() {
		pace(ctx, every, func() { running.Go(func() { l.once(tally) }) })
	})
	for i := range l.Kept {
		running.Go(func() {
			time.Sleep(every * time.Duration(i)) // spreads the connections over time
			l.keep(ctx, tally, every*time.Duration(l.Kept))
		})
	}
	running.Wait()
	return tally
}

// During sends requests while do runs.
func (l Load) During(do func()) *Tally {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	tallies := make(chan *Tally, 1)
	go func() { tallies <- l.Run(ctx) }()
	do()
	stop()
	return <-tallies
}

// pace calls do at a steady rate, and makes up for missed calls.
func pace(ctx context.Context, every time.Duration, do func()) {
	next := time.Now()
	for ctx.Err() == nil {
		if wait := time.Until(next); wait > 0 {
			time.Sleep(wait)
		}
		next = next.Add(every)
		do()
	}
}

func (l Load) once(tally *Tally) {
	start := time.Now()
	c, err := l.dial()
	if err == nil {
		defer c.Close()
		_, err = c.get(l, "Connection: close\r\n")
	}
	tally.add(start, err)
}

func (l Load) keep(ctx context.Context, tally *Tally, every time.Duration) {
	var c *client
	pace(ctx, every, func() {
		start, err := time.Now(), error(nil)
		if c == nil {
			if c, err = l.dial(); err != nil {
				tally.add(start, err)
				return
			}
		}
		last, err := c.get(l, "")
		tally.add(start, err)
		if last || err != nil {
			c.Close()
			c = nil
			tally.closed(err)
		}
	})
	if c != nil {
		c.Close()
	}
}

type client struct {
	net.Conn
	in *bufio.Reader
}

func (l Load) dial() (*client, error) {
	conn, err := net.DialTimeout("tcp", l.Addr, patience)
	if err != nil {
		return nil, refused{err}
	}
	return &client{conn, bufio.NewReader(conn)}, nil
}

// refused is an error of connecting: the service has not accepted the connection, but its kernel
// may have reset it.
type refused struct{ error }

// get sends one request and reports whether the server closes the connection.
func (c *client) get(l Load, header string) (last bool, err error) {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return false, err
	}
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n", l.Path, l.Addr, header); err != nil {
		return false, err
	}
	resp, err := discardResponse(c.in)
	if err != nil {
		return false, err
	}
	if resp.StatusCode != http.StatusOK {
		return false, fmt.Errorf("status %d", resp.StatusCode)
	}
	return resp.Close, nil
}

// discardResponse reads a whole response and keeps its header.
func discardResponse(in *bufio.Reader) (*http.Response, error) {
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp, err
}

func (t *Tally) closed(err error) {
	if err == nil {
		t.mu.Lock()
		t.Closed++
		t.mu.Unlock()
	}
}

func (t *Tally) add(start time.Time, err error) {
	took := time.Since(start)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		t.Answers++
		t.Took = append(t.Took, took)
		return
	}
	kind := kindOf(err)
	if t.Failed[kind]++; t.Failed[kind] == 1 {
		t.First[kind] = time.Now()
	}
	if t.Failed[kind] <= 3 {
		t.Errors = append(t.Errors, err.Error())
	}
}

func kindOf(err error) string {
	var timeout net.Error
	switch {
	case errors.As(err, new(refused)):
		return Refused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return Reset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Short
	case errors.As(err, &timeout) && timeout.Timeout():
		return Late
	}
	return Other
}

// Bad returns the number of failures, except those of one kind.
func (t *Tally) Bad(except string) (n int) {
	for kind, count := range t.Failed {
		if kind != except {
			n += count
		}
	}
	return n
}

// Percentile returns the maximum duration of the fastest p percent of responses.
func (t *Tally) Percentile(p float64) time.Duration { return Percentile(t.Took, p) }

// PrintErrors prints the errors of some failed requests, one per line.
func (t *Tally) PrintErrors() {
	for _, e := range t.Errors {
		fmt.Println("     ", e)
	}
}
