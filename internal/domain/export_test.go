package domain

// Whole returns the delta with all records of both catalogues, as if all differed.
func (x *Delta) Whole() *Delta {
	whole := &Delta{old: x.old, new: x.new}
	for _, d := range descriptions {
		whole.kinds = append(whole.kinds, unequal{all(d.Size(x.old)), all(d.Size(x.new))})
	}
	return whole
}

func all(n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	return indices
}
