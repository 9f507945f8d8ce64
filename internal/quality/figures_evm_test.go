package quality_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// The figures of chains/evm.ndjson and twitter.yaml are compared with their
// recordings both ways: none made up, none left out. The recordings are joined
// here anew, not by the code that wrote the files.

// recordedOn is the day of the recording of TVL, which its rows do not say.
const recordedOn domain.Date = "2025-08-17"

func TestRecordedFigures(t *testing.T) {
	c := readBundled(t).Catalog
	var evm []domain.Chain
	for _, ch := range c.Chains {
		if bareNumber.MatchString(ch.ChainID) {
			evm = append(evm, ch)
		}
	}
	t.Run("llama_tvl", func(t *testing.T) {
		tellAll(t, compareFigures(figuresOf(evm, func(ch domain.Chain) *domain.Figure { return ch.TVL }), recordedTVLs(t), idsOf(evm)))
	})
	t.Run("platforms", func(t *testing.T) {
		tellAll(t, compareFigures(figuresOf(evm, func(ch domain.Chain) *domain.Figure { return ch.Platforms }), recordedPlatforms(t), idsOf(evm)))
	})
	t.Run("followers_count", func(t *testing.T) {
		recorded := recordedFollowers(t)
		got, all := map[string]domain.Figure{}, map[string]bool{}
		for handle := range recorded {
			all[handle] = true // an account that is not listed has no figure either
		}
		for _, a := range c.Accounts {
			all[a.Handle] = true
			if a.Followers != nil {
				got[a.Handle] = *a.Followers
			}
		}
		tellAll(t, compareFigures(got, recorded, all))
	})
}

func idsOf(chains []domain.Chain) map[string]bool {
	ids := map[string]bool{}
	for _, ch := range chains {
		ids[ch.ChainID] = true
	}
	return ids
}

func figuresOf(chains []domain.Chain, field func(domain.Chain) *domain.Figure) map[string]domain.Figure {
	out := map[string]domain.Figure{}
	for _, ch := range chains {
		if f := field(ch); f != nil {
			out[ch.ChainID] = *f
		}
	}
	return out
}

// compareFigures returns what differs between the figures of the catalogue and
// those recorded, both by key, for the keys that ought to have them; sorted. A
// figure that was recorded for another key is none of this catalogue.
func compareFigures(got, recorded map[string]domain.Figure, keys map[string]bool) []string {
	var wrong []string
	for key := range keys {
		g, has := got[key]
		r, known := recorded[key]
		switch {
		case has && !known:
			wrong = append(wrong, fmt.Sprintf("%s has %v, which was not recorded", key, g))
		case known && !has:
			wrong = append(wrong, fmt.Sprintf("%s has no figure, %v was recorded", key, r))
		case g != r:
			wrong = append(wrong, fmt.Sprintf("%s has %v, %v was recorded", key, g, r))
		}
	}
	slices.Sort(wrong)
	return wrong
}

func tellAll(t *testing.T, wrong []string) {
	t.Helper()
	for _, msg := range wrong {
		t.Error(msg)
	}
}

func recordedTVLs(t *testing.T) map[string]domain.Figure {
	t.Helper()
	var rows []struct {
		ChainID json.RawMessage `json:"chainId"`
		TVL     float64         `json:"tvl"`
	}
	decodeFile(t, tvlRecording, &rows)
	out := map[string]domain.Figure{}
	for _, r := range rows {
		if id := parseID(t, r.ChainID); id != "" {
			out[id] = domain.Figure{Value: r.TVL, Source: "defillama", AsOf: recordedOn}
		}
	}
	return some(t, tvlRecording, out)
}

// recordedPlatforms returns the counts of the rows with a chain id. Of two with
// one id the first counts: smartBCH is there in two spellings.
func recordedPlatforms(t *testing.T) map[string]domain.Figure {
	t.Helper()
	var ev evidence
	decodeFile(t, evidenceFile, &ev)
	out := map[string]domain.Figure{}
	for _, r := range ev.Platforms {
		id := parseID(t, r.ChainID)
		if _, twice := out[id]; id != "" && !twice {
			out[id] = domain.Figure{Value: r.Platforms, Source: r.Source, AsOf: domain.Date(r.AsOf)}
		}
	}
	return some(t, evidenceFile, out)
}

func recordedFollowers(t *testing.T) map[string]domain.Figure {
	t.Helper()
	var rows []struct {
		Handle    string  `json:"handle"`
		Followers float64 `json:"followers_count"`
		AsOf      string  `json:"as_of"`
		Source    string  `json:"source"`
	}
	decodeFile(t, accountsFile, &rows)
	out := map[string]domain.Figure{}
	for _, r := range rows {
		if _, twice := out[r.Handle]; twice {
			t.Errorf("%s has %s twice", accountsFile, r.Handle)
		}
		out[r.Handle] = domain.Figure{Value: r.Followers, Source: r.Source, AsOf: domain.Date(r.AsOf)}
	}
	return some(t, accountsFile, out)
}

// parseID returns a recorded chain id as catalogues have it, "" for none.
func parseID(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	id, err := connector.ParseChainID(raw)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// some ends the test if a recording is empty: it would be agreed with by all.
func some(t *testing.T, file string, rows map[string]domain.Figure) map[string]domain.Figure {
	t.Helper()
	if len(rows) == 0 {
		t.Fatalf("%s has no rows that can be joined", file)
	}
	return rows
}

func TestCompareFigures(t *testing.T) {
	one := domain.Figure{Value: 1, Source: "s", AsOf: "2025-01-01"}
	two, elsewhere, later := one, one, one
	two.Value, elsewhere.Source, later.AsOf = 2, "t", "2025-01-02"
	for _, tt := range []struct {
		got, recorded map[string]domain.Figure
		wrong         int
	}{
		{map[string]domain.Figure{"a": one}, map[string]domain.Figure{"a": one, "z": two}, 0},
		{map[string]domain.Figure{"a": one}, map[string]domain.Figure{"a": two}, 1},
		{map[string]domain.Figure{"a": one}, map[string]domain.Figure{"a": elsewhere}, 1},
		{map[string]domain.Figure{"a": one}, map[string]domain.Figure{"a": later}, 1},
		{map[string]domain.Figure{"a": one}, map[string]domain.Figure{"b": one}, 2},
	} {
		if wrong := compareFigures(tt.got, tt.recorded, map[string]bool{"a": true, "b": true}); len(wrong) != tt.wrong {
			t.Errorf("%v against %v: %q, want %d", tt.got, tt.recorded, wrong, tt.wrong)
		}
	}
}
