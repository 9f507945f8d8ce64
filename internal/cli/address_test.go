package cli

import "testing"

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"https://api.example.org":    "https://api.example.org",
		"https://api.example.org/":   "https://api.example.org",
		"http://api.example.org/x//": "http://api.example.org/x",
	} {
		var a address
		if err := a.UnmarshalText([]byte(text)); err != nil || string(a) != want {
			t.Errorf("%s: %q, %v, want %q", text, a, err, want)
		}
	}
	if got := address("https://api.example.org:8443/x").origin(); len(got) != 1 || got[0] != "https://api.example.org:8443" {
		t.Errorf("origin %q", got)
	}
	if got := address("").origin(); got != nil {
		t.Errorf("origin of nothing %q", got)
	}
	for _, text := range []string{"", "api.example.org", "//api.example.org", "ftp://api.example.org", "https://", "https://u:p@h", "https://h/?a=1", "https://h/#a", "https://h/?"} {
		var a address
		if err := a.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is parsed as %q", text, a)
		}
	}
}
