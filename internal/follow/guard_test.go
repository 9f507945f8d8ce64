package follow_test

import (
	"testing"

	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// TestFollowerOutlivesPanics checks that a panic of the store is an error.
func TestFollowerOutlivesPanics(t *testing.T) {
	for _, method := range []string{"head", "load", "changes"} {
		t.Run(method, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.put(1, titled("One"))
				f := newFollower(s, log, server.NewMetrics())
				stop := start(t, f.Run)
				pass(0)
				log.Take()
				if method == "load" {
					s.replace(1, titled("Another one"))
				} else {
					s.put(2, titled("Two"))
				}

				s.fail(method, errPanic)
				pass(20)
				wantServed(t, f, 1)
				log.Want(t, `panic: index out of range, which is a fault of vitrine; please report it" still_serving=1 stack=`)
				s.fail(method, nil)
				pass(5)
				if len(log.Take()) == 0 {
					t.Error("the recovery was not logged")
				}
				s.wantHandles(1)
				stop()
			})
		})
	}
}

// TestWatcherOutlivesPanics checks that nothing is published and that the next look tries again.
// Package publish contains the panics of publishing itself.
func TestWatcherOutlivesPanics(t *testing.T) {
	for _, method := range []string{"open", "close"} {
		t.Run(method, func(t *testing.T) {
			dir := newFolder(t, "One")
			bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
				s.fail(method, errPanic)
				w, _ := newWatcher(dir.dir, s, log)
				defer start(t, w.Run)()
				pass(5)
				if method == "close" {
					wantHead(t, s, 1, "One")
					return
				}
				wantHead(t, s, 0, "")
				log.Want(t, "panic: index out of range")
				s.fail(method, nil)
				pass(10)
				wantHead(t, s, 1, "One")
			})
		})
	}
}
