package follow_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

var marks = regexp.MustCompile(`\s*<[^>]*>\s*`)

// wantOverview fails unless the overview has all texts, where | stands for markup.
func wantOverview(t *testing.T, f *follow.Follower, m *server.Metrics, texts ...string) {
	t.Helper()
	status, page := ask(server.NewAdmin(f, m, server.About{}), "GET", "/")
	page = regexp.MustCompile(`\|+`).ReplaceAllString(marks.ReplaceAllString(page, "|"), "|")
	for _, text := range texts {
		if status != 200 || !strings.Contains(page, text) {
			t.Errorf("status %d, no %q in\n%s", status, text, page)
		}
	}
}

// TestOverview checks the overview in several situations, including a failing store.
func TestOverview(t *testing.T) {
	dir := newFolder(t, "One")
	dir.fill(40)
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		s.setKeys(apiKey("ci"))
		keys := newKeyFollower(s, log, "")
		w := follow.NewWatcher(follow.WatcherConfig{
			Dir: dir.dir, Open: s.open, Every: every, Log: log.Logger(), Metrics: m.Follow, Command: "vitrine import shop", Actor: "kim <kim@example.org>",
		})
		f := newFollower(s, log, m, func(c *follow.Config) { c.Keys, c.Watcher, c.Filling = keys, w, true })
		wantOverview(t, f, m, "|not ready|No revision is served|", "|Last reading|not read yet|", "|they have not been read yet|")
		defer start(t, keys.Run)()
		defer start(t, f.Run)()
		defer start(t, w.Run)()
		pass(3)
		wantOverview(t, f, m, "|ready|Revision 1 of One|", "|chains|40|", "|chains: names|40|40|100.0 %|", "kim &lt;kim@example.org&gt;, by import",
			"|published as revision 1|", "|ci|no known use|never|default|")

		dir.fill(10)
		pass(6)
		wantOverview(t, f, m, "|ready, with problems|Revision 1 of One|", "|held|30 of 40 chains (75 %; held from 25 %) would be gone", "|A publish is held|",
			"|vitrine import shop --accept shrink:chains|")
		dir.raw("title: [\n")
		pass(6)
		wantOverview(t, f, m, "|broken|the catalogue directory is broken", "|The catalogue directory|", "|Errors|1|")

		s.fail("head", errors.New("the disk is <gone>"))
		pass(3)
		wantOverview(t, f, m, "|ready, stale|Revision 1 of One|", "the disk is &lt;gone&gt;", "|Answered the last query|no|", "|chains: names|40|")
	})
}

// TestBoundedHistory checks that only the newest revisions and events are kept.
func TestBoundedHistory(t *testing.T) {
	dir := newFolder(t, "One")
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		w, _ := newWatcher(dir.dir, s, log)
		f := newFollower(s, log, server.NewMetrics(), func(c *follow.Config) { c.Watcher = w })
		if f.Recent() != nil {
			t.Error("revisions are known before the first read")
		}
		defer start(t, f.Run)()
		defer start(t, w.Run)()
		pass(4) // else the first write races with the first reading
		for i := range 14 {
			dir.write(strings.Repeat("x", i+1))
			pass(4)
		}
		recent := f.Recent()
		if len(recent) != 10 || recent[0].Number != 15 || recent[9].Number != 6 {
			t.Errorf("%d revisions, %v", len(recent), recent)
		}
		watched, ok := f.Watched()
		if !ok || len(watched.Events) != 10 || watched.Events[0].Revision != 15 || watched.Events[9].Revision != 6 {
			t.Errorf("%+v", watched)
		}
		if watched.Dir != dir.dir || watched.Read.At.IsZero() || watched.Events[0].Result != follow.Published {
			t.Errorf("%+v", watched)
		}
	})
}

// TestKeyUses checks that uses here and on other servers are merged, and that expired keys are left
// out.
func TestKeyUses(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		elsewhere, ended, own := apiKey("b"), apiKey("ended"), apiKey("a")
		elsewhere.UsedAt = time.Now().Add(-time.Hour).UTC()
		ended.RevokedAt = time.Now().Add(-time.Minute).UTC()
		own.Limit, own.ExpiresAt = "5/m", time.Now().Add(time.Hour).UTC()
		s.setKeys(elsewhere, ended, own)
		keys := newKeyFollower(s, log, "")
		if got := keys.Uses(time.Now()); got != nil {
			t.Errorf("%v before the first read", got)
		}
		defer start(t, keys.Run)()
		pass(1)
		want := fmt.Sprint([]follow.KeyUse{{Name: "a", Limit: "5/m", Until: own.ExpiresAt}, {Name: "b", Used: elsewhere.UsedAt}})
		if got := fmt.Sprint(keys.Uses(time.Now())); got != want {
			t.Errorf("%v, want %v", got, want)
		}
		elsewhere.UsedAt = time.Now().UTC()
		s.setKeys([]store.APIKey{elsewhere}...)
		pass(1)
		if got := keys.Uses(time.Now()); len(got) != 1 || !got[0].Used.Equal(elsewhere.UsedAt) {
			t.Errorf("%v, want the later use at %v", got, elsewhere.UsedAt)
		}
	})
}
