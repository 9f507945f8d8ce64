package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"vitrine/test/internal/trial"
)

// The accepted growth of the median from the second to the last tenth.
const (
	moreGoroutines = 10
	moreFiles      = 10
	moreMemory     = 8 << 20 // in addition to a tenth
)

// warm is the minimum duration of a run for judging memory: the collector runs rarely, so memory
// needs minutes to reach its maximum.
const warm = 10 * time.Minute

// longest is the maximum number of seconds with the same revision: the server waits until a
// directory is settled.
const longest = 15

// report prints figures and checks, and reports whether all checks passed.
func (s *soak) report(out io.Writer) (well bool) {
	s.figures(out)
	s.answers(out)
	well = true
	if s.lasts < warm {
		fmt.Fprintf(out, "---  memory is not judged in less than %v\n", warm)
	}
	for _, c := range s.checks() {
		well = well && c.holds
		fmt.Fprintln(out, trial.Verdict(c.holds), c.what)
	}
	return well
}

// figures prints all counts and times.
func (s *soak) figures(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprintln(table, "\tbefore\tsecond tenth\tlast tenth\tmost\tafter")
	for _, row := range []struct {
		name, series string
		unit         float64
	}{
		{"goroutines", goroutines, 1},
		{"heap, MiB", heap, 1 << 20},
		{"RSS, MiB", resident, 1 << 20},
		{"open files", files, 1},
		{"connections", connections, 1},
		{"kept bodies, MiB", kept, 1 << 20},
		{"clients with a quota", quotas, 1},
		{"revision", revision, 1},
	} {
		fmt.Fprintf(table, "%s\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\n", row.name, s.began[row.series]/row.unit, s.sampler.tenth(row.series, 1)/row.unit,
			s.sampler.tenth(row.series, 9)/row.unit, s.sampler.most(row.series)/row.unit, s.ended[row.series]/row.unit)
	}
}

// answers prints the results of requests and connections.
func (s *soak) answers(out io.Writer) {
	total := 0
	for _, n := range s.tally.statuses {
		total += n
	}
	fmt.Fprintf(out, "%d answers in %.0f s, by status:%s\n", total, s.lasted.Seconds(), counts(s.tally.statuses))
	of := func(p float64) time.Duration { return trial.Percentile(s.tally.took, p) }
	fmt.Fprintf(out, "good ones: p50 %v, p99 %v, p99.9 %v, slowest %v\n", of(50), of(99), of(99.9), of(100))
	fmt.Fprintf(out, "%d changes of the catalogue, %.0f revisions, %.0f of them by the server, %.0f loaded\n", s.changes,
		s.ended[revision]-s.began[revision], s.ended[publishes]-s.began[publishes], s.ended[loads]-s.began[loads])
	if store, err := os.Stat(filepath.Join(s.dir, "store.db")); err == nil {
		fmt.Fprintf(out, "the store: %.1f MiB\n", float64(store.Size())/(1<<20))
	}
	fmt.Fprintf(out, "connections: %.0f made room for others;%s\n", s.ended[displaced]-s.began[displaced], counts(s.tally.events))
	fmt.Fprintf(out, "decisions of the limiter: %.0f\n", s.ended[decisions]-s.began[decisions])
	fmt.Fprintf(out, "the server took %.1f %% of one processor\n", 100*s.sampler.growth(processor)/float64(len(s.sampler.taken)))
	for _, what := range slices.Concat(s.tally.wrong, s.tally.remarks) {
		fmt.Fprintln(out, "   ", what)
	}
}

func counts(of map[string]int) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&text, " %s: %d;", name, of[name])
	}
	return strings.TrimSuffix(text.String(), ";")
}

// check is a condition of a successful run.
type check struct {
	holds bool
	what  string
}

func (s *soak) checks() []check {
	flat := func(name, series string, more float64) check {
		before, now := s.sampler.tenth(series, 1), s.sampler.tenth(series, 9)
		return check{now <= before+more, fmt.Sprintf("%s are flat: %.0f, then %.0f, at most %.0f more", name, before, now, more)}
	}
	errors, err := s.said("level=ERROR", "panic", "DATA RACE")
	checks := []check{
		{s.tally.faults == 0, fmt.Sprintf("answers are right: %d are not", s.tally.faults)},
		{len(s.undeclared()) == 0, fmt.Sprintf("no status of 500 and more but declared ones: %v", s.undeclared())},
		{s.tally.events[unanswered]*1000 <= len(s.tally.took), fmt.Sprintf("bad requests are answered, too: %d are not", s.tally.events[unanswered])},
		{s.ended[revision]-s.began[revision] >= float64(s.changes)*0.9, fmt.Sprintf("changes are published: %d changes, %.0f revisions", s.changes, s.ended[revision]-s.began[revision])},
		{s.ended[revision]-s.began[revision] <= float64(s.changes), fmt.Sprintf("no change is published twice, or undone: %d changes, %.0f revisions", s.changes, s.ended[revision]-s.began[revision])},
		{s.sampler.slept(revision) <= longest, fmt.Sprintf("the revision keeps growing: the same for %d s at most", s.sampler.slept(revision))},
		{s.ended[badLoads]+s.ended[badPublish]+s.sampler.most(stale) == 0, "no revision was refused, none was late"},
		{s.ended[decisions] > s.began[decisions], "the limiter decided"},
		{s.sampler.most(connections) <= float64(s.most), fmt.Sprintf("no more connections than %d: %.0f", s.most, s.sampler.most(connections))},
		flat("goroutines", goroutines, moreGoroutines),
		flat("open files", files, moreFiles),
		{s.ended[connections] == 0, fmt.Sprintf("no connection is left at the end: %.0f", s.ended[connections])},
		{s.ended[goroutines] <= s.began[goroutines]+moreGoroutines, fmt.Sprintf("goroutines end: %.0f before, %.0f after", s.began[goroutines], s.ended[goroutines])},
		{s.ended[files] <= s.began[files]+moreFiles, fmt.Sprintf("files are closed at the end: %.0f before, %.0f after", s.began[files], s.ended[files])},
		{err == nil && len(errors) == 0, fmt.Sprintf("the log has no errors: %d %v %.300q", len(errors), err, strings.Join(errors, "\n"))},
		{s.status == nil, fmt.Sprintf("the server ends as it should: %v", s.status)},
	}
	if s.lasts >= warm {
		checks = append(checks,
			flat("bytes of RSS", resident, s.sampler.tenth(resident, 1)/10+moreMemory),
			flat("bytes of the heap", heap, s.sampler.tenth(heap, 1)/10+moreMemory))
	}
	return checks
}

// undeclared returns the statuses of failures that the API does not document.
func (s *soak) undeclared() (statuses []string) {
	for status := range s.tally.statuses {
		if status >= "5" && !declared(status) {
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// said returns the lines of the server's log with any of these words.
func (s *soak) said(any ...string) (lines []string, err error) {
	text, err := os.ReadFile(s.server.Log)
	for line := range strings.Lines(string(text)) {
		if slices.ContainsFunc(any, func(word string) bool { return strings.Contains(line, word) }) {
			lines = append(lines, line)
		}
	}
	return lines, err
}
