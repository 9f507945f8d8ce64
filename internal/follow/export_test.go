package follow

import "vitrine/internal/store"

// Again and Served notify a watcher like its follower.
func (w *Watcher) Again()                  { w.again.Store(true) }
func (w *Watcher) Served(r store.Revision) { w.served.Store(&r) }

// Lost reports whether the watcher has an unprocessed notice that the store was lost.
func (w *Watcher) Lost() bool { return w.again.Load() }

// OnPublished sets the function that is called after each publish.
func (w *Watcher) OnPublished(f func()) {
	w.follower.Store(&servedBy{wake: f, state: func() *store.State { return nil }})
}

// BusyLooks is the number of looks after which a directory that keeps changing is read anyway.
const BusyLooks = busyLooks

// Held returns the current hold, nil for none.
func (w *Watcher) Held() *Held { return w.held.Load() }

// State returns the served state, nil for none.
func (f *Follower) State() *store.State { return f.served() }

// Remembered returns the store with which publishers beside a follower plan.
func Remembered(s store.Store, f *Follower) store.Store { return remembered{s, f.served} }

// Beside sets the state that the follower beside a job serves. It must be called before Run.
func (j *Job) Beside(served func() *store.State) { j.served = served }
