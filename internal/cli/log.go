package cli

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	// maxRepeats is the maximum number of lines of one message within repeatTime, from
	// level warn on, because clients can provoke some of them.
	maxRepeats = 20
	repeatTime = time.Minute
	// maxMessages is the maximum number of messages that are counted separately. They are
	// constants of the code.
	maxMessages = 256
)

// newLog returns the log of the process. format is json or text; both escape line breaks.
func newLog(w io.Writer, format string, least slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(sparing{slog.NewJSONHandler(w, options), newRepeated()})
	}
	return slog.New(sparing{slog.NewTextHandler(w, options), newRepeated()})
}

// requestLevel returns the level from which requests are logged (operations.Config.LogRequests)
// for a value of --log-requests.
func requestLevel(which string) slog.Level {
	if which == "all" {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// sparing is a handler that drops lines of a message, from level warn on, that is repeated too
// often. The next line of that message has their number.
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

// repeated counts lines by message. It is safe for concurrent use.
type repeated struct {
	mu        sync.Mutex
	byMessage map[string]*repeats
}

// repeats counts the lines of a message.
type repeats struct {
	since   time.Time // when the interval began
	lines   int       // logged since then
	leftOut int       // dropped since then
}

func newRepeated() *repeated { return &repeated{byMessage: map[string]*repeats{}} }

// admit reports whether a line of a message may be logged, and how many lines were dropped before
// it.
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

// entry returns the counts of a message. Messages beyond maxMessages share one entry.
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
