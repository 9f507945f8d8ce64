package follow_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/follow"
	"vitrine/internal/logtest"
	"vitrine/internal/server"
)

// TestPurge checks that caches are purged after each revision is served, at most every 15 seconds, and
// again after an error.
func TestPurge(t *testing.T) {
	bubble(t, func(t *testing.T, s *memory, log *logtest.Lines) {
		m := server.NewMetrics()
		var f *follow.Follower
		var mutex sync.Mutex
		var all []int64
		var fault error
		fail := func(err error) {
			mutex.Lock()
			defer mutex.Unlock()
			fault = err
		}
		purges := func() []int64 {
			mutex.Lock()
			defer mutex.Unlock()
			return slices.Clone(all)
		}
		f = newFollower(s, log, m, func(c *follow.Config) {
			c.Purge = func(context.Context) error {
				mutex.Lock()
				defer mutex.Unlock()
				all = append(all, served(f))
				return fault
			}
		})
		h := server.NewAdmin(f, m, server.About{})
		s.put(1, titled("One"))
		defer start(t, f.Run)()
		pass(1)
		s.put(2, titled("Two"))
		pass(2)
		s.put(3, titled("Three"))
		pass(2)
		if purged := purges(); len(purged) != 1 || purged[0] != 1 {
			t.Errorf("purges %v, want one of revision 1", purged)
		}
		time.Sleep(time.Minute)
		if purged := purges(); len(purged) != 2 || purged[1] != 3 {
			t.Errorf("purges %v, want one more of revision 3", purged)
		}
		wantMetrics(t, h, `vitrine_purges_total{result="ok"} 2`, "vitrine_purge_failing 0")

		forbidden := errors.New("cdn.example.org answers 403 Forbidden")
		fail(forbidden)
		s.put(4, titled("Four"))
		time.Sleep(40 * time.Second)
		wantServed(t, f, 4)
		if purged := purges(); len(purged) != 5 || f.Status().PurgeProblem != forbidden.Error() || !f.Status().Ready || f.Status().Stale {
			t.Errorf("purges %v, status %+v", purged, f.Status())
		}
		wantMetrics(t, h, `vitrine_purges_total{result="failed"} 3`, "vitrine_purge_failing 1")
		if lines := strings.Join(log.Take(), "\n"); strings.Count(lines, `level=ERROR msg="the caches could not be purged; they serve older responses until these expire" error="cdn.example.org answers 403 Forbidden"`) != 1 {
			t.Errorf("the log has %s", lines)
		}
		fail(nil)
		time.Sleep(time.Minute)
		if purged := purges(); len(purged) != 6 || f.Status().PurgeProblem != "" {
			t.Errorf("purges %v, status %+v", purged, f.Status())
		}
		log.Want(t, `level=INFO msg="the caches could be purged again" revision=4`)
	})
}
