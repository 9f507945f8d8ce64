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

// readyAfter is when a process with a failing store reports that it is ready. It answers requests,
// and a restart would not help.
const readyAfter = 10 * time.Second

// manager reports the state of the process to its service manager, if any, by the protocol of
// sd_notify.
type manager struct {
	log   *slog.Logger
	ready *atomic.Bool // whether the process was reported as ready
}

func (m manager) notify(states ...string) {
	if _, err := daemon.SdNotify(false, strings.Join(states, "\n")); err != nil {
		m.log.Warn("the service manager was not notified", "states", states, "error", err)
	}
}

func (m manager) stopping() { m.notify(daemon.SdNotifyStopping, "STATUS=finishing requests") }

// follow reports readiness, the served revision and the watchdog signal until ctx is done.
func (m manager) follow(f *follow.Follower) func(context.Context) {
	return func(ctx context.Context) {
		if os.Getenv("NOTIFY_SOCKET") == "" {
			return
		}
		watchdog, err := daemon.SdWatchdogEnabled(false)
		if err != nil {
			m.log.Warn("the watchdog of the service manager is not notified", "error", err)
		}
		var alive <-chan time.Time // nil without a watchdog
		if watchdog > 0 {
			alive = time.Tick(watchdog / 3)
		}
		began, late := time.Now(), time.After(readyAfter)
		var last string
		for {
			changed, status := f.Changed(), statusOf(f)
			if !m.ready.Load() && (f.Ready() || f.Problem() != "" && time.Since(began) >= readyAfter) {
				m.ready.Store(true)
				m.notify(daemon.SdNotifyReady)
			}
			if status != last {
				last = status
				m.notify("STATUS=" + status)
			}
			select {
			case <-changed:
			case <-late:
			case <-alive:
				m.notify(daemon.SdNotifyWatchdog)
			case <-ctx.Done():
				return
			}
		}
	}
}

// statusOf returns the served revision and the problem in one line.
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

// reloading wraps a reload in notifications.
func (m manager) reloading(reload func()) func() {
	return func() {
		if !m.ready.Load() { // the notification after a reload would report readiness
			reload()
			return
		}
		m.notify(daemon.SdNotifyReloading, daemon.SdNotifyMonotonicUsec())
		defer m.notify(daemon.SdNotifyReady)
		reload()
	}
}
