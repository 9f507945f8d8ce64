package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v4"

	"vitrine/internal/admission"
	"vitrine/internal/follow"
	"vitrine/internal/operations"
	"vitrine/internal/server"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// scraped returns the metrics of a server after one request.
func scraped(t *testing.T) string { return scrapedAfter(t, "/api/open/spec") }

// scrapedAfter returns the metrics of a server after some requests.
func scrapedAfter(t *testing.T, requests ...string) string {
	t.Helper()
	m := server.NewMetrics()
	h, err := operations.New(operations.Config{
		Snapshot: func() *snapshot.Snapshot { return nil },
		Log:      slog.New(slog.DiscardHandler), Observe: m.Observe, CacheBytes: 1 << 20,
	})
	must(t, err)
	watch(m, h)
	shared := "redis://127.0.0.1:1"
	l, err := (&limitFlags{RateLimitStore: &shared}).limits(storeWithKey(t), slog.New(slog.DiscardHandler))
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.keys.Run(ctx)
	}()
	for deadline := time.Now().Add(time.Minute); l.keys.Keys() == nil && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-ended
	watchLimits(m, &l)
	for _, path := range requests {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	follow.NewJob(follow.JobConfig{Source: "defillama", Every: time.Hour, Log: slog.New(slog.DiscardHandler), Metrics: m.Follow})
	follower := follow.New(follow.Config{Every: time.Second, Metrics: m.Follow})
	w := httptest.NewRecorder()
	server.NewAdmin(follower, m, server.About{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d", w.Code)
	}
	return w.Body.String()
}

// storeWithKey returns a store with one API key.
func storeWithKey(t *testing.T) served {
	t.Helper()
	from, err := newServed("sqlite:"+filepath.Join(t.TempDir(), "it.db"), "off")
	must(t, err)
	s, err := from.open(t.Context())
	must(t, err)
	defer s.Close()
	must(t, s.AddKey(t.Context(), store.APIKey{Name: "ci", CreatedAt: time.Now()}))
	return from
}

// TestNamed checks that labels of keys are valid names, and bounded in number.
func TestNamed(t *testing.T) {
	uses := []admission.Use{{Name: "'); DROP", Admitted: 1}, {Name: "a", Admitted: 2, Refused: 3}, {Name: "\xff", Refused: 4}}
	want := []admission.Use{{Name: "a", Admitted: 2, Refused: 3}, {Name: "(others)", Admitted: 1, Refused: 4}}
	if diff := cmp.Diff(want, named(uses)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var many []admission.Use
	for i := range maxNamed + 5 {
		many = append(many, admission.Use{Name: fmt.Sprintf("k%04d", i), Admitted: 1})
	}
	got := named(many)
	if len(got) != maxNamed+1 || got[maxNamed] != (admission.Use{Name: "(others)", Admitted: 5}) {
		t.Errorf("%d names, the last %v", len(got), got[len(got)-1])
	}
	if got := named(many[:maxNamed]); len(got) != maxNamed {
		t.Errorf("%d names, want those of the keys", len(got))
	}
}

// metricNames returns the names of the metrics in a text of the exposition format, in its
// alphabetical order.
func metricNames(text string) []string {
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (\S+) `).FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names
}

// TestMetricNames fixes the names that dashboards of operators depend on: add to the list, never
// remove.
func TestMetricNames(t *testing.T) {
	want := []string{
		"vitrine_answers_bytes",
		"vitrine_answers_limit_bytes",
		"vitrine_answers_waiting",
		"vitrine_api_key_requests_total",
		"vitrine_api_keys",
		"vitrine_api_keys_age_seconds",
		"vitrine_api_keys_known",
		"vitrine_build_info",
		"vitrine_cache_answers",
		"vitrine_cache_bodies",
		"vitrine_cache_bytes",
		"vitrine_cache_hits_total",
		"vitrine_cache_limit_bytes",
		"vitrine_cache_misses_total",
		"vitrine_catalog_broken",
		"vitrine_changes_failing",
		"vitrine_connections",
		"vitrine_connections_displaced_total",
		"vitrine_connections_limit",
		"vitrine_distribution_failing",
		"vitrine_distribution_revision",
		"vitrine_draining",
		"vitrine_http_request_duration_seconds",
		"vitrine_http_requests_in_flight",
		"vitrine_http_requests_shed_total",
		"vitrine_http_requests_total",
		"vitrine_http_response_body_bytes_total",
		"vitrine_http_responses_broken_total",
		"vitrine_lag_seconds",
		"vitrine_last_compile_seconds",
		"vitrine_last_good_failing",
		"vitrine_last_good_revision",
		"vitrine_last_good_served",
		"vitrine_limiter_clients",
		"vitrine_limiter_decisions_total",
		"vitrine_limiter_redis_up",
		"vitrine_limiter_spills_total",
		"vitrine_loads_total",
		"vitrine_locales",
		"vitrine_newest_revision",
		"vitrine_publish_held",
		"vitrine_publish_held_since_timestamp_seconds",
		"vitrine_publish_waiting_edits",
		"vitrine_publish_waiting_records",
		"vitrine_publishes_total",
		"vitrine_purge_failing",
		"vitrine_purges_total",
		"vitrine_records",
		"vitrine_revision",
		"vitrine_revision_published_timestamp_seconds",
		"vitrine_revision_served_timestamp_seconds",
		"vitrine_role",
		"vitrine_stale",
		"vitrine_store_damaged",
		"vitrine_store_up",
		"vitrine_sync_failing",
		"vitrine_sync_success_timestamp_seconds",
		"vitrine_syncs_total",
	}
	got := slices.DeleteFunc(metricNames(scraped(t)), func(name string) bool { return !strings.HasPrefix(name, "vitrine_") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

var update = flag.Bool("update", false, "write docs/metrics.md, and what scripts compare with stdout")

// TestMetricsPage compares docs/metrics.md with the help and the labels of the metrics.
func TestMetricsPage(t *testing.T) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(scraped(t)))
	must(t, err)
	var page strings.Builder
	page.WriteString("# Metrics\n\n" +
		"`go test ./internal/cli -run MetricsPage -update` writes this table from the metrics of the server. It also exports the\n" +
		"`process_*` and `go_*` metrics of Prometheus. See [monitoring](monitoring.md).\n\n" +
		"| Metric | Type | Labels | Meaning |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(families)) {
		if !strings.HasPrefix(name, "vitrine_") {
			continue
		}
		f := families[name]
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", name, strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp())
	}
	const path = "../../docs/metrics.md"
	if *update {
		must(t, os.WriteFile(path, []byte(page.String()), 0o644))
	}
	there, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(there), page.String()); diff != "" {
		t.Errorf("docs/metrics.md is out of date; run this test with -update (-there +want):\n%s", diff)
	}
}

func TestMetricsFollowTheConventions(t *testing.T) {
	problems, err := promlint.New(strings.NewReader(scraped(t))).Lint()
	must(t, err)
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// alertSelector matches a metric of Vitrine with its label matchers.
var alertSelector = regexp.MustCompile(`\b(vitrine_\w+)\{([^}]*)\}`)

// TestAlertsSeeTheFirstFault checks that metrics in alerts exist from the start, counters as 0.
// An increase needs two values, and a missing gauge is ambiguous.
func TestAlertsSeeTheFirstFault(t *testing.T) {
	first := scrapedAfter(t)
	seen := 0
	for _, expression := range ruleExpressions(t, "../../deploy/prometheus/alerts.yaml") {
		for _, found := range alertSelector.FindAllStringSubmatch(expression, -1) {
			seen++
			if !exported(first, found[1], found[2]) {
				t.Errorf("an alert looks at %s, which the first scrape does not have", found[0])
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d selectors were found: the test does not read the rules rightly", seen)
	}
}

// exported reports whether a scrape has a series of a metric that matches all matchers, except
// "job" and "instance", which Prometheus adds.
func exported(scrape, metric, matchers string) bool {
	for line := range strings.Lines(scrape) {
		name, labels, _ := strings.Cut(strings.Fields(line)[0], "{")
		if name != metric {
			continue
		}
		all := true
		for _, m := range regexp.MustCompile(`(\w+)(=~?)"([^"]*)"`).FindAllStringSubmatch(matchers, -1) {
			if m[1] == "job" || m[1] == "instance" {
				continue
			}
			pattern := m[3]
			if m[2] == "=" {
				pattern = regexp.QuoteMeta(pattern)
			}
			all = all && regexp.MustCompile(`\b`+m[1]+`="(`+pattern+`)"`).MatchString(labels)
		}
		if all {
			return true
		}
	}
	return false
}

// TestDeployedNamesExist checks that dashboards and alerts use existing metrics: an unknown one
// is silently empty.
func TestDeployedNamesExist(t *testing.T) {
	existing := metricNames(scrapedAfter(t))
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

// usedMetrics returns the metrics in expressions, by the prefixes of Vitrine and of the Go
// runtime. Series of a histogram count as the histogram.
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
	must(t, json.Unmarshal(readFile(t, file), &dashboard))
	var expressions []string
	for _, panel := range dashboard.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("the panel %q has no query", panel.Title)
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
	must(t, yaml.Unmarshal(readFile(t, file), &rules))
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
	must(t, yaml.Unmarshal(readFile(t, file), &tests))
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
	must(t, err)
	return data
}
