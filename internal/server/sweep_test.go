package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/promauto"
)

// swept runs a server with a sweeper over pipes, and returns a function that connects.
func swept(t *testing.T, handler http.HandlerFunc) (connect func() net.Conn) {
	t.Helper()
	next := make(chan net.Conn)
	on := newConnections(pipes{next: next}, 0, limits{read: 5 * time.Second, write: 20 * time.Second, idle: 2 * time.Minute}, newConnectionMetrics(promauto.With(nil)))
	s := newServer(on, handler, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		s.Close()
		// net/http waits half a second before it closes a connection with an unread request body, and
		// no goroutine may sleep when a bubble ends.
		time.Sleep(time.Minute)
		synctest.Wait()
	})
	go s.Serve(on)
	go on.sweep(ctx)
	return func() net.Conn {
		client, own := net.Pipe()
		next <- own
		return client
	}
}

// closedAfter returns how long it takes until the server closes the connection.
func closedAfter(t *testing.T, client net.Conn) time.Duration {
	t.Helper()
	start := time.Now()
	if _, err := io.Copy(io.Discard, client); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}

// TestSweep checks that each state of a connection ends within a sweep of its limit.
func TestSweep(t *testing.T) {
	const get = "GET / HTTP/1.1\r\nHost: a\r\n"
	answer := func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "short") }
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		send    string
		limit   time.Duration
	}{
		{"no data", answer, "", 5 * time.Second},
		{"an unfinished header", answer, get + "X: ", 5 * time.Second},
		{"half a line", answer, "GET / HT", 5 * time.Second},
		{"a missing chunk", answer, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", 20 * time.Second},
		{"idle after a response", answer, get + "\r\n", 2 * time.Minute},
		{"an unfinished second header", answer, get + "\r\n" + get, 2 * time.Minute},
		{"a missing body", answer, get + "Content-Length: 9\r\n\r\n", 20 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := swept(t, tt.handler)()
				go io.WriteString(client, tt.send)
				if took := closedAfter(t, client); took < tt.limit || took > tt.limit+sweepEvery {
					t.Errorf("closed after %v, want %v", took, tt.limit)
				}
			})
		})
	}
}

// TestSweepOfReaders checks that a slow client that accepts data gets the whole response, and that
// a stalled one is disconnected.
func TestSweepOfReaders(t *testing.T) {
	const pieces = 5
	long := strings.Repeat("x", pieces*pieceBytes)
	handler := func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, long) }
	synctest.Test(t, func(t *testing.T) {
		client := swept(t, handler)()
		go io.WriteString(client, "GET / HTTP/1.0\r\n\r\n")
		got := 0
		for buffer := make([]byte, pieceBytes/2); ; {
			n, err := io.ReadFull(client, buffer)
			got += n
			if err != nil {
				break
			}
			time.Sleep(5 * time.Second)
		}
		if got < len(long) {
			t.Errorf("a slow reader got %d bytes of %d", got, len(long))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		client := swept(t, handler)()
		go io.WriteString(client, "GET / HTTP/1.0\r\n\r\n")
		if _, err := io.ReadFull(client, make([]byte, pieceBytes)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		if rest, _ := io.Copy(io.Discard, client); rest > pieceBytes {
			t.Errorf("a stalled client gets %d more bytes", rest)
		}
	})
}

// TestSweepSparesTheBusy checks that a connection with regular requests stays open.
func TestSweepSparesTheBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := swept(t, func(w http.ResponseWriter, _ *http.Request) {})()
		for range 100 {
			go io.WriteString(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
			buffer := make([]byte, 4096)
			if n, err := client.Read(buffer); err != nil || !strings.HasPrefix(string(buffer[:n]), "HTTP/1.1 200") {
				t.Fatalf("%q, %v", buffer[:n], err)
			}
			time.Sleep(time.Minute)
		}
		client.Close()
	})
}
