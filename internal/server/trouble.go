package server

import (
	"context"
	"sync/atomic"
	"time"
)

// trouble is what keeps something that is tried again and again from working,
// so that it is reported once per change. It is safe for concurrent use.
type trouble struct {
	text atomic.Pointer[string]
}

// String returns the trouble in words, "" for none.
func (t *trouble) String() string {
	if text := t.text.Load(); text != nil {
		return *text
	}
	return ""
}

// set takes note of a trouble and reports whether it is news.
func (t *trouble) set(text string) (news bool) {
	old := t.text.Swap(&text)
	return old == nil || *old != text
}

// clear says that there is no trouble and reports whether that is news.
func (t *trouble) clear() (news bool) { return t.text.Swap(nil) != nil }

// repeat calls f now, and again whenever the interval has passed or wake has
// something, until ctx is done. Calls do not overlap.
func repeat(ctx context.Context, every time.Duration, wake <-chan struct{}, f func(context.Context)) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		f(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-wake:
		}
	}
}
