package main

import "testing"

// sampled returns a sampler with these values of one series.
func sampled(values ...float64) *sampler {
	s := &sampler{}
	for _, v := range values {
		s.taken = append(s.taken, sample{"x": v})
	}
	return s
}

func TestSamples(t *testing.T) {
	twenty := sampled(9, 1, 2, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 7, 8)
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"the second tenth", twenty.tenth("x", 1), 4},
		{"the last tenth", twenty.tenth("x", 9), 8},
		{"a tenth of few", sampled(1, 2, 3).tenth("x", 9), 3},
		{"the median is not the order of time", sampled(5, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0).tenth("x", 0), 5},
		{"most", twenty.most("x"), 9},
		{"growth", twenty.growth("x"), -1},
		{"asleep in the middle", float64(twenty.slept("x")), 13},
		{"never asleep", float64(sampled(1, 2, 3).slept("x")), 0},
		{"asleep to the end", float64(sampled(1, 2, 2, 2).slept("x")), 2},
	} {
		if test.got != test.want {
			t.Errorf("%s: %g, want %g", test.name, test.got, test.want)
		}
	}
}
