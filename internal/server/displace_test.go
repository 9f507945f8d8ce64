package server

import (
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

// slow is a client that accepts each write after a delay.
type slow struct {
	net.Conn
	sizes []int
}

func (s *slow) Write(p []byte) (int, error) {
	s.sizes = append(s.sizes, len(p))
	time.Sleep(15 * time.Second)
	return len(p), nil
}

// TestPieces checks that a response is written in pieces and that each updates the state.
func TestPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for size, want := range map[int][]int{1: {1}, pieceBytes: {pieceBytes}, 2*pieceBytes + 1: {pieceBytes, pieceBytes, 1}} {
			client := &slow{}
			c := connection{Conn: client, of: newConnections(nil, 0, limits{}, newConnectionMetrics(promauto.With(nil)))}
			if n, err := c.Write(make([]byte, size)); n != size || err != nil {
				t.Errorf("Write() = %d, %v", n, err)
			}
			if !slices.Equal(client.sizes, want) {
				t.Errorf("%d bytes went as %d, want %d", size, client.sizes, want)
			}
			last := time.Duration(len(want)-1) * 15 * time.Second
			if got := time.Duration(-c.since.Load()); got != last+1 {
				t.Errorf("%d bytes: last progress after %v, want %v", size, got, last)
			}
		}
	})
}
