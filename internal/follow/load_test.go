package follow_test

import (
	"testing"
	"testing/synctest"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// A publish by the watcher, and serving it, read only what changed: no catalogue is loaded again.
func TestPublishLoadsOnlyChanges(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		f := newFollower(s, log, server.NewMetrics(), func(c *follow.Config) { c.Watcher = w })
		defer start(t, f.Run)()
		defer start(t, w.Run)()
		synctest.Wait()
		pass(2)
		wantServed(t, f, 1)
		before := s.called("load")
		dir.write("Second")
		pass(3)
		wantHead(t, s, 2, "Second")
		wantServed(t, f, 2)
		if got := s.called("load"); got != before {
			t.Errorf("the whole catalogue was loaded %d times", got-before)
		}

		s.put(3, titled("From another process")) // the watcher's base is newer than what it served last
		dir.write("The third of them")
		pass(4)
		wantHead(t, s, 4, "The third of them")
		wantServed(t, f, 4)
		if got := s.called("load"); got != before {
			t.Errorf("the whole catalogue was loaded %d times after a publish of another process", got-before)
		}
	})
}
