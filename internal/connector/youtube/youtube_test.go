package youtube_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/connector/youtube"
	"vitrine/internal/domain"
)

const asOf = "2026-11-23"

func row(id string, n float64) connector.KeyedRow {
	return connector.KeyedRow{Key: id, ID: id, Figure: domain.Figure{Value: n, Source: youtube.Source, AsOf: asOf}}
}

// The responses have the shapes of the documentation (see NOTICE).
func TestChannels(t *testing.T) {
	for name, want := range map[string]youtube.Response{
		"channels.json": {
			Rows: []connector.KeyedRow{row("UCh1ob28ceGdqohUnR7vBACA", 432000), row("UCNOfzGXD_C9YMYmnefmPH0g", 189000)},
			Lost: []connector.Loss{{Name: "UCrYmtJBtLdtm2ov84ulV-yg", Reason: "the channel hides its number of subscribers"}},
		},
		"none.json": {},
	} {
		file, err := os.Open("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		got, err := youtube.Channels(file, asOf)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestChannelsOddElements(t *testing.T) {
	got, err := youtube.Channels(strings.NewReader(`{"items": [
		{"id": "a", "statistics": {"subscriberCount": "0"}}, {"id": "b", "statistics": {"subscriberCount": 1230}}, {"id": "A", "statistics": {"subscriberCount": "5"}},
		{"id": "a", "statistics": {"subscriberCount": "7"}}, {"id": "c", "statistics": {"subscriberCount": "1.5"}}, {"id": "d", "statistics": {"subscriberCount": "-1"}},
		{"id": "e"}, {"statistics": {"subscriberCount": "1"}}, {"id": null}, 5, {"id": "f", "statistics": {"subscriberCount": "NaN"}}, {"id": "g", "statistics": {"subscriberCount": null}}
	]}`), asOf)
	want := youtube.Response{
		Rows: []connector.KeyedRow{row("a", 0), row("b", 1230), row("A", 5)},
		Lost: []connector.Loss{
			{Name: "a", Reason: "row 3: the response has the channel twice"},
			{Name: "c", Reason: `row 4: subscriberCount "1.5" is not a count`}, {Name: "d", Reason: `row 5: subscriberCount "-1" is not a count`},
			{Name: "e", Reason: "row 6: it has no subscriberCount"}, {Reason: "row 7: it has no id"}, {Reason: "row 8: it has no id"},
			{Reason: "row 9: it is of the wrong type"}, {Name: "f", Reason: `row 10: subscriberCount "NaN" is not a count`},
			{Name: "g", Reason: "row 11: it has no subscriberCount"},
		},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestChannelsRejects(t *testing.T) {
	for _, doc := range []string{``, `[]`, `{}`, `{"items": {}}`, `{"items": [{"id": "1"`, `<html>`, `null`, `{"error": {"code": 403}}`} {
		if got, err := youtube.Channels(strings.NewReader(doc), asOf); err == nil {
			t.Errorf("%s: %+v", doc, got)
		}
	}
	endless := io.MultiReader(strings.NewReader(`{"items": ["`), zeros{})
	if _, err := youtube.Channels(endless, asOf); !errors.Is(err, connector.ErrTooLarge) {
		t.Errorf("an endless document: %v", err)
	}
}

// zeros is an endless text.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestReasonOf(t *testing.T) {
	for body, want := range map[string]youtube.Reason{
		`{"error":{"code":403,"message":"…","errors":[{"reason":"quotaExceeded","domain":"youtube.quota"}]}}`: youtube.QuotaExceeded,
		`{"error":{"code":403,"errors":[{"reason":"rateLimitExceeded"}]}}`:                                    youtube.RateLimited,
		`{"error":{"code":400,"errors":[{"reason":"keyInvalid"}]}}`:                                           youtube.KeyInvalid,
		`{"error":{"code":400,"errors":[{"reason":"badRequest"}],"details":[{"reason":"API_KEY_INVALID"}]}}`:  youtube.KeyInvalid,
		`{"error":{"code":403,"errors":[{"reason":"forbidden"}]}}`:                                            youtube.Forbidden,
		`{"error":{"code":500,"errors":[{"reason":"backendError"}]}}`:                                         youtube.Unknown,
		`{"error":"no object"}`: youtube.Unknown, `<html>`: youtube.Unknown, ``: youtube.Unknown,
	} {
		if got := youtube.ReasonOf([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func FuzzChannels(f *testing.F) {
	f.Add([]byte(`{"items":[{"id":"1","statistics":{"subscriberCount":"1e400","hiddenSubscriberCount":true}}],"pageInfo":{}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		_ = youtube.ReasonOf(doc)
		all, err := youtube.Channels(strings.NewReader(string(doc)), asOf)
		if err != nil {
			return
		}
		for _, row := range all.Rows {
			if row.ID == "" || !(row.Figure.Value >= 0) {
				t.Errorf("%+v", row)
			}
		}
	})
}
