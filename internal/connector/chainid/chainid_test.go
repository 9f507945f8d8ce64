package chainid_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine/internal/connector"
	"vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

// TestRead reads records as chainid.network has them (see NOTICE), in any order.
func TestRead(t *testing.T) {
	doc, err := os.ReadFile("testdata/chains.json")
	if err != nil {
		t.Fatal(err)
	}
	records, lost, err := chainid.Read(bytes.NewReader(doc))
	if err != nil || lost != nil {
		t.Fatalf("%v, lost %v", err, lost)
	}
	var ids []string
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	if want := []string{"1", "3", "10", "17000", "42161", "11155111"}; !slices.Equal(ids, want) {
		t.Errorf("ids %v, want %v", ids, want)
	}
	facts, omitted := records[4].Facts()
	want := domain.Chain{
		Website: "https://arbitrum.io",
		Links: []domain.Link{
			{Type: "explorer", Name: "Arbiscan", URL: "https://arbiscan.io"}, {Type: "bridge", URL: "https://bridge.arbitrum.io"},
		},
		Currency: &domain.Currency{Name: "Ether", Symbol: "ETH", Decimals: 18},
	}
	if diff := cmp.Diff(want, facts, cmpopts.IgnoreFields(domain.Chain{}, "RPC")); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	for _, loss := range omitted { // endpoints with the place of a key
		if loss.ChainID != "42161" {
			t.Errorf("a loss of chain %s", loss.ChainID)
		}
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(doc, &elements); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(elements)
	reversed, err := json.Marshal(elements)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := chainid.Read(bytes.NewReader(reversed))
	if err != nil || len(again) != len(records) || again[0].Name != records[0].Name {
		t.Errorf("reversed: %d records, %v", len(again), err)
	}
}

func TestReadOddRecords(t *testing.T) {
	records, lost, err := chainid.Read(bytes.NewReader([]byte(`[
		{"name": "  Two\n words ", "chainId": "0002", "rpc": "none", "infoURL": 5, "explorers": [7]}, {"name": "No id"}, {"chainId": 3}, {"name": "Odd", "chainId": -1},
		5, {"name": "a\u0007", "chainId": 6}, {"name": "Ended", "chainId": 7, "status": "Deprecated"}, {"name": "Zz", "chainId": 7}
	]`)))
	var got []string
	for _, r := range records {
		got = append(got, r.ID+" "+r.Name+" "+string(r.Status()))
	}
	if want := []string{"2 Two words ", "7 Zz ", "7 Ended retired"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	wantLost := []connector.Loss{
		{Name: "No id", Reason: "the record has no chain id"}, {ChainID: "3", Reason: "the record has no name"},
		{Name: "Odd", Reason: `chain id "-1" is not a positive decimal integer`}, {Reason: "record 4: the record is of the wrong type: a JSON number"},
		{ChainID: "6", Name: "a\a", Reason: "the name is over 500 characters or holds control characters"},
	}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
	facts, omitted := records[0].Facts()
	if facts.Website != "" || facts.RPC != nil || facts.Links != nil || len(omitted) != 2 {
		t.Errorf("%+v, omitted %v", facts, omitted)
	}
	for _, doc := range []string{``, `{`, `null`, `<html>`, `[{"name": "x"`} {
		if _, _, err := chainid.Read(bytes.NewReader([]byte(doc))); err == nil {
			t.Errorf("no error for %q", doc)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"name":"x","chainId":1,"rpc":["https://a.example",5],"parent":{"chain":"eip155-2","bridges":[{"url":"x"}]},"nativeCurrency":{"decimals":"18"}}]`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		records, _, err := chainid.Read(bytes.NewReader(doc))
		if err != nil {
			return
		}
		slugs := chainid.NewSlugs(nil)
		seen := map[string]bool{}
		for _, r := range records {
			slug := slugs.Assign(r)
			facts, _ := r.Facts()
			if r.ID == "" || r.Name == "" || slug == "" || seen[slug] || len(slug) > chainid.MaxSlug || len(facts.RPC) > 10 {
				t.Errorf("%+v has the slug %q", r, slug)
			}
			seen[slug] = true
		}
	})
}
