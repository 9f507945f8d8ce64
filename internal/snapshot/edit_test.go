package snapshot_test

import (
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

func TestEditURL(t *testing.T) {
	at := func(kind domain.Kind, key string) (string, int) {
		if kind == domain.KindChain && key == "a" {
			return "chains.yaml", 3
		}
		return "", 0
	}
	for _, tt := range []struct {
		template, key, want string
		at                  snapshot.Positions
	}{
		{"https://git.example/{file}#L{line}", "a", "https://git.example/chains.yaml#L3", at},
		{"https://git.example/{file}#L{line}", "b", "", at},
		{"https://git.example/{file}#L{line}", "a", "", nil},
		{"", "a", "", at},
	} {
		c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}, EditURL: tt.template}
		s, err := snapshot.Compile(nil, c, snapshot.Revision{})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.WithPositions(tt.at).EditURL(domain.KindChain, tt.key); got != tt.want {
			t.Errorf("%s of %s is %q, want %q", tt.template, tt.key, got, tt.want)
		}
		if got := s.EditURL(domain.KindChain, tt.key); got != "" {
			t.Errorf("WithPositions changes the snapshot, which has %q", got)
		}
	}
}
