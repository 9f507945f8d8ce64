package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// peer is a client's end of one connection.
type peer struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func dial(t *testing.T, addr string) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	return &peer{t, conn, bufio.NewReader(conn)}
}

func (p *peer) send(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.conn, text); err != nil {
		p.t.Fatal(err)
	}
}

// read returns the next response, read to its end, with its body.
func (p *peer) read() (*http.Response, string) {
	p.t.Helper()
	resp, err := http.ReadResponse(p.in, nil)
	must(p.t, err)
	body, err := io.ReadAll(resp.Body)
	must(p.t, err)
	return resp, string(body)
}

func (p *peer) get(path string) (*http.Response, string) {
	p.t.Helper()
	p.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
	return p.read()
}

// wantWhole fails unless a body is that of the handler.
func (p *peer) wantWhole(_ *http.Response, body string) {
	p.t.Helper()
	if body != "whole" {
		p.t.Errorf("got %q", body)
	}
}

// wantEnd fails unless the server closed the connection cleanly.
func (p *peer) wantEnd() {
	p.t.Helper()
	if _, err := p.in.ReadByte(); err != io.EOF {
		p.t.Errorf("the connection ends with %v, want EOF", err)
	}
}

// with changes the configuration of [runServer].
type with func(*server.Config)

func TestDrainAnnouncesBeforeClosing(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	r := runServer(t, time.Minute, func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/slow" {
			close(began)
			<-release
		}
		io.WriteString(w, "whole")
	}, with(func(c *server.Config) { c.Grace = 3 * time.Second }))

	kept, slow, admin := dial(t, r.public[7:]), dial(t, r.public[7:]), dial(t, r.admin[7:])
	if resp, _ := kept.get("/"); resp.Close {
		t.Error("a response had Connection: close before the shutdown")
	}
	slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
	<-began

	r.stop()
	for {
		resp, body := admin.get("/readyz")
		if resp.StatusCode == http.StatusServiceUnavailable {
			if !strings.Contains(body, `"ready":false,"draining":"`) {
				t.Errorf("/readyz says %s", body)
			}
			break
		}
	}
	// Kept and new connections get responses during the grace period.
	for name, p := range map[string]*peer{"kept": kept, "new": dial(t, r.public[7:])} {
		resp, body := p.get("/")
		if resp.StatusCode != 200 || body != "whole" || !resp.Close {
			t.Errorf("the %s connection got %d %q, to close: %t", name, resp.StatusCode, body, resp.Close)
		}
		p.wantEnd()
	}
	for { // until the grace period ends
		conn, err := net.Dial("tcp", r.public[7:])
		if err != nil {
			break
		}
		conn.Close()
	}
	if resp, _ := admin.get("/readyz"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("operators get %d while the last request is answered", resp.StatusCode)
	}
	close(release)
	if resp, body := slow.read(); resp.StatusCode != 200 || body != "whole" {
		t.Errorf("the request in flight got %d %q", resp.StatusCode, body)
	}
	slow.wantEnd()
	r.wantNoError(t)
	r.log.Want(t, `level=INFO msg="draining: new requests are still taken" connections=`, `msg="still draining: `,
		`level=INFO msg="finishing requests: no new connection is taken" connections=`,
		`level=INFO msg="drained: every request was answered" after=`)
}

func TestDrainWithoutGrace(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(server.ErrAtOnce)
	err := server.Run(ctx, server.Config{
		Public: listen(t), PublicHandler: http.NotFoundHandler(), Log: (&logtest.Lines{}).Logger(),
		Grace: 24 * time.Hour, Drain: 24 * time.Hour, Metrics: server.NewMetrics(),
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDrainIsBounded checks that all parts of a shutdown share one deadline.
func TestDrainIsBounded(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	began := make(chan struct{}, 2)
	handler := func(http.ResponseWriter, *http.Request) {
		began <- struct{}{}
		<-release
	}
	stuck := with(func(c *server.Config) {
		c.Background = append(c.Background, func(context.Context) { <-release })
		c.AdminHandler = http.HandlerFunc(handler)
		c.Grace = 24 * time.Hour
	})
	r := runServer(t, 10*time.Millisecond, handler, stuck)
	for _, url := range []string{r.public, r.admin} {
		dial(t, url[7:]).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		<-began
	}
	r.stop()
	r.wantNoError(t)
	r.log.Want(t, "draining: new", "finishing requests", `"requests were aborted" requests=1 connections=1 after=`, "requests to the admin listener were aborted", "background work was aborted")
}

// TestBegin checks that requests before Begin returns wait for it.
func TestBegin(t *testing.T) {
	begin := make(chan struct{})
	r := runServer(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		select {
		case <-begin:
		default:
			t.Error("a request was answered too early")
		}
	}, with(func(c *server.Config) {
		c.Begin = func(ctx context.Context) {
			select {
			case <-begin:
			case <-ctx.Done():
			}
		}
	}))
	early := dial(t, r.public[7:])
	early.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	if status, _, err := get(r.admin); err != nil || status != 404 {
		t.Errorf("operators get %d, %v", status, err)
	}
	close(begin)
	if resp, _ := early.read(); resp.StatusCode != 200 {
		t.Errorf("the caller got %d", resp.StatusCode)
	}
}
