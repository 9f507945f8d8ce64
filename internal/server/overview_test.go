package server

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/operations"
	"vitrine/internal/overview"
)

func outcome(status int, took time.Duration, target string) operations.Outcome {
	asked, err := url.Parse(target)
	if err != nil {
		panic(err)
	}
	return operations.Outcome{Status: status, Took: took, URL: asked}
}

func TestOverviewPage(t *testing.T) {
	m := NewMetrics()
	h := NewAdmin(follow.New(follow.Config{Metrics: m.Follow}), m, About{
		Store: "sqlite:it.db", Tiers: func() []overview.Tier { return []overview.Tier{{Name: "Anybody", Limit: "60/m"}} },
	})
	m.Observe(outcome(200, time.Second, "/api/open/categories?q=a"))
	m.Observe(outcome(500, time.Millisecond, "/api/open/categories"))
	get := func(target string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		return w
	}
	w := get("/")
	for _, want := range []string{
		"not ready", "No revision is served", "sqlite:it.db", "60/m", "200 × 1, 500 × 1", "/api/open/categories?q=a", `href="/metrics"`, `href="/readyz"`,
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %q in %s", want, w.Body)
		}
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": overview.Policy(), "Referrer-Policy": "no-referrer",
	} {
		if got := w.Header().Get(name); w.Code != 200 || got != want {
			t.Errorf("status %d, %s %q, want %q", w.Code, name, got, want)
		}
	}
	for query, want := range map[string]string{"10": "10", "1": "5", "99999999": "3600", "-5": "", "0": "", "x": "", "": "", "1;url=//evil.example": ""} {
		page := get("/?refresh=" + url.QueryEscape(query)).Body.String()
		if got := strings.Contains(page, `http-equiv="refresh" content="`+want+`"`); got != (want != "") || strings.Contains(page, "evil") {
			t.Errorf("refresh=%s is not %q", query, want)
		}
	}
}

func TestEmptySearchesAreFewAndDifferent(t *testing.T) {
	var s emptySearches
	at := time.Now()
	for i := range 100 {
		s.add(at, fmt.Sprint("thing ", i))
	}
	s.add(at, " ")
	s.add(at, strings.Repeat("é", 100)+"\xff")
	s.add(at.Add(time.Second), " thing 99 ")
	kept := s.list()
	if len(kept) != emptyLimit || kept[0].Text != "thing 99" || !kept[0].At.After(at) || kept[1].Text != strings.Repeat("é", emptyText)+"…" || kept[2].Text != "thing 98" {
		t.Errorf("%d searches are kept: %q", len(kept), kept)
	}
}

func TestSlowestKeepsFewForAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s slowest
		for i := range 100 { // in no sorted order
			took := time.Duration(i*37%100+1) * time.Millisecond
			s.observe("search", outcome(200, took, fmt.Sprintf("/api/open/search?q=%d", took/time.Millisecond)))
		}
		kept := s.list(time.Now())
		for i, r := range kept {
			if want := time.Duration(100-i) * time.Millisecond; r.Took != want || r.Target != fmt.Sprintf("/api/open/search?q=%d", 100-i) {
				t.Errorf("place %d: %v of %q, want %v", i, r.Took, r.Target, want)
			}
		}
		if len(kept) != slowLimit || s.floor.Load() != int64(81*time.Millisecond) {
			t.Errorf("%d are stored, the floor is %v", len(kept), time.Duration(s.floor.Load()))
		}
		time.Sleep(slowFor)
		s.forget(time.Now())
		s.observe("search", outcome(200, time.Minute, "/api/open/search"))
		time.Sleep(time.Second)
		s.forget(time.Now())
		if kept := s.list(time.Now()); len(kept) != 1 || kept[0].Took != time.Minute || s.floor.Load() != 0 {
			t.Errorf("after an hour: %v, the floor is %v", kept, time.Duration(s.floor.Load()))
		}
	})
}

// TestSlowestKeepsNoSecrets checks that only known parts of a request are kept.
func TestSlowestKeepsNoSecrets(t *testing.T) {
	long := strings.Repeat("a", 3*slowTarget)
	for _, tt := range []struct {
		status       int
		target, want string
	}{
		{200, "/api/open/chains?q=a&apikey=SECRET&limit=5", "/api/open/chains?q=a&limit=5"},
		{200, "/api/open/chains?SECRET", "/api/open/chains"},
		{304, "/api/open/chains/eip155%3A1", "/api/open/chains/eip155%3A1"},
		{404, "/api/open/chains/SECRET", ""},
		{404, "/SECRET", ""},
		{400, "/api/open/chains?limit=SECRET", ""},
		{503, "/api/open/chains?q=a", ""},
		{0, "/api/open/chains?q=a", ""},
		{200, "/api/open/search?q=" + long, ("/api/open/search?q=" + long)[:slowTarget] + "…"},
	} {
		if got := targetOf(outcome(tt.status, time.Second, tt.target)); got != tt.want {
			t.Errorf("%d %s: %q, want %q", tt.status, tt.target, got, tt.want)
		}
	}
}

func TestSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMetrics()
		for _, status := range []int{200, 304, 404, 429, 500, 0} {
			m.Observe(operations.Outcome{Status: status})
		}
		want := overview.Sample{At: time.Now(), Answered: 2, Refused: 2, Failed: 2}
		if got := m.samples.list(time.Now()); !slices.Equal(got, []overview.Sample{want}) {
			t.Errorf("%v, want %v", got, want)
		}
		for range 2 * sampleLimit {
			m.samples.take(time.Now())
			time.Sleep(sampleEvery)
		}
		got := m.samples.list(time.Now())
		if len(got) != sampleLimit+1 || got[sampleLimit].At.Sub(got[0].At) != time.Hour+sampleEvery {
			t.Errorf("%d samples over %v", len(got), got[len(got)-1].At.Sub(got[0].At))
		}
	})
}

func TestGathered(t *testing.T) {
	m := NewMetrics()
	m.Watch("vitrine_seen_total", "Seen.", func() float64 { return 2 }, "colour", "red")
	m.Watch("vitrine_seen_total", "Seen.", func() float64 { return 3 }, "colour", "blue")
	m.Observe(operations.Outcome{Status: http.StatusOK, Took: 70 * time.Microsecond})
	all, err := gather(m.registry)
	if err != nil {
		t.Fatal(err)
	}
	if sum, red := all.of("vitrine_seen_total"), all.of("vitrine_seen_total", "colour", "red"); sum != 5 || red != 2 {
		t.Errorf("%v, red %v", sum, red)
	}
	if none, green := all.of("vitrine_none"), all.of("vitrine_seen_total", "colour", "green"); !math.IsNaN(none) || !math.IsNaN(green) {
		t.Errorf("missing metrics are %v and %v, want NaN", none, green)
	}
	i := slices.IndexFunc(all[durationMetric], func(one measured) bool { return one.labels["operation"] == operations.Operations()[0] })
	if h := all[durationMetric][i].histogram; h.Total != 1 || h.Counts[0] != 0 || h.Counts[1] != 1 || len(h.Bounds) != len(h.Counts) {
		t.Errorf("%+v", h)
	}
}
