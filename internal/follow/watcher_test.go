package follow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

// folder is a catalogue directory with one file.
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
	must(f.t, os.Mkdir(f.dir, 0o700))
}

// write changes the title and the size of the file, because two writes may have the same time.
func (f folder) write(title string) {
	f.raw(fmt.Sprintf("title: %s\ndefault_locale: en\nlocales: [en]\n", title))
}

func (f folder) raw(text string) {
	f.t.Helper()
	must(f.t, os.WriteFile(filepath.Join(f.dir, "catalog.yaml"), []byte(text), 0o600))
}

// list writes a file of lines.
func (f folder) list(name string, lines ...string) {
	f.t.Helper()
	must(f.t, os.WriteFile(filepath.Join(f.dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

func (f folder) remove() {
	f.t.Helper()
	must(f.t, os.RemoveAll(f.dir))
}

func newWatcher(dir string, s *memory, log *logtest.Lines) (w *follow.Watcher, published *int) {
	published = new(int)
	w = follow.NewWatcher(follow.WatcherConfig{
		Dir: dir, Open: s.open, Every: every, Log: log.Logger(), Metrics: server.NewMetrics().Follow,
	})
	w.OnPublished(func() { *published++ })
	return w, published
}

// watching runs a test in a bubble in which a watcher has published a directory as revision 1, "One".
// The log of that publish is discarded.
func watching(t *testing.T, test func(t *testing.T, dir folder, s *memory, log *logtest.Lines)) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		log.Take()
		test(t, dir, s, log)
	})
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
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, published := newWatcher(dir.dir, s, log)
		stop := start(t, w.Run)
		defer stop()

		synctest.Wait()
		wantHead(t, s, 1, "One") // at once, not after an interval
		log.Want(t, `msg="published the catalogue directory"`)

		pass(5)
		wantHead(t, s, 1, "One")

		dir.write("Second")
		pass(1)
		wantHead(t, s, 1, "One") // a save may be in progress
		pass(1)
		wantHead(t, s, 2, "Second")
		if *published != 2 {
			t.Errorf("notified of %d publishes, want 2", *published)
		}
		log.Want(t, `revision=2`)
	})
}

// change changes a directory before each of n looks.
func change(dir folder, n int) {
	for i := range n {
		dir.write("Longer and longer" + strings.Repeat(".", i+1))
		if i == 0 {
			pass(1)
		} else {
			passHalf() // a change brings the next look forward
		}
	}
}

func passHalf() {
	time.Sleep(every / 2)
	synctest.Wait()
}

func TestWatcherWaitsForTheEndOfSaving(t *testing.T) {
	watching(t, func(t *testing.T, dir folder, s *memory, log *logtest.Lines) {
		change(dir, 5)
		wantHead(t, s, 1, "One")
		passHalf()
		wantHead(t, s, 2, "Longer and longer.....")
	})
}

func TestWatcherReadsARestlessDirectory(t *testing.T) {
	watching(t, func(t *testing.T, dir folder, s *memory, log *logtest.Lines) {
		change(dir, follow.BusyLooks-1)
		wantHead(t, s, 1, "One")
		dir.write("At last, and not a moment too early")
		passHalf()
		wantHead(t, s, 2, "At last, and not a moment too early")
	})
}

// TestWatcherPublishesADirectoryThatChangedBeforeReading simulates a slow machine, on which a directory changes
// again before it is read.
func TestWatcherPublishesADirectoryThatChangedBeforeReading(t *testing.T) {
	dir := newFolder(t, "One")
	git := filepath.Join(filepath.Dir(dir.dir), ".git")
	must(t, os.Mkdir(git, 0o700))
	must(t, os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600))
	lock := filepath.Join(git, "index.lock") // reading waits for it
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		changeWhileReading := func(before, read string) {
			dir.write(before)
			must(t, os.WriteFile(lock, nil, 0o600))
			pass(1)
			dir.write(read)
			must(t, os.Remove(lock))
			passHalf()
		}
		change(dir, follow.BusyLooks-1)
		wantHead(t, s, 1, "One")
		changeWhileReading("Seen", "Seen and read")
		wantHead(t, s, 2, "Seen and read")
		changeWhileReading("And on", "And on it goes")
		wantHead(t, s, 3, "And on it goes")
		pass(30)
		wantHead(t, s, 3, "And on it goes")
		dir.write("Rest")
		pass(2)
		wantHead(t, s, 4, "Rest")
	})
}

// TestWatcherPublishesARestlessDirectory checks that a directory that changes during each publish
// is published as read after ten attempts, and that the log and /readyz report it. It must not revert
// another publish in between.
func TestWatcherPublishesARestlessDirectory(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		follower := follow.New(follow.Config{Every: every, Metrics: server.NewMetrics().Follow, Watcher: w})
		changing := func() string { return follower.Status().CatalogChanging }
		defer start(t, w.Run)()
		synctest.Wait()
		log.Take()
		attempt := 0
		// try leaves the directory unchanged for a look, and changes it while the head is loaded.
		try := func() {
			attempt++
			dir.write("State " + strings.Repeat("x", attempt))
			release := s.hang("load", false)
			pass(2)
			dir.write("Later " + strings.Repeat("x", attempt) + "!!")
			release()
			synctest.Wait()
		}
		for range 10 {
			try()
			wantHead(t, s, 1, "One")
		}
		if got := changing(); got != "" {
			t.Errorf("before the first publish: %q", got)
		}
		try()
		wantHead(t, s, 2, "State xxxxxxxxxxx")
		log.Want(t, `revision=2 `, `level=WARN msg="the catalogue directory keeps changing; an earlier state of it was published"`)
		if got := changing(); !strings.Contains(got, "faster than it can be published") {
			t.Errorf("after the publish: %q", got)
		}

		pass(3) // no changes
		wantHead(t, s, 3, "Later xxxxxxxxxxx!!")
		log.Want(t, `revision=3 `, `msg="the published catalogue matches the directory again"`)
		if got := changing(); got != "" {
			t.Errorf("without changes: %q", got)
		}

		for range 10 {
			try()
		}
		wantHead(t, s, 3, "Later xxxxxxxxxxx!!")
		attempt++
		dir.write("State " + strings.Repeat("x", attempt))
		release := s.hang("load", false)
		pass(2)
		head, _ := s.newest()
		head.Number, head.catalog = 4, titled("Somebody else's")
		s.add(head)
		dir.write("Rest")
		release()
		synctest.Wait()
		wantHead(t, s, 4, "Somebody else's")
		pass(3)
		wantHead(t, s, 5, "Rest")
	})
}

// TestWatcherFillsAnEmptyStoreFromARestlessDirectory checks the same for an empty store.
func TestWatcherFillsAnEmptyStoreFromARestlessDirectory(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		release := s.hang("load", false)
		defer start(t, w.Run)()
		synctest.Wait()
		for n := range 30 {
			dir.write("State " + strings.Repeat("x", n+1))
			release()
			synctest.Wait()
			release = s.hang("load", false)
			if head, ok := s.newest(); ok {
				title, _ := head.catalog.Title.In("en")
				if n > follow.BusyLooks || !strings.HasPrefix(title, "State ") {
					t.Errorf("%q was published after %d changes", title, n)
				}
				release()
				return
			}
			pass(1)
		}
		release()
		t.Error("nothing was published")
	})
}

// fill adds a file with a number of chains.
func (f folder) fill(chains int) {
	f.t.Helper()
	var b strings.Builder
	for n := range chains {
		fmt.Fprintf(&b, "{\"slug\":\"chain-%d\",\"name\":\"Chain\",\"chain_id\":\"%d\"}\n", n, n)
	}
	must(f.t, os.WriteFile(filepath.Join(f.dir, "chains.ndjson"), []byte(b.String()), 0o600))
}

// heldOf returns publishHeld of /readyz, and compares the metric with it.
func heldOf(t *testing.T, w *follow.Watcher, m *server.Metrics) string {
	t.Helper()
	admin := server.NewAdmin(follow.New(follow.Config{Every: every, Metrics: m.Follow, Watcher: w}), m, server.About{})
	ask := func(path string) string {
		rec := httptest.NewRecorder()
		admin.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		return rec.Body.String()
	}
	var state struct {
		PublishHeld *struct {
			Rules  []string
			Accept string
		}
		CatalogProblem string
	}
	must(t, json.Unmarshal([]byte(ask("/readyz")), &state))
	text := state.CatalogProblem
	if h := state.PublishHeld; h != nil {
		text += strings.Join(h.Rules, ",")
		if want := "vitrine import shop --accept " + text; h.Accept != want {
			t.Errorf("accept with %q, want %q", h.Accept, want)
		}
	}
	metrics := ask("/metrics")
	for _, family := range []string{"shrink", "rollback"} {
		figure := 0
		if strings.Contains(text, family+":") {
			figure = 1
		}
		if want := fmt.Sprintf("vitrine_publish_held{rule=%q} %d\n", family, figure); !strings.Contains(metrics, want) {
			t.Errorf("while %q holds: no metric %s", text, want)
		}
	}
	return text
}

func wantHeld(t *testing.T, w *follow.Watcher, m *server.Metrics, rules string) {
	t.Helper()
	if got := heldOf(t, w, m); got != rules {
		t.Errorf("held: %q, want %q", got, rules)
	}
}

// TestWatcherHoldsMassLoss checks that a large loss is held and logged once per change, until the
// directory is corrected or the hold is accepted.
func TestWatcherHoldsMassLoss(t *testing.T) {
	dir := newFolder(t, "One")
	dir.fill(40)
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		metrics := server.NewMetrics()
		w := follow.NewWatcher(follow.WatcherConfig{
			Dir: dir.dir, Open: s.open, Every: every, Log: log.Logger(), Metrics: metrics.Follow,
			Command: "vitrine import shop",
		})
		defer start(t, w.Run)()
		synctest.Wait()
		log.Want(t, `revision=1 warnings=0 catalog.added=0 catalog.changed=1 catalog.removed=0 chains.added=40 chains.changed=0 chains.removed=0`)

		dir.fill(12)
		pass(6)
		wantHead(t, s, 1, "One")
		log.Want(t, `level=WARN msg="the catalogue directory is held; the store is unchanged"`)
		wantHeld(t, w, metrics, "shrink:chains")
		dir.fill(11)
		pass(6)
		log.Want(t, `29 of 40 chains (73 %; held from 25 %) would be gone`)

		dir.fill(39)
		pass(3)
		wantHead(t, s, 2, "One")
		log.Want(t, `chains.removed=1`)
		wantHeld(t, w, metrics, "")

		dir.fill(5)
		pass(3)
		dir.raw("title: [\n")
		pass(3)
		if got := heldOf(t, w, metrics); !strings.Contains(got, "catalog.yaml:") || strings.Contains(got, "shrink") {
			t.Errorf("a held directory that is broken later: %q", got)
		}
		dir.write("One")
		pass(3)
		wantHeld(t, w, metrics, "shrink:chains")
		log.Take()

		// The hold is accepted manually.
		head, _ := s.newest()
		head.Number, head.catalog = 3, titled("One")
		for n := range 5 {
			id := fmt.Sprint(n)
			head.catalog.Chains = append(head.catalog.Chains, domain.Chain{
				Slug: "chain-" + id, ChainID: id, Name: domain.Text{{Locale: "en", Value: "Chain"}},
			})
		}
		s.add(head)
		w.Served(head.Revision)
		pass(3)
		wantHead(t, s, 3, "One")
		wantHeld(t, w, metrics, "")
		log.Want(t, "is unchanged since its last import")
	})
}

// TestWatcherRevertsNoRollback checks that neither the unchanged directory, a restart nor the next save
// reverts a rollback, and that /readyz reports the difference.
func TestWatcherRevertsNoRollback(t *testing.T) {
	dir := newFolder(t, "Bad")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		metrics := server.NewMetrics()
		s.put(1, titled("Good"))
		config := follow.WatcherConfig{
			Dir: dir.dir, Open: s.open, Every: every, Log: log.Logger(), Metrics: metrics.Follow,
			Command: "vitrine import shop",
		}
		w := follow.NewWatcher(config)
		stop := start(t, w.Run)
		synctest.Wait()
		wantHead(t, s, 2, "Bad")
		log.Take()

		rollback := revision{store.Revision{Number: 3, Op: store.OpRollback, Digest: s.digest()}, titled("Good")}
		s.add(rollback)
		w.Served(rollback.Revision)
		pass(5)
		wantHead(t, s, 3, "Good")
		log.Want(t, "rules=[rollback:3]")
		wantHeld(t, w, metrics, "rollback:3")
		stop()

		w = follow.NewWatcher(config)
		defer start(t, w.Run)()
		pass(5)
		wantHead(t, s, 3, "Good")
		log.Want(t, "rules=[rollback:3]")

		dir.fill(3)
		pass(5)
		wantHead(t, s, 3, "Good")
		log.Want(t, "changed while held; the change is not published") // the same rule holds it
		if waiting := w.Held().Waiting; waiting.Edits != 1 || waiting.Last == nil || waiting.Records != 4 {
			t.Errorf("waiting: %+v", waiting)
		}
		dir.fill(4)
		pass(5)
		dir.fill(5)
		pass(5)
		log.Want(t) // one line per minute
		pass(int(time.Minute / every))
		log.Want(t, "edits=3 waiting_records=6")
		pass(2 * int(time.Minute/every))
		log.Want(t)
		dir.write("Good")
		pass(5)
		wantHead(t, s, 4, "Good")
		wantHeld(t, w, metrics, "")
	})
}

// TestRollbackDoesNotPublishAnotherDirectory checks that a rollback of another directory's import
// does not publish this directory.
func TestRollbackDoesNotPublishAnotherDirectory(t *testing.T) {
	dir := newFolder(t, "Mine")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		s.put(2, titled("Other"))
		s.put(3, titled("Third"))
		rollback := revision{store.Revision{Number: 4, Op: store.OpRollback}, titled("Other")}
		s.add(rollback)
		log.Take()
		w.Served(rollback.Revision)
		pass(5)
		wantHead(t, s, 4, "Other")
		log.Want(t)
		dir.write("Mine again")
		pass(3)
		wantHead(t, s, 5, "Mine again")
	})
}

// TestWatcherPublishesNoOldReading checks that an earlier reading does not replace a later import.
func TestWatcherPublishesNoOldReading(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, published := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		log.Take()

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
		log.Want(t)
		dir.write("Number four")
		pass(3)
		wantHead(t, s, 3, "Number four")
		if *published != 2 {
			t.Errorf("notified of %d publishes, want 2", *published)
		}
	})
}

// TestWatcherOutlivesForeignFiles checks that a file of another program is reported like other faults.
func TestWatcherOutlivesForeignFiles(t *testing.T) {
	watching(t, func(t *testing.T, dir folder, s *memory, log *logtest.Lines) {
		foreign := filepath.Join(dir.dir, "chains.json")
		var fields strings.Builder
		for i := range 40 {
			fmt.Fprintf(&fields, `"f%d": {}, `, i)
		}
		must(t, os.WriteFile(foreign, []byte("{"+fields.String()+`"status": "live"}`), 0o600))
		pass(2)
		wantHead(t, s, 1, "One")
		log.Want(t, "chains.json")

		must(t, os.Remove(foreign))
		dir.write("Second")
		pass(2)
		wantHead(t, s, 2, "Second")
	})
}

func TestWatcherReportsABrokenDirectoryOncePerChange(t *testing.T) {
	watching(t, func(t *testing.T, dir folder, s *memory, log *logtest.Lines) {
		dir.raw("title: [\n")
		pass(6)
		wantHead(t, s, 1, "One")
		log.Want(t, `level=ERROR msg="the catalogue directory is broken; the store is unchanged"`)
		dir.raw("title: [[\n")
		pass(6)
		log.Want(t, "catalog.yaml:")

		dir.write("One")
		pass(3)
		wantHead(t, s, 1, "One") // the bytes of the last import
		log.Want(t, `msg="the catalogue directory is unchanged since its last import"`)

		dir.raw("title: [[[\n")
		pass(3)
		dir.write("Mended")
		pass(3)
		wantHead(t, s, 2, "Mended")
		log.Want(t, `is broken`, `msg="published the catalogue directory"`)
	})
}

func TestWatcherLogsTheFirstErrorOnly(t *testing.T) {
	dir := newFolder(t, "One")
	var chains strings.Builder
	for n := range 50 {
		fmt.Fprintf(&chains, "{\"slug\":\"chain-%d\",\"name\":\"Chain\",\"chain_id\":\"%d\",\"colour\":1}\n", n, n)
	}
	must(t, os.WriteFile(filepath.Join(dir.dir, "chains.ndjson"), []byte(chains.String()), 0o600))
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		synctest.Wait()
		line := strings.Join(log.Take(), "\n")
		if n := strings.Count(line, "chains.ndjson:"); n != 1 || len(line) > 600 {
			t.Errorf("%d errors in %d bytes of log, want the first alone", n, len(line))
		}
		for _, want := range []string{"errors=50", `rules="unknown-field 50"`, `first="chains.ndjson:1:`, "run vitrine check " + dir.dir} {
			if !strings.Contains(line, want) {
				t.Errorf("no %q in\n%s", want, line)
			}
		}
	})
}

func TestWatcherSurvivesAMissingDirectory(t *testing.T) {
	watching(t, func(t *testing.T, dir folder, s *memory, log *logtest.Lines) {
		dir.remove()
		pass(5)
		wantHead(t, s, 1, "One")
		log.Want(t, `level=ERROR msg="the catalogue directory cannot be published; the store is unchanged"`)

		dir.make()
		dir.write("One")
		pass(3)
		wantHead(t, s, 1, "One")
		log.Want(t, `msg="the catalogue directory is unchanged since its last import"`)

		dir.remove()
		pass(2)
		dir.make()
		dir.write("Back again")
		pass(3)
		wantHead(t, s, 2, "Back again")
	})
}

func TestWatcherWaitsForAMissingDirectory(t *testing.T) {
	dir := newFolder(t, "One")
	dir.remove()
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(3)
		log.Want(t, "cannot be published")
		dir.make()
		dir.write("Late")
		pass(3)
		wantHead(t, s, 1, "Late")
	})
}

func TestWatcherTriesAgainWhenTheStoreFails(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.fail("all", errors.New("the disk is full"))
		w, _ := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(5)
		log.Want(t, "the disk is full")
		s.fail("all", nil)
		pass(5)
		wantHead(t, s, 1, "One")
		log.Want(t, `msg="published the catalogue directory"`)
	})
}

// TestWatcherContainsPanics checks that a panic while publishing leaves the served revision, and that
// the log has the stack and /readyz the cause.
func TestWatcherContainsPanics(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		metrics := server.NewMetrics()
		w := follow.NewWatcher(follow.WatcherConfig{
			Dir: dir.dir, Open: s.open, Every: every, Log: log.Logger(), Metrics: metrics.Follow,
		})
		defer start(t, w.Run)()
		synctest.Wait()
		log.Take()
		for n, method := range []string{"load", "publish"} {
			s.fail(method, errPanic)
			dir.write("Two, and " + method)
			pass(8)
			said := strings.Join(log.Take(), "\n")
			if n := strings.Count(said, "publishing failed (index out of range), which is a fault of vitrine"); n != 1 || !strings.Contains(said, "memory_test.go") {
				t.Errorf("%s: logged %d times: %s", method, n, said)
			}
			if got := heldOf(t, w, metrics); !strings.Contains(got, "publishing failed") || strings.Contains(got, "memory_test.go") {
				t.Errorf("%s: /readyz: %q", method, got)
			}
			if head, _ := s.newest(); head.Number != int64(n+1) {
				t.Errorf("%s: revision %d", method, head.Number)
			}
			s.fail(method, nil)
			dir.write("Fixed after " + method)
			pass(3)
			wantHead(t, s, int64(n+2), "Fixed after "+method)
			wantHeld(t, w, metrics, "")
			log.Take()
		}
	})
}

// TestWatcherNamesTheActor checks that the actor is the configured one, else the author of the
// commit, else the user.
func TestWatcherNamesTheActor(t *testing.T) {
	for _, tt := range []struct{ actor, user, want string }{
		{"the shop", "olga", "the shop"}, {"", "olga", "olga"}, {"", "", ""},
	} {
		dir := newFolder(t, "One")
		bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
			w := follow.NewWatcher(follow.WatcherConfig{
				Dir: dir.dir, Open: s.open, Every: every, Log: (&logtest.Lines{}).Logger(), Metrics: server.NewMetrics().Follow,
				Actor: tt.actor, User: tt.user,
			})
			defer start(t, w.Run)()
			synctest.Wait()
			if head, _ := s.newest(); head.Actor != tt.want || head.Commit != "" {
				t.Errorf("published by %q from %q, want %q", head.Actor, head.Commit, tt.want)
			}
		})
	}
}
