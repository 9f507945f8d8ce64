package follow

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// failure is the current error of a repeated operation. It is reported once per change. One
// goroutine sets and clears it; all may read it.
type failure struct {
	current atomic.Pointer[failureState]
	changes *changes // notified of each change; may be nil
}

// failureState is the text of a [failure] and its time.
type failureState struct {
	text  string
	since time.Time // in UTC; the end of the last success, also if the text changed since
}

// String returns the text, "" for none.
func (t *failure) String() string {
	if f := t.current.Load(); f != nil {
		return f.text
	}
	return ""
}

// set records an error and reports whether it is new.
func (t *failure) set(text string) (news bool) {
	next := &failureState{text: text, since: time.Now().UTC()}
	if old := t.current.Load(); old != nil {
		if old.text == text {
			return false
		}
		next.since = old.since
	}
	t.current.Store(next)
	t.changes.notify()
	return true
}

// clear removes the error and reports whether there was one.
func (t *failure) clear() (news bool) {
	if t.current.Swap(nil) == nil {
		return false
	}
	t.changes.notify()
	return true
}

// changes notifies any number of goroutines of changes. A nil pointer is valid and notifies none.
type changes struct {
	mu   sync.Mutex
	next chan struct{}
}

func newChanges() *changes { return &changes{next: make(chan struct{})} }

// wait returns a channel that the next change closes.
func (c *changes) wait() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next
}

// notify notifies waiting goroutines. It must be called after the change.
func (c *changes) notify() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.next)
	c.next = make(chan struct{})
}

// repeat calls f, and again after the duration that f returned or a value from wake, until ctx is
// done. Calls do not overlap.
func repeat(ctx context.Context, wake <-chan struct{}, f func(context.Context) time.Duration) {
	for {
		pause := time.After(f(ctx))
		select {
		case <-ctx.Done():
			return
		case <-pause:
		case <-wake:
		}
	}
}

// maxPause is the maximum pause after failures.
const maxPause = 5 * time.Second

// missingPause is the maximum pause before the next look for a missing store, which may be created
// any time.
const missingPause = time.Second

// backoff computes the pause after each attempt: the usual interval, then increasing ones up to
// [maxPause] while attempts fail.
type backoff struct {
	usual   time.Duration
	current time.Duration // 0 after a success
}

func (p *backoff) failed() time.Duration {
	p.current = max(p.usual, min(2*p.current, maxPause))
	return p.current
}

func (p *backoff) well() time.Duration {
	p.current = 0
	return p.usual
}
