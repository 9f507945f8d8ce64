package operations

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

const (
	// maxWarm bounds the cache entries that are warmed for a new generation.
	maxWarm = 256
	// keepWarm is the number of generations for which an entry without requests is warmed:
	// publishes may be more frequent than requests.
	keepWarm = 8
)

// Run warms the cache until ctx is done. After each change of the snapshot it repeats the
// previous snapshot's requests, compresses their bodies in the requested encodings, and
// then evicts the old entries. Without Run, old entries are evicted at once. changed
// returns a channel that is ready when a new snapshot is served after the call. After the
// start, Run returns free memory to the system. It must be called once.
func (h *Handler) Run(ctx context.Context, changed func() <-chan struct{}) {
	h.runs.Add(1)
	defer h.runs.Add(-1)
	var done uint64 // generation
	prepared := h.files.made()
	for {
		next := changed()
		if g := h.current(); g != nil && g.number != done {
			h.warm(ctx, g)
			done = g.number
		}
		select {
		case <-ctx.Done():
			return
		case <-next:
		case <-prepared:
			prepared = nil
			releaseEncoders()
		}
	}
}

// releaseEncoders returns the memory of idle encoders to the system. It is far larger than
// the prepared bodies, and an idle server would keep it for minutes: a pool releases its
// elements at the second collection.
func releaseEncoders() {
	runtime.GC()
	debug.FreeOSMemory()
}

// warm warms the cache for a generation, and stops when a newer one is served.
func (h *Handler) warm(ctx context.Context, g *generation) {
	if h.cache == nil {
		return
	}
	for _, old := range h.cache.hot(g.number, maxWarm) {
		if ctx.Err() != nil || h.current() != g {
			return
		}
		h.renewEntry(g, old)
	}
	h.cache.sweep(g.number)
}

// renewEntry repeats the request of an older generation's entry. It ignores errors, such as
// a removed menu: the next request gets them.
func (h *Handler) renewEntry(g *generation, old *cacheEntry) {
	defer func() {
		if cause := recover(); cause != nil {
			h.log.Error("an answer could not be prepared", slog.String("operation", old.first.operation.name),
				slog.String("error", fmt.Sprintf("panic: %v\n%s", cause, debug.Stack())))
		}
	}()
	like, ok := h.cache.bodies.GetEntryQuietly(old.body)
	if !ok {
		return // evicted
	}
	reply, err := old.first.operation.handle(h, g, old.first)
	if err != nil {
		return
	}
	if reply, err = h.makeNow(reply); err != nil {
		return
	}
	if a := reply.entry; a != nil {
		a.warmth.CompareAndSwap(0, old.warmth.Load()-1) // unless a request came first
	}
	reply.body.Pack(like.Value)
	h.cache.reweigh(reply.body)
}
