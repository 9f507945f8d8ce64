package site

import (
	"strings"
	"testing"
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
