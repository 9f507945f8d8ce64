package follow_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
	"vitrine/internal/store"
)

// TestScrubberSeesThatItIsMended: who has put a good copy in place hears of it
// soon, and not only when the next check is due.
func TestScrubberSeesThatItIsMended(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		metrics := server.NewMetrics()
		s.put(1, titled("One"))
		f := follow.New(follow.Config{
			Open: s.open, Every: every, Scrub: 30 * time.Second, Log: log.Logger(), Metrics: metrics.Follow, WhenEmpty: "fill it",
		})
		admin := server.NewAdmin(f, metrics, server.About{})
		defer start(t, f.Run)()
		damaged := func() bool {
			_, body := ask(admin, "GET", "/readyz")
			return contains(body, `"storeProblem"`, "damaged")
		}
		s.fail("check", fmt.Errorf("chains: %w", store.ErrCorrupt))
		time.Sleep(29 * time.Second)
		synctest.Wait()
		if damaged() {
			t.Error("damage is named before anything was checked")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !damaged() {
			t.Error("damage is not named when the check was due")
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if !damaged() {
			t.Error("damage is not named any more, though nobody mended it")
		}
		s.fail("check", nil)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if damaged() {
			t.Error("damage is named six seconds after it was mended")
		}
		wantServed(t, f, 1)
	})
}
