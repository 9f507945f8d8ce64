package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// However a body is made, it is the same, and no larger than was said before.
func TestResultsAreWhatTheySay(t *testing.T) {
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en", "ja"}}
	for i := range 300 {
		c.Accounts = append(c.Accounts, domain.Account{
			Handle: fmt.Sprintf("a%d", i), Name: strings.Repeat("name ", i%7), Followers: &domain.Figure{Value: float64(i % 10)},
			Description: domain.Text{{Locale: "en", Value: strings.Repeat("x", 3*i)}, {Locale: "ja", Value: `"` + strings.Repeat("日", i%50)}},
		})
	}
	s, err := Compile(nil, c, Revision{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		q := query.List{Page: query.Page{Limit: rapid.IntRange(0, 40).Draw(t, "limit"), Offset: rapid.IntRange(0, 310).Draw(t, "offset")}}
		q.Page.On = q.Page.Limit+q.Page.Offset > 0
		if term := rapid.SampledFrom([]string{"", "a1", "x", "none"}).Draw(t, "term"); term != "" {
			q.Terms = []string{term}
		}
		result, size := s.Users(q), rapid.IntRange(1, 5000).Draw(t, "size")
		want := string(result.Body())
		if len(want) > result.Size || len(want) < result.Size-3*len(c.Accounts) {
			t.Fatalf("%d bytes, and %d were told", len(want), result.Size)
		}
		if want != string(result.Body()) {
			t.Fatal("the second body is another one")
		}
		var got []byte
		short := false
		result.Pieces(size, func(piece []byte) {
			if short || len(piece) == 0 || len(piece) > size {
				t.Fatalf("a piece of %d bytes of %d", len(piece), size)
			}
			short = len(piece) < size
			got = append(got, piece...)
			clear(piece) // it is the caller's
		})
		if string(got) != want {
			t.Fatalf("pieces of %d bytes are\n%s, want\n%s", size, got, want)
		}
	})
}
