package server_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/server"
)

func newFollower(s server.Revisions, log *lines, m *server.Metrics) *server.Follower {
	return server.NewFollower(server.FollowerConfig{
		Store: s, Every: every, Log: log.logger(), Metrics: m, WhenEmpty: "fill it",
	})
}

// start runs a loop and returns what ends it and waits for its end.
func start(t *testing.T, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// pass lets the fake clock go on for a little more than n intervals.
func pass(n int) {
	time.Sleep(time.Duration(n)*every + every/10)
	synctest.Wait()
}

func served(f *server.Follower) int64 {
	if s := f.Snapshot(); s != nil {
		return s.Revision().Number
	}
	return 0
}

func wantServed(t *testing.T, f *server.Follower, want int64) {
	t.Helper()
	if got := served(f); got != want {
		t.Errorf("revision %d is served, want %d", got, want)
	}
}

func TestFollowerServesEveryRevision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := &memory{}, &lines{}
		f := newFollower(s, log, server.NewMetrics())
		defer start(t, f.Run)()

		pass(3)
		wantServed(t, f, 0)
		wantLines(t, log, `level=WARN msg="nothing is served: the store is empty: nothing has been published yet" remedy="fill it"`)

		s.put(1, titled("One"))
		pass(1)
		wantServed(t, f, 1)
		wantLines(t, log, `msg="serving a new revision" revision=1 `)

		first := f.Snapshot()
		pass(10)
		if f.Snapshot() != first {
			t.Error("a revision was compiled again although nothing changed")
		}

		s.put(4, titled("Four"))
		pass(1)
		wantServed(t, f, 4)
		wantLines(t, log, `msg="serving a new revision" revision=4 `)
	})
}

func TestFollowerNoticesAnotherStoreBehindTheSameNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := &memory{}, &lines{}
		s.put(2, titled("Two"))
		f := newFollower(s, log, server.NewMetrics())
		defer start(t, f.Run)()
		pass(0)
		first := f.Snapshot()
		s.put(2, titled("Another two"))
		pass(1)
		if f.Snapshot() == first {
			t.Error("the old store is served still")
		}
	})
}

func TestFollowerWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &memory{}
		f := newFollower(s, &lines{}, server.NewMetrics())
		defer start(t, f.Run)()
		synctest.Wait()
		s.put(1, titled("One"))
		f.Wake()
		f.Wake() // does not block
		synctest.Wait()
		wantServed(t, f, 1)
	})
}

func TestFollowerKeepsWhatItServes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := &memory{}, &lines{}
		s.put(1, titled("One"))
		f := newFollower(s, log, server.NewMetrics())
		defer start(t, f.Run)()
		pass(0)
		log.take()

		s.fail(errors.New("the disk is gone"))
		pass(5)
		wantServed(t, f, 1)
		wantLines(t, log, `level=ERROR msg="the store's revision cannot be served" error="look at the store: the disk is gone" still_serving=1`)
		s.fail(errors.New("the network is gone"))
		pass(5)
		wantLines(t, log, `the network is gone`)
		s.fail(nil)
		pass(5)
		wantLines(t, log, `level=INFO msg="the store is well again" serving=1`)

		s.put(2, invalid())
		_, _, before := s.state()
		pass(5)
		wantServed(t, f, 1)
		wantLines(t, log, `error="revision 2 is not valid: `)
		if _, _, after := s.state(); after != before+1 {
			t.Errorf("an invalid revision was loaded %d times, want once", after-before)
		}

		s.fail(errors.New("the disk is gone"))
		pass(2)
		s.fail(nil)
		pass(2)
		wantLines(t, log, `the disk is gone`, `error="revision 2 is not valid: `)

		s.put(3, titled("Three"))
		pass(1)
		wantServed(t, f, 3)
		wantLines(t, log, `msg="serving a new revision" revision=3 `)
	})
}

func TestFollowerSwapsUnderReaders(t *testing.T) {
	s := &memory{}
	s.put(1, titled("One"))
	f := server.NewFollower(server.FollowerConfig{
		Store: s, Every: time.Millisecond, Log: (&lines{}).logger(), Metrics: server.NewMetrics(), WhenEmpty: "fill it",
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
