package follow_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/distribution"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// distributeIn makes a follower write a distribution.
func distributeIn(dir string) func(*follow.Config) {
	return func(c *follow.Config) {
		c.Distribution = &follow.Distribution{Dir: dir, Writer: distribution.NewWriter(distribution.WriterConfig{
			Dir: dir, Valid: time.Hour, Deltas: 4, Now: time.Now,
		})}
	}
}

func wantDistributed(t *testing.T, dir string, number int64) {
	t.Helper()
	if head, err := distribution.Head(t.Context(), dir); err != nil || head.Number != number {
		t.Errorf("the distribution has revision %d, %v; want %d", head.Number, err, number)
	}
}

// TestFollowerDistributes checks that each revision is distributed, the pointer renewed, lost files
// written again, and a newer epoch begun for another store.
func TestFollowerDistributes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.put(7, withChains("Seven", "a"))
		f := newFollower(s, log, m, distributeIn(dir))
		defer start(t, f.Run)()
		admin := server.NewAdmin(f, m, server.About{})
		pass(2)
		wantDistributed(t, dir, 7)
		wantMetrics(t, admin, "vitrine_distribution_revision 7", "vitrine_distribution_failing 0")

		s.put(8, withChains("Eight", "a", "b"))
		pass(2)
		wantDistributed(t, dir, 8)

		before := modified(t, dir)
		pass(15 * 60)
		if !modified(t, dir).Equal(before) {
			t.Error("the pointer was written long before the end of its validity")
		}
		pass(20 * 60)
		renewed := pointerOf(t, dir)
		if !strings.Contains(renewed, `"issuedAt": "2000-01-01T00:3`) {
			t.Errorf("the pointer was not renewed after half of its validity:\n%s", renewed)
		}

		must(t, os.RemoveAll(dir))
		pass(10)
		wantDistributed(t, dir, 8)
		catalogue := strings.Split(renewed, "\n")[2]
		if again := pointerOf(t, dir); !strings.Contains(again, catalogue) {
			t.Errorf("after the loss of the folder, %s is missing:\n%s", catalogue, again)
		}
		s.replace(3, withChains("Another store", "a"))
		pass(10)
		wantDistributed(t, dir, 3)
		wantNotReported(t, admin, "distributionProblem")
	})
}

func modified(t *testing.T, dir string) time.Time {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, "entry.json"))
	must(t, err)
	return info.ModTime()
}

func pointerOf(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "entry.json"))
	must(t, err)
	return string(data)
}

// TestDistributionFails checks that a failed write is reported once and repeated.
func TestDistributionFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	must(t, os.WriteFile(dir, nil, 0o600)) // in the way of the folder
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.put(7, titled("Seven"))
		f := newFollower(s, log, m, distributeIn(dir))
		defer start(t, f.Run)()
		admin := server.NewAdmin(f, m, server.About{})
		pass(60)
		wantServed(t, f, 7)
		wantReadiness(t, admin, 200, `"ready":true`, `"distributionProblem":"mkdir: not a directory"`)
		wantMetrics(t, admin, "vitrine_distribution_failing 1", "vitrine_distribution_revision 0")
		failures := 0
		for _, line := range log.Take() {
			if strings.Contains(line, "the distribution cannot be written") {
				failures++
			}
		}
		if failures != 1 {
			t.Errorf("%d lines about the failure, want 1", failures)
		}
		must(t, os.Remove(dir))
		pass(10)
		wantDistributed(t, dir, 7)
		wantNotReported(t, admin, "distributionProblem")
	})
}

// TestTablesFail checks that tables that cannot be written are reported once and do not stop the
// distribution.
func TestTablesFail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	obstacle := filepath.Join(dir, ".tables.sqlite", "inside")
	must(t, os.MkdirAll(obstacle, 0o755))
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.put(7, titled("Seven"))
		f := newFollower(s, log, m, func(c *follow.Config) {
			always := time.Duration(0)
			c.Distribution = &follow.Distribution{Dir: dir, Writer: distribution.NewWriter(distribution.WriterConfig{
				Dir: dir, Valid: time.Hour, Deltas: 4, Tables: &always, Now: time.Now,
			})}
		})
		defer start(t, f.Run)()
		admin := server.NewAdmin(f, m, server.About{})
		pass(200)
		wantDistributed(t, dir, 7)
		wantReadiness(t, admin, 200, `"ready":true`, `"distributionProblem":"the tables: remove: directory not empty"`)
		wantMetrics(t, admin, "vitrine_distribution_failing 1", "vitrine_distribution_revision 7")
		failures := 0
		for _, line := range log.Take() {
			if strings.Contains(line, "the tables of the distribution cannot be written") {
				failures++
			}
		}
		if failures != 1 {
			t.Errorf("%d lines about the failure, want 1", failures)
		}
		must(t, os.RemoveAll(filepath.Dir(obstacle)))
		pass(70)
		wantNotReported(t, admin, "distributionProblem")
		wantMetrics(t, admin, "vitrine_distribution_failing 0")
	})
}

// TestTwoFollowersDistribute checks that one of two processes writes, and the other one takes over.
func TestTwoFollowersDistribute(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m1, m2 := server.NewMetrics(), server.NewMetrics()
		s.put(7, titled("Seven"))
		first := newFollower(s, log, m1, distributeIn(dir))
		stop := start(t, first.Run)
		pass(2)
		second := newFollower(s, log, m2, distributeIn(dir))
		defer start(t, second.Run)()
		admin := server.NewAdmin(second, m2, server.About{})
		for number := int64(8); number < 12; number++ {
			s.put(number, titled("Next"))
			pass(8)
			wantDistributed(t, dir, number)
			wantNotReported(t, admin, "distributionProblem")
		}
		pass(300)
		wantNotReported(t, admin, "distributionProblem")
		stop()
		s.put(12, titled("Next"))
		pass(8)
		wantDistributed(t, dir, 12)
	})
}

// TestFollowersOfDifferentStores checks that a second store does not replace the distribution of the
// first, which is reported.
func TestFollowersOfDifferentStores(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.put(7, titled("Seven"))
		defer start(t, newFollower(s, log, server.NewMetrics(), distributeIn(dir)).Run)()
		pass(2)
		other, m := newMemory(t), server.NewMetrics()
		other.put(9, titled("Another"))
		f := newFollower(other, log, m, distributeIn(dir))
		defer start(t, f.Run)()
		pass(100)
		wantDistributed(t, dir, 7)
		wantReadiness(t, server.NewAdmin(f, m, server.About{}), 200, `"distributionProblem":"another process writes the distribution (process `)
	})
}

// TestStoreFailsBeforeDistribution checks that nothing is distributed while the history of the
// store is unknown.
func TestStoreFailsBeforeDistribution(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.put(7, titled("Seven"))
		f := newFollower(s, log, m, distributeIn(dir))
		defer start(t, f.Run)()
		pass(2)
		s.put(8, titled("Eight"))
		synctest.Wait()
		s.fail("history", errors.New("connection lost"))
		pass(30)
		wantDistributed(t, dir, 7)
		s.fail("history", nil)
		pass(30)
		wantDistributed(t, dir, 8)
	})
}

// TestReaderCopiesItsDistribution checks that the follower of a distribution keeps a copy of it, with
// the same bytes, and repairs it.
func TestReaderCopiesItsDistribution(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copy")
	synctest.Test(t, func(t *testing.T) {
		d, log, m := newDistributor(t), &logtest.Lines{}, server.NewMetrics()
		defer d.writer.Close()
		d.publish(1, withChains("One", "a"))
		f := follow.New(follow.Config{
			Source: distribution.NewReader(distribution.ReaderConfig{From: d.dir, Log: log.Logger(), Now: time.Now}),
			Every:  every, Log: log.Logger(), Metrics: m.Follow, Name: "the distribution", WhenEmpty: "export one",
			Distribution: &follow.Distribution{Dir: dir, Mirror: distribution.NewMirror(distribution.MirrorConfig{From: d.dir, Dir: dir, Now: time.Now})},
		})
		defer start(t, f.Run)()
		pass(10)
		if pointerOf(t, dir) != string(d.pointer()) {
			t.Error("the copy has another pointer")
		}
		d.publish(2, withChains("Two", "a", "b"))
		pass(10)
		if pointerOf(t, dir) != string(d.pointer()) {
			t.Error("the copy has not followed")
		}
		must(t, os.RemoveAll(dir))
		must(t, os.WriteFile(dir, nil, 0o600))
		admin := server.NewAdmin(f, m, server.About{})
		pass(10)
		wantServed(t, f, 2)
		wantReadiness(t, admin, 200, `"distributionProblem":"mkdir: not a directory"`)
		must(t, os.Remove(dir))
		pass(10)
		wantDistributed(t, dir, 2)
		wantNotReported(t, admin, "distributionProblem")
	})
}
