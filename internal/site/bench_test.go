package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vitrine/internal/snapshot"
)

// BenchmarkPages renders the most frequent kinds of pages.
func BenchmarkPages(b *testing.B) {
	s, of := siteOf(b, Config{}), theBundled(b)
	for _, address := range []string{"/en/", "/en/nav", "/en/nav/wallets", "/en/chains", "/en/chains?q=arbitrum", "/en/chains/base", "/en/cards?q=swap", "/en/twitter/ethereum", "/en/search?q=base"} {
		path, query, _ := strings.Cut(address, "?")
		pageAt(b, s, of, path, query) // fill the caches
		b.Run(strings.ReplaceAll(address[3:], "/", "|"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pageAt(b, s, of, path, query)
			}
		})
	}
}

// BenchmarkChanges renders the newest of many changes.
func BenchmarkChanges(b *testing.B) {
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, "- {slug: c%d, name: N, chain_id: 'x%d'}\n", i, i)
	}
	s := siteOf(b, Config{})
	of := changed(b, snapshot.Revision{PublishedAt: time.Date(2026, 3, 3, 4, 5, 6, 0, time.UTC)}, chainsDirectory("[]"), chainsDirectory(many.String()))
	for _, path := range []string{"/en/changes", "/en/changes.atom"} {
		b.Run(path[4:], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pageAt(b, s, of, path, "")
			}
		})
	}
}
