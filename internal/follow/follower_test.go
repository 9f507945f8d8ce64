package follow_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

func newFollower(s *memory, log *logtest.Lines, m *server.Metrics, more ...func(*follow.Config)) *follow.Follower {
	config := follow.Config{
		Open: s.open, Every: every, Log: log.Logger(), Metrics: m.Follow, WhenEmpty: "fill it",
	}
	for _, set := range more {
		set(&config)
	}
	return follow.New(config)
}

// start runs a loop and returns a function that stops it and waits.
func start(t *testing.T, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// pass advances the fake clock by a little more than n intervals.
func pass(n int) {
	time.Sleep(time.Duration(n)*every + every/10)
	synctest.Wait()
}

func served(f *follow.Follower) int64 {
	if s := f.Snapshot(); s != nil {
		return s.Revision().Number
	}
	return 0
}

func wantServed(t *testing.T, f *follow.Follower, want int64) {
	t.Helper()
	if got := served(f); got != want {
		t.Errorf("revision %d is served, want %d", got, want)
	}
}

func TestFollowerServesEveryRevision(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		f := newFollower(s, log, server.NewMetrics())
		defer start(t, f.Run)()

		pass(3)
		wantServed(t, f, 0)
		log.Want(t, `level=WARN msg="nothing is served: the store is empty: nothing has been published yet" remedy="fill it"`)

		s.put(1, titled("One"))
		pass(1)
		wantServed(t, f, 1)
		log.Want(t, `msg="serving a new revision" revision=1 `, `msg="the store works again"`)

		first := f.Snapshot()
		pass(10)
		if f.Snapshot() != first {
			t.Error("a revision was compiled again without a change")
		}

		s.put(4, titled("Four"))
		pass(1)
		wantServed(t, f, 4)
		log.Want(t, `msg="serving a new revision" revision=4 `)
		if n := s.called("open"); n != 1 {
			t.Errorf("a working store was opened %d times", n)
		}
	})
}

// TestFollowerLoadsChanges compares the state from changes with the whole published one.
func TestFollowerLoadsChanges(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		f := newFollower(s, &logtest.Lines{}, server.NewMetrics())
		defer start(t, f.Run)()
		s.put(1, withChains("One", "a", "b", "c"))
		pass(1)
		for i, c := range []*domain.Catalog{
			withChains("One", "a", "c"), withChains("Two", "a", "c"), withChains("Three"),
		} {
			s.put(int64(i)+2, c)
			pass(1)
			wantServes(t, f, int64(i)+2, c)
		}
		if loads, changes := s.called("load"), s.called("changes"); loads != 1 || changes != 3 {
			t.Errorf("%d loads and %d changes, want 1 and 3", loads, changes)
		}
	})
}

func TestFollowerLoadsAllIfChangesFail(t *testing.T) {
	one, two := withChains("One", "a"), withChains("Two", "b")
	for _, tt := range []struct {
		name   string
		change func(s *memory) (head int64)
	}{
		{"another store with the same number", func(s *memory) int64 { s.replace(2, two); return 2 }},
		{"another store with a lower number", func(s *memory) int64 { s.replace(1, two); return 1 }},
		{"another store with a higher number", func(s *memory) int64 { s.replace(9, two); return 9 }},
		{"an older copy with other later revisions", func(s *memory) int64 {
			s.replace(1, one)
			s.put(2, withChains("Not what is served", "x"))
			s.put(3, two)
			return 3
		}},
		{"a pruned revision", func(s *memory) int64 {
			s.put(3, two)
			s.mu.Lock()
			s.history = s.history[len(s.history)-1:]
			s.mu.Unlock()
			return 3
		}},
		{"very many revisions", func(s *memory) int64 { s.put(100_000, two); return 100_000 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.put(2, one)
				f := newFollower(s, log, server.NewMetrics())
				defer start(t, f.Run)()
				pass(0)
				log.Take()
				head := tt.change(s)
				pass(1)
				wantServes(t, f, head, two)
				log.Want(t, `msg="serving a new revision"`)
			})
		})
	}
}

// TestFollowerTakesAHandedState also proves that a state is used only if it is the head, or the head
// continues from it.
func TestFollowerTakesAHandedState(t *testing.T) {
	one := withChains("One", "a", "b")
	for _, tt := range []struct {
		name           string
		then           func(s *memory)
		head           int64
		want           *domain.Catalog
		loads, changes int
	}{
		{"the head", func(*memory) {}, 1, one, 0, 0},
		{"an earlier revision", func(s *memory) { s.put(2, withChains("Two", "a")) }, 2, withChains("Two", "a"), 0, 1},
		{"of another store", func(s *memory) { s.replace(1, titled("Other")) }, 1, titled("Other"), 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.put(1, one)
				f := newFollower(s, &logtest.Lines{}, server.NewMetrics())
				head, _ := s.newest()
				f.Hand(store.StateOf(head.Revision, one))
				pass(1)
				tt.then(s)
				defer start(t, f.Run)()
				pass(1)
				wantServes(t, f, tt.head, tt.want)
				if loads, changes := s.called("load"), s.called("changes"); loads != tt.loads || changes != tt.changes {
					t.Errorf("%d loads and %d changes, want %d and %d", loads, changes, tt.loads, tt.changes)
				}
			})
		})
	}
}

func TestFollowerWakes(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		f := newFollower(s, &logtest.Lines{}, server.NewMetrics())
		defer start(t, f.Run)()
		synctest.Wait()
		s.put(1, titled("One"))
		f.Wake()
		f.Wake() // does not block
		synctest.Wait()
		wantServed(t, f, 1)
	})
}

func TestFollowerKeepsServing(t *testing.T) {
	for _, method := range []string{"head", "open", "load", "changes", "history"} {
		t.Run(method, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.put(1, titled("One"))
				f := newFollower(s, log, server.NewMetrics())
				stop := start(t, f.Run)
				pass(0)
				log.Take()
				switch method {
				case "open": // opened again only after another failure
					s.fail("head", errors.New("the connection is lost"))
					pass(0)
					pass(1)
					s.fail("head", nil)
					log.Take()
				case "load":
					s.replace(1, titled("Another one"))
				case "changes", "history":
					s.put(2, titled("Two"))
				}

				s.fail(method, errors.New("the disk is gone"))
				pass(20)
				wantServed(t, f, 1)
				log.Want(t, `level=ERROR msg="the store's revision cannot be served"`)
				s.fail(method, errors.New("the network is gone"))
				pass(20)
				log.Want(t, `the network is gone" still_serving=1`)
				s.fail(method, nil)
				pass(5) // a failing store is polled less often
				got := log.Take()
				if len(got) == 0 || got[len(got)-1] != `level=INFO msg="the store works again" serving=`+fmt.Sprint(served(f)) {
					t.Errorf("logged %q", got)
				}
				s.wantHandles(1)
				stop()
				s.wantHandles(0)
			})
		})
	}
}

func TestFollowerRejectsInvalidStates(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.put(1, titled("One"))
		f := newFollower(s, log, server.NewMetrics())
		defer start(t, f.Run)()
		pass(0)
		log.Take()

		s.put(2, invalid())
		pass(5)
		wantServed(t, f, 1)
		log.Want(t, "revision 2 is not valid: ")
		if n := s.called("changes"); n != 1 {
			t.Errorf("an invalid revision was read %d times, want 1", n)
		}
		s.put(3, titled("Three"))
		pass(1)
		wantServed(t, f, 3)
		log.Want(t, `msg="serving a new revision" revision=3 `, `msg="the store works again" serving=3`)
	})
}

// TestFollowerSurvivesAStoreThatHangs checks that a hanging call is reported within seconds, costs at
// most one goroutine and does not prevent a shutdown.
func TestFollowerSurvivesAStoreThatHangs(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		for _, method := range []string{"head", "open", "load", "changes", "close"} {
			t.Run(fmt.Sprintf("%s, deaf=%t", method, deaf), func(t *testing.T) {
				bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
					m := server.NewMetrics()
					s.put(1, titled("One"))
					f := newFollower(s, log, m)
					stop := start(t, f.Run)
					pass(0)
					log.Take()
					release := s.hang(method, deaf)
					switch method {
					case "open", "close":
						s.fail("head", errors.New("the connection is lost"))
						pass(1)
						s.fail("head", nil)
					case "load":
						s.replace(1, titled("Another one"))
					case "changes":
						s.put(2, titled("Two"))
					}
					pass(7)
					wantReadiness(t, server.NewAdmin(f, m, server.About{}), 200, `"stale":true`, `"storeProblem":"`)
					before := s.called(method)
					pass(600)
					wantServed(t, f, 1)
					if n := s.called(method) - before; deaf && n > 0 {
						t.Errorf("called %d more times while a call hangs", n)
					}
					if n := len(log.Take()); n == 0 || n > 3 {
						t.Errorf("%d log lines for one fault", n)
					}
					release()
					pass(70)
					head, _ := s.newest()
					wantServed(t, f, head.Number)
					s.wantHandles(1)
					wantNotReported(t, server.NewAdmin(f, m, server.About{}), "stale")

					release = s.hang("head", true)
					pass(2)
					began := time.Now()
					stop()
					if took := time.Since(began); took > 10*time.Second {
						t.Errorf("the shutdown took %v", took)
					}
					release()
					synctest.Wait()
					s.wantHandles(0)
				})
			})
		}
	}
}

func TestFollowerBacksOff(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.fail("open", errors.New("connection refused"))
		f := newFollower(s, &logtest.Lines{}, server.NewMetrics())
		defer start(t, f.Run)()
		pass(1 + 2 + 4) // then every 5
		if n := s.called("open"); n != 4 {
			t.Errorf("opened %d times, want 4", n)
		}
		pass(50)
		if n := s.called("open"); n != 14 {
			t.Errorf("opened %d times, want 14", n)
		}
		s.fail("open", nil)
		s.put(1, titled("One"))
		pass(5)
		wantServed(t, f, 1)
	})
}

func TestFollowerSwapsUnderReaders(t *testing.T) {
	s := newMemory(t)
	s.put(1, titled("One"))
	f := follow.New(follow.Config{
		Open: s.open, Every: time.Millisecond, Log: (&logtest.Lines{}).Logger(), Metrics: server.NewMetrics().Follow, WhenEmpty: "fill it",
	})
	stop := start(t, f.Run)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for last := int64(0); last < 20; {
				number := served(f)
				if number < last {
					t.Errorf("revision %d after %d", number, last)
					return
				}
				last = number
			}
		})
	}
	for number := int64(2); number <= 20; number++ {
		s.put(number, titled("Next"))
		f.Wake()
	}
	readers.Wait()
	stop()
}

func TestFollowerWithoutAStore(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		s.fail("open", missing{})
		f := newFollower(s, log, server.NewMetrics())
		defer start(t, f.Run)()
		pass(100)
		log.Want(t, `level=WARN msg="nothing is served: open the store: there is no store" remedy="fill it"`)
		s.fail("open", nil)
		s.put(1, titled("One"))
		pass(1) // at the usual interval
		wantServed(t, f, 1)
		log.Take()
		s.fail("head", missing{})
		s.fail("open", missing{})
		pass(9)
		wantServed(t, f, 1)
		log.Want(t, `level=ERROR msg="the store's revision cannot be served" error="look at the store: there is no store" still_serving=1`,
			`error="open the store: there is no store"`)
	})
}

// corrupt returns an error like those of engines.
func corrupt() error { return fmt.Errorf("read page 7: %w", store.ErrCorrupt) }
