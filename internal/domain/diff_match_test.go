package domain_test

import (
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// TestInPlace compares with the ascents that end at each number.
func TestInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfNDistinct(rapid.IntRange(0, 50), 0, 20, rapid.ID).Draw(t, "numbers")
		longest := 0
		lengths := make([]int, len(numbers))
		for i, n := range numbers {
			lengths[i] = 1
			for j := range i {
				if numbers[j] < n {
					lengths[i] = max(lengths[i], lengths[j]+1)
				}
			}
			longest = max(longest, lengths[i])
		}
		last, found := -1, 0
		for i, in := range domain.InPlace(numbers) {
			if !in {
				continue
			}
			if numbers[i] <= last {
				t.Fatalf("%v does not ascend at %d", numbers, i)
			}
			last = numbers[i]
			found++
		}
		if found != longest {
			t.Fatalf("%d of %v ascend, want %d", found, numbers, longest)
		}
	})
}
