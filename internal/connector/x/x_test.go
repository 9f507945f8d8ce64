package x_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/connector/x"
	"vitrine/internal/domain"
)

const asOf = "2026-11-23"

func row(id, handle string, n float64) connector.KeyedRow {
	return connector.KeyedRow{Key: handle, ID: id, Figure: domain.Figure{Value: n, Source: x.Source, AsOf: asOf}}
}

// The responses have the shapes of the documentation (see NOTICE).
func TestUsers(t *testing.T) {
	for name, want := range map[string]x.Response{
		"partial.json": {
			Rows: []connector.KeyedRow{row("2244994945", "XDevelopers", 583423)},
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
		got, err := x.Users(file, asOf)
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
		{"username": "noid"}, {"id": "12"}, 5, {"id": "14", "username": "silent"}
	], "errors": [{"title": "Forbidden", "detail": "x", "resource_id": "13", "type": "about:blank"}, {}]}`), asOf)
	want := x.Response{
		Rows:    []connector.KeyedRow{row("7", "number", 12), row("9", "zero", 0)},
		Missing: []x.Missing{{Name: "13", Reason: x.Withheld}},
		Lost: []connector.Loss{
			{Name: "again", Reason: "row 1: the response has the account twice"}, {Name: "NUMBER", Reason: "row 2: the response has the account twice"},
			{Name: "half", Reason: `row 4: followers_count "1.5" is not a count`}, {Name: "below", Reason: `row 5: followers_count "-1" is not a count`},
			{Name: "noid", Reason: "row 6: it has no id or no username"}, {Reason: "row 7: it has no id or no username"},
			{Reason: "row 8: it is of the wrong type"}, {Name: "silent", Reason: "the response has no followers_count"},
		},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestHandles(t *testing.T) {
	got, err := x.Handles(strings.NewReader(`{"data": [{"id": "5", "username": "newname"}, {"id": 6, "username": "@other", "public_metrics": {"followers_count": 1}}]}`))
	if diff := cmp.Diff(map[string]string{"5": "newname", "6": "other"}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := x.Handles(strings.NewReader(`{}`)); err == nil {
		t.Errorf("an empty response: %v", got)
	}
}

func TestUsersRejects(t *testing.T) {
	for _, doc := range []string{``, `[]`, `{}`, `{"data": []}`, `{"data": {}}`, `{"data": [{"id": "1"`, `<html>`, `null`, `{"title":"Unauthorized","status":401}`} {
		if got, err := x.Users(strings.NewReader(doc), asOf); err == nil {
			t.Errorf("%s: %+v", doc, got)
		}
	}
}

func FuzzUsers(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"1","username":"a","public_metrics":{"followers_count":1e400}}],"errors":[{"value":"b"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		a, err := x.Users(strings.NewReader(string(doc)), asOf)
		if err != nil {
			return
		}
		for _, row := range a.Rows {
			if row.ID == "" || row.Key == "" || !(row.Figure.Value >= 0) {
				t.Errorf("%+v", row)
			}
		}
	})
}
