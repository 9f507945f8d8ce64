package server_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const every = time.Second // of the fake clock

// memory is a store in memory whose failures can be switched.
type memory struct {
	mu      sync.Mutex
	head    store.Revision
	catalog *catalog.Catalog
	err     error
	loads   int
}

func (m *memory) Head(context.Context) (store.Revision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return store.Revision{}, m.err
	}
	if m.head.Number == 0 {
		return store.Revision{}, store.ErrEmpty
	}
	return m.head, nil
}

func (m *memory) Load(context.Context) (*catalog.Catalog, store.Revision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.loads++
	return m.catalog, m.head, m.err
}

func (m *memory) Publish(_ context.Context, base int64, d store.Draft) (store.Revision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return store.Revision{}, m.err
	}
	if base != m.head.Number {
		return store.Revision{}, store.ErrConflict
	}
	m.head, m.catalog = d.Revision(base), d.Catalog
	return m.head, nil
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// put makes c the head under a number, as another process would.
func (m *memory) put(number int64, c *catalog.Catalog) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.head = store.Revision{Number: number, PublishedAt: time.Now().UTC()}
	m.catalog = c
}

func (m *memory) state() (head store.Revision, title string, loads int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.catalog != nil {
		title = m.catalog.Title.Resolve([]string{"en"})
	}
	return m.head, title, m.loads
}

func titled(title string) *catalog.Catalog {
	return &catalog.Catalog{
		Title: catalog.Text{{Locale: "en", Value: title}}, DefaultLocale: "en", Locales: []string{"en"},
	}
}

// invalid returns a catalogue that Check has an error for.
func invalid() *catalog.Catalog {
	c := titled("Invalid")
	c.Chains = []catalog.Chain{{Slug: "NOT A SLUG"}}
	return c
}

// lines is a log that is kept as lines of text without times.
type lines struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

func (l *lines) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

// take returns the lines since the last take.
func (l *lines) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSuffix(l.buffer.String(), "\n")
	l.buffer.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// wantLines fails unless there is one line for each of the fragments, in their
// order.
func wantLines(t *testing.T, log *lines, fragments ...string) {
	t.Helper()
	got := log.take()
	ok := len(got) == len(fragments)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.Contains(got[i], fragments[i])
	}
	if !ok {
		t.Errorf("logged\n%s\nwant lines with\n%s", strings.Join(got, "\n"), fmt.Sprintf("%q", fragments))
	}
}
