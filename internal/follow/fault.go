package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"vitrine/internal/store"
)

// failed records the error that prevents serving the head, and logs it when it changes. up reports
// whether the store works.
func (f *Follower) failed(err error, up bool) {
	f.config.Metrics.up.set(up)
	f.config.Metrics.stale.set(f.state != nil)
	if !f.failure.set(f.describe(err)) {
		return
	}
	f.filling = false
	if f.state == nil && (errors.Is(err, store.ErrEmpty) || errors.Is(err, fs.ErrNotExist)) {
		f.empty(err)
		return
	}
	f.config.Metrics.loads.failed.Inc()
	f.config.Log.Error(f.name()+"'s revision cannot be served",
		append([]any{"error", f.describe(err), "still_serving", f.number()}, stackOf(err)...)...)
}

// empty logs that there is no revision yet: a warning, unless this process is about to publish
// one.
func (f *Follower) empty(err error) {
	if f.config.Filling {
		f.filling = true
		f.config.Log.Info("nothing is served yet: "+f.describe(err), "next", f.config.WhenEmpty)
		return
	}
	f.config.Log.Warn("nothing is served: "+f.describe(err), "remedy", f.config.WhenEmpty)
}

// name returns the name of what is followed.
func (f *Follower) name() string { return cmp.Or(f.config.Name, "the store") }

// describe is [describe] with the name of what is followed.
func (f *Follower) describe(err error) string {
	if errors.Is(err, errTimeout) {
		return f.name() + " does not answer"
	}
	return describe(err)
}

// describe returns the text of an error, which stays the same while the fault lasts. A timeout has
// the same text for opening and for queries.
func describe(err error) string {
	if errors.Is(err, errTimeout) {
		return "the store does not answer"
	}
	return strings.Join(strings.Fields(err.Error()), " ") // drivers write several lines
}

func (f *Follower) well() {
	f.aside = ""
	f.config.Metrics.up.set(true)
	f.config.Metrics.stale.set(false)
	f.config.Metrics.resumed.set(false)
	if f.failure.clear() && !f.filling {
		f.config.Log.Info(f.name()+" works again", "serving", f.number())
	}
}

// slow reports that the store takes long, while the call still runs.
func (f *Follower) slow(ctx context.Context) {
	if f.failure.String() != "" || ctx.Err() != nil {
		return // a problem was reported before
	}
	f.resume(ctx, errTimeout)
	f.config.Metrics.stale.set(f.state != nil)
	f.failure.set(f.describe(errTimeout))
	f.config.Log.Warn(f.name()+" takes long to answer", "for", slowAfter, "still_serving", f.number())
}

// missing adds the new name of a damaged store to the error of the missing one.
func (f *Follower) missing(err error) error {
	if f.aside == "" {
		return err
	}
	return fmt.Errorf("%w; the damaged one was put aside as %s", err, f.aside)
}

// damaged puts a damaged store aside, if the follower may do so, and returns when to look again.
func (f *Follower) damaged(ctx context.Context, damage error) time.Duration {
	if f.state == nil || f.config.PutAside == nil {
		f.failed(damage, false)
		return f.backoff.failed()
	}
	name, err := run(ctx, &f.conn.guard, call[string]{
		limit: loadLimit,
		do:    func(context.Context) (string, error) { return f.config.PutAside() },
	})
	if err != nil {
		f.failed(fmt.Errorf("%w; it stays where it is: %w", damage, err), false)
		return f.backoff.failed()
	}
	f.aside = name
	f.failure.set(f.describe(damage)) // the next look reports the result
	f.config.Metrics.up.set(false)
	f.config.Metrics.stale.set(true)
	f.config.Log.Error("the store is damaged and was put aside", "as", name, "error", damage, "still_serving", f.number(),
		"remedy", "put a good copy in its place, or import the catalogue again")
	if f.config.Watcher != nil {
		f.config.Watcher.again.Store(true)
	}
	return 0
}
