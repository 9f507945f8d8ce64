// Package spelling says how far one word is from another, for those who tell
// what was probably meant. It must not know what the words are.
package spelling

import "slices"

// Distance returns how many bytes to add, drop or change, or neighbours to swap,
// make b of a (optimal string alignment), or limit if that many or more. A low
// limit makes it cheap for words that are far apart.
func Distance(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	n := len(b) + 1
	cells := make([]int, 3*n)
	before, above, row := cells[:n], cells[n:2*n], cells[2*n:] // of the byte before last of a, the last, and this one
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			changed := above[j]
			if a[i] != b[j] {
				changed++
			}
			row[j+1] = min(changed, row[j]+1, above[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		if slices.Min(row) >= limit { // and so are all rows to come: a swap costs one, too
			return limit
		}
	}
	return min(row[len(b)], limit)
}
