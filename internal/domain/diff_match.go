package domain

import (
	"slices"
	"strconv"
)

// name identifies a part of a list: nth counts those with the same text.
type name struct {
	text string
	nth  int
}

func (n name) String() string {
	if n.nth == 0 {
		return n.text
	}
	return n.text + "#" + strconv.Itoa(n.nth+1)
}

// pair is the old and the new form of a part, nil for none, with their positions in the lists.
// The name is the new one, or the old one of a removed part.
type pair[T any] struct {
	name               name
	old, new           *T
	oldIndex, newIndex int
}

// match pairs equal parts by [partners]: all of old in order, then the added ones.
func match[T any](old, new []T, text, label func(T) string) []pair[T] {
	oldNames, newNames := names(old, text), names(new, text)
	pairs := make([]pair[T], len(old), max(len(old), len(new)))
	for i, n := range oldNames {
		pairs[i] = pair[T]{name: n, old: &old[i], oldIndex: i}
	}
	for i, j := range partners(old, new, oldNames, newNames, label) {
		if j < 0 {
			pairs = append(pairs, pair[T]{name: newNames[i], new: &new[i], newIndex: i})
			continue
		}
		pairs[j].name, pairs[j].new, pairs[j].newIndex = newNames[i], &new[i], i
	}
	return pairs
}

func names[T any](list []T, text func(T) string) []name {
	out := make([]name, len(list))
	seen := make(map[string]int, len(list))
	for i, v := range list {
		t := text(v)
		out[i] = name{t, seen[t]}
		seen[t]++
	}
	return out
}

// partners returns for each of new the index of its counterpart in old, -1 for none. That is the
// one with the same text and, if several have it, with the same label. The rest are paired in
// order, as renamed.
func partners[T any](old, new []T, oldNames, newNames []name, label func(T) string) []int {
	at := make(map[string]int, len(old))
	shared := map[string]bool{}
	for i, n := range oldNames {
		at[n.text] = i
		if n.nth > 0 {
			shared[n.text] = true
		}
	}
	for _, n := range newNames {
		if n.nth > 0 {
			shared[n.text] = true
		}
	}
	out := make([]int, len(new))
	for j, n := range newNames {
		out[j] = -1
		if i, ok := at[n.text]; ok && !shared[n.text] {
			out[j] = i
		}
	}
	if len(shared) == 0 {
		return out // the usual case
	}
	taken := make([]bool, len(old))
	pairUp := func(key func(list []T, names []name, i int) [2]string) {
		left := map[[2]string][]int{}
		for i, n := range oldNames {
			if k := key(old, oldNames, i); shared[n.text] && !taken[i] {
				left[k] = append(left[k], i)
			}
		}
		for j, n := range newNames {
			k := key(new, newNames, j)
			if shared[n.text] && out[j] < 0 && len(left[k]) > 0 {
				out[j], taken[left[k][0]] = left[k][0], true
				left[k] = left[k][1:]
			}
		}
	}
	pairUp(func(list []T, names []name, i int) [2]string { return [2]string{names[i].text, label(list[i])} })
	pairUp(func(_ []T, names []name, i int) [2]string { return [2]string{names[i].text} })
	return out
}

// InPlace returns which of some distinct positions can stay when they are sorted: the largest
// such set, the first of equally large ones.
func InPlace(positions []int) []bool {
	ends := []int{} // by length: the index in positions of the best run's end
	before := make([]int, len(positions))
	for i, p := range positions {
		n, _ := slices.BinarySearchFunc(ends, p, func(end, p int) int { return positions[end] - p })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		}
		ends[n] = i
	}
	stay := make([]bool, len(positions))
	if len(ends) == 0 {
		return stay
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		stay[i] = true
	}
	return stay
}
