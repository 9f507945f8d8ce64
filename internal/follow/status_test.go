package follow_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// These tests read the state of a follower from the pages of package server.

func ask(h http.Handler, method, path string) (status int, body string) {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(method, path, nil))
	return rec.Code, rec.Body.String()
}

func wantReady(t *testing.T, h http.Handler, status int, body string) {
	t.Helper()
	gotStatus, gotBody := ask(h, "GET", "/readyz")
	if gotStatus != status {
		t.Errorf("status %d, want %d", gotStatus, status)
	}
	if diff := cmp.Diff(body+"\n", gotBody); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

// wantReadiness fails unless /readyz has a status, and all parts in its body.
func wantReadiness(t *testing.T, h http.Handler, status int, parts ...string) {
	t.Helper()
	if got, body := ask(h, "GET", "/readyz"); got != status || !contains(body, parts...) {
		t.Errorf("readiness %d %s, want %d with %q", got, body, status, parts)
	}
}

// wantNotReported fails if the body of /readyz has a text.
func wantNotReported(t *testing.T, h http.Handler, text string) {
	t.Helper()
	if _, body := ask(h, "GET", "/readyz"); contains(body, text) {
		t.Errorf("readiness %s, want no %q in it", body, text)
	}
}

func TestReadiness(t *testing.T) {
	dir := newFolder(t, "One")
	dir.raw("title: [\n")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		f := newFollower(s, log, m)
		w, _ := newWatcher(dir.dir, s, log)
		g := newFollower(s, log, m, func(c *follow.Config) { c.Watcher = w })
		plain, watching := server.NewAdmin(f, m, server.About{}), server.NewAdmin(g, m, server.About{})
		wantReady(t, plain, 503, `{"ready":false}`)
		wantReady(t, watching, 503, `{"ready":false}`)

		defer start(t, f.Run)()
		defer start(t, w.Run)()
		pass(0)
		wantReady(t, plain, 503, `{"ready":false,"storeProblem":"the store is empty: nothing has been published yet"}`)
		if _, body := ask(watching, "GET", "/readyz"); !strings.Contains(body, `"catalogProblem":"the catalogue directory is broken (errors: `) {
			t.Errorf("no problem of the directory in %s", body)
		}

		s.put(3, titled("Three"))
		pass(1)
		since := time.Now().UTC().Truncate(time.Second).Format(time.RFC3339)
		wantReady(t, plain, 200, `{"ready":true,"revision":3,"since":"`+since+`"}`)
		s.fail("head", errors.New("the disk is gone"))
		pass(1)
		stale := time.Now().UTC().Truncate(time.Second).Format(time.RFC3339)
		want := `{"ready":true,"revision":3,"since":"` + since + `","stale":true,"staleSince":"` + stale + `","storeProblem":"look at the store: the disk is gone"}`
		wantReady(t, plain, 200, want)
		s.fail("head", errors.New("the network is gone"))
		pass(5)
		wantReady(t, plain, 200, strings.Replace(want, "disk", "network", 1)) // staleSince stays
		s.fail("head", nil)
		pass(5)
		wantReady(t, plain, 200, `{"ready":true,"revision":3,"since":"`+since+`"}`)
	})
}

func TestFollowerBegins(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		f := newFollower(s, &logtest.Lines{}, server.NewMetrics())
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		f.Begin(ctx)
		if ctx.Err() == nil {
			t.Error("Begin returned before the first load")
		}
		defer start(t, f.Run)()
		f.Begin(t.Context())
		if f.Problem() == "" {
			t.Error("the empty store was not logged")
		}
		s.put(1, titled("One"))
		pass(2)
		f.Begin(t.Context())
		wantServed(t, f, 1)
	})
}

func TestMetrics(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		w := follow.NewWatcher(follow.WatcherConfig{
			Dir: dir.dir, Open: s.open, Every: every, Log: log.Logger(), Metrics: m.Follow,
		})
		f := newFollower(s, log, m, func(c *follow.Config) { c.Watcher = w })
		h := server.NewAdmin(f, m, server.About{})
		wantMetrics(t, h, "vitrine_revision 0", `vitrine_loads_total{result="ok"} 0`, "go_goroutines ", "process_cpu_seconds_total ")

		defer start(t, f.Run)()
		defer start(t, w.Run)()
		pass(0)
		dir.raw("title: [\n")
		pass(3)
		s.put(2, invalid())
		pass(2)
		wantMetrics(t, h, "vitrine_revision 1", "vitrine_last_compile_seconds ",
			"vitrine_revision_published_timestamp_seconds 9.46684", "vitrine_revision_served_timestamp_seconds 9.46684", // the fake clock's
			"vitrine_locales 1", `vitrine_records{kind="chains"} 0`,
			`vitrine_loads_total{result="ok"} 1`, `vitrine_loads_total{result="failed"} 1`,
			`vitrine_publishes_total{result="ok"} 1`, `vitrine_publishes_total{result="failed"} 1`)
	})
}

func wantMetrics(t *testing.T, h http.Handler, want ...string) {
	t.Helper()
	status, body := ask(h, "GET", "/metrics")
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	for _, line := range want {
		if !strings.Contains("\n"+body, "\n"+line) {
			t.Errorf("no line that begins with %q in\n%s", line, body)
		}
	}
}

// TestLag checks the lag and the role of a follower. The lag grows while the store fails or its newest
// revision cannot be served.
func TestLag(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		f := newFollower(s, log, m)
		h := server.NewAdmin(f, m, server.About{})
		wantMetrics(t, h, "vitrine_lag_seconds 0\n", `vitrine_role{role="standalone"} 1`, `vitrine_role{role="reader"} 0`, "vitrine_newest_revision 0")
		s.put(1, titled("One"))
		defer start(t, f.Run)()
		pass(3)
		wantMetrics(t, h, "vitrine_lag_seconds 0.", "vitrine_newest_revision 1")
		s.put(2, invalid())
		pass(1)
		time.Sleep(100 * time.Second)
		wantMetrics(t, h, "vitrine_lag_seconds 10", "vitrine_newest_revision 2", "vitrine_revision 1")
		s.put(3, titled("Three"))
		pass(2)
		wantMetrics(t, h, "vitrine_lag_seconds 0.", "vitrine_newest_revision 3", "vitrine_revision 3")
		s.fail("head", errors.New("the disk is gone"))
		time.Sleep(200 * time.Second)
		wantMetrics(t, h, "vitrine_lag_seconds 20")
	})
}
