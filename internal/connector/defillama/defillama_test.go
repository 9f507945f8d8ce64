package defillama_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/domain"
)

func TestChains(t *testing.T) {
	rows, lost, err := defillama.Chains(strings.NewReader(`[
		{"gecko_id": "ethereum", "tvl": 93518925875.6537, "tokenSymbol": "ETH", "cmcId": "1027", "name": "Ethereum", "chainId": 1},
		{"tvl": 1927654.09, "name": "Evmos", "chainId": "9001"},
		{"tvl": 0, "name": "Ultra", "chainId": null},
		{"tvl": -0.0, "name": "Coti"},
		{"tvl": 10478849.6, "name": "Kardia", "chainId": 0},
		{"tvl": 5, "name": "Beyond 32 bits", "chainId": 11297108109},
		{"name": "without", "chainId": 7},
		{"tvl": null, "name": "null", "chainId": 8},
		{"tvl": -5, "name": "negative", "chainId": 9},
		{"tvl": "5", "name": "text", "chainId": 10},
		{"tvl": 5, "name": "odd id", "chainId": 1.5},
		[]
	]`), "2025-08-17")
	if err != nil {
		t.Fatal(err)
	}
	row := func(id, name string, v float64) connector.Row {
		return connector.Row{ChainID: id, Name: name, Figure: domain.Figure{Value: v, Source: "defillama", AsOf: "2025-08-17"}}
	}
	want := []connector.Row{
		row("1", "Ethereum", 93518925875.6537), row("9001", "Evmos", 1927654.09), row("", "Ultra", 0), row("", "Coti", 0),
		row("", "Kardia", 10478849.6), row("11297108109", "Beyond 32 bits", 5),
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantLost := []connector.Loss{
		{ChainID: "7", Name: "without", Reason: "the row has no tvl"},
		{ChainID: "8", Name: "null", Reason: "the row has no tvl"},
		{ChainID: "9", Name: "negative", Reason: "tvl -5 is negative"},
		{Reason: "row 9: tvl is of the wrong type: a JSON string"},
		{Name: "odd id", Reason: `chain id "1.5" is not a positive decimal integer`},
		{Reason: "row 11: the record is of the wrong type: a JSON array"},
	}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

func TestRecording(t *testing.T) {
	doc, err := os.ReadFile("testdata/v2-chains-2025-08-17.json")
	if err != nil {
		t.Fatal(err)
	}
	rows, lost, err := defillama.Chains(bytes.NewReader(doc), "2025-08-17")
	if err != nil || len(rows) != 23 || len(lost) != 0 {
		t.Errorf("%d rows, lost %v, error %v; want 23 rows", len(rows), lost, err)
	}
}

func TestProtocols(t *testing.T) {
	rows, lost, err := defillama.Protocols(strings.NewReader(`[
		{"id": "1", "name": "A V2", "parentProtocol": "parent#a", "category": "Dexes", "chains": ["Ethereum", "Base"], "tvl": 5, "chainTvls": {"Ethereum": 1, "staking": 2}},
		{"id": "2", "name": "A V3", "parentProtocol": "parent#a", "category": "Dexes", "chains": ["Ethereum", "Solana", "Solana"], "tvl": null},
		{"id": 3, "name": "B", "category": "Lending", "chains": ["Ethereum", " "], "tvl": 0},
		{"id": "3", "name": "B again", "category": "Lending", "chains": ["Ethereum"]},
		{"id": "4", "name": "Exchange", "category": "CEX", "chains": ["Ethereum"]},
		{"id": "5", "name": "Chain", "category": "Chain", "chains": ["Base"]},
		{"id": null, "name": "Nameless", "chains": ["Base"]},
		{"id": "6", "name": "No chains", "category": "Dexes"},
		{"id": "7", "name": "Wrong", "chains": "Ethereum"}
	]`), "2026-11-23")
	row := func(name string, n float64) connector.Row {
		return connector.Row{Name: name, Figure: domain.Figure{Value: n, Source: "defillama", AsOf: "2026-11-23"}}
	}
	if diff := cmp.Diff([]connector.Row{row("Base", 1), row("Ethereum", 2), row("Solana", 1)}, rows); err != nil || diff != "" {
		t.Errorf("%v, rows (-want +got):\n%s", err, diff)
	}
	wantLost := []connector.Loss{
		{Name: "Nameless", Reason: "the protocol has neither an id nor a parent"},
		{Reason: "row 8: chains is of the wrong type: a JSON string"},
	}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
	for _, doc := range []string{``, `{"a": []}`, `[{"id": "1"`, `<html>`} {
		if _, _, err := defillama.Protocols(strings.NewReader(doc), "2026-11-23"); doc != `{"a": []}` && err == nil {
			t.Errorf("no error for %q", doc)
		}
	}
}

func TestChainsRefusesDocuments(t *testing.T) {
	for _, doc := range []string{``, `null`, `[{"name": "A", "tvl": 1e999}`, `[{}`, `[] x`} {
		if _, _, err := defillama.Chains(strings.NewReader(doc), "2025-08-17"); err == nil || strings.Contains(err.Error(), "nil") {
			t.Errorf("error for %q: %v", doc, err)
		}
	}
}

func FuzzChains(f *testing.F) {
	f.Add([]byte(`[{"name":"A","tvl":0,"chainId":"1"},{"tvl":1e999,"name":"B"}]`))
	// Inputs that mutations of bytes do not find: many fields, many records, deep nesting.
	f.Add([]byte(`[{"name":"A","tvl":0` + strings.Repeat(`,"chainId":1`, 500) + `}` + strings.Repeat(`,{"name":"A","tvl":1}`, 500) + `]`))
	f.Add([]byte(`[{"name":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}]`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		rows, _, err := defillama.Chains(bytes.NewReader(doc), "2025-08-17")
		if err != nil {
			return
		}
		for _, row := range rows {
			if row.Figure.Value < 0 || row.Figure.Value != row.Figure.Value || row.ChainID == "0" {
				t.Errorf("row %+v", row)
			}
		}
	})
}
