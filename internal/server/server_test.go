package server_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// running is a server on its own ports.
type running struct {
	public, admin string // URLs
	log           *logtest.Lines
	stop          context.CancelFunc
	done          chan error
	listener      net.Listener // the public one
}

func runServer(t *testing.T, drain time.Duration, handler http.HandlerFunc, more ...with) *running {
	t.Helper()
	public, admin := listen(t), listen(t)
	ctx, stop := context.WithCancel(context.Background())
	r := &running{
		public: "http://" + public.Addr().String(), admin: "http://" + admin.Addr().String(),
		log: &logtest.Lines{}, stop: stop, done: make(chan error, 1), listener: public,
	}
	config := server.Config{
		Public: public, PublicHandler: handler,
		Admin: admin, AdminHandler: http.NotFoundHandler(),
		Drain: drain, Log: r.log.Logger(), Metrics: server.NewMetrics(),
	}
	for _, set := range more {
		set(&config)
	}
	go func() {
		r.done <- server.Run(ctx, config)
		close(r.done)
	}()
	t.Cleanup(func() {
		stop()
		<-r.done
	})
	return r
}

// wantNoError waits until the server returns, and fails on an error.
func (r *running) wantNoError(t *testing.T) {
	t.Helper()
	if err := <-r.done; err != nil {
		t.Errorf("Run() = %v", err)
	}
}

func inBackground(run func(context.Context)) with {
	return func(c *server.Config) { c.Background = append(c.Background, run) }
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return l
}

// client closes its connections, so that none outlives a test.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

func get(url string) (status int, body string, err error) {
	resp, err := client.Get(url)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(data), err
}

func TestRunLetsRequestsEnd(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	ended := false
	r := runServer(t, time.Minute, func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-release
		io.WriteString(w, "whole")
	}, inBackground(func(ctx context.Context) {
		<-ctx.Done()
		ended = true
	}))
	if status, _, err := get(r.admin); err != nil || status != 404 {
		t.Errorf("the admin listener answers %d, %v", status, err)
	}
	type answer struct {
		body string
		err  error
	}
	answers := make(chan answer)
	go func() {
		_, body, err := get(r.public)
		answers <- answer{body, err}
	}()
	<-began
	r.stop()
	for !r.log.Has("finishing requests") { // an earlier connection would be counted in that line
		time.Sleep(time.Millisecond)
	}
	for { // until connections are refused
		conn, err := net.Dial("tcp", r.listener.Addr().String())
		if err != nil {
			break
		}
		conn.Close()
	}
	close(release)
	if a := <-answers; a.err != nil || a.body != "whole" {
		t.Errorf("the request got %q, %v", a.body, a.err)
	}
	r.wantNoError(t)
	if !ended {
		t.Error("Run did not wait for the background")
	}
	r.log.Want(t, `msg="finishing requests: no new connection is taken" connections=1 requests=1 left=1m0s`, "drained: every request was answered")
}

func TestRunBoundsDraining(t *testing.T) {
	began := make(chan struct{})
	r := runServer(t, time.Millisecond, func(_ http.ResponseWriter, request *http.Request) {
		close(began)
		<-request.Context().Done()
	})
	failed := make(chan error)
	go func() {
		_, _, err := get(r.public)
		failed <- err
	}()
	<-began
	r.stop()
	r.wantNoError(t)
	if err := <-failed; err == nil {
		t.Error("a request that never ends got an answer")
	}
	r.log.Want(t, "finishing requests", `level=WARN msg="requests were aborted" requests=1 connections=1 after=`)
}

func TestRunFailsWithItsListener(t *testing.T) {
	r := runServer(t, time.Second, func(http.ResponseWriter, *http.Request) {}, inBackground(func(ctx context.Context) { <-ctx.Done() }))
	r.listener.Close()
	if err := <-r.done; err == nil || !strings.Contains(err.Error(), "serve 127.0.0.1:") {
		t.Errorf("Run() = %v, want an error of the listener", err)
	}
}

func TestRunWithoutAdmin(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("a signal")) // not a failure of the server
	err := server.Run(ctx, server.Config{
		Public: listen(t), PublicHandler: http.NotFoundHandler(), Drain: time.Second, Log: (&logtest.Lines{}).Logger(),
		Metrics: server.NewMetrics(),
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRunBoundsHeaders(t *testing.T) {
	r := runServer(t, time.Second, func(http.ResponseWriter, *http.Request) {})
	for size, status := range map[int]int{
		60 << 10: http.StatusOK, // the handler decides
		64 << 10: http.StatusRequestHeaderFieldsTooLarge,
	} {
		request, err := http.NewRequest("GET", r.public, nil)
		must(t, err)
		request.Header.Set("X-Long", strings.Repeat("a", size))
		resp, err := client.Do(request)
		must(t, err)
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("%d bytes: status %d, want %d", size, resp.StatusCode, status)
		}
	}
}

// TestRunLeavesOptionsToTheHandler checks that `OPTIONS *` reaches the handler.
func TestRunLeavesOptionsToTheHandler(t *testing.T) {
	r := runServer(t, time.Second, func(w http.ResponseWriter, request *http.Request) {
		w.Header().Set("Seen", request.Method+" "+request.RequestURI)
	})
	conn, err := net.Dial("tcp", r.listener.Addr().String())
	must(t, err)
	defer conn.Close()
	io.WriteString(conn, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(answer), "Seen: OPTIONS *\r\n") {
		t.Errorf("%q, %v", answer, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
