package server_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vitrine/internal/catalog"
	"vitrine/internal/query"
	"vitrine/internal/server"
	"vitrine/internal/snapshot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const every = time.Second // of the fake clock

func titled(title string) *catalog.Catalog {
	return &catalog.Catalog{
		Title: catalog.Text{{Locale: "en", Value: title}}, DefaultLocale: "en", Locales: []string{"en"},
	}
}

// withChains returns a catalogue with chains of these slugs.
func withChains(title string, slugs ...string) *catalog.Catalog {
	c := titled(title)
	for i, slug := range slugs {
		c.Chains = append(c.Chains, catalog.Chain{
			ID: "id-" + slug, Slug: slug, Name: catalog.Text{{Locale: "en", Value: "Chain " + slug}}, ChainID: fmt.Sprint(i + 1),
		})
	}
	return c
}

// wantServes fails unless a revision is served with the bodies that the
// catalogue gives when it is compiled by itself.
func wantServes(t *testing.T, f *server.Follower, number int64, c *catalog.Catalog) {
	t.Helper()
	got := f.Snapshot()
	if got == nil || got.Revision().Number != number {
		t.Fatalf("revision %d is served, want %d", served(f), number)
	}
	want, err := snapshot.Compile(nil, c, got.Revision())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bodies(want), bodies(got)); diff != "" {
		t.Errorf("bodies of revision %d (-want +got):\n%s", number, diff)
	}
}

func bodies(s *snapshot.Snapshot) []string {
	return []string{
		string(s.Meta(query.Localized{})),
		string(s.Chains(query.Chains{}).Body()),
		string(s.NavGroups(query.Localized{})),
	}
}

// missing is the error of a store that is not there.
type missing struct{}

func (missing) Error() string { return "there is no store" }
func (missing) Unwrap() error { return fs.ErrNotExist }

func contains(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// invalid returns a catalogue that Check has an error for.
func invalid() *catalog.Catalog {
	c := titled("Invalid")
	c.Chains = []catalog.Chain{{Slug: "NOT A SLUG"}}
	return c
}

// lines is a log that is kept as lines of text without times.
type lines struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

func (l *lines) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// take returns the lines since the last take.
func (l *lines) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSuffix(l.buffer.String(), "\n")
	l.buffer.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// wantLines fails unless there is one line for each of the fragments, in their
// order.
func wantLines(t *testing.T, log *lines, fragments ...string) {
	t.Helper()
	got := log.take()
	ok := len(got) == len(fragments)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.Contains(got[i], fragments[i])
	}
	if !ok {
		t.Errorf("logged\n%s\nwant lines with\n%s", strings.Join(got, "\n"), fmt.Sprintf("%q", fragments))
	}
}
