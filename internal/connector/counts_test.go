package connector_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

func TestCounts(t *testing.T) {
	rows, lost, err := connector.Counts(strings.NewReader(`[
		{"name": "A", "chain_id": 1, "platforms": 5, "source": "s", "as_of": "2023-10-16"},
		{"name": "B", "chain_id": "9001", "platforms": 0, "source": "s", "as_of": "2023-10-16"},
		{"name": "no id", "chain_id": null, "platforms": 1, "source": "s", "as_of": "2023-10-16"},
		{"name": "no count", "chain_id": 2, "source": "s", "as_of": "2023-10-16"},
		{"name": "half", "chain_id": 2, "platforms": 0.5, "source": "s", "as_of": "2023-10-16"},
		{"name": "negative", "chain_id": 2, "platforms": -1, "source": "s", "as_of": "2023-10-16"},
		{"name": "no source", "chain_id": 2, "platforms": 1, "as_of": "2023-10-16"},
		{"name": "no date", "chain_id": 2, "platforms": 1, "source": "s", "as_of": "2023-02-30"},
		{"name": "text", "chain_id": 2, "platforms": "1"}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	figure := func(v float64) domain.Figure {
		return domain.Figure{Value: v, Source: "s", AsOf: "2023-10-16"}
	}
	want := []connector.Row{{ChainID: "1", Name: "A", Figure: figure(5)}, {ChainID: "9001", Name: "B", Figure: figure(0)}, {Name: "no id", Figure: figure(1)}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if len(lost) != 6 {
		t.Errorf("lost %v, want 6 rows", lost)
	}
}

func FuzzCounts(f *testing.F) {
	f.Add([]byte(`[{"chain_id": "1", "platforms": 5, "source": "s", "as_of": "2023-10-16"}]`))
	f.Add([]byte(strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if rows, _, err := connector.Counts(bytes.NewReader(doc)); err == nil {
			for _, row := range rows {
				if row.Figure.Bare() || row.Figure.Source == "" || row.Figure.Value < 0 {
					t.Errorf("row %+v is no dated count", row)
				}
			}
		}
	})
}
