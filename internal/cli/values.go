package cli

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes, written as such or with one of the units KiB, MiB
// and GiB.
type size int64

// UnmarshalText reads a size; it is how kong and tests make one.
func (s *size) UnmarshalText(text []byte) error {
	digits, unit := string(text), int64(1)
	for suffix, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = rest, bytes
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || int64(n) > math.MaxInt64/unit {
		return fmt.Errorf("%q is not a size: want bytes, or a number with KiB, MiB or GiB, such as 64MiB", text)
	}
	*s = size(int64(n) * unit)
	return nil
}

// newLog makes the process's log. The names are those that the flags allow.
func newLog(w io.Writer, format, level string) (*slog.Logger, error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, err
	}
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}
