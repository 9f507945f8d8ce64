package follow

import "vitrine/internal/store"

// Again and Served tell a watcher what its follower would.
func (w *Watcher) Again()                  { w.again.Store(true) }
func (w *Watcher) Served(r store.Revision) { w.served.Store(&r) }

// Lost reports whether a watcher was told that the store was lost, and has not
// looked since.
func (w *Watcher) Lost() bool { return w.again.Load() }

// OnPublished has f called after each publish, in the place of the follower.
func (w *Watcher) OnPublished(f func()) { w.published = f }

// Held returns what the gate holds, nil for nothing.
func (w *Watcher) Held() *Held { return w.held.Load() }
