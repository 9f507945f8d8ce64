package overview

import (
	"math"
	"sort"
)

// Histogram is a cumulative histogram.
type Histogram struct {
	Bounds []float64 // ascending
	Counts []uint64  // number of values up to the bound
	Total  uint64    // of all values
}

// quantile estimates a quantile by linear interpolation within a bucket. It is infinite above the
// last bound, NaN without values.
func (h Histogram) quantile(share float64) float64 {
	if h.Total == 0 {
		return math.NaN()
	}
	rank := share * float64(h.Total)
	i := sort.Search(len(h.Counts), func(i int) bool { return float64(h.Counts[i]) >= rank })
	if i == len(h.Counts) {
		return math.Inf(1)
	}
	from, below := 0.0, uint64(0)
	if i > 0 {
		from, below = h.Bounds[i-1], h.Counts[i-1]
	}
	within := (rank - float64(below)) / float64(h.Counts[i]-below)
	return from + (h.Bounds[i]-from)*within
}

// last returns the last bound, 0 for none.
func (h Histogram) last() float64 {
	if len(h.Bounds) == 0 {
		return 0
	}
	return h.Bounds[len(h.Bounds)-1]
}
