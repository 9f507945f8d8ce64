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

// Load is how a service is called: half of the requests on connections of
// their own, half on connections that are kept.
type Load struct {
	Addr string // HOST:PORT
	Path string
	Rate int // requests a second
	Kept int // connections that are kept
}

// The ways in which a request fails.
const (
	Refused = "refused" // no connection, so that nothing was asked
	Reset   = "reset"
	Short   = "cut short"
	Late    = "timed out"
	Other   = "other"
)

// patience is how long an answer is waited for.
const patience = 15 * time.Second

// Tally is what came of requests. It is safe for concurrent use until Run has
// returned; its fields are for afterwards.
type Tally struct {
	mu      sync.Mutex
	Answers int // with status 200, complete
	Closed  int // of those, with Connection: close on a kept connection
	Failed  map[string]int
	First   map[string]time.Time // of each kind of failure
	Errors  []string             // some, in words
	Took    []time.Duration      // of answers, with connecting
}

// Run calls until ctx is done, and waits for the last answers.
func (l Load) Run(ctx context.Context) *Tally {
	tally := &Tally{Failed: map[string]int{}, First: map[string]time.Time{}}
	var running sync.WaitGroup
	every := time.Second * 2 / time.Duration(l.Rate)
	running.Go(func() {
		pace(ctx, every, func() { running.Go(func() { l.once(tally) }) })
	})
	for i := range l.Kept {
		running.Go(func() {
			time.Sleep(every * time.Duration(i)) // not all at once
			l.keep(ctx, tally, every*time.Duration(l.Kept))
		})
	}
	running.Wait()
	return tally
}

// During calls while do runs.
func (l Load) During(do func()) *Tally {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	tallies := make(chan *Tally, 1)
	go func() { tallies <- l.Run(ctx) }()
	do()
	stop()
	return <-tallies
}

// pace calls do at a steady rate; what was missed is made up for.
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

// refused is an error of connecting: the service has not seen the connection,
// but its kernel may have reset it.
type refused struct{ error }

// get asks once and reports whether the server closes the connection.
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

// discardResponse reads a whole response, of which the header is left.
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

// Bad counts failures, those of one kind left out.
func (t *Tally) Bad(except string) (n int) {
	for kind, count := range t.Failed {
		if kind != except {
			n += count
		}
	}
	return n
}

// Percentile returns how long the fastest p percent of answers took at most.
func (t *Tally) Percentile(p float64) time.Duration { return Percentile(t.Took, p) }

// PrintErrors prints what some requests failed with, one a line.
func (t *Tally) PrintErrors() {
	for _, e := range t.Errors {
		fmt.Println("     ", e)
	}
}
