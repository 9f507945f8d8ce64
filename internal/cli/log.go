package cli

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	// maxRepeats is how many lines of one message are logged within repeatTime,
	// from level warn on. Clients can provoke some as often as they like.
	maxRepeats = 20
	repeatTime = time.Minute
	// maxMessages bounds the messages that are told apart; they are constants of
	// the code.
	maxMessages = 256
)

// newLog makes the process's log. The formats are those that the flags allow.
// Both escape what could forge a line.
func newLog(w io.Writer, format string, least slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(sparing{slog.NewJSONHandler(w, options), newRepeated()})
	}
	return slog.New(sparing{slog.NewTextHandler(w, options), newRepeated()})
}

// requestLevel returns the level of the lines of requests (see
// api.Config.LogRequests) for a value of --log-requests.
func requestLevel(which string) slog.Level {
	if which == "all" {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// sparing is a handler that leaves lines out where one message, from level warn
// on, is repeated too often. The next line of that message says how many.
type sparing struct {
	slog.Handler
	repeated *repeated
}

func (s sparing) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn {
		return s.Handler.Handle(ctx, r)
	}
	leftOut, ok := s.repeated.admit(r.Message, r.Time)
	if !ok {
		return nil
	}
	if leftOut > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("lines_left_out", leftOut))
	}
	return s.Handler.Handle(ctx, r)
}

func (s sparing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return sparing{s.Handler.WithAttrs(attrs), s.repeated}
}

func (s sparing) WithGroup(name string) slog.Handler {
	return sparing{s.Handler.WithGroup(name), s.repeated}
}

// repeated count lines by message. They are safe for concurrent use.
type repeated struct {
	mu        sync.Mutex
	byMessage map[string]*repeats
}

// repeats is what is known of a message.
type repeats struct {
	since   time.Time // when the interval began
	lines   int       // that were logged since then
	leftOut int       // and were not
}

func newRepeated() *repeated { return &repeated{byMessage: map[string]*repeats{}} }

// admit reports whether a line of a message may be logged, and how many before it
// were not.
func (t *repeated) admit(message string, now time.Time) (leftOut int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.entry(message)
	if now.Sub(m.since) >= repeatTime {
		leftOut = m.leftOut
		*m = repeats{since: now}
	}
	if m.lines == maxRepeats {
		m.leftOut++
		return 0, false
	}
	m.lines++
	return leftOut, true
}

// entry returns what is known of a message. Beyond maxMessages they share one entry.
func (t *repeated) entry(message string) *repeats {
	if m := t.byMessage[message]; m != nil {
		return m
	}
	if len(t.byMessage) >= maxMessages {
		message = ""
	}
	m := t.byMessage[message]
	if m == nil {
		m = &repeats{}
		t.byMessage[message] = m
	}
	return m
}
