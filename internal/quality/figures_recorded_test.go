package quality_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// The figures of chains and accounts equal their recordings, in both directions. The test
// joins the recordings itself, not with the code that wrote the files.

// recordedOn is the day of the recording of TVL.
const recordedOn domain.Date = "2026-05-29"

func TestRecordedFigures(t *testing.T) {
	c := readBundled(t).Catalog
	mainnets := slices.DeleteFunc(slices.Clone(c.Chains), func(ch domain.Chain) bool { return slices.Contains(ch.Categories, "testnet") })
	tvls, platforms := recordedChains(t)
	t.Run("llama_tvl", func(t *testing.T) {
		tellAll(t, compareFigures(figuresOf(mainnets, func(ch domain.Chain) *domain.Figure { return ch.TVL }), tvls, idsOf(mainnets)))
	})
	t.Run("platforms", func(t *testing.T) {
		tellAll(t, compareFigures(figuresOf(mainnets, func(ch domain.Chain) *domain.Figure { return ch.Platforms }), platforms, idsOf(mainnets)))
	})
	t.Run("test networks have none", func(t *testing.T) {
		for _, ch := range c.Chains {
			if slices.Contains(ch.Categories, "testnet") && (ch.TVL != nil || ch.Platforms != nil) {
				t.Errorf("%s has figures", ch.Slug)
			}
		}
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

// reviewedName is an element of .import/llama-names.json.
type reviewedName struct {
	Name     string `json:"name"`
	Decision string `json:"decision"`
	ChainID  string `json:"chain_id"`
	Why      string `json:"why"`
}

// recordedChains returns the recorded TVL and counts by chain id. The review of a row's
// name decides its chain, else its own id; a count has the id of the TVL row with its
// name. Of two rows of a chain the larger counts. A count of 0 is none.
func recordedChains(t *testing.T) (tvls, platforms map[string]domain.Figure) {
	t.Helper()
	var rows []struct {
		Name    string          `json:"name"`
		ChainID json.RawMessage `json:"chainId"`
		TVL     float64         `json:"tvl"`
	}
	decodeFile(t, tvlRecording, &rows)
	ids := map[string]string{}
	for _, r := range rows {
		ids[r.Name] = parseID(t, r.ChainID)
	}
	for _, review := range readNames(t) {
		ids[review.Name] = review.ChainID // "" unless joined
	}
	tvls, platforms = map[string]domain.Figure{}, map[string]domain.Figure{}
	add := func(to map[string]domain.Figure, id string, value float64, day domain.Date) {
		if earlier, ok := to[id]; id != "" && (!ok || value > earlier.Value) {
			to[id] = domain.Figure{Value: value, Source: "defillama", AsOf: day}
		}
	}
	for _, r := range rows {
		add(tvls, ids[r.Name], r.TVL, recordedOn)
	}
	for _, r := range readCounts(t) {
		if r[1] != "0" {
			count, err := strconv.Atoi(r[1])
			if err != nil {
				t.Fatal(err)
			}
			add(platforms, ids[r[0]], float64(count), domain.Date(r[2]))
		}
	}
	return some(t, tvlRecording, tvls), some(t, platformsRecording, platforms)
}

func readNames(t *testing.T) []reviewedName {
	t.Helper()
	var names []reviewedName
	decodeFile(t, namesFile, &names)
	return names
}

// readCounts returns the rows of the recording of counts: name, protocols, day.
func readCounts(t *testing.T) [][]string {
	t.Helper()
	f, err := os.Open(platformsRecording)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// Every recorded name without a chain id has a review, every reviewed chain exists, and
// every review is of a recorded name.
func TestReviewedNames(t *testing.T) {
	var rows []struct {
		Name    string          `json:"name"`
		ChainID json.RawMessage `json:"chainId"`
	}
	decodeFile(t, tvlRecording, &rows)
	ids := idsOf(readBundled(t).Catalog.Chains)
	needed, known := map[string]bool{}, map[string]bool{}
	for _, r := range rows {
		id := parseID(t, r.ChainID)
		known[r.Name] = true
		needed[r.Name] = !ids[id]
	}
	for _, r := range readCounts(t) {
		needed[r[0]] = needed[r[0]] || !known[r[0]]
		known[r[0]] = true
	}
	reviewed := map[string]bool{}
	for _, n := range readNames(t) {
		if reviewed[n.Name] = true; !known[n.Name] {
			t.Errorf("%s is reviewed, and no recording has it", n.Name)
		}
		if n.Decision == "joined" && !ids[n.ChainID] {
			t.Errorf("%s is joined to %s, which no chain has", n.Name, n.ChainID)
		}
	}
	for name, must := range needed {
		if must && !reviewed[name] {
			t.Errorf("%s has no chain that is listed, and no review", name)
		}
	}
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

// compareFigures returns the sorted differences between the figures of the catalogue and
// the recorded ones, both by key, for the given keys.
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

// parseID returns a recorded chain id as catalogues write it, or "".
func parseID(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	id, err := connector.ParseChainID(raw)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// some ends the test if a recording is empty, because every catalogue would agree with it.
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
