package ratelimit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The bounds of a policy. Within them all arithmetic is exact: here in 128 bits, in Redis in
// doubles of 53 bits. Larger values count as the bound.
const (
	maxQuota  = 1 << 50
	maxWindow = 365 * 24 * time.Hour
)

// Policy allows Quota units in Window. The whole quota may be taken at once; one unit
// returns every Window/Quota. A Policy whose Quota or Window is not positive limits nothing.
// Quotas above 2^50 and windows above 365 days count as these.
type Policy struct {
	Quota  int64
	Window time.Duration
}

// windows are the windows of written policies.
var windows = []struct {
	name   string
	window time.Duration
}{
	{"s", time.Second},
	{"m", time.Minute},
	{"h", time.Hour},
}

// ParsePolicy reads a quota, a slash and s, m or h ("60/m"), or "off", for which on is false
// and the policy is zero. The error has the value and the allowed forms.
func ParsePolicy(s string) (p Policy, on bool, err error) {
	if s == "off" {
		return Policy{}, false, nil
	}
	quota, window, _ := strings.Cut(s, "/")
	for _, w := range windows {
		if w.name != window {
			continue
		}
		n, err := strconv.ParseUint(quota, 10, 63)
		if err != nil || n == 0 || n > maxQuota || quota[0] == '0' {
			return Policy{}, false, fmt.Errorf("%q is not a rate: the number before the slash must be a whole one from 1 to %d, without leading zeros", s, int64(maxQuota))
		}
		return Policy{Quota: int64(n), Window: w.window}, true, nil
	}
	return Policy{}, false, fmt.Errorf(`%q is not a rate: write a number and the time it is for, such as 5/s, 60/m or 1000/h, or "off"`, s)
}

// String returns the policy as ParsePolicy reads it, or with the window as a duration if no
// letter stands for it.
func (p Policy) String() string {
	if !p.limits() {
		return "off"
	}
	for _, w := range windows {
		if w.window == p.Window {
			return fmt.Sprintf("%d/%s", p.Quota, w.name)
		}
	}
	return fmt.Sprintf("%d/%v", p.Quota, p.Window)
}

// limits reports whether the policy limits anything.
func (p Policy) limits() bool { return p.Quota > 0 && p.Window > 0 }
