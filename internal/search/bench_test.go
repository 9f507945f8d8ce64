package search

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"vitrine/internal/fold"
)

// corpus returns the texts of n records with the statistics of a catalogue: six texts of about
// sixty bytes, one of them Chinese, one with accents.
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
	return New(len(records), func(number uint32) Document { return Document{Texts: records[number]} })
}

// BenchmarkBuild also reports the memory of the index of a large catalogue.
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
					x.Matches(terms)
				}
			})
		}
	}
}

// directory returns n records like accounts: a name of one to three words, the handle, and
// descriptions, some of them in other languages. Words have the frequencies of a natural
// language.
func directory(n int) []Document {
	rng := rand.New(rand.NewPCG(5, 6))
	texts := corpus(n)
	words := make([]string, 30_000)
	for i := range words {
		words[i] = randomWord(rng)
	}
	common := []string{"AI", "Network", "Protocol", "Labs", "DAO", "Finance", "Chain", "Foundation", "Open", "Capital", "Wallet", "Meta"}
	often := rand.NewZipf(rng, 1.2, 20, uint64(len(words)-1))
	records := make([]Document, n)
	for i := range records {
		var name []string
		for range 1 + rng.IntN(2) {
			word := words[often.Uint64()]
			name = append(name, strings.ToUpper(word[:1])+word[1:])
		}
		if rng.IntN(3) == 0 {
			name = append(name, common[rng.IntN(len(common))])
		}
		handle := strings.Join(name, "")
		if rng.IntN(2) == 0 {
			handle = fmt.Sprintf("%s_%d", strings.ToLower(handle), rng.IntN(1000))
		}
		labels := []string{strings.Join(name, " "), handle}
		if rng.IntN(10) == 0 {
			labels = append(labels, hanSentence(rng, 4))
		}
		records[i] = Document{Labels: labels, IDs: []string{fmt.Sprint(i)}, Texts: append(texts[i][1:], "about "+labels[0]+" and "+words[often.Uint64()])}
	}
	return records
}

// questions returns typical queries: names, parts of names, common words, short words.
func questions(records []Document) []string {
	rng := rand.New(rand.NewPCG(7, 8))
	asked := []string{"ai", "AI", "a", "network", "net", "open ai", "dao", "labs", "finance chain", "protocol", "chain", "cha", "the", "capital wallet",
		"_", "$", "o", "12", "4711", "nowhere to be found", "foundation", "meta", "fin", "open", "ing"}
	for range 20 {
		name := records[rng.IntN(len(records))].Labels[0]
		asked = append(asked, name, name[:min(len(name), 4)])
	}
	return asked
}

const page = 20

// takeRanked reads the matches of a first page.
func takeRanked(x *Index, terms []string, phrase string) (taken uint64) {
	for set := range x.Ranked(terms, phrase, x.Matches(terms)) {
		if taken += set.GetCardinality(); taken >= page {
			break
		}
	}
	return taken
}

// BenchmarkRanked compares the best matches with arbitrary ones. The metrics are the median and
// the 99th percentile of single queries.
func BenchmarkRanked(b *testing.B) {
	records := directory(200_000)
	x := indexOfDocuments(records)
	var find, ranked, suggest []time.Duration
	for b.Loop() {
		for _, q := range questions(records) {
			terms, phrase := fold.Terms(q), fold.Phrase(q)
			start := time.Now()
			x.Matches(terms).GetCardinality()
			find = append(find, time.Since(start))
			start = time.Now()
			takeRanked(x, terms, phrase)
			ranked = append(ranked, time.Since(start))
			if wrong := misspelled(q); wrong != q {
				start = time.Now()
				x.Suggest(fold.Terms(wrong), 5, nil)
				suggest = append(suggest, time.Since(start))
			}
		}
	}
	for name, times := range map[string][]time.Duration{"find": find, "ranked": ranked, "suggest": suggest} {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, name+"-p50-µs")
		b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, name+"-p99-µs")
	}
}

// misspelled returns a query with two letters swapped.
func misspelled(q string) string {
	if len(q) < 5 {
		return q
	}
	return q[:2] + q[3:4] + q[2:3] + q[4:]
}

// BenchmarkBuildLabels reports the memory that labels add to an index of the same texts.
func BenchmarkBuildLabels(b *testing.B) {
	records := directory(200_000)
	for _, labels := range []bool{false, true} {
		b.Run(fmt.Sprintf("labels=%t", labels), func(b *testing.B) {
			documents := func(number uint32) Document {
				d := records[number]
				if !labels {
					d = Document{Texts: slices.Concat(d.Labels, d.Texts)}
				}
				return d
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var x *Index
			for b.Loop() {
				x = New(len(records), documents)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(records)
			b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(len(records)), "B/record")
			b.ReportMetric(float64(len(x.base.labels.suffixes.places))/float64(len(records)), "label-words/record")
		})
	}
}
