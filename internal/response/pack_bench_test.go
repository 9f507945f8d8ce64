package response

import (
	"fmt"
	"testing"
)

// BenchmarkPack compresses documents of the sizes of a menu, a page and a whole list at every
// level. The metric is the compressed size. Levels are chosen by cost, so sizes matter more than
// texts.
func BenchmarkPack(b *testing.B) {
	for _, size := range []int{4 << 10, 56 << 10, 480 << 10} {
		plain := rows(size, 1)
		for _, e := range []encoding{gzipped, brotlied, zstandard} {
			for l := range levels {
				if e == zstandard && l != fast {
					continue // it has only one level
				}
				b.Run(fmt.Sprintf("%dK/%v/level%d", size>>10, e, l), func(b *testing.B) {
					encode := newEncoder(e, l)
					left := len(encode(plain))
					b.SetBytes(int64(len(plain)))
					for b.Loop() {
						encode(plain)
					}
					b.ReportMetric(100*float64(left)/float64(len(plain)), "%left")
				})
			}
		}
	}
}
