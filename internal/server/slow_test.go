package server

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever sends a request slowly, or none, is let go in time.
func TestSlowRequestsEnd(t *testing.T) {
	for _, tt := range []struct {
		name, sent string
		want       time.Duration
	}{
		{"nothing", "", readTimeout},
		{"half a line", "GET / HT", readTimeout},
		{"half a header", "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ", readTimeout},
		{"a body that does not come", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc", readTimeout},
		{"a chunk that does not come", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", readTimeout},
		{"no further request", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", idleTimeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				next := make(chan net.Conn)
				on := newConnections(pipes{next: next}, 1, writeTimeout, nil)
				s := newServer(on, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "whole") }), slog.New(slog.DiscardHandler))
				go s.Serve(on)
				client, own := net.Pipe()
				next <- own
				start := time.Now()
				go io.WriteString(client, tt.sent)
				io.Copy(io.Discard, client) // until the server ends it
				if took := time.Since(start); took < tt.want || took > tt.want+time.Second {
					t.Errorf("the connection ended after %v, want %v", took, tt.want)
				}
				client.Close()
				s.Close()
			})
		})
	}
}

// Whoever does not read an answer is let go in time.
func TestSlowReadersEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := make(chan net.Conn)
		on := newConnections(pipes{next: next}, 1, writeTimeout, nil)
		failed := make(chan error, 1)
		s := newServer(on, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 10*piece))
			failed <- err
		}), slog.New(slog.DiscardHandler))
		go s.Serve(on)
		client, own := net.Pipe()
		next <- own
		start := time.Now()
		io.WriteString(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		if err := <-failed; err == nil {
			t.Error("an answer that nobody reads was taken")
		}
		if took := time.Since(start); took > writeTimeout+time.Second {
			t.Errorf("the answer was given up after %v, want %v", took, writeTimeout)
		}
		client.Close()
		s.Close()
	})
}
