// Package logtest records log lines for tests.
package logtest

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// Lines records log lines as text without times. The zero value is empty and safe for
// concurrent use.
type Lines struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

// Logger returns a logger that writes to l.
func (l *Lines) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// Take removes and returns the lines since the last Take, nil for none.
func (l *Lines) Take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSuffix(l.buffer.String(), "\n")
	l.buffer.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Has reports whether a line contains the fragment. It removes nothing.
func (l *Lines) Has(fragment string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.buffer.String(), fragment)
}

// Want takes the lines and fails unless each fragment is in its own line, in order, and there are no
// other lines.
func (l *Lines) Want(t *testing.T, fragments ...string) {
	t.Helper()
	got := l.Take()
	ok := len(got) == len(fragments)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.Contains(got[i], fragments[i])
	}
	if !ok {
		t.Errorf("logged\n%s\nwant lines with\n%s", strings.Join(got, "\n"), fmt.Sprintf("%q", fragments))
	}
}
