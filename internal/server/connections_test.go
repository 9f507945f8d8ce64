package server_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/server"
)

// capped runs a server with a maximum of connections. /hold is answered when release is closed.
func capped(t *testing.T, most int, grace time.Duration) (r *running, held, release chan struct{}) {
	t.Helper()
	held, release = make(chan struct{}, most), make(chan struct{})
	r = runServer(t, time.Minute, func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/hold" {
			held <- struct{}{}
			<-release
		}
		io.WriteString(w, "whole")
	}, with(func(c *server.Config) { c.MaxConnections, c.Grace = most, grace }))
	t.Cleanup(func() {
		select {
		case <-release:
		default: // the test failed
			close(release)
		}
	})
	return r, held, release
}

// TestConnectionWithoutHeaderMakesRoom checks that an idle connection is displaced, and an active
// one is not.
func TestConnectionWithoutHeaderMakesRoom(t *testing.T) {
	r, held, release := capped(t, 2, 0)
	active := dial(t, r.public[7:])
	active.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
	<-held
	silent := dial(t, r.public[7:])
	newcomer := dial(t, r.public[7:])
	newcomer.wantWhole(newcomer.get("/"))
	silent.wantEnd()
	close(release)
	active.wantWhole(active.read())
}

// TestActiveConnectionsStay checks that a new connection waits while all others are
// active, until the first of them is idle.
func TestActiveConnectionsStay(t *testing.T) {
	r, held, release := capped(t, 2, 0)
	active := []*peer{dial(t, r.public[7:]), dial(t, r.public[7:])}
	for _, p := range active {
		p.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
		<-held
	}
	late := dial(t, r.public[7:])
	late.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	close(release)
	for _, p := range append(active, late) {
		if resp, body := p.read(); resp.StatusCode != 200 || body != "whole" {
			t.Errorf("got %d %q", resp.StatusCode, body)
		}
	}
}

// TestConnectionThatWaitsAtTheEnd checks that a connection that waits for room at shutdown is
// answered.
func TestConnectionThatWaitsAtTheEnd(t *testing.T) {
	r, held, release := capped(t, 1, time.Second)
	active := dial(t, r.public[7:])
	active.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
	<-held
	late := dial(t, r.public[7:])
	late.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	r.stop()
	late.wantWhole(late.read())
	close(release)
	active.wantWhole(active.read())
}

// TestLongAnswer checks that a body of several pieces arrives unchanged.
func TestLongAnswer(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 100_000)
	r := runServer(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, long) })
	if _, body, err := get(r.public); err != nil || body != long {
		t.Errorf("%d bytes, %v; want %d", len(body), err, len(long))
	}
}

func TestConnectionMetrics(t *testing.T) {
	m := server.NewMetrics()
	r := runServer(t, time.Minute, func(http.ResponseWriter, *http.Request) {}, with(func(c *server.Config) {
		c.MaxConnections, c.Metrics = 1, m
		c.AdminHandler = server.NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, server.About{})
	}))
	silent := dial(t, r.public[7:])
	last := dial(t, r.public[7:])
	last.get("/")
	silent.wantEnd()
	admin := dial(t, r.admin[7:])
	_, body := admin.get("/metrics")
	if !contains(body, "\nvitrine_connections 1\n", "\nvitrine_connections_displaced_total 1\n") {
		t.Errorf("not in the metrics:\n%s", body)
	}
}
