package ratelimit

import (
	"strings"
	"testing"
	"time"
)

func TestParsePolicy(t *testing.T) {
	for _, test := range []struct {
		text string
		want Policy
		on   bool
	}{
		{"60/m", Policy{60, time.Minute}, true},
		{"5/s", Policy{5, time.Second}, true},
		{"1000/h", Policy{1000, time.Hour}, true},
		{"1125899906842624/s", Policy{maxQuota, time.Second}, true},
		{"off", Policy{}, false},
	} {
		t.Run(test.text, func(t *testing.T) {
			got, on, err := ParsePolicy(test.text)
			if err != nil || got != test.want || on != test.on {
				t.Errorf("ParsePolicy = %v, %v, %v, want %v, %v", got, on, err, test.want, test.on)
			}
			if got.String() != test.text {
				t.Errorf("String = %q", got)
			}
		})
	}
}

func TestParsePolicyErrors(t *testing.T) {
	const form, number = `such as 5/s, 60/m or 1000/h, or "off"`, "a whole one from 1 to 1125899906842624"
	for _, test := range []struct{ text, want string }{
		{"", form},
		{"60", form},
		{"60/", form},
		{"60/d", form},
		{"60/M", form},
		{"60 /m ", form},
		{"OFF", form},
		{"off/m", number},
		{"/m", number},
		{"0/m", number},
		{"060/m", number},
		{"-1/m", number},
		{"+1/m", number},
		{"1.5/m", number},
		{"1_000/m", number},
		{" 60/m", number},
		{"1125899906842625/m", number},
		{"99999999999999999999/m", number},
	} {
		t.Run(test.text, func(t *testing.T) {
			got, on, err := ParsePolicy(test.text)
			if err == nil || !strings.Contains(err.Error(), test.want) || got != (Policy{}) || on {
				t.Errorf("ParsePolicy = %v, %v, %v, want an error with %q", got, on, err, test.want)
			}
		})
	}
}

func TestPolicyString(t *testing.T) {
	for want, p := range map[string]Policy{
		"60/1m30s": {60, 90 * time.Second},
		"off":      {0, time.Minute},
	} {
		if got := p.String(); got != want {
			t.Errorf("String = %q, want %q", got, want)
		}
	}
}

func FuzzParsePolicy(f *testing.F) {
	for _, seed := range []string{"60/m", "off", "0/s", "/", "9223372036854775808/h", "1/m/m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, on, err := ParsePolicy(text)
		if on != p.limits() {
			t.Errorf("%q: on is %v and the policy %v", text, on, p)
		}
		if err == nil && p.String() != text {
			t.Errorf("%q is accepted and formatted as %q", text, p)
		}
		if err != nil && p != (Policy{}) {
			t.Errorf("%q is rejected but returns %v", text, p)
		}
	})
}
