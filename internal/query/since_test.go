package query_test

import (
	"errors"
	"testing"

	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// TestParseChangesRevisions checks that a revision that no store can have is an error, not another one.
func TestParseChangesRevisions(t *testing.T) {
	locales, err := locale.NewSet("en", []string{"en"})
	if err != nil {
		t.Fatal(err)
	}
	for since, want := range map[string]int64{
		"1": 1, "007": 7, "1000000000000000000": 1e18,
		"0": 0, "9223372036854775808": 0, "99999999999999999999": 0, "-1": 0, "1e3": 0,
	} {
		q, err := query.ParseChanges("since="+since, locales)
		if want > 0 {
			if err != nil || q.Revision != want {
				t.Errorf("since=%s: revision %d, %v", since, q.Revision, err)
			}
			continue
		}
		if e, ok := errors.AsType[*query.Error](err); !ok || e.Parameter != "since" {
			t.Errorf("since=%s: revision %d, %v, want an error that names since", since, q.Revision, err)
		}
	}
}
