package distribution_test

import (
	"fmt"
	"testing"
	"time"

	"vitrine/internal/changelog"
	"vitrine/internal/distribution"
	"vitrine/internal/domain"
)

// logged returns a revision with changes of accounts.
func logged(number, entries int) changelog.Revision {
	r := changelog.Revision{Number: int64(number), PublishedAt: time.Unix(int64(number), 0)}
	for j := range entries {
		key := fmt.Sprintf("account_%d", (number*50+j)*7919%200_000)
		r.Entries = append(r.Entries, changelog.Entry{Revision: r.Number, Kind: domain.KindAccount, ID: key, Key: key, Was: key, Op: domain.Changed,
			Values: []changelog.Value{{Field: "followers_count", Before: changelog.Hash(number*j) * 0x9e3779b97f4a7c15, After: changelog.Hash(number+j) * 0x9e3779b97f4a7c15}}})
	}
	return r
}

// longLog returns a log of revisions with some entries each.
func longLog(revisions, entries int) *changelog.Log {
	var all []changelog.Revision
	for i := range revisions {
		all = append(all, logged(i+2, entries))
	}
	return changelog.New(changelog.Revision{Number: 1}).Append(all...)
}

// BenchmarkLog encodes and compresses the longest log of changes.
func BenchmarkLog(b *testing.B) {
	log := longLog(changelog.MaxRevisions-1, changelog.MaxEntries/(changelog.MaxRevisions-1))
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

// BenchmarkLogGrows publishes revisions of an unchanged catalogue with the longest log, and reads their
// logs.
func BenchmarkLogGrows(b *testing.B) {
	p := newPublisher(b)
	p.publish(chains("a"))
	p.log = longLog(changelog.MaxRevisions-1, changelog.MaxEntries/(changelog.MaxRevisions-1))
	p.head.Revision.Number = changelog.MaxRevisions
	s := serve(b, nil)
	r := p.reader(s.from)
	var write, read time.Duration
	var bytes, files int
	next := func() {
		p.log = p.log.Append(logged(int(p.head.Revision.Number)+1, 50))
		start := time.Now()
		p.publish(chains("a"))
		write += time.Since(start)
		s.files, s.sent, s.asked = p.files(), 0, map[string]int{}
		must(b, r.look())
		start = time.Now()
		log, err := r.ChangeLog(b.Context(), p.head.Revision.Number)
		must(b, err)
		read += time.Since(start)
		if log.Oldest().Number != p.log.Oldest().Number {
			b.Fatal("another log")
		}
		bytes, files = bytes+s.sent, files+len(s.asked)
	}
	next()
	write, read, bytes, files = 0, 0, 0, 0
	n := 0
	for b.Loop() {
		next()
		n++
	}
	b.ReportMetric(float64(write.Milliseconds())/float64(n), "write-ms")
	b.ReportMetric(float64(read.Milliseconds())/float64(n), "read-ms")
	b.ReportMetric(float64(bytes)/float64(n), "sent-B")
	b.ReportMetric(float64(files)/float64(n), "requests")
}
