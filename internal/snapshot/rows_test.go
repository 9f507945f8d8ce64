package snapshot

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// TestDescriptionsAsTheyAre checks that a description is the same whether its row refers to it or
// has it encoded, in every locale.
func TestDescriptionsAsTheyAre(t *testing.T) {
	both := func(en, sv string) domain.Text {
		return domain.Text{{Locale: "en", Value: en}, {Locale: "sv", Value: sv}}
	}
	descriptions := []domain.Text{
		nil,
		both("plain", "enkel"),
		both("the same", "the same"),
		both("one \"quoted\"", "enkel"),
		both("plain", "back\\slash"),
		both("<b>&amp;</b> \u2028 \x7f é 太 🚀", "\u00a0"),
		{{Locale: "en", Value: "English alone"}},
		{{Locale: "sv", Value: "svenska ensam"}},
		both(strings.Repeat("long ", 50), "kort"),
		{{Locale: "sv", Value: "i fel ordning"}, {Locale: "en", Value: "in the wrong order"}},
	}
	c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"sv", "en"}}
	c.Categories = []domain.Category{{Key: "k", Name: both("Label", "Etikett")}}
	for i, d := range descriptions {
		c.Accounts = append(c.Accounts, &domain.Account{
			Handle: fmt.Sprint("h", i), Name: "x", Description: d, Categories: []string{"k"},
			Followers: &domain.Figure{Value: float64(100 - i)},
		})
	}
	s, err := Compile(nil, c, Revision{})
	if err != nil {
		t.Fatal(err)
	}
	for id, chain := range [][]string{{"sv", "en"}, {"en"}} {
		var want []string
		for _, d := range descriptions {
			want = append(want, d.Resolve(chain))
		}
		q := query.List{Kind: query.KindUser}
		q.Locale = locale.ID(id)
		body := s.List(q).Body()
		var got struct {
			Users []struct {
				Description     string   `json:"description"`
				TwitterCategory []string `json:"twitterCategory"`
			} `json:"users"`
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		var descriptions []string
		for _, u := range got.Users {
			descriptions = append(descriptions, u.Description)
			if label := map[int]string{0: "Etikett", 1: "Label"}[id]; len(u.TwitterCategory) != 1 || u.TwitterCategory[0] != label {
				t.Errorf("labels %q, want %q", u.TwitterCategory, label)
			}
		}
		if diff := cmp.Diff(want, descriptions); diff != "" {
			t.Errorf("locale %d (-want +got):\n%s", id, diff)
		}
	}
}

// TestRowsReferToTheirRecords checks that equal records that were read again do not keep the
// earlier ones in memory.
func TestRowsReferToTheirRecords(t *testing.T) {
	const n, each = 2000, 4000
	read := func() *domain.Catalog {
		c := &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}
		for i := range n {
			c.Accounts = append(c.Accounts, &domain.Account{
				Handle: fmt.Sprint("h", i), Name: "x", Followers: &domain.Figure{Value: 1},
				Description: domain.Text{{Locale: "en", Value: strings.Repeat(string(rune('a'+i%26)), each)}},
			})
		}
		return c
	}
	c := read()
	s, err := Compile(nil, c, Revision{})
	if err != nil {
		t.Fatal(err)
	}
	s.Finish()
	before := held()
	for range 3 {
		c = read()
		if s, err = Compile(s, c, Revision{}); err != nil {
			t.Fatal(err)
		}
		s.Finish()
	}
	after := held()
	runtime.KeepAlive(s)
	runtime.KeepAlive(c)
	if after > before+n*each/2 {
		t.Errorf("after the same was read again %d bytes are held, %d before", after, before)
	}
}
