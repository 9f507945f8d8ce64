// Package spelling computes edit distances for suggestions. It must not know the
// meaning of words.
package spelling

import "unicode/utf8"

// Distance returns the number of edits between a and b, at most limit. An edit adds, removes or
// changes a code point, or swaps two neighbours (optimal string alignment). A low limit is fast for
// very different words. A byte that is not UTF-8 counts as U+FFFD.
func Distance(a, b string, limit int) int {
	if n, m := utf8.RuneCountInString(a), utf8.RuneCountInString(b); n == len(a) && m == len(b) {
		return distance([]byte(a), []byte(b), limit) // most words are ASCII
	}
	return distance([]rune(a), []rune(b), limit)
}

func distance[C byte | rune](a, b []C, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	var small [3 * 32]int
	cells := small[:]
	n := len(b) + 1
	if 3*n > len(small) {
		cells = make([]int, 3*n)
	}
	before, above, row := cells[:n], cells[n:2*n], cells[2*n:3*n] // rows of the last three code points of a
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, above, row = above, row, before
		// Cells limit or more from the diagonal have at least that distance.
		from, to := max(0, i+1-limit), min(len(b), i+1+limit)
		least := limit
		for j := from; j <= to; j++ {
			switch {
			case j == 0:
				row[j] = i + 1
			case j == from || j-i-1 == limit:
				row[j] = limit
			default:
				row[j] = cell(a[:i+1], b[:j], before, above, row)
			}
			least = min(least, row[j])
		}
		if least >= limit { // so are all later rows: a swap costs one too
			return limit
		}
	}
	return min(row[len(b)], limit)
}

// cell returns the distance of a and b, both not empty, from the cells of their
// prefixes.
func cell[C byte | rune](a, b []C, before, above, row []int) int {
	i, j := len(a)-1, len(b)-1
	changed := above[j]
	if a[i] != b[j] {
		changed++
	}
	d := min(changed, row[j]+1, above[j+1]+1)
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		d = min(d, before[j-1]+1)
	}
	return d
}
