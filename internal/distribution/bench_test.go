package distribution_test

import (
	"fmt"
	"testing"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// BenchmarkWrite measures the distribution of one observed figure of 200,000 accounts.
func BenchmarkWrite(b *testing.B) {
	p := newPublisher(b)
	c := &domain.Catalog{Title: domain.Text{{Locale: "en", Value: "Many"}}, DefaultLocale: "en", Locales: []string{"en"}}
	for i := range 200_000 {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprintf("account_%d", i*7919%1_000_000), Name: fmt.Sprintf("Account number %d", i),
			Description: domain.Text{{Locale: "en", Value: fmt.Sprintf("The account with the number %d, which has a description of a usual length of some words.", i)}},
			Followers:   &domain.Figure{Value: float64(i), Source: "x", AsOf: "2026-01-01"},
		})
	}
	p.publish(c)
	b.ReportAllocs()
	var bytes int64
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		p.now = p.now.Add(2 * time.Second)
		rev := store.Revision{Number: p.head.Revision.Number + 1, PublishedAt: p.now, Op: store.OpSync}
		next, err := p.head.Apply(&store.Changes{Since: p.head.Revision.Number, Revision: rev, Observed: []domain.Observation{
			{Kind: domain.KindAccount, Key: c.Accounts[i*13%len(c.Accounts)].Handle, Figure: "followers_count", Value: float64(i), Source: "x", AsOf: "2026-01-02"},
		}})
		must(b, err)
		next.Merged() // the follower needs it before
		p.head = next
		p.past = append(p.past, rev)
		b.StartTimer()
		bytes += p.write().Bytes
	}
	b.ReportMetric(float64(bytes)/float64(b.N), "written-B/op")
}
