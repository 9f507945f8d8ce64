package cli

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestLogIsSparing checks that repeated messages are dropped after a while, and that the next
// logged line has their number.
func TestLogIsSparing(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			log := newLog(&out, format, slog.LevelInfo)
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			write := func(after time.Duration, level slog.Level, message string) {
				r := slog.NewRecord(start.Add(after), level, message, 0)
				must(t, log.With("a", 1).Handler().Handle(context.Background(), r))
			}
			for i := range 100 {
				write(time.Duration(i)*time.Millisecond, slog.LevelWarn, "often")
				write(time.Duration(i)*time.Millisecond, slog.LevelInfo, "request")
			}
			write(time.Second, slog.LevelError, "rare")
			write(repeatTime, slog.LevelWarn, "often")
			write(repeatTime, slog.LevelWarn, "often")
			for message, want := range map[string]int{"often": maxRepeats + 2, "request": 100, "rare": 1, "lines_left_out": 1} {
				if got := strings.Count(out.String(), message); got != want {
					t.Errorf("%s is in %d lines, want %d", message, got, want)
				}
			}
			if !strings.Contains(out.String(), "80") {
				t.Error("no line reports 80 dropped lines")
			}
		})
	}
}

func TestLogCountsFewMessages(t *testing.T) {
	seen := newRepeated()
	logged := 0
	for i := range 10 * maxMessages {
		if _, ok := seen.admit(fmt.Sprint(i), time.Time{}.Add(repeatTime)); ok {
			logged++
		}
	}
	if want := maxMessages + maxRepeats; logged != want {
		t.Errorf("%d lines, want %d", logged, want)
	}
	if got := len(seen.byMessage); got > maxMessages+1 {
		t.Errorf("%d messages are counted separately", got)
	}
}
