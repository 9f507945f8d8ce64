package cli

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vitrine/internal/admission"
	"vitrine/internal/operations"
	"vitrine/internal/ratelimit"
	"vitrine/internal/site"
)

// madeFor is the address in the examples of guides.
const madeFor = "http://127.0.0.1:8080"

// TestExamplesOfGuides checks that every example of every guide, in every language, prints the
// output in the guide, against a server with the bundled catalogue.
func TestExamplesOfGuides(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some twenty programs")
	}
	files, err := filepath.Glob("../site/guides/*.md")
	must(t, err)
	if len(files) < 6 {
		t.Fatalf("%d guides; the test looks in the wrong place", len(files))
	}
	served := serveBundled(t)
	runners := map[string]struct {
		file    string
		command []string
	}{
		"sh": {"example.sh", []string{"bash"}}, "js": {"example.mjs", []string{"node"}},
		"python": {"example.py", []string{"python3"}}, "go": {"example.go", []string{"go", "run", "-ldflags=-s -w"}},
	}
	fences := regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	for _, file := range files {
		source, err := os.ReadFile(file)
		must(t, err)
		want := ""
		ran := 0
		examples := fences.FindAllStringSubmatch(string(source), -1)
		for _, example := range examples {
			if example[1] == "text" {
				want = example[2]
			}
		}
		for _, example := range examples {
			runner, ok := runners[example[1]]
			if !ok {
				continue
			}
			ran++
			t.Run(filepath.Base(file)+"/"+example[1], func(t *testing.T) {
				if _, err := exec.LookPath(runner.command[0]); err != nil {
					t.Skip(err)
				}
				t.Parallel()
				program := filepath.Join(t.TempDir(), runner.file)
				must(t, os.WriteFile(program, []byte(strings.ReplaceAll(example[2], madeFor, served)), 0o600))
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				got, err := exec.CommandContext(ctx, runner.command[0], append(runner.command[1:], program)...).CombinedOutput()
				if err != nil || string(got) != want {
					t.Errorf("printed %q, %v; the guide says %q", got, err, want)
				}
			})
		}
		if ran != len(runners) {
			t.Errorf("%s has %d examples; want one each of curl, JavaScript, Python and Go", file, ran)
		}
	}
}

// serveBundled serves the bundled catalogue until the test ends, and returns its address.
func serveBundled(t *testing.T) string {
	t.Helper()
	current, err := compiledBundle()
	must(t, err)
	pages, err := site.New(site.Config{})
	must(t, err)
	log := slog.New(slog.DiscardHandler)
	gate := admission.New(ratelimit.NewMemory(), func() *admission.Keys { return admission.NewKeys(nil, nil) }, log,
		admission.Config{Anonymous: ratelimit.Policy{Quota: 10_000, Window: time.Minute}})
	handler, err := operations.New(operations.Config{Snapshot: current, Gate: gate, Log: log, Pages: pages, CacheBytes: 1 << 20})
	must(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}
