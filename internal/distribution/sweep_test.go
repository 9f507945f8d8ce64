package distribution

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
)

// TestSweep checks which files that no pointer names stay, by their age and total size.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	write := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, "files", name)
		if err := os.WriteFile(path, make([]byte, 10), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at.Add(-age), at.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("named", 100*time.Hour)
	write("Foreign", 100*time.Hour)
	write("a-day", 26*time.Hour)
	write("old", 20*time.Hour)
	write("less-old", 3*time.Hour)
	write("newer", 2*time.Hour)
	write("new", time.Minute)
	write("now", 0)
	for _, step := range []struct {
		limit int64
		now   bool
		want  []string
	}{
		{0, false, []string{"Foreign", "less-old", "named", "new", "newer", "now", "old"}},
		{40, false, []string{"Foreign", "less-old", "named", "new", "newer", "now"}},
		{30, false, []string{"Foreign", "named", "new", "newer", "now"}},
		{1, false, []string{"Foreign", "named", "new", "now"}},
		{0, true, []string{"Foreign", "named"}},
	} {
		s := sweeper{maxUnnamed: step.limit}
		pointer := fmt.Appendf(nil, `{"files":[{"path":"files/named","size":10,"sha256":%q}]}`, hexSum(nil))
		if err := s.sweep(folder(dir), pointer, nil, at, step.now); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(filepath.Join(dir, "files"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("with the limit %d, now %v: %v stay, want %v", step.limit, step.now, got, step.want)
		}
	}
}

// TestPurgedSince checks that a purge is found if a later revision is written next.
func TestPurgedSince(t *testing.T) {
	log := changelog.New(changelog.Revision{Number: 1}).Append(
		changelog.Revision{Number: 2, Entries: []changelog.Entry{changelog.Purged(2, domain.KindChain, "a")}}, changelog.Revision{Number: 3})
	for number, want := range map[int64]bool{1: true, 2: false, 3: false} {
		if got := purgedSince(log, number); got != want {
			t.Errorf("since revision %d: %v, want %v", number, got, want)
		}
	}
	if purgedSince(nil, 1) {
		t.Error("without a log there is a purge")
	}
}
