package follow_test

import (
	"fmt"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestMain collects garbage less often: the live heap of these tests is small.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

const every = time.Second // of the fake clock

// bubble runs a test in a synctest bubble with an empty store.
func bubble(t *testing.T, test func(t *testing.T, s *memory, log *logtest.Lines)) {
	synctest.Test(t, func(t *testing.T) { test(t, newMemory(t), &logtest.Lines{}) })
}

func titled(title string) *domain.Catalog {
	return &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: title}}, DefaultLocale: "en", Locales: []string{"en"},
	}
}

// withChains returns a catalogue with chains of these slugs.
func withChains(title string, slugs ...string) *domain.Catalog {
	c := titled(title)
	for i, slug := range slugs {
		c.Chains = append(c.Chains, domain.Chain{
			ID: "id-" + slug, Slug: slug, Name: domain.Text{{Locale: "en", Value: "Chain " + slug}}, ChainID: fmt.Sprint(i + 1),
		})
	}
	return c
}

// wantServes fails unless a revision is served with the same bodies as a full compile of its
// catalogue.
func wantServes(t *testing.T, f *follow.Follower, number int64, c *domain.Catalog) {
	t.Helper()
	got := f.Snapshot()
	if got == nil || got.Revision().Number != number {
		t.Fatalf("revision %d is served, want %d", served(f), number)
	}
	want, err := snapshot.Compile(nil, c, got.Revision())
	must(t, err)
	if diff := cmp.Diff(bodies(want), bodies(got)); diff != "" {
		t.Errorf("bodies of revision %d (-want +got):\n%s", number, diff)
	}
}

func bodies(s *snapshot.Snapshot) []string {
	return []string{
		string(snapshot.Encode(s.MetaView(0))),
		string(s.List(query.List{Kind: query.KindChain}).Body()),
		string(snapshot.Encode(s.NavGroupsView(0))),
	}
}

// missing is the error of a missing store.
type missing struct{}

func (missing) Error() string { return "there is no store" }
func (missing) Unwrap() error { return fs.ErrNotExist }

func contains(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// invalid returns a catalogue with an error.
func invalid() *domain.Catalog {
	c := titled("Invalid")
	c.Chains = []domain.Chain{{Slug: "NOT A SLUG"}}
	return c
}
