package connector

import (
	"errors"
	"strings"
	"testing"
)

func TestArrayBounds(t *testing.T) {
	tests := []struct {
		name, doc string
		taken     int
		tooLarge  bool
	}{
		{"within both", "[1,2,3]", 3, false},
		{"as many bytes as allowed", "[1,2,3]   ", 3, false},
		{"a byte too many", "[1,2,3]    ", 3, true},
		{"a record too many", "[1,2,3,4]", 3, true},
		{"white space without end", "[" + strings.Repeat(" ", 1000), 0, true},
		{"a text without end", `["` + strings.Repeat("x", 1000), 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			taken := 0
			err := arrayWithin(strings.NewReader(tt.doc), 10, 3, func(int, int) { taken++ }, func(int, error) {})
			if errors.Is(err, ErrTooLarge) != tt.tooLarge || taken != tt.taken {
				t.Errorf("%d taken, error %v; want %d, too large: %t", taken, err, tt.taken, tt.tooLarge)
			}
		})
	}
}
