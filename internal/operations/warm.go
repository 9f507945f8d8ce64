package operations

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

const (
	// maxWarm bounds the entries that are made ahead for a new edition.
	maxWarm = 256
	// keepWarm is for how many editions an entry is made ahead if nobody asks for it:
	// publishes may follow each other more quickly than clients come.
	keepWarm = 8
)

// Run works ahead until ctx is done: when a new snapshot is served, it finds the
// answers anew that were asked for under the one before, and compresses them as
// they were asked for, so that the first who asks need not wait. It then forgets
// the old ones. Without it, they are forgotten at once. Changed returns a channel
// that is ready when there is a new snapshot after the call. When a start is over, Run
// gives memory back to the system. Run is to be called once.
func (h *Handler) Run(ctx context.Context, changed func() <-chan struct{}) {
	h.runs.Add(1)
	defer h.runs.Add(-1)
	var done uint64 // generation
	prepared := h.files.made()
	for {
		next := changed()
		if e := h.current(); e != nil && e.generation != done {
			h.warm(ctx, e)
			done = e.generation
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

// releaseEncoders gives the memory of idle encoders back to the system. They take far more
// than the bodies that a start prepares, and an idle server would keep them for minutes: a
// pool gives them up at the second collection.
func releaseEncoders() {
	runtime.GC()
	debug.FreeOSMemory()
}

// warm prepares an edition, and gives up when a newer one is served.
func (h *Handler) warm(ctx context.Context, e *edition) {
	if h.cache == nil {
		return
	}
	for _, old := range h.cache.hot(e.generation, maxWarm) {
		if ctx.Err() != nil || h.current() != e {
			return
		}
		h.renewEntry(e, old)
	}
	h.cache.sweep(e.generation)
}

// renewEntry makes ahead for an edition what an older one has. What fails now, such
// as a menu that is gone, is left to those who ask for it.
func (h *Handler) renewEntry(e *edition, old *entry) {
	defer func() {
		if cause := recover(); cause != nil {
			h.log.Error("an answer could not be prepared", slog.String("operation", old.first.operation.name),
				slog.String("error", fmt.Sprintf("panic: %v\n%s", cause, debug.Stack())))
		}
	}()
	like, ok := h.cache.bodies.GetEntryQuietly(old.body)
	if !ok {
		return // the cache gave it up for others
	}
	reply, err := old.first.operation.handle(h, e, old.first)
	if err != nil {
		return
	}
	if reply, err = h.makeNow(reply); err != nil {
		return
	}
	if a := reply.entry; a != nil {
		a.warmth.CompareAndSwap(0, old.warmth.Load()-1) // unless a client came first
	}
	reply.body.Pack(like.Value)
	h.cache.reweigh(reply.body)
}
