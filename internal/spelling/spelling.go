// Package spelling says how far one word is from another, for those who tell
// what was probably meant. It must not know what the words are.
package spelling

import "unicode/utf8"

// Distance returns how many code points to add, drop or change, or neighbours to
// swap, make b of a (optimal string alignment), or limit if that many or more. A
// low limit makes it cheap for words that are far apart. A byte that is not UTF-8
// counts as U+FFFD.
func Distance(a, b string, limit int) int {
	if n, m := utf8.RuneCountInString(a), utf8.RuneCountInString(b); n == len(a) && m == len(b) {
		return distance([]byte(a), []byte(b), limit) // ASCII, as most words are
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
	before, above, row := cells[:n], cells[n:2*n], cells[2*n:3*n] // of the code point before last of a, the last, and this one
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before, above, row = above, row, before
		// What is limit places and more from the diagonal is as far apart.
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
		if least >= limit { // and so are all rows to come: a swap costs one, too
			return limit
		}
	}
	return min(row[len(b)], limit)
}

// cell returns how far a is from b, neither of them empty, by the cells of what they
// are without their ends.
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
