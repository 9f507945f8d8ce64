package query_test

import (
	"encoding/json"
	"testing"

	openapi "vitrine/api"
	"vitrine/internal/query"
)

func TestKnown(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                  "",
		"q=eth&apikey=secret&limit=1":       "q=eth&limit=1",
		"key=secret":                        "",
		"q=&locale=zh&tag=a&tag=b":          "locale=zh&tag=a&tag=b",
		"secret":                            "",
		"q;secret=1&%71=a%20b&%zz=secret&&": "%71=a%20b",
	} {
		if got := query.Known(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}

// TestAllParametersAreKnown checks that each query parameter of the document is known.
func TestAllParametersAreKnown(t *testing.T) {
	data := openapi.JSON()
	var document struct {
		Components struct {
			Parameters map[string]struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range document.Components.Parameters {
		if p.In != "query" {
			continue
		}
		n++
		if pair := p.Name + "=1"; query.Known(pair) != pair {
			t.Errorf("%s is not known", p.Name)
		}
	}
	if n < 10 {
		t.Errorf("%d parameters of queries: the test looks in the wrong place", n)
	}
}
