package overview_test

import (
	"encoding/xml"
	"html"
	"io"
	"maps"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/overview"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func write(t *testing.T, r overview.Report) string {
	t.Helper()
	var page strings.Builder
	if err := overview.Write(&page, r); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

var (
	heads  = regexp.MustCompile(`(?s)<head>.*?</head>`)
	blocks = regexp.MustCompile(`</?(p|h1|h2|div|dl|section|tr|caption|figure|ul|li|text|title|desc|header|footer|br|summary)\b[^>]*>`)
	cells  = regexp.MustCompile(`</t[hd]><t[hd]\b[^>]*>|</dt><dd\b[^>]*>|</dt>\n<dd\b[^>]*>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`[ \t]+`)
)

// linesOf returns the texts of a page as lines, with bars between the cells of a row.
func linesOf(page string) string {
	page = heads.ReplaceAllString(page, "")
	page = cells.ReplaceAllString(page, " | ")
	page = blocks.ReplaceAllString(page, "\n")
	page = html.UnescapeString(tags.ReplaceAllString(page, ""))
	var lines []string
	for line := range strings.Lines(page) {
		if line = strings.TrimSpace(spaces.ReplaceAllString(line, " ")); line != "" {
			lines = append(lines, line)
		}
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// metrics are numbers by the name of a metric and its labels, divided by spaces.
type metrics map[string]float64

func (m metrics) of(name string, labels ...string) float64 {
	if n, ok := m[strings.Join(append([]string{name}, labels...), " ")]; ok {
		return n
	}
	return math.NaN()
}

// nothing returns the report of a server that has just started.
func nothing() overview.Report {
	return overview.Report{Now: now, Metric: metrics{"vitrine_last_good_revision": 0, "vitrine_newest_revision": 0, "go_gc_gomemlimit_bytes": math.MaxInt64}.of}
}

var numbers = metrics{
	"process_start_time_seconds": float64(now.Add(-26 * time.Hour).Unix()), "vitrine_last_compile_seconds": 0.0123,
	"vitrine_role role standalone": 0, "vitrine_role role publisher": 1, "vitrine_newest_revision": 13, "vitrine_lag_seconds": 0.2, "vitrine_distribution_revision": 12,
	"vitrine_store_up": 1, "vitrine_last_good_revision": 12, "vitrine_loads_total result ok": 2, "vitrine_loads_total result failed": 0,
	"vitrine_publishes_total result ok": 1, "vitrine_publishes_total result held": 1, "vitrine_publishes_total result failed": 0,
	"vitrine_http_requests_in_flight": 2, "vitrine_connections": 7, "vitrine_connections_limit": 10000, "vitrine_http_response_body_bytes_total": 3 << 20,
	"vitrine_http_requests_total code 429": 10, "vitrine_api_key_requests_total result limited": 4, "vitrine_http_requests_shed_total": 5,
	"vitrine_connections_displaced_total": 6, "vitrine_limiter_clients": 7, "vitrine_limiter_redis_up": 0,
	"vitrine_api_key_requests_total key ci result admitted": 150, "vitrine_api_key_requests_total key ci result limited": 4,
	"vitrine_api_key_requests_total key idle result limited": 0, "vitrine_api_keys_age_seconds": 1.5,
	"vitrine_cache_bytes": 16 << 20, "vitrine_cache_limit_bytes": 64 << 20, "vitrine_cache_answers": 151, "vitrine_cache_bodies": 2,
	"vitrine_cache_hits_total": 3, "vitrine_cache_misses_total": 1,
	"process_resident_memory_bytes": 200 << 20, "go_memstats_heap_inuse_bytes": 100 << 20, "go_gc_gomemlimit_bytes": 512 << 20,
	"go_goroutines": 30, "process_cpu_seconds_total": 12,
	"vitrine_answers_bytes size large": 2 << 20, "vitrine_answers_limit_bytes size large": 96 << 20, "vitrine_answers_waiting size large": 1,
}

// all returns a report with every part.
func all() overview.Report {
	r := nothing()
	r.Metric, r.Status.Ready = numbers.of, true
	r.Build = overview.Build{Version: "v1.2.3", Commit: "abc", Toolchain: "go1.26"}
	first := store.Revision{Number: 11, PublishedAt: now.Add(-48 * time.Hour), Op: "import", Actor: "kim", Message: "import of shop", Commit: "0123456789abcdef", Modified: true}
	second := store.Revision{Number: 12, PublishedAt: now.Add(-90 * time.Minute), Op: "rollback"}
	r.Served = &overview.Served{
		Revision: second, Since: now.Add(-89 * time.Minute),
		Meta: snapshot.Meta{Title: "Shop", Locales: []string{"en", "ja"}, Figures: []snapshot.FigureAge{
			{Figure: "llama_tvl", Source: "defillama", Records: 23, Oldest: "2026-03-01", Newest: "2026-03-09"},
			{Figure: "platforms", Source: "editor", Records: 4},
			{Figure: "followers_count", Source: "recording", Records: 2, Oldest: "2026-03-10", Newest: "2026-03-10"},
		}},
		Records: []overview.Count{{Name: "chains", N: 2793}},
	}
	r.Publishes = []store.Revision{second, first}
	r.Directory = &follow.Watched{
		Dir: "shop", Read: follow.Reading{At: now.Add(-time.Minute), Warnings: 3, CommitProblem: "no git here"},
		Events: []follow.Event{
			{At: now.Add(-time.Minute), Result: "held", Reasons: []string{"29 of 40 chains would be gone", "and more"}},
			{At: now.Add(-48 * time.Hour), Result: "published", Revision: 11},
		},
	}
	r.Problems = []overview.Problem{{What: "A publish is held", Text: "29 of 40 chains would be gone", Since: now.Add(-time.Minute), Remedy: "vitrine import shop --accept shrink:chains"}}
	r.Store = "postgres://vitrine:***@db/it"
	r.Operations = []overview.Operation{
		{Name: "getMeta"},
		{Name: "search", Requests: 1, Codes: []overview.Code{{Status: "none", N: 1}}, Latency: overview.Histogram{Bounds: []float64{1, 10}, Counts: []uint64{0, 0}, Total: 1}},
		{Name: "listChains", Requests: 1000, Codes: []overview.Code{{Status: "200", N: 990}, {Status: "304", N: 0}, {Status: "429", N: 10}},
			Latency: overview.Histogram{Bounds: []float64{100e-6, 200e-6, 1e-3}, Counts: []uint64{500, 900, 1000}, Total: 1000}},
	}
	r.Samples = []overview.Sample{
		{At: now.Add(-10 * time.Minute)},
		{At: now.Add(-5 * time.Minute), Answered: 300},
		{At: now.Add(-20 * time.Second), Answered: 900, Refused: 10},
		{At: now.Add(-10 * time.Second), Answered: 940, Refused: 10},
		{At: now, Answered: 990, Refused: 10, Failed: 1},
	}
	r.Slowest = []overview.Slow{
		{At: now.Add(-time.Second), Operation: "search", Target: "/api/open/search?q=a", Status: 200, Took: 1500 * time.Millisecond},
		{At: now.Add(-time.Minute), Operation: "listChains", Took: 20 * time.Millisecond},
	}
	r.Empty = []overview.Search{{At: now.Add(-time.Minute), Text: "no such <thing>"}}
	r.Tiers = []overview.Tier{{Name: "Requests of a client", Limit: "60/m"}}
	r.Refusals = []admission.Refusals{{Since: now.Add(-time.Minute), Total: 2940, Top: []admission.RefusedCaller{{Name: "192.0.2.0/24", Count: 2900}, {Name: "API key ci", Count: 40}}}, {Since: now.Add(-2 * time.Minute), Total: 1}}
	r.Keys = []follow.KeyUse{{Name: "ci", Used: now.Add(-time.Hour), Limit: "1000/m", Until: now.Add(25 * time.Hour)}, {Name: "idle"}}
	r.Coverage = []domain.Coverage{
		{Kind: domain.KindChain, Names: true, Texts: 2793, Written: []int{2793, 40}},
		{Kind: domain.KindChain, Texts: 8, Written: []int{8, 6}},
	}
	return r
}

// but returns the numbers with another one.
func (m metrics) but(name string, n float64) func(string, ...string) float64 {
	m = maps.Clone(m)
	m[name] = n
	return m.of
}

func with(r overview.Report, change func(*overview.Report)) overview.Report {
	change(&r)
	return r
}

func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		name         string
		report       overview.Report
		says, silent []string
	}{
		{
			"no revision is served", nothing(),
			[]string{
				"\nnot ready\nNo revision is served\n", "requests get 503 until a revision is published", "\nRole of this server | not known\nStore | not known\nNewest known revision | none\nLag | not known",
				"\nAnswered the last query | no\n", "\nRevision of the last good file | none\n", "No directory is watched (--catalog)",
				"\nNow | not known", "\nProcess | not known\n", "\nLimit of the garbage collector | none\n", "\nShed (503) | not known",
				"Valid API keys There are none, or they are unknown.", "The slowest requests of the last hour There were none.",
			},
			[]string{"Age of figures", "Texts in each language", "NaN", "Problems", "Redis", "0001"},
		},
		{
			"everything", all(),
			[]string{
				"\nReadiness\nready, with problems\nA publish is held: 29 of 40 chains would be gone\n", "\nRevision\n12\npublished 1 h 30 min ago\n",
				"\nFigures\noldest 1 day\nllama_tvl: 1 day (defillama)\n", "\nRequests\n2.34/s\nover 5 min 0 s\n1,001 since the start\n2 in flight\n",
				"\nErrors\n0\n", "\n10 over quota (429)\n5 shed (503)\n", "\nHolds\nnone\n1 since the start\n",
				"\nTop talkers\n2,940 refused\nin the minute from 11:59\n192.0.2.0/24 2900\nAPI key ci 40\nAPI key ci 150 admitted\n",
				"\nEmpty searches\n1 recent\nno such <thing>\n", "\nno such <thing> | 11:59:00 1 min 0 s ago\n",
				"\nready, with problems\nRevision 12 of Shop\nvitrine v1.2.3 · commit abc · go1.26 · running for 1 d 2 h\n",
				"\nA publish is held | 29 of 40 chains would be gone since 2026-03-10 11:59:00 UTC, 1 min 0 s ago\nvitrine import shop --accept shrink:chains\n",
				"\nPublished | 2026-03-10 10:30:00 UTC 1 h 30 min ago\n", "\nBy | unknown, by rollback\n", "\nCommit | not known\n",
				"\nChecked and compiled in | 12.3 ms\n", "\nLanguages | en, ja\n", "\nchains | 2,793\n",
				"\nllama_tvl | defillama | 23 | 2026-03-01 9 days | 2026-03-09 1 day\n", "\nplatforms | editor | 4 | no date | no date\n",
				"\nfollowers_count\ntoday\nrecording\n", "\nllama_tvl\n1 to 9 days\ndefillama\n",
				"\n11 | 2026-03-08 12:00:00 UTC 2 d 0 h ago | import | kim | import of shop | 0123456789ab, modified\n",
				"\nWarnings | 3\n", "\nCommit | not known no git here\n", "\nChanges published, held, not published | 1, 1, 0\n",
				"| held | 29 of 40 chains would be gone; and more\n", "| published as revision 11 |\n",
				"\nRole of this server | publisher: it writes a distribution\nStore | postgres://vitrine:***@db/it\nNewest known revision | 13\nLag | 200.0 ms since the served",
				"\nRevision of the distribution at /bulk/ | 12\n", "\nAnswered the last query | yes\n", "\nRevision of the last good file | 12\n",
				"\nNow | 5.10/s over 10 s\n", "\n1 minute | 2.34/s over 5 min 0 s\n", "\n15 minutes | 1.67/s over 10 min 0 s\n", "\nConnections | 7 of 10,000\n", "\nBodies sent | 3.0 MiB\n",
				"\nlistChains | 1,000 | 200 × 990, 429 × 10 | 100 µs | 600 µs | 920 µs\n", "\nsearch | 1 | none × 1 | over 10.00 s | over 10.00 s | over 10.00 s\n",
				"1,001 requests in the last hour, or since the start of this process; at most 701 in a minute.", "\n11:59:00 | 690 | 10 | 1\n",
				"\n1.50 s | 11:59:59 1 s ago | search | /api/open/search?q=a | 200\n", "\n20.0 ms | 11:59:00 1 min 0 s ago | listChains | not kept for errors | none\n",
				"\nOver quota (429) | 10\n", "\nof these, with a valid API key | 4\n", "\nof these, without one | 6\n", "\nShed (503) | 5", "\nRequests of a client | 60/m\n",
				"\nQuotas shared in Redis | no\n",
				"\nci | 2026-03-10 11:00:00 UTC 1 h 0 min ago | 2026-03-11 13:00:00 UTC in 1 d 1 h | 1000/m | 150 | 4\n",
				"\nidle | no known use | never | default | not known | 0\n", "\nRead from the store | 1 s ago\n",
				"\nMemory | 16.0 MiB of 64.0 MiB, 25.0 %\n", "\nHits | 3 75.0 %\n", "\nLimit of the garbage collector | 512.0 MiB\n", "\nfrom 1 MiB | 2.0 MiB | 96.0 MiB | 1\n",
				"\nchains: names | 2,793 | 2,793 100.0 % | 40 1.4 %\n", "\nchains: other texts | 8 | 8 100.0 % | 6 75.0 %\n", "\nja, names\n40 of 2,793 · 1.4 %\n",
			},
			[]string{"NaN", "getMeta", "0001", "304 × 0"},
		},
		{
			"the store is down", with(all(), func(r *overview.Report) {
				r.Metric, r.Status.Stale, r.Publishes = numbers.but("vitrine_store_up", 0), true, nil
				r.Problems = []overview.Problem{{What: "The store", Text: "the disk is gone", Since: now.Add(-time.Hour)}}
			}),
			[]string{"\nready, stale\nRevision 12", "\nThe store | the disk is gone since 2026-03-10 11:00:00 UTC, 1 h 0 min ago\n", "\nAnswered the last query | no\n",
				"The newest revisions of the store The revisions have not been read since this process started."},
			nil,
		},
		{
			"a catalogue without figures and texts", with(all(), func(r *overview.Report) {
				r.Served.Meta.Figures, r.Served.Records, r.Coverage, r.Served.Meta.Title = nil, nil, nil, ""
			}),
			[]string{"The catalogue has no figures.", "\nRevision 12 of a catalogue without a title\n"},
			[]string{"Age of figures", "Texts in each language"},
		},
		{
			"a process that shuts down", with(all(), func(r *overview.Report) { r.Metric = numbers.but("vitrine_draining", 1) }),
			[]string{"\nshutting down\nRevision 12"}, nil,
		},
		{
			"one sample", with(nothing(), func(r *overview.Report) { r.Samples = []overview.Sample{{At: now, Answered: 5}} }),
			[]string{"\nNow | not known", "0 requests in the last hour"}, []string{"NaN"},
		},
		{
			"invalid and future dates", with(all(), func(r *overview.Report) {
				r.Served.Meta.Figures = []snapshot.FigureAge{{Figure: "a", Source: "b", Oldest: "2026-03-12", Newest: "2026-03-12"}, {Figure: "c", Source: "d", Oldest: "yesterday", Newest: "1"}}
			}),
			[]string{"\na | b | 0 | 2026-03-12 -2 days | 2026-03-12 -2 days\n", "\nc | d | 0 | yesterday | 1\n"}, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := linesOf(write(t, tt.report))
			for _, want := range tt.says {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing", want)
				}
			}
			for _, no := range tt.silent {
				if strings.Contains(text, no) {
					t.Errorf("says %q", no)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}

// TestHostileTexts checks that texts of editors, clients and key holders are escaped everywhere.
func TestHostileTexts(t *testing.T) {
	const evil = `</title></style></svg><script>alert(1)</script><img src=x onerror=alert(1)>"'` + "`" + `{{.}} javascript:alert(1)`
	r := all()
	r.Build.Version, r.Served.Meta.Title, r.Served.Message, r.Served.Actor, r.Served.Op, r.Served.Meta.Locales = evil, evil, evil, evil, evil, []string{evil, evil}
	r.Served.Meta.Figures[0].Figure, r.Served.Meta.Figures[0].Source, r.Served.Meta.Figures[1].Oldest = evil, evil, evil
	r.Served.Records[0].Name, r.Publishes[0].Message, r.Publishes[1].Commit = evil, evil, evil
	r.Directory.Dir, r.Directory.Read.CommitProblem, r.Directory.Events[0].Reasons, r.Directory.Events[0].Result = evil, evil, []string{evil}, evil
	r.Problems[0] = overview.Problem{What: evil, Text: evil, Remedy: evil}
	r.Store, r.Operations[2].Name, r.Operations[2].Codes[0].Status = evil, evil, evil
	r.Slowest[0].Operation, r.Slowest[0].Target, r.Tiers[0].Name, r.Tiers[0].Limit = evil, evil, evil, evil
	r.Refusals[0].Top = []admission.RefusedCaller{{Name: evil}}
	r.Keys[0].Name, r.Keys[0].Limit = evil, evil
	page := write(t, r)
	for _, tag := range []string{"<script", "<img", "alert(1)>", "</style></svg>"} {
		if strings.Contains(page, tag) {
			t.Errorf("%q is not escaped", tag)
		}
	}
	if n := strings.Count(linesOf(page), "{{.}} javascript:alert(1)"); n < 25 {
		t.Errorf("%d texts are shown unescaped", n)
	}
	if strings.Count(page, "</style>") != 1 || strings.Count(page, "</html>") != 1 {
		t.Error("a text ended an element")
	}
}

// TestStandsAlone checks that the page loads nothing, runs nothing and has only one style sheet.
func TestStandsAlone(t *testing.T) {
	page := write(t, with(all(), func(r *overview.Report) { r.Refresh = 10 }))
	for what, pattern := range map[string]string{
		"another address": `(?i)(src|href|action|data|poster)="(https?:)?//`, "a script": `(?i)<script|\son[a-z]+=`, "an inline style": `(?i)\sstyle=`,
		"something loaded": `(?i)<(img|link|iframe|object|embed|video|audio|form|base)\b|url\(|@import`,
	} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			t.Errorf("%s: %q", what, found)
		}
	}
	if !strings.Contains(page, `<meta http-equiv="refresh" content="10">`) || strings.Contains(write(t, all()), "http-equiv") {
		t.Error("the refresh interval is wrong")
	}
	if !strings.HasPrefix(overview.Policy(), "default-src 'none'; style-src 'sha256-") || strings.Contains(overview.Policy(), "unsafe") {
		t.Errorf("policy %s", overview.Policy())
	}
}

// TestPlots checks that each plot has a description and a table with its numbers.
func TestPlots(t *testing.T) {
	page := write(t, all())
	figures := regexp.MustCompile(`(?s)<figure>.*?</figure>`).FindAllString(page, -1)
	if len(figures) != 3 || strings.Count(page, `role="img"`) != 3 {
		t.Fatalf("%d figures, want 3 with a picture each", len(figures))
	}
	for _, figure := range figures {
		var seen struct {
			XMLName xml.Name
			SVG     []struct {
				Role   string `xml:"role,attr"`
				By     string `xml:"aria-labelledby,attr"`
				Hidden string `xml:"aria-hidden,attr"`
				Title  struct {
					ID   string `xml:"id,attr"`
					Text string `xml:",chardata"`
				} `xml:"title"`
				Desc struct {
					ID   string `xml:"id,attr"`
					Text string `xml:",chardata"`
				} `xml:"desc"`
				Rects []struct {
					X      string `xml:"x,attr"`
					Width  string `xml:"width,attr"`
					Height string `xml:"height,attr"`
				} `xml:"rect"`
			} `xml:"svg"`
		}
		if err := xml.NewDecoder(strings.NewReader(figure)).Decode(&seen); err != nil && err != io.EOF {
			t.Fatalf("%v in %s", err, figure)
		}
		picture := seen.SVG[0]
		if picture.Role != "img" || picture.Title.Text == "" || picture.Desc.Text == "" || picture.By != picture.Title.ID+" "+picture.Desc.ID {
			t.Errorf("title %q, description %q, labelled by %q", picture.Title.Text, picture.Desc.Text, picture.By)
		}
		if !strings.Contains(figure, "<table>") || strings.Count(figure, "<tr>") < 3 {
			t.Errorf("%s has no table with its numbers", picture.Title.Text)
		}
		for _, r := range picture.Rects {
			if !share.MatchString(r.X) || !share.MatchString(r.Width) || !size.MatchString(r.Height) {
				t.Errorf("%s: a bar at %q of %q by %q", picture.Title.Text, r.X, r.Width, r.Height)
			}
		}
	}
}

var (
	share = regexp.MustCompile(`^(100|\d{1,2})(\.\d+)?%$`)
	size  = regexp.MustCompile(`^\d+(\.\d)?$`)
)
