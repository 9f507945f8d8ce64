package follow

import "context"

// resume serves the last good state of an earlier process, marked stale, if nothing else is
// served.
func (f *Follower) resume(ctx context.Context, why error) {
	if f.resumed || f.lastGood == nil || f.state != nil {
		return
	}
	f.resumed = true // reading it again would not help
	for _, path := range lastGoodFiles(f.config.LastGood) {
		if f.resumeFrom(ctx, path, why) {
			return
		}
	}
}

// resumeFrom serves the state of a last good file, and reports whether it can be served.
func (f *Follower) resumeFrom(ctx context.Context, path string, why error) bool {
	state := f.lastGood.read(ctx, path)
	if state == nil {
		return false
	}
	c, err := f.compile(state)
	if err != nil {
		f.config.Log.Error("the last good state cannot be served", append([]any{"file", path, "error", err.Error()}, stackOf(err)...)...)
		return false
	}
	f.resuming.Store(true)
	defer f.resuming.Store(false)
	f.failure.set(f.describe(why)) // first, so that the state is never seen as fresh
	f.config.Metrics.resumed.set(true)
	f.config.Metrics.stale.set(true)
	f.config.Metrics.loads.failed.Inc()
	f.serve(state, c.snapshot)
	f.config.Log.Error("serving the last good state; it may be stale", "file", path,
		"revision", state.Revision.Number, "published_at", state.Revision.PublishedAt, "because", f.describe(why))
	f.changes.notify()
	return true
}
