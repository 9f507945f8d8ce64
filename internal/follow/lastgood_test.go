package follow_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/query"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

// lastGood writes a last good file like an earlier process.
func lastGood(t *testing.T, number int64, title string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "store.last-good")
	rev := store.Revision{Number: number, PublishedAt: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	must(t, store.WriteLastGood(path, store.LastGood{State: stateOf(rev, titled(title))}))
	return path
}

func keepIn(path string) func(*follow.Config) {
	return func(c *follow.Config) { c.LastGood = path }
}

func wantKept(t *testing.T, path string, number int64) {
	t.Helper()
	kept, err := store.ReadLastGood(path)
	if err != nil || kept.State.Revision.Number != number {
		t.Errorf("the file has %v, %v; want revision %d", kept, err, number)
	}
}

func TestStartWithoutTheStoreServesTheLastGoodState(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault func(s *memory) (repair func())
		wait  int // intervals until it is detected
	}{
		{"gone", func(s *memory) func() {
			s.fail("open", missing{})
			return func() { s.fail("open", nil) }
		}, 0},
		{"refuses", func(s *memory) func() {
			s.fail("open", errors.New("connection refused"))
			return func() { s.fail("open", nil) }
		}, 0},
		{"hangs while opening", func(s *memory) func() { return s.hang("open", false) }, 5},
		{"hangs while opening and ignores its context", func(s *memory) func() { return s.hang("open", true) }, 5},
		{"hangs while reading the head", func(s *memory) func() { return s.hang("head", false) }, 5},
		{"hangs while loading", func(s *memory) func() { return s.hang("load", false) }, 5},
		{"fails to load", func(s *memory) func() {
			s.fail("load", errors.New("a row cannot be read"))
			return func() { s.fail("load", nil) }
		}, 0},
		{"is damaged", func(s *memory) func() {
			s.fail("load", corrupt())
			return func() { s.fail("load", nil) }
		}, 0},
		{"is invalid", func(s *memory) func() {
			head, _ := s.newest()
			s.put(8, invalid())
			return func() { s.add(head) }
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := lastGood(t, 5, "Last good")
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				m := server.NewMetrics()
				s.put(7, titled("Seven"))
				repair := tt.fault(s)
				f := newFollower(s, log, m, keepIn(path))
				defer start(t, f.Run)()
				admin := server.NewAdmin(f, m, server.About{})
				pass(tt.wait)
				wantServes(t, f, 5, titled("Last good"))
				wantReadiness(t, admin, 200, `"ready":true`, `"revision":5`, `"stale":true`, `"staleSince":"`, `"storeProblem":"`)
				wantMetrics(t, admin, "vitrine_stale 1", "vitrine_revision 5", "vitrine_last_good_revision 5")
				pass(300)
				resumed := 0
				for _, line := range log.Take() {
					if strings.Contains(line, `msg="serving the last good state; it may be stale"`) {
						resumed++
					}
				}
				if resumed != 1 {
					t.Errorf("the log has %d lines about the last good state, want one", resumed)
				}
				wantServed(t, f, 5)
				wantKept(t, path, 5)

				repair()
				pass(70)
				wantServes(t, f, 7, titled("Seven"))
				wantNotReported(t, admin, "stale")
				wantMetrics(t, admin, "vitrine_stale 0", "vitrine_store_up 1", "vitrine_revision 7", "vitrine_last_good_revision 7")
				wantKept(t, path, 7)
			})
		})
	}
}

func TestSameRevisionIsNotSwapped(t *testing.T) {
	path := lastGood(t, 5, "Last good")
	kept, err := store.ReadLastGood(path)
	must(t, err)
	synctest.Test(t, func(t *testing.T) {
		s, m := newMemory(t), server.NewMetrics()
		s.add(revision{kept.State.Revision, titled("Last good")})
		s.fail("open", errors.New("connection refused"))
		f := newFollower(s, &logtest.Lines{}, m, keepIn(path))
		defer start(t, f.Run)()
		pass(2)
		stale := f.Snapshot()
		s.fail("open", nil)
		pass(5)
		now := f.Snapshot()
		if now.Revision() != stale.Revision() || s.called("load") != 0 {
			t.Error("the served revision was loaded again")
		}
		_, unknown := stale.Since(query.Changes{Revision: 5})
		if _, err := now.Since(query.Changes{Revision: 5}); err != nil || unknown == nil {
			t.Errorf("changes with the store: %v, without it: %v", err, unknown)
		}
		wantMetrics(t, server.NewAdmin(f, m, server.About{}), "vitrine_stale 0")
	})
}

func TestStartWithoutAStateIsNotReady(t *testing.T) {
	for name, contents := range map[string]string{
		"no file": "", "a damaged file": "vitrine", "another file": strings.Repeat("x", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "store.last-good")
			if contents != "" {
				must(t, os.WriteFile(path, []byte(contents), 0o600))
			}
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				m := server.NewMetrics()
				s.fail("open", errors.New("connection refused"))
				f := newFollower(s, log, m, keepIn(path))
				stop := start(t, f.Run)
				pass(30)
				wantServed(t, f, 0)
				wantReady(t, server.NewAdmin(f, m, server.About{}), 503, `{"ready":false,"storeProblem":"open the store: connection refused"}`)
				if contents == "" {
					log.Want(t, "connection refused")
				} else {
					log.Want(t, `msg="the last good state is damaged; it is not used, and was put aside"`, "connection refused")
					if got, err := os.ReadFile(path + ".damaged"); err != nil || string(got) != contents {
						t.Errorf("put aside: %q, %v", got, err)
					}
				}
				s.fail("open", nil)
				s.put(1, titled("One"))
				pass(5)
				wantServed(t, f, 1)
				stop()
				wantKept(t, path, 1)
			})
		})
	}
}

// TestStartAfterADowngrade checks that a version that cannot read the last good file of a newer one
// serves its own, and leaves both files.
func TestStartAfterADowngrade(t *testing.T) {
	for name, newer := range map[string]func(t *testing.T, path string){
		"another format": func(t *testing.T, path string) {
			data, err := os.ReadFile(path)
			must(t, err)
			data[15]++
			must(t, os.WriteFile(path, data, 0o600))
		},
		"content that breaks the rules": func(t *testing.T, path string) {
			must(t, store.WriteLastGood(path, store.LastGood{State: stateOf(store.Revision{Number: 6}, invalid()), Keys: []store.APIKey{}, Program: "newer"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := lastGood(t, 5, "Last good")
			must(t, store.WriteLastGood(path, store.LastGood{State: stateOf(store.Revision{Number: 6}, titled("Six")), Program: "newer"}))
			newer(t, path)
			before, err := os.ReadFile(path)
			must(t, err)
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.fail("open", errors.New("connection refused"))
				f := newFollower(s, log, server.NewMetrics(), keepIn(path))
				stop := start(t, f.Run)
				pass(30)
				wantServes(t, f, 5, titled("Last good"))
				log.Want(t, "level=ERROR", `msg="serving the last good state; it may be stale" file=`+path+".previous revision=5")
				stop()
				if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
					t.Errorf("the newer file was changed: %v", err)
				}
			})
		})
	}
}

func TestAnInvalidLastGoodStateIsNotServed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.last-good")
	must(t, store.WriteLastGood(path, store.LastGood{State: stateOf(store.Revision{Number: 3}, invalid())}))
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.fail("open", errors.New("connection refused"))
		f := newFollower(s, log, server.NewMetrics(), keepIn(path))
		defer start(t, f.Run)()
		pass(30)
		wantServed(t, f, 0)
		log.Want(t, `msg="the last good state cannot be served"`, "connection refused")
	})
}

// TestLastGoodIsWrittenBesideServing checks that a failed write does not affect serving, is logged
// once and is retried.
func TestLastGoodIsWrittenBesideServing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "later")
	path := filepath.Join(folder, "store.last-good")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.put(1, titled("One"))
		f := newFollower(s, log, m, keepIn(path))
		stop := start(t, f.Run)
		admin := server.NewAdmin(f, m, server.About{})
		pass(100)
		s.put(2, titled("Two"))
		pass(100)
		wantServed(t, f, 2)
		log.Want(t, "revision=1", `level=ERROR msg="the last good state cannot be kept`, "revision=2")
		if _, body := ask(admin, "GET", "/readyz"); !contains(body, `"lastGoodProblem":"`) || contains(body, "stale") {
			t.Errorf("readiness %s", body)
		}
		must(t, os.Mkdir(folder, 0o700))
		pass(20)
		wantKept(t, path, 2)
		log.Want(t, `msg="the last good state is kept again"`)
		wantNotReported(t, admin, "lastGoodProblem")

		// A revision that was swapped in just before the shutdown is written too.
		s.put(3, titled("Three"))
		f.Wake()
		synctest.Wait()
		stop()
		wantKept(t, path, 3)
	})
}

func TestDamagedStoreIsPutAside(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.put(1, titled("One"))
		aside, w := 0, follow.NewWatcher(follow.WatcherConfig{Metrics: m.Follow})
		f := newFollower(s, log, m, func(c *follow.Config) {
			c.PutAside = func() (string, error) {
				s.wantHandles(0)
				if aside++; aside < 3 {
					return "", errors.New("it was written to just now")
				}
				s.fail("head", nil)
				s.fail("open", missing{})
				return "store.corrupt-1", nil
			}
			c.Watcher = w
		})
		defer start(t, f.Run)()
		pass(0)
		log.Take()
		s.fail("head", corrupt())
		pass(60)
		if aside != 3 || !w.Lost() {
			t.Errorf("put aside %d times, want 3; the watcher was notified: %t", aside, w.Lost())
		}
		wantServed(t, f, 1)
		log.Want(t, `it stays where it is: it was written to just now" still_serving=1`,
			`level=ERROR msg="the store is damaged and was put aside" as=store.corrupt-1`,
			`there is no store; the damaged one was put aside as store.corrupt-1" still_serving=1`)
		wantReadiness(t, server.NewAdmin(f, m, server.About{}), 200, `"stale":true`, "put aside as store.corrupt-1")

		s.fail("open", nil)
		s.replace(1, titled("Imported again"))
		pass(1)
		wantServes(t, f, 1, titled("Imported again"))
		log.Want(t, "serving a new revision", "the store works again")
	})
}

func TestUnservedStoreIsNotPutAside(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.fail("open", corrupt())
		f := newFollower(s, log, server.NewMetrics(), func(c *follow.Config) {
			c.PutAside = func() (string, error) {
				t.Error("a store that was never served was put aside")
				return "", nil
			}
		})
		defer start(t, f.Run)()
		pass(30)
		log.Want(t, "open the store: read page 7: the database is damaged")
	})
}

func TestWatcherPublishesLostRevisionsAgain(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, published := newWatcher(dir.dir, s, log)
		defer start(t, w.Run)()
		pass(3)
		s.mu.Lock()
		s.history = nil
		s.mu.Unlock()
		pass(3)
		if *published != 1 {
			t.Errorf("published %d times without a notice", *published)
		}
		w.Again()
		pass(1)
		wantHead(t, s, 1, "One")
		s.wantHandles(0)
	})
}

func TestWatcherSurvivesAStoreThatHangs(t *testing.T) {
	dir := newFolder(t, "One")
	for _, method := range []string{"open", "head", "publish", "close"} {
		t.Run(method, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				release := s.hang(method, true)
				w, _ := newWatcher(dir.dir, s, log)
				stop := start(t, w.Run)
				pass(2000)
				if n := s.called(method); n != 1 {
					t.Errorf("%s was called %d times", method, n)
				}
				release()
				pass(10)
				wantHead(t, s, 1, "One")
				release = s.hang(method, true)
				dir.write("Longer " + method)
				pass(3)
				stop() // must not wait for the store
				release()
			})
		})
		dir.write("One")
	}
}
