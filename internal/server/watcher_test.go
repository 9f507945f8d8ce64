package server_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"vitrine/internal/server"
)

// folder is a catalogue directory of one file.
type folder struct {
	t   *testing.T
	dir string
}

func newFolder(t *testing.T, title string) folder {
	f := folder{t: t, dir: filepath.Join(t.TempDir(), "shop")}
	f.make()
	f.write(title)
	return f
}

func (f folder) make() {
	f.t.Helper()
	if err := os.Mkdir(f.dir, 0o700); err != nil {
		f.t.Fatal(err)
	}
}

// write changes the title, and the size of the file with it: the times of two
// writes may be the same.
func (f folder) write(title string) {
	f.raw(fmt.Sprintf("title: %s\ndefault_locale: en\nlocales: [en]\n", title))
}

func (f folder) raw(text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, "catalog.yaml"), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) remove() {
	f.t.Helper()
	if err := os.RemoveAll(f.dir); err != nil {
		f.t.Fatal(err)
	}
}

func newWatcher(dir string, s *memory, log *lines) (w *server.Watcher, published *int) {
	published = new(int)
	return server.NewWatcher(server.WatcherConfig{
		Dir: dir, Open: s.open, Every: every, Log: log.logger(), Metrics: server.NewMetrics(),
		Published: func() { *published++ },
	}), published
}

func wantHead(t *testing.T, s *memory, number int64, title string) {
	t.Helper()
	got, gotTitle := int64(0), ""
	if head, ok := s.newest(); ok {
		got, gotTitle = head.Number, head.catalog.Title.Resolve([]string{"en"})
	}
	if got != number || gotTitle != title {
		t.Errorf("the store has revision %d, %q; want %d, %q", got, gotTitle, number, title)
	}
}

func TestWatcherPublishesChanges(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, published := newWatcher(dir.dir, s, log)
		stop := start(t, w.Run)
		defer stop()

		synctest.Wait()
		wantHead(t, s, 1, "One") // at once, not after an interval
		wantLines(t, log, `msg="published the catalogue directory"`)

		pass(5)
		wantHead(t, s, 1, "One")

		dir.write("Second")
		pass(1)
		wantHead(t, s, 1, "One") // it may be in the middle of being saved
		pass(1)
		wantHead(t, s, 2, "Second")
		if *published != 2 {
			t.Errorf("told of %d publishes, want 2", *published)
		}
		wantLines(t, log, `revision=2`)
	})
}

func TestWatcherWaitsForTheEndOfSaving(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s := newMemory(t)
		w, _ := newWatcher(dir.dir, s, &lines{})
		defer start(t, w.Run)()
		synctest.Wait()
		for n := range 5 {
			dir.write("Longer and longer" + strings.Repeat(".", n+1))
			pass(1)
			wantHead(t, s, 1, "One")
		}
		pass(1)
		wantHead(t, s, 2, "Longer and longer.....")
	})
}

func TestWatcherReadsADirectoryThatNeverRests(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s := newMemory(t)
		w, _ := newWatcher(dir.dir, s, &lines{})
		defer start(t, w.Run)()
		synctest.Wait()
		for n := range 9 {
			dir.write("Longer and longer" + strings.Repeat(".", n+1))
			pass(1)
		}
		wantHead(t, s, 1, "One")
		dir.write("At last, and not a moment too early")
		pass(1)
		wantHead(t, s, 2, "At last, and not a moment too early")
	})
}

func TestWatcherLeavesTheImportedDirectoryAlone(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, _ := newWatcher(dir.dir, s, log)
		stop := start(t, w.Run)
		pass(0)
		stop()
		log.take()

		// As a rollback leaves it: other records, the same imported directory.
		head, _ := s.newest()
		head.Number, head.catalog = 7, titled("Rolled back")
		s.add(head)
		again, published := newWatcher(dir.dir, s, log)
		stop = start(t, again.Run)
		pass(3)
		stop()
		wantHead(t, s, 7, "Rolled back")
		wantLines(t, log)
		if *published != 0 {
			t.Errorf("told of %d publishes, want none", *published)
		}
	})
}

// Who edits may import, too: what was read before that is not to be published
// over it.
func TestWatcherPublishesNothingOld(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, published := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		log.take()

		dir.write("Second")
		pass(1)
		goOn := s.hang("head", false)
		pass(1) // read, but the store is slow
		dir.write("The third")
		head, _ := s.newest()
		head.Number, head.Digest, head.catalog = 2, "of the third", titled("The third")
		s.add(head)
		goOn()
		synctest.Wait()
		wantHead(t, s, 2, "The third")

		pass(3)
		wantHead(t, s, 2, "The third")
		wantLines(t, log)
		dir.write("Number four")
		pass(3)
		wantHead(t, s, 3, "Number four")
		if *published != 2 {
			t.Errorf("told of %d publishes, want 2", *published)
		}
	})
}

func TestWatcherReportsABrokenDirectoryOncePerChange(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(0)
		log.take()

		dir.raw("title: [\n")
		pass(6)
		wantHead(t, s, 1, "One")
		wantLines(t, log, `level=ERROR msg="the catalogue directory is broken; the store keeps what it has"`)
		dir.raw("title: [[\n")
		pass(6)
		wantLines(t, log, "catalog.yaml:")

		dir.write("One")
		pass(3)
		wantHead(t, s, 1, "One") // the same bytes as were imported last
		wantLines(t, log, `msg="the catalogue directory is as it was imported last"`)

		dir.raw("title: [[[\n")
		pass(3)
		dir.write("Mended")
		pass(3)
		wantHead(t, s, 2, "Mended")
		wantLines(t, log, `is broken`, `msg="published the catalogue directory"`)
	})
}

func TestWatcherLogsTheFirstErrorsOnly(t *testing.T) {
	dir := newFolder(t, "One")
	var chains strings.Builder
	for n := range 50 {
		fmt.Fprintf(&chains, "{\"slug\":\"chain-%d\",\"name\":\"Chain\",\"chain_id\":\"%d\",\"colour\":1}\n", n, n)
	}
	if err := os.WriteFile(filepath.Join(dir.dir, "chains.ndjson"), []byte(chains.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		line := strings.Join(log.take(), "\n")
		if n := strings.Count(line, "chains.ndjson:"); n != 20 {
			t.Errorf("%d errors in the log, want 20", n)
		}
		for _, want := range []string{"errors=50", "run vitrine check " + dir.dir} {
			if !strings.Contains(line, want) {
				t.Errorf("no %q in\n%s", want, line)
			}
		}
	})
}

func TestWatcherSurvivesADirectoryThatIsGone(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(0)
		log.take()

		dir.remove()
		pass(5)
		wantHead(t, s, 1, "One")
		wantLines(t, log, `level=ERROR msg="the catalogue directory cannot be published; the store keeps what it has"`)

		dir.make()
		dir.write("One")
		pass(3)
		wantHead(t, s, 1, "One")
		wantLines(t, log, `msg="the catalogue directory is as it was imported last"`)

		dir.remove()
		pass(2)
		dir.make()
		dir.write("Back again")
		pass(3)
		wantHead(t, s, 2, "Back again")
	})
}

func TestWatcherWaitsForADirectoryThatIsNotThereYet(t *testing.T) {
	dir := newFolder(t, "One")
	dir.remove()
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(3)
		wantLines(t, log, "cannot be published")
		dir.make()
		dir.write("Late")
		pass(3)
		wantHead(t, s, 1, "Late")
	})
}

func TestWatcherTriesAgainWhenTheStoreFails(t *testing.T) {
	dir := newFolder(t, "One")
	synctest.Test(t, func(t *testing.T) {
		s, log := newMemory(t), &lines{}
		s.fail("all", errors.New("the disk is full"))
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(5)
		wantLines(t, log, "the disk is full")
		s.fail("all", nil)
		pass(5)
		wantHead(t, s, 1, "One")
		wantLines(t, log, `msg="published the catalogue directory"`)
	})
}
