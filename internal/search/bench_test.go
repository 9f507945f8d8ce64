package search

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"vitrine/internal/fold"
)

// corpus returns the texts of n records that look like a catalogue's: six
// texts of some sixty bytes, one of them Chinese, one with accents.
func corpus(n int) [][]string {
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 20000)
	for i := range words {
		words[i] = randomWord(rng)
	}
	records := make([][]string, n)
	for i := range records {
		records[i] = []string{
			fmt.Sprintf("%s%s%d", words[rng.IntN(len(words))], strings.ToUpper(words[rng.IntN(len(words))]), i),
			sentence(rng, words, 8, " "),
			sentence(rng, words, 8, " "),
			sentence(rng, words, 8, " - "),
			strings.ReplaceAll(sentence(rng, words, 8, " "), "e", "é"),
			hanSentence(rng, 20),
		}
	}
	return records
}

func randomWord(rng *rand.Rand) string {
	const syllables = "ba be bi bo bu cha che chi do du fa fi ga ge ha in ka la li lo ma mi na net no or pa ra ro sa so ta the to un va wa ze"
	parts := strings.Fields(syllables)
	var b strings.Builder
	for range 2 + rng.IntN(3) {
		b.WriteString(parts[rng.IntN(len(parts))])
	}
	return b.String()
}

func sentence(rng *rand.Rand, words []string, n int, space string) string {
	chosen := make([]string, n)
	for i := range chosen {
		chosen[i] = words[rng.IntN(len(words))]
	}
	return strings.Join(chosen, space)
}

func hanSentence(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteRune(rune(0x4E00 + rng.IntN(2500)))
	}
	return b.String()
}

func indexOf(records [][]string) *Index {
	return New(len(records), func(number uint32) []string { return records[number] })
}

// BenchmarkBuild reports what the index of a large catalogue holds, too.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{2_700, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			records := corpus(n)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var x *Index
			for b.Loop() {
				x = indexOf(records)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(records)
			b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/1e6, "MB-held")
			b.ReportMetric(float64(len(x.base.words.suffixes.places)), "places")
		})
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{2_700, 200_000} {
		x := indexOf(corpus(n))
		for _, q := range []string{"ai", "net", "cha", "chabelo", "network chain", "$", "q", "一丁", "nowhere to be found"} {
			terms := fold.Terms(q)
			b.Run(fmt.Sprintf("%d/%s", n, q), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					x.Find(terms)
				}
			})
		}
	}
}
