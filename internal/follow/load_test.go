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

// The watcher decodes only changed lines: records of the others are those of the served state.
func TestWatcherDecodesOnlyChangedLines(t *testing.T) {
	dir := newFolder(t, "One")
	write := func(name string) {
		dir.list("twitter.ndjson", `{"handle":"a","name":"`+name+`","followers_count":1}`, `{"handle":"b","name":"B","followers_count":2}`)
	}
	write("A")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		f := newFollower(s, log, server.NewMetrics(), func(c *follow.Config) { c.Watcher = w })
		defer start(t, f.Run)()
		defer start(t, w.Run)()
		synctest.Wait()
		pass(2)
		for n, name := range []string{"Second", "The third", "The fourth one"} {
			served := f.State().Editors().Accounts[1]
			write(name)
			pass(4)
			wantServed(t, f, int64(n+2))
			head, _ := s.newest()
			accounts := head.catalog.Accounts
			if accounts[0].Name != name {
				t.Errorf("revision %d has the name %q, want %q", head.Number, accounts[0].Name, name)
			}
			if accounts[1].Followers != served.Followers { // equal pointers
				t.Errorf("revision %d has an account that was decoded again", head.Number)
			}
		}
	})
}
