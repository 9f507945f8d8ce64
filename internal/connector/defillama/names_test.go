package defillama_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/domain"
)

func TestIdentify(t *testing.T) {
	names, err := defillama.ReadNames(strings.NewReader(`[
		{"name": "Solana", "decision": "joined", "chain_id": "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "why": "its name and coin"},
		{"name": "MANTRA", "decision": "joined", "chain_id": "5888", "why": "the row has the id of the test network"},
		{"name": "Vite", "decision": "not listed", "why": "no such chain"},
		{"name": "Coti", "decision": "doubtful", "why": "two of that name"}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	identified, lost := names.Identify([]connector.Row{
		{Name: "Solana"}, {ChainID: "5887", Name: "MANTRA"}, {ChainID: "1", Name: "Ethereum"}, {Name: "Kardia"}, {Name: "Vite"}, {ChainID: "7", Name: "Coti"},
	})
	want := []connector.Row{
		{ChainID: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", Name: "Solana"}, {ChainID: "5888", Name: "MANTRA"}, {ChainID: "1", Name: "Ethereum"},
	}
	if diff := cmp.Diff(want, identified); diff != "" {
		t.Errorf("identified (-want +got):\n%s", diff)
	}
	wantLost := []connector.Loss{
		{Name: "Kardia", Reason: "no chain id, and the name is not reviewed"},
		{Name: "Vite", Reason: "not listed: no such chain"},
		{ChainID: "7", Name: "Coti", Reason: "doubtful: two of that name"},
	}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

// TestNamesWithRows checks that ids of one recording apply to another, unless the name was reviewed.
func TestNamesWithRows(t *testing.T) {
	names := defillama.Names{"Prom": {Decision: defillama.Joined, ChainID: "227", Why: "a slip"}}
	all := names.With([]connector.Row{{ChainID: "277", Name: "Prom"}, {ChainID: "56", Name: "Binance"}, {Name: "Solana"}})
	got, lost := all.Identify([]connector.Row{{Name: "Prom"}, {Name: "Binance"}, {Name: "Solana"}})
	if diff := cmp.Diff([]connector.Row{{ChainID: "227", Name: "Prom"}, {ChainID: "56", Name: "Binance"}}, got); diff != "" || len(lost) != 1 {
		t.Errorf("lost %v, identified (-want +got):\n%s", lost, diff)
	}
}

func TestReadNamesRefuses(t *testing.T) {
	for _, doc := range []string{
		`{}`,
		`[{"name": "A", "decision": "joined", "chain_id": "1"}]`,
		`[{"name": "A", "decision": "joined", "why": "so"}]`,
		`[{"name": "A", "decision": "doubtful", "chain_id": "1", "why": "so"}]`,
		`[{"name": "A", "decision": "maybe", "why": "so"}]`,
		`[{"decision": "doubtful", "why": "so"}]`,
		`[{"name": "A", "decision": "doubtful", "why": "so"}, {"name": "A", "decision": "doubtful", "why": "so"}]`,
		`[{"name": 1}]`,
	} {
		if names, err := defillama.ReadNames(strings.NewReader(doc)); err == nil {
			t.Errorf("no error for %s, but %v", doc, names)
		}
	}
}

func TestPlatforms(t *testing.T) {
	rows, lost, err := defillama.Platforms(strings.NewReader(`name,protocols,tvl,timestamp
Ethereum,1549,85775264580.18,2025-08-07T19:30:03.271755
BSC,0,6814189780.95,2025-08-07T19:30:03
Odd,1.5,1,2025-08-07
Undated,1,1,yesterday
"A, B",2,0,2025-08-07
`))
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string, count float64) connector.Row {
		return connector.Row{Name: name, Figure: domain.Figure{Value: count, Source: "defillama", AsOf: "2025-08-07"}}
	}
	if diff := cmp.Diff([]connector.Row{row("Ethereum", 1549), row("A, B", 2)}, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantLost := []connector.Loss{
		{Name: "BSC", Reason: "0 protocols: the recording did not count them"},
		{Name: "Odd", Reason: `protocols "1.5" is not a whole number`},
		{Name: "Undated", Reason: `timestamp "yesterday" does not begin with a date`},
	}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

func TestPlatformsRefusesTables(t *testing.T) {
	for _, doc := range []string{"", "name,protocols\n", "name,protocols,timestamp\nA,1\n", "name,protocols,timestamp\n\"A,1,2025-01-01\n"} {
		if _, _, err := defillama.Platforms(strings.NewReader(doc)); err == nil || strings.Contains(err.Error(), "EOF") {
			t.Errorf("error for %q: %v", doc, err)
		}
	}
}
