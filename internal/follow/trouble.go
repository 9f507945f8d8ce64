package follow

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// trouble is what keeps something that is tried again and again from working,
// so that it is reported once per change. One goroutine sets and clears it; any
// may read it.
type trouble struct {
	current atomic.Pointer[fault]
	changes *changes // told of every change; nil for nobody
}

// fault is a trouble in words.
type fault struct {
	text  string
	since time.Time // in UTC; when all was well last, whatever the text was since
}

// String returns the trouble in words, "" for none.
func (t *trouble) String() string {
	if f := t.current.Load(); f != nil {
		return f.text
	}
	return ""
}

// set takes note of a trouble and reports whether it is news.
func (t *trouble) set(text string) (news bool) {
	next := &fault{text: text, since: time.Now().UTC()}
	if old := t.current.Load(); old != nil {
		if old.text == text {
			return false
		}
		next.since = old.since
	}
	t.current.Store(next)
	t.changes.tell()
	return true
}

// clear says that there is no trouble and reports whether that is news.
func (t *trouble) clear() (news bool) {
	if t.current.Swap(nil) == nil {
		return false
	}
	t.changes.tell()
	return true
}

// changes lets any number of goroutines wait until something has changed. A nil
// one tells nobody.
type changes struct {
	mu   sync.Mutex
	next chan struct{}
}

func newChanges() *changes { return &changes{next: make(chan struct{})} }

// wait returns a channel that is closed with the next change.
func (c *changes) wait() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next
}

// tell is to be called after the change.
func (c *changes) tell() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.next)
	c.next = make(chan struct{})
}

// repeat calls f now, and again when the time that f returned has passed or
// wake has something, until ctx is done. Calls do not overlap.
func repeat(ctx context.Context, wake <-chan struct{}, f func(context.Context) time.Duration) {
	for {
		timer := time.NewTimer(f(ctx))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		case <-wake:
			timer.Stop()
		}
	}
}

// maxPause bounds how long a failing store is left alone.
const maxPause = 5 * time.Second

// missingPause bounds the time between two looks for a store that is not there.
// Whoever publishes the first revision waits to see it served.
const missingPause = time.Second

// pauses says when to try again what failed: after the usual interval first,
// then after ever longer ones up to [maxPause].
type pauses struct {
	usual   time.Duration
	current time.Duration // 0 while all is well
}

func (p *pauses) failed() time.Duration {
	p.current = max(p.usual, min(2*p.current, maxPause))
	return p.current
}

func (p *pauses) well() time.Duration {
	p.current = 0
	return p.usual
}
