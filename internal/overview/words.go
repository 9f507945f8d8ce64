package overview

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"vitrine/internal/domain"
)

// unknown is the text of an unknown value.
const unknown = "not known"

// whole formats a number without decimals, in groups of three digits.
func whole(n float64) string {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return unknown
	}
	digits := strconv.FormatFloat(math.Abs(n), 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n < 0 {
		digits = "-" + digits
	}
	return digits
}

// memory formats a number of bytes.
func memory(n float64) string {
	if math.IsNaN(n) {
		return unknown
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.size {
			return strconv.FormatFloat(n/unit.size, 'f', 1, 64) + " " + unit.name
		}
	}
	return whole(n) + " bytes"
}

// seconds formats a duration in seconds.
func seconds(s float64) string {
	switch {
	case math.IsNaN(s):
		return unknown
	case s < 1e-3:
		return strconv.FormatFloat(s*1e6, 'f', 0, 64) + " µs"
	case s < 1:
		return strconv.FormatFloat(s*1e3, 'f', 1, 64) + " ms"
	}
	return strconv.FormatFloat(s, 'f', 2, 64) + " s"
}

// lasted formats a duration in its one or two largest units.
func lasted(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 0:
		return "0 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d < 30*day:
		return fmt.Sprintf("%d d %d h", d/day, d%day/time.Hour)
	}
	return whole(float64(d/day)) + " days"
}

// ago formats the time since at.
func ago(now, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	if d := now.Sub(at); d < 0 {
		return "in " + lasted(-d)
	}
	return lasted(now.Sub(at)) + " ago"
}

// at formats a time, unknown for zero.
func at(t time.Time) string {
	if t.IsZero() {
		return unknown
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// days returns the number of days since a date; ok is false for an invalid date.
func days(now time.Time, date domain.Date) (int, bool) {
	day, err := time.Parse(time.DateOnly, string(date))
	if err != nil {
		return 0, false
	}
	today := now.UTC().Truncate(24 * time.Hour)
	return int(today.Sub(day) / (24 * time.Hour)), true
}

// old formats the number of days since a date.
func old(now time.Time, date domain.Date) string {
	n, ok := days(now, date)
	switch {
	case !ok:
		return ""
	case n == 0:
		return "today"
	case n == 1:
		return "1 day"
	}
	return whole(float64(n)) + " days"
}

// percent formats a share, "" if of is 0 or unknown.
func percent(part, of float64) string {
	if math.IsNaN(part) || math.IsNaN(of) || of == 0 {
		return ""
	}
	share := 100 * part / of
	if share > 99.9 && part < of {
		share = 99.9 // not quite all
	}
	return strconv.FormatFloat(share, 'f', 1, 64) + " %"
}

// rate formats a rate per second.
func rate(perSecond float64) string {
	if math.IsNaN(perSecond) {
		return unknown
	}
	return strconv.FormatFloat(perSecond, 'f', 2, 64) + "/s"
}

// commit formats a commit.
func commit(hash string, modified bool) string {
	const enough = 12 // digits
	short := hash[:min(enough, len(hash))]
	if modified && short != "" {
		short += ", modified"
	}
	return short
}
