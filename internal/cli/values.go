package cli

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
)

// size is a number of bytes. Its text may have one of the units KiB, MiB and GiB.
type size int64

// UnmarshalText implements [encoding.TextUnmarshaler].
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

// MarshalText returns the size in the largest unit that divides it.
func (s size) MarshalText() ([]byte, error) {
	n, unit := int64(s), ""
	for _, larger := range []string{"KiB", "MiB", "GiB"} {
		if n == 0 || n%(1<<10) != 0 {
			break
		}
		n, unit = n>>10, larger
	}
	return append(strconv.AppendInt(nil, n, 10), unit...), nil
}

// address is a base URL: http or https, without a trailing slash.
type address string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *address) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q is no address; write it as https://api.example.org", text)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return fmt.Errorf("%q has more than a host and a path", text)
	}
	*a = address(strings.TrimRight(u.String(), "/"))
	return nil
}

// origin returns the origin of pages at the address (RFC 6454), nil for no address.
func (a address) origin() []string {
	u, err := url.Parse(string(a))
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Scheme + "://" + u.Host}
}
