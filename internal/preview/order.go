package preview

import (
	"cmp"
	"slices"

	"vitrine/internal/domain"
)

// movedRows returns the rows of both responses that are not among the most that keep their order, those
// that moved farthest first. new are the places of the rows after.
func movedRows(before, after []row, new map[string]int) Rows {
	var from, to []int
	for i, r := range before {
		if j, stays := new[r.key]; stays {
			from, to = append(from, i), append(to, j)
		}
	}
	stays := domain.InPlace(to)
	var moved []Row
	for i := range to {
		if !stays[i] {
			moved = append(moved, Row{From: from[i] + 1, To: to[i] + 1})
		}
	}
	slices.SortFunc(moved, func(a, b Row) int {
		return cmp.Or(cmp.Compare(distance(b), distance(a)), cmp.Compare(a.To, b.To))
	})
	examples := slices.Clip(moved[:min(len(moved), maxExamples)])
	for i := range examples {
		titled := after[examples[i].To-1].titled()
		examples[i].Key, examples[i].Title = titled.Key, titled.Title
	}
	return Rows{Total: len(moved), Examples: examples}
}

func distance(r Row) int { return max(r.To-r.From, r.From-r.To) }
