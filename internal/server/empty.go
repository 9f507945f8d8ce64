package server

import (
	"slices"
	"strings"
	"sync"
	"time"

	"vitrine/internal/overview"
)

// Limits of the remembered searches without results.
const (
	emptyLimit = 20
	emptyText  = 80 // characters of a text
)

// emptySearches keeps the last different searches without results.
type emptySearches struct {
	mu   sync.Mutex
	kept []overview.Search // newest first
}

// EmptySearch remembers a search without results for the overview. It is safe for concurrent use.
func (m *Metrics) EmptySearch(text string) { m.empty.add(time.Now(), text) }

func (s *emptySearches) add(now time.Time, text string) {
	if text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")); text == "" {
		return
	}
	if r := []rune(text); len(r) > emptyText {
		text = string(r[:emptyText]) + "…"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(q overview.Search) bool { return q.Text == text })
	s.kept = slices.Insert(s.kept[:min(len(s.kept), emptyLimit-1)], 0, overview.Search{At: now, Text: strings.Clone(text)})
}

func (s *emptySearches) list() []overview.Search {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.kept)
}
