package cli

import (
	"context"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"vitrine/internal/follow"
)

// readyAfter is when a process whose store fails calls itself ready all the
// same: it answers, and to start it again would mend nothing.
const readyAfter = 10 * time.Second

// manager tells the service manager that started the process, if one did, what
// becomes of it, by the protocol of sd_notify.
type manager struct {
	log   *slog.Logger
	ready *atomic.Bool // it was told that the process is
}

func (m manager) tell(states ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(states, "\n")); err != nil {
		m.log.Warn("the service manager was not told", "states", states, "error", err)
	}
}

func (m manager) stopping() { m.tell(daemon.SdNotifyStopping, "STATUS=finishing requests") }

// follow says when the process is ready and what it serves, and that it is
// alive, until ctx is done.
func (m manager) follow(f *follow.Follower) func(context.Context) {
	return func(ctx context.Context) {
		if os.Getenv("NOTIFY_SOCKET") == "" {
			return
		}
		watchdog, err := daemon.SdWatchdogEnabled(false)
		if err != nil {
			m.log.Warn("no word to the watchdog of the service manager", "error", err)
		}
		var alive <-chan time.Time // never where there is no watchdog
		if watchdog > 0 {
			alive = time.Tick(watchdog / 3)
		}
		began, late := time.Now(), time.After(readyAfter)
		var told string
		for {
			changed, status := f.Changed(), statusOf(f)
			if !m.ready.Load() && (f.Ready() || f.Problem() != "" && time.Since(began) >= readyAfter) {
				m.ready.Store(true)
				m.tell(daemon.SdNotifyReady)
			}
			if status != told {
				told = status
				m.tell("STATUS=" + status)
			}
			select {
			case <-changed:
			case <-late:
			case <-alive:
				m.tell(daemon.SdNotifyWatchdog)
			case <-ctx.Done():
				return
			}
		}
	}
}

// statusOf says in one line what is served.
func statusOf(f *follow.Follower) string {
	status := "nothing is served yet"
	if s := f.Snapshot(); s != nil {
		status = "serving revision " + strconv.FormatInt(s.Revision().Number, 10)
	}
	if problem := f.Problem(); problem != "" {
		status += "; " + strings.ReplaceAll(problem, "\n", " ")
	}
	return status
}

// reloading tells of a reload while it is done.
func (m manager) reloading(reload func()) func() {
	return func() {
		if !m.ready.Load() { // it would be taken for that
			reload()
			return
		}
		m.tell(daemon.SdNotifyReloading, daemon.SdNotifyMonotonicUsec())
		defer m.tell(daemon.SdNotifyReady)
		reload()
	}
}
