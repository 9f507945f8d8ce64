package convert

import (
	"strings"
	"testing"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

func TestGuard(t *testing.T) {
	const none, few, old = "would be left of 4", "only 2 of 4", "older than the existing figures"
	for _, tt := range []struct {
		name   string
		guard  Guard
		after  int
		newest domain.Date
		says   string // "" for no error
	}{
		{"all", Guard{}, 4, "2026-06-01", ""},
		{"the same day", Guard{}, 4, "2026-05-29", ""},
		{"three of four", Guard{}, 3, "2026-06-01", ""},
		{"two of four", Guard{}, 2, "2026-06-01", few},
		{"two of four, accepted", Guard{Shrink: true}, 2, "2026-06-01", ""},
		{"none", Guard{}, 0, "", none},
		{"none, accepted", Guard{Shrink: true}, 0, "", ""},
		{"older", Guard{}, 4, "2026-05-28", old},
		{"older, only to shrink", Guard{Shrink: true}, 4, "2026-05-28", old},
		{"older, accepted", Guard{Older: true}, 4, "2026-05-28", ""},
	} {
		err := tt.guard.Replace(domain.FigureTVL, bundle.Replaced{Before: 4, After: tt.after, Newest: "2026-05-29"}, tt.newest)
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
}
