package cli

import (
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"go.yaml.in/yaml/v4"

	"vitrine/internal/api"
	"vitrine/internal/server"
	"vitrine/internal/snapshot"
)

// scraped returns what a server says to Prometheus after one request.
func scraped(t *testing.T) string {
	t.Helper()
	m := server.NewMetrics()
	h, err := api.New(api.Config{
		Snapshot: func() *snapshot.Snapshot { return nil },
		Log:      slog.New(slog.DiscardHandler), Observe: m.Observe, CacheBytes: 1 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	watch(m, h)
	shared := "redis://127.0.0.1:1"
	l, err := (&limitFlags{RateLimitStore: &shared}).limits(served{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	watchLimits(m, &l)
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/open/spec", nil))
	follower := server.NewFollower(server.FollowerConfig{Every: time.Second, Metrics: m})
	w := httptest.NewRecorder()
	server.NewAdmin(follower, nil, m).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d", w.Code)
	}
	return w.Body.String()
}

// metricNames returns the names of the metrics in a text of the exposition
// format, in its order, which is that of the alphabet.
func metricNames(text string) []string {
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (\S+) `).FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names
}

// TestMetricNames holds the names that dashboards of others rely on: add to the
// list, and take nothing away.
func TestMetricNames(t *testing.T) {
	want := []string{
		"vitrine_api_keys",
		"vitrine_build_info",
		"vitrine_cache_answers",
		"vitrine_cache_bodies",
		"vitrine_cache_bytes",
		"vitrine_cache_hits_total",
		"vitrine_cache_limit_bytes",
		"vitrine_cache_misses_total",
		"vitrine_connections",
		"vitrine_connections_displaced_total",
		"vitrine_connections_limit",
		"vitrine_draining",
		"vitrine_http_request_duration_seconds",
		"vitrine_http_requests_in_flight",
		"vitrine_http_requests_shed_total",
		"vitrine_http_requests_total",
		"vitrine_http_response_body_bytes_total",
		"vitrine_http_responses_broken_total",
		"vitrine_last_compile_seconds",
		"vitrine_last_good_revision",
		"vitrine_limiter_clients",
		"vitrine_limiter_decisions_total",
		"vitrine_limiter_redis_up",
		"vitrine_limiter_spills_total",
		"vitrine_loads_total",
		"vitrine_locales",
		"vitrine_publishes_total",
		"vitrine_records",
		"vitrine_revision",
		"vitrine_revision_published_timestamp_seconds",
		"vitrine_revision_served_timestamp_seconds",
		"vitrine_stale",
		"vitrine_store_damaged",
		"vitrine_store_up",
	}
	got := slices.DeleteFunc(metricNames(scraped(t)), func(name string) bool { return !strings.HasPrefix(name, "vitrine_") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	doc, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range got {
		if !strings.Contains(string(doc), "`"+name+"`") {
			t.Errorf("docs/operating.md does not say what %s is", name)
		}
	}
}

func TestMetricsFollowTheConventions(t *testing.T) {
	problems, err := promlint.New(strings.NewReader(scraped(t))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestDeployedNamesExist: a dashboard or an alert on a metric that does not
// exist says nothing, and nobody notices.
func TestDeployedNamesExist(t *testing.T) {
	existing := metricNames(scraped(t))
	for file, expressions := range map[string][]string{
		"grafana/vitrine.json":        dashboardExpressions(t, "../../deploy/grafana/vitrine.json"),
		"prometheus/alerts.yaml":      ruleExpressions(t, "../../deploy/prometheus/alerts.yaml"),
		"prometheus/alerts_test.yaml": seriesOfTests(t, "../../deploy/prometheus/alerts_test.yaml"),
	} {
		used := usedMetrics(expressions)
		if len(used) < 10 {
			t.Errorf("%s uses %q only: the test does not read it rightly", file, used)
		}
		for _, name := range used {
			if !slices.Contains(existing, name) {
				t.Errorf("%s uses %s, which does not exist", file, name)
			}
		}
	}
}

// usedMetrics returns the metrics that expressions name, by the prefixes of
// ours and of the runtime's; those of a histogram as the histogram.
func usedMetrics(expressions []string) []string {
	var names []string
	for _, expression := range expressions {
		for _, name := range regexp.MustCompile(`\b(vitrine|go|process|promhttp)_\w+`).FindAllString(expression, -1) {
			names = append(names, strings.TrimSuffix(name, "_bucket"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func dashboardExpressions(t *testing.T, file string) []string {
	t.Helper()
	var dashboard struct {
		Title  string
		Panels []struct {
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
		Templating  struct{ List []struct{ Definition string } }
		Annotations struct{ List []struct{ Expr string } }
	}
	if err := json.Unmarshal(readFile(t, file), &dashboard); err != nil {
		t.Fatal(err)
	}
	var expressions []string
	for _, panel := range dashboard.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("the panel %q shows nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	for _, variable := range dashboard.Templating.List {
		expressions = append(expressions, variable.Definition)
	}
	for _, annotation := range dashboard.Annotations.List {
		expressions = append(expressions, annotation.Expr)
	}
	return expressions
}

func ruleExpressions(t *testing.T, file string) []string {
	t.Helper()
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(readFile(t, file), &rules); err != nil {
		t.Fatal(err)
	}
	tests := string(readFile(t, "../../deploy/prometheus/alerts_test.yaml"))
	var expressions []string
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			expressions = append(expressions, rule.Expr)
			if !strings.Contains(tests, `alertname="`+rule.Alert+`"`) {
				t.Errorf("no test of alerts_test.yaml has %s fire", rule.Alert)
			}
		}
	}
	return expressions
}

func seriesOfTests(t *testing.T, file string) []string {
	t.Helper()
	var tests struct {
		Tests []struct {
			Series []struct{ Series string } `yaml:"input_series"`
		}
	}
	if err := yaml.Unmarshal(readFile(t, file), &tests); err != nil {
		t.Fatal(err)
	}
	var series []string
	for _, test := range tests.Tests {
		for _, input := range test.Series {
			series = append(series, input.Series)
		}
	}
	return series
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
