package distribution_test

import (
	"fmt"
	"testing"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/distribution"
	"vitrine/internal/domain"
)

// BenchmarkLog encodes and compresses the longest log of changes.
func BenchmarkLog(b *testing.B) {
	log := changelog.New(changelog.Revision{Number: 1})
	for i := range changelog.MaxRevisions - 1 {
		r := changelog.Revision{Number: int64(i + 2), PublishedAt: time.Unix(int64(i), 0)}
		for j := range changelog.MaxEntries / (changelog.MaxRevisions - 1) {
			key := fmt.Sprintf("account_%d", (i*50+j)*7919%200_000)
			r.Entries = append(r.Entries, changelog.Entry{Revision: r.Number, Kind: domain.KindAccount, ID: key, WasID: key, Key: key, Was: key, Op: domain.Changed,
				Values: []changelog.Value{{Field: "followers_count", Before: uint64(i*j) * 0x9e3779b97f4a7c15, After: uint64(i+j) * 0x9e3779b97f4a7c15}}})
		}
		log = log.Append(r)
	}
	b.ReportAllocs()
	for b.Loop() {
		content, err := distribution.EncodeLog(log)
		must(b, err)
		f, _, err := distribution.Pack("changes", content)
		must(b, err)
		b.ReportMetric(float64(f.Size), "compressed-B")
		b.ReportMetric(float64(f.ContentSize), "content-B")
	}
}
