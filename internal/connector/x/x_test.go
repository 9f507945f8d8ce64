package x_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/connector/x"
)

func count(n float64) *float64 { return &n }

// The responses have the shapes of the documentation (see NOTICE).
func TestUsers(t *testing.T) {
	for name, want := range map[string]x.Response{
		"partial.json": {
			Users: []x.User{{ID: "2244994945", Handle: "XDevelopers", Followers: count(583423)}},
			Missing: []x.Missing{
				{Name: "xn47", Reason: x.NotFound}, {Name: "banned", Reason: x.Suspended},
			},
		},
		"none.json": {Missing: []x.Missing{{Name: "xn47", Reason: x.NotFound}}},
	} {
		file, err := os.Open("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		got, err := x.Users(file)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestUsersOddElements(t *testing.T) {
	got, err := x.Users(strings.NewReader(`{"data": [
		{"id": 7, "username": "@number", "public_metrics": {"followers_count": "12"}},
		{"id": "7", "username": "again"}, {"id": "8", "username": "NUMBER"}, {"id": "9", "username": "zero", "public_metrics": {"followers_count": 0}},
		{"id": "10", "username": "half", "public_metrics": {"followers_count": 1.5}}, {"id": "11", "username": "below", "public_metrics": {"followers_count": -1}},
		{"username": "noid"}, {"id": "12"}, 5
	], "errors": [{"title": "Forbidden", "detail": "x", "resource_id": "13", "type": "about:blank"}, {}]}`))
	want := x.Response{
		Users:   []x.User{{ID: "7", Handle: "number", Followers: count(12)}, {ID: "9", Handle: "zero", Followers: count(0)}},
		Missing: []x.Missing{{Name: "13", Reason: x.Withheld}},
		Lost: []connector.Loss{
			{Name: "again", Reason: "row 1: the response has the account twice"}, {Name: "NUMBER", Reason: "row 2: the response has the account twice"},
			{Name: "half", Reason: `row 4: followers_count "1.5" is not a count`}, {Name: "below", Reason: `row 5: followers_count "-1" is not a count`},
			{Name: "noid", Reason: "row 6: it has no id or no username"}, {Reason: "row 7: it has no id or no username"},
			{Reason: "row 8: it is of the wrong type"},
		},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestUsersRejects(t *testing.T) {
	for _, doc := range []string{``, `[]`, `{}`, `{"data": []}`, `{"data": {}}`, `{"data": [{"id": "1"`, `<html>`, `null`, `{"title":"Unauthorized","status":401}`} {
		if got, err := x.Users(strings.NewReader(doc)); err == nil {
			t.Errorf("%s: %+v", doc, got)
		}
	}
}

func FuzzUsers(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"1","username":"a","public_metrics":{"followers_count":1e400}}],"errors":[{"value":"b"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		a, err := x.Users(strings.NewReader(string(doc)))
		if err != nil {
			return
		}
		for _, u := range a.Users {
			if u.ID == "" || u.Handle == "" || u.Followers != nil && !(*u.Followers >= 0) {
				t.Errorf("%+v", u)
			}
		}
	})
}
