package follow_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/distribution"
	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/query"
	"vitrine/internal/server"
	"vitrine/internal/snapshot"
	"vitrine/internal/store"
)

// distributor writes the revisions of a store in memory as a distribution.
type distributor struct {
	t      *testing.T
	dir    string
	past   []store.Revision
	log    *changelog.Log // nil for none
	writer *distribution.Writer
}

func newDistributor(t *testing.T) *distributor {
	dir := t.TempDir()
	return &distributor{t: t, dir: dir, writer: distribution.NewWriter(distribution.WriterConfig{
		Dir: dir, Valid: time.Hour, Deltas: 4, Now: time.Now,
	})}
}

func (d *distributor) publish(number int64, c *domain.Catalog) {
	rev := store.Revision{Number: number, PublishedAt: time.Now().UTC(), Op: store.OpImport}
	if n := len(d.past); n > 0 && d.past[n-1].Number == number {
		rev = d.past[n-1] // again
	}
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		must(d.t, err)
		rows = append(rows, row)
	}
	state, err := store.NewState(rev, rows, nil)
	must(d.t, err)
	d.past = append(d.past, rev)
	_, err = d.writer.Write(d.t.Context(), state, d.log, func(_ context.Context, r distribution.Revision) (bool, error) {
		return slices.ContainsFunc(d.past, r.Is), nil
	})
	must(d.t, err)
}

// pointer returns or, with data, replaces the pointer.
func (d *distributor) pointer(data ...[]byte) []byte {
	name := filepath.Join(d.dir, "entry.json")
	if len(data) > 0 {
		must(d.t, os.WriteFile(name, data[0], 0o600))
	}
	now, err := os.ReadFile(name)
	must(d.t, err)
	return now
}

// TestFollowerOfADistribution follows a distribution without a store through faults and a restart.
func TestFollowerOfADistribution(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, log, metrics := newDistributor(t), &logtest.Lines{}, server.NewMetrics()
		lastGood := filepath.Join(t.TempDir(), "copy.last-good")
		run := func() (*follow.Follower, func()) {
			f := follow.New(follow.Config{
				Source: distribution.NewReader(distribution.ReaderConfig{From: d.dir, Pin: lastGood + ".entry", Log: log.Logger(), Now: time.Now}),
				Every:  every, Log: log.Logger(), Metrics: metrics.Follow, Name: "the distribution", WhenEmpty: "export one", LastGood: lastGood,
			})
			return f, start(t, f.Run)
		}
		f, stop := run()
		pass(2)
		wantServed(t, f, 0)
		log.Want(t, `level=WARN msg="nothing is served: look at the distribution: `)

		one, two, three := withChains("One", "a", "b"), withChains("Two", "a", "c"), withChains("Three", "c")
		d.publish(1, one)
		pass(2)
		wantServes(t, f, 1, one)
		first := d.pointer()
		d.publish(2, two)
		pass(2)
		wantServes(t, f, 2, two)
		log.Want(t, `msg="serving a new revision" revision=1 `, `msg="the distribution works again" serving=1`, `msg="serving a new revision" revision=2 `)

		second := d.pointer()
		d.pointer(first)
		pass(2)
		wantServes(t, f, 2, two)
		log.Want(t, `level=ERROR msg="the distribution's revision cannot be served" error="look at the distribution: entry.json: it is not newer than the accepted one: `)
		if s := f.Status(); !s.Ready || !s.Stale || s.StoreProblem == "" {
			t.Errorf("status %+v, want ready and stale with a problem", s)
		}
		stop()
		f, stop = run() // with the last good file and the pin
		pass(2)
		wantServes(t, f, 2, two)
		log.Want(t, `msg="serving the last good state; it may be stale"`)
		d.pointer(second)
		pass(12)
		log.Want(t, `msg="the distribution works again" serving=2`)
		if s := f.Status(); !s.Ready || s.Stale {
			t.Errorf("status %+v, want ready", s)
		}
		d.publish(3, three)
		pass(2)
		wantServes(t, f, 3, three)

		time.Sleep(2 * time.Hour)
		synctest.Wait()
		wantServes(t, f, 3, three)
		log.Want(t, `msg="serving a new revision" revision=3 `, `the distribution has expired: its publisher has not renewed revision 3 since `)
		if !f.Status().Stale {
			t.Error("an expired distribution is not reported as stale")
		}
		d.publish(3, three) // renews it
		pass(12)
		if s := f.Status(); s.Stale {
			t.Errorf("status %+v after the renewal", s)
		}

		d.publish(4, invalid())
		pass(12)
		wantServes(t, f, 3, three)
		log.Want(t, `msg="the distribution works again"`, `revision 4 is not valid`)
		d.publish(5, one)
		pass(12)
		wantServes(t, f, 5, one)
		stop()
	})
}

// TestDamagedLog checks that a revision is served although its log of changes is damaged, and that the
// log is read again until it is intact.
func TestDamagedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, log, metrics := newDistributor(t), &logtest.Lines{}, server.NewMetrics()
		f := follow.New(follow.Config{
			Source: distribution.NewReader(distribution.ReaderConfig{From: d.dir, Log: log.Logger(), Now: time.Now}),
			Every:  every, Log: log.Logger(), Metrics: metrics.Follow, Name: "the distribution",
		})
		defer start(t, f.Run)()
		admin := server.NewAdmin(f, metrics, server.About{})
		oldest := func() int64 {
			t.Helper()
			_, err := f.Snapshot().Since(query.Changes{Revision: -1})
			unknown, ok := errors.AsType[*snapshot.UnknownChanges](err)
			if !ok || unknown.Oldest == nil {
				t.Fatalf("error %v, want one with the oldest revision", err)
			}
			return unknown.Oldest.Number
		}
		pass(2)
		log.Take()
		one, two, three := withChains("One", "a"), withChains("Two", "a", "b"), withChains("Three", "c")
		d.log = changelog.New(changelog.Revision{Number: 1, PublishedAt: time.Now()})
		d.publish(1, one)
		pass(2)
		wantServes(t, f, 1, one)

		d.log = d.log.Append(changelog.Revision{Number: 2, PublishedAt: time.Now()})
		d.publish(2, two)
		blocks, err := filepath.Glob(filepath.Join(d.dir, "files", "changes-*"))
		must(t, err)
		intact := map[string][]byte{}
		for _, name := range blocks {
			intact[name], err = os.ReadFile(name)
			must(t, err)
			must(t, os.WriteFile(name, []byte("damaged"), 0o600))
		}
		pass(12)
		wantServes(t, f, 2, two)
		if got := oldest(); got != 2 {
			t.Errorf("changes are known since revision %d, want 2", got)
		}
		wantReadiness(t, admin, 200, `"ready":true`, `"changesProblem":"the log of changes cannot be read: files/changes-`)
		wantNotReported(t, admin, "stale")
		wantMetrics(t, admin, "vitrine_changes_failing 1", "vitrine_stale 0")
		if lines := log.Take(); len(lines) != 4 || !strings.Contains(lines[3], `level=ERROR msg="changes before the served revision are unknown`) {
			t.Errorf("logged %q, want the damage once", lines)
		}

		for name, data := range intact {
			must(t, os.WriteFile(name, data, 0o600))
		}
		pass(2)
		wantNotReported(t, admin, "changesProblem")
		wantMetrics(t, admin, "vitrine_changes_failing 0")
		if got := oldest(); got != 1 {
			t.Errorf("changes are known since revision %d, want 1", got)
		}
		log.Want(t, `msg="the changes are known again"`)
		d.log = d.log.Append(changelog.Revision{Number: 3, PublishedAt: time.Now()})
		d.publish(3, three)
		pass(2)
		wantServes(t, f, 3, three)
		if got := oldest(); got != 1 {
			t.Errorf("changes are known since revision %d, want 1", got)
		}
	})
}

// TestFollowersPauseDiffers checks that the looks of many readers do not stay together.
func TestFollowersPauseDiffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := map[time.Duration]bool{}
		d := newDistributor(t)
		d.publish(1, titled("One"))
		for range 5 {
			source := &lookTimes{Source: distribution.NewReader(distribution.ReaderConfig{From: d.dir, Log: (&logtest.Lines{}).Logger(), Now: time.Now})}
			f := follow.New(follow.Config{Source: source, Every: every, Spread: true, Log: (&logtest.Lines{}).Logger(), Metrics: server.NewMetrics().Follow})
			stop := start(t, f.Run)
			began := time.Now()
			pass(4)
			stop()
			for _, at := range source.at[1:] {
				looks[at.Sub(began)] = true
			}
			for i := range source.at[1:] {
				if pause := source.at[i+1].Sub(source.at[i]); pause != 0 && (pause < every || pause > every*6/5) {
					t.Errorf("a pause of %s", pause)
				}
			}
		}
		if len(looks) < 10 {
			t.Errorf("looks at %v", slices.Sorted(maps.Keys(looks)))
		}
	})
}

// lookTimes records the times of looks.
type lookTimes struct {
	follow.Source
	at []time.Time
}

func (l *lookTimes) Head(ctx context.Context) (store.Revision, error) {
	l.at = append(l.at, time.Now())
	return l.Source.Head(ctx)
}
