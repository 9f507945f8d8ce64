package server

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/promauto"
)

// pipes is a listener that accepts the connections of a test.
type pipes struct {
	net.Listener
	next chan net.Conn
}

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p.next
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error {
	close(p.next)
	return nil
}

// floor is a listener with a maximum on a fake clock, and its connections.
type floor struct {
	*connections
	next     chan net.Conn
	accepted []*connection // used only by accept
	clients  []net.Conn
}

func newFloor(most int) *floor {
	next := make(chan net.Conn)
	return &floor{connections: newConnections(pipes{next: next}, most, limits{}, newConnectionMetrics(promauto.With(nil))), next: next}
}

func (f *floor) accept() {
	for {
		c, err := f.Accept()
		if err != nil {
			return
		}
		f.accepted = append(f.accepted, c.(*connection))
	}
}

// arrive opens connections, one per second.
func (f *floor) arrive(times int) {
	for range times {
		time.Sleep(time.Second)
		client, own := net.Pipe()
		f.clients = append(f.clients, client)
		f.next <- own
		synctest.Wait()
	}
}

// is sets the state of connections, one per second.
func (f *floor) is(state http.ConnState, numbers ...int) {
	for _, n := range numbers {
		time.Sleep(time.Second)
		f.changed(f.accepted[n], state)
		synctest.Wait()
	}
}

// gone returns the numbers of the connections that were closed.
func (f *floor) gone() (numbers []int) {
	for n, client := range f.clients {
		client.SetReadDeadline(time.Now().Add(-time.Second))
		if _, err := client.Read(make([]byte, 1)); err == io.EOF {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func (f *floor) end() {
	f.Close()
	for _, c := range f.openConnections() {
		c.Close()
	}
}

func TestDisplacement(t *testing.T) {
	const active, idle = http.StateActive, http.StateIdle
	for _, tt := range []struct {
		name     string
		most     int
		do       func(*floor)
		gone     []int
		accepted int
	}{
		{"there is room", 2, func(f *floor) { f.arrive(2) }, nil, 2},
		{"no maximum", 0, func(f *floor) { f.arrive(3) }, nil, 3},
		{"the longest idle one is displaced", 2, func(f *floor) { f.arrive(3) }, []int{0}, 3},
		{"several, longest idle first", 2, func(f *floor) { f.arrive(5) }, []int{0, 1, 2}, 5},
		{"not an active one", 2, func(f *floor) { f.arrive(2); f.is(active, 0); f.arrive(1) }, []int{1}, 3},
		{"not the one that became idle last", 2, func(f *floor) {
			f.arrive(2)
			f.is(active, 0)
			f.is(idle, 0)
			f.arrive(1)
		}, []int{1}, 3},
		{"not one that got a request since the scan", 3, func(f *floor) {
			f.arrive(3)
			f.arrive(1) // scans, and displaces 0
			f.is(active, 1)
			f.arrive(1)
		}, []int{0, 2}, 5},
		{"a request resets the idle time", 3, func(f *floor) {
			f.arrive(4)
			f.is(active, 1)
			f.is(idle, 1)
			f.arrive(2)
		}, []int{0, 2, 3}, 6},
		{"an idle one before stalled ones", 3, func(f *floor) {
			f.arrive(3)
			f.is(active, 0, 1, 2)
			time.Sleep(stall)
			f.arrive(1) // displaces 0, which has stalled longest
			f.is(active, 3)
			f.is(idle, 2)
			f.arrive(1)
		}, []int{0, 2}, 5},
		{"all are active: the new one waits", 1, func(f *floor) { f.arrive(1); f.is(active, 0); f.arrive(1) }, nil, 1},
		{"until one is idle", 1, func(f *floor) {
			f.arrive(1)
			f.is(active, 0)
			f.arrive(1)
			f.changed(f.accepted[0], idle)
			synctest.Wait()
		}, []int{0}, 2},
		{"until one is closed", 1, func(f *floor) {
			f.arrive(1)
			f.is(active, 0)
			f.arrive(1)
			f.accepted[0].Close()
			synctest.Wait()
		}, []int{0}, 2},
		{"until the listener closes", 1, func(f *floor) {
			f.arrive(1)
			f.is(active, 0)
			f.arrive(1)
			f.Close()
			synctest.Wait()
			f.next = nil
		}, nil, 2},
		{"until one stalls, longest first", 2, func(f *floor) {
			f.arrive(2)
			f.is(active, 1, 0)
			f.arrive(1)
			time.Sleep(stall)
			synctest.Wait()
		}, []int{1}, 3},
		{"an idle one before a stalled one", 2, func(f *floor) {
			f.arrive(2)
			f.is(active, 0)
			time.Sleep(2 * stall)
			f.arrive(1)
		}, []int{1}, 3},
		{"a closed one makes room", 2, func(f *floor) { f.arrive(2); f.accepted[1].Close(); f.arrive(1) }, []int{1}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFloor(tt.most)
				go f.accept()
				tt.do(f)
				if got := f.gone(); !slices.Equal(got, tt.gone) {
					t.Errorf("%d were closed, want %d", got, tt.gone)
				}
				if len(f.accepted) != tt.accepted {
					t.Errorf("%d were accepted, want %d", len(f.accepted), tt.accepted)
				}
				if f.next != nil {
					f.Close()
				}
				for _, c := range f.openConnections() {
					c.Close()
				}
			})
		})
	}
}

// TestCloseSilent checks that closing silent connections spares recent and active ones.
func TestCloseSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFloor(0)
		go f.accept()
		f.arrive(4)
		f.is(http.StateActive, 0, 1)
		f.is(http.StateIdle, 1)
		if left := f.closeSilent(3 * time.Second); left != 2 {
			t.Errorf("%d are left, want 2", left)
		}
		if got := f.gone(); !slices.Equal(got, []int{2, 3}) {
			t.Errorf("%d were closed, want those that never sent anything", got)
		}
		f.end()
	})
}

// recorded is a connection that records the sizes of its writes.
type recorded struct {
	net.Conn
	sizes []int
}

func (r *recorded) Write(p []byte) (int, error) {
	r.sizes = append(r.sizes, len(p))
	return r.Conn.Write(p)
}

// wrote calls Write while a client reads half a piece every three seconds and during is called
// every second. It returns the sizes of the writes.
func wrote(t *testing.T, size int, during func(*connection)) (sizes []int) {
	t.Helper()
	sent := make([]byte, size)
	for i := range sent {
		sent[i] = byte(i >> 10)
	}
	client, own := net.Pipe()
	conn := &recorded{Conn: own}
	c := &connection{Conn: conn, of: newConnections(nil, 0, limits{}, newConnectionMetrics(promauto.With(nil)))}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if n, err := c.Write(sent); n != size || err != nil {
			t.Errorf("Write() = %d, %v, want %d", n, err, size)
		}
	}()
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Second):
				during(c)
			}
		}
	}()
	got := make([]byte, 0, size)
	for len(got) < size {
		time.Sleep(3 * time.Second)
		n, err := io.ReadFull(client, got[len(got):min(size, len(got)+pieceBytes/2)])
		if got = got[:len(got)+n]; err != nil {
			t.Fatal(err)
		}
	}
	<-done
	if !bytes.Equal(got, sent) {
		t.Error("the client got other bytes")
	}
	return conn.sizes
}

func TestBursts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for size, want := range map[int][]int{1: {1}, burstBytes: {burstBytes}, 2*burstBytes + 1: {burstBytes, burstBytes, 1}} {
			if sizes := wrote(t, size, func(*connection) {}); !slices.Equal(sizes, want) {
				t.Errorf("%d bytes were written as %d, want %d", size, sizes, want)
			}
		}
	})
}

// TestInterruptedBurst checks that an interrupted burst continues in pieces, unless it is short, and
// that each piece updates the state of the connection.
func TestInterruptedBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		interrupt := func(c *connection) {
			c.interrupt()
			if idle := time.Duration(c.of.clock() + c.since.Load()); idle > 7*time.Second {
				t.Errorf("no progress was recorded for %v", idle)
			}
		}
		for size, want := range map[int][]int{
			pieceBytes:     {pieceBytes},
			3 * pieceBytes: {3 * pieceBytes, pieceBytes, pieceBytes, pieceBytes},
			pieceBytes + 1: {pieceBytes + 1, pieceBytes, 1},
		} {
			if sizes := wrote(t, size, interrupt); !slices.Equal(sizes, want) {
				t.Errorf("%d bytes were written as %d, want %d", size, sizes, want)
			}
		}
	})
}

// TestLateInterrupt checks that an interrupt that arrives after its write changes no later one.
func TestLateInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, own := net.Pipe()
		go io.Copy(io.Discard, client)
		c := &connection{Conn: own, of: newConnections(nil, 0, limits{}, newConnectionMetrics(promauto.With(nil)))}
		for _, size := range []int{10, 3 * pieceBytes} {
			c.bursts.Store(true)
			c.interrupt()
			for range 2 {
				if n, err := c.Write(make([]byte, size)); n != size || err != nil {
					t.Errorf("Write() = %d, %v, want %d", n, err, size)
				}
			}
		}
		client.Close()
	})
}
