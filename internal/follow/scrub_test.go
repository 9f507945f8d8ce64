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

// TestScrubberDetectsRepairs checks that a repair is detected soon, not only at the next regular
// check.
func TestScrubberDetectsRepairs(t *testing.T) {
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
			t.Error("damage is reported before the first check")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !damaged() {
			t.Error("damage is not reported after a check")
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if !damaged() {
			t.Error("damage is no longer reported without a repair")
		}
		s.fail("check", nil)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if damaged() {
			t.Error("damage is reported six seconds after the repair")
		}
		wantServed(t, f, 1)
	})
}
