package search

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestWithIsNew checks that an updated index equals a new one, and that the original index is
// unchanged.
func TestWithIsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.OneOf(alphabets...)
		record := rapid.SliceOfN(texts, 0, 3)
		before := rapid.SliceOfN(record, 0, 60).Draw(t, "before")
		x := indexOf(before)
		records := slices.Clone(before)
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			var changed []uint32
			for id := range records {
				if rapid.IntRange(0, 9).Draw(t, "change") == 0 {
					records = slices.Clone(records)
					records[id] = record.Draw(t, "changed")
					changed = append(changed, uint32(id))
				}
			}
			for range rapid.IntRange(0, 3).Draw(t, "more") {
				changed = append(changed, uint32(len(records)))
				records = append(slices.Clip(records), record.Draw(t, "added"))
			}
			x = x.With(len(records), changed, func(id uint32) Document { return Document{Texts: records[id]} })
		}
		for range 10 {
			checkFind(t, x, records, texts.Draw(t, "q"))
			checkFind(t, x, records, part(t, records))
		}
	})
}

// TestWithManyRecords checks that an index with too many edits is built again.
func TestWithManyRecords(t *testing.T) {
	const n = 30_000
	texts := func(id uint32) Document {
		return Document{Texts: []string{"common words AI $", "number " + string(rune('a'+id%26))}}
	}
	x := New(n, texts)
	edited := map[uint32]bool{}
	y := x
	for from := uint32(0); from < 2_000; from += 100 {
		var changed []uint32
		for id := from; id < from+100; id += 2 {
			changed = append(changed, id)
			edited[id] = true
		}
		y = y.With(n, changed, func(id uint32) Document {
			if edited[id] {
				return Document{Texts: []string{"uncommon"}}
			}
			return texts(id)
		})
	}
	var left, uncommon []uint32
	for id := range uint32(n) {
		if edited[id] {
			uncommon = append(uncommon, id)
		} else {
			left = append(left, id)
		}
	}
	for q, want := range map[string][]uint32{"words common": left, "ai": left, "$": left, "uncommon": uncommon, "number": left} {
		if diff := cmp.Diff(want, find(y, q)); diff != "" {
			t.Errorf("%q (-want +got):\n%.300s", q, diff)
		}
	}
	if y.edited != nil && len(y.numbers) > 256+n/64 {
		t.Errorf("%d records in the second index, want a new index", len(y.numbers))
	}
	if got := len(find(x, "common words")); got != n {
		t.Errorf("the original index finds %d, want %d", got, n)
	}
}

// TestShortTermsBesideRareOnes checks queries with one rare term, whose other terms are compared
// with its records.
func TestShortTermsBesideRareOnes(t *testing.T) {
	records := [][]string{{"rare zebra AI"}, {"rare zebra chain"}, {"rare AI"}}
	for range 3000 {
		records = append(records, []string{"chains and AI, commonly $"})
	}
	x := indexOf(records)
	for q, want := range map[string][]uint32{
		"zebra ai": {0}, "zebra chain": {1}, "zebra rare": {0, 1}, "zebra $": {}, "zebra commonly": {}, "ai zebra rare": {0},
	} {
		if diff := cmp.Diff(want, find(x, q)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", q, diff)
		}
	}
}
