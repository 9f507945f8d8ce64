package follow

import "testing"

func TestGarbageFor(t *testing.T) {
	for _, tt := range []struct {
		name string
		live uint64
		want int
	}{
		{"an unknown size", 0, 400},
		{"a tiny catalogue", 4 << 20, 400},
		{"a catalogue of the fixed size", 48 << 20, 100},
		{"a large catalogue", 1 << 30, 50},
	} {
		if got := garbageFor(tt.live); got != tt.want {
			t.Errorf("%s: %d percent, want %d", tt.name, got, tt.want)
		}
	}
}
