package quality_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

// Recordings that connectors are tested with. They know nothing of
// chains/other.yaml, so that they can contradict it.
var (
	platformsExcerpt = filepath.FromSlash("../connector/chainid/testdata/platforms.json")
	tvlRecording     = filepath.FromSlash("../connector/defillama/testdata/v2-chains-2025-08-17.json")
)

// Recordings that stand beside the catalogue.
var (
	evidenceFile = filepath.FromSlash("../../catalog/.import/other-figures.json")
	accountsFile = filepath.FromSlash("../../catalog/.import/accounts.json")
)

// evidence is .import/other-figures.json: what chains/other.yaml rests on.
type evidence struct {
	Chains    []evidencedChain `json:"chains"`
	Platforms []recordedCount  `json:"platforms"` // the whole recording, in its order
}

type evidencedChain struct {
	Slug      string   `json:"slug"`
	ChainID   string   `json:"chain_id"`
	IDSources []string `json:"id_sources"`
	GeckoID   string   `json:"gecko_id"` // "" when the recording does not have the chain
}

type recordedCount struct {
	Name      string          `json:"name"`
	ChainID   json.RawMessage `json:"chain_id"` // a number, a text or null
	GeckoID   string          `json:"gecko_id"` // "" for null
	Platforms float64         `json:"platforms"`
	AsOf      string          `json:"as_of"`
	Source    string          `json:"source"`
}

// ofEVM reports whether the row names a chain of the EVM registry. Its gecko_id
// is that of a coin, which other chains may have as well.
func (r recordedCount) ofEVM() bool { return string(r.ChainID) != "null" }

func (r recordedCount) key() string { return r.Name + " " + r.GeckoID + " " + string(r.ChainID) }

// recordedTVL is a row of the recording of TVL, without its figure.
type recordedTVL struct {
	GeckoID string `json:"gecko_id"`
}

func TestOtherChains(t *testing.T) {
	chains := readOther(t)
	var ev evidence
	decodeFile(t, evidenceFile, &ev)

	t.Run("every chain has evidence", func(t *testing.T) { testEvidence(t, chains, ev.Chains) })
	t.Run("ids are not bare numbers", func(t *testing.T) { testQualifiedIDs(t, chains) })
	t.Run("platforms are those of the recording", func(t *testing.T) { testPlatforms(t, chains, ev) })
	t.Run("the recording is the one connectors know", func(t *testing.T) { testRecording(t, ev.Platforms) })
	t.Run("no TVL was recorded", func(t *testing.T) { testNoTVL(t, chains, ev.Chains) })
}

// readOther returns the chains of chains/other.yaml alone, by slug. There is
// at least one.
func readOther(t *testing.T) map[string]domain.Chain {
	t.Helper()
	alone := fstest.MapFS{}
	for _, name := range []string{"catalog.yaml", "categories.yaml", "chains/other.yaml"} {
		data, err := fs.ReadFile(bundled.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		alone[name] = &fstest.MapFile{Data: data}
	}
	dir, err := bundle.Read(context.Background(), alone, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	chains := map[string]domain.Chain{}
	for _, ch := range dir.Catalog.Chains {
		chains[ch.Slug] = ch
	}
	if len(chains) == 0 {
		t.Fatal("chains/other.yaml has no chains")
	}
	return chains
}

func decodeFile(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Both lists have the same chains with the same ids, and it is said of each id
// where it comes from.
func testEvidence(t *testing.T, chains map[string]domain.Chain, evidenced []evidencedChain) {
	seen := map[string]bool{}
	for _, e := range evidenced {
		ch, ok := chains[e.Slug]
		switch {
		case !ok:
			t.Errorf("evidence for %s, which is not in other.yaml", e.Slug)
		case seen[e.Slug]:
			t.Errorf("evidence for %s twice", e.Slug)
		case ch.ChainID != e.ChainID:
			t.Errorf("chain_id of %s is %q, the evidence is for %q", e.Slug, ch.ChainID, e.ChainID)
		case len(e.IDSources) == 0 || e.IDSources[0] == "":
			t.Errorf("no source for the id of %s", e.Slug)
		}
		seen[e.Slug] = true
	}
	for slug := range chains {
		if !seen[slug] {
			t.Errorf("no evidence for %s", slug)
		}
	}
}

// ownID is a name in text, or a whole CAIP-2 identifier by the grammar of
// CAIP-2.
var ownID = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*|[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})$`)

// A bare number is an EVM id: in this file it would be that of another chain.
func testQualifiedIDs(t *testing.T, chains map[string]domain.Chain) {
	slugOf := map[string]string{}
	for slug, ch := range chains {
		if !ownID.MatchString(ch.ChainID) {
			t.Errorf("chain_id %q of %s is neither a name nor a CAIP-2 identifier", ch.ChainID, slug)
		}
		if other, ok := slugOf[ch.ChainID]; ok {
			t.Errorf("%s and %s have the chain_id %q", slug, other, ch.ChainID)
		}
		slugOf[ch.ChainID] = slug
	}
}

// A chain with a gecko_id has the figure of the one row with it that is not of
// an EVM chain; a chain without has none. So no figure is made up, and no row
// whose gecko_id is mapped is left out.
func testPlatforms(t *testing.T, chains map[string]domain.Chain, ev evidence) {
	rows := map[string][]recordedCount{}
	for _, r := range ev.Platforms {
		if !r.ofEVM() {
			rows[r.GeckoID] = append(rows[r.GeckoID], r)
		}
	}
	slugOf := map[string]string{}
	for _, e := range ev.Chains {
		got := chains[e.Slug].Platforms
		if e.GeckoID == "" {
			if got != nil {
				t.Errorf("%s has platforms %v and no gecko_id", e.Slug, got.Value)
			}
			continue
		}
		if other, ok := slugOf[e.GeckoID]; ok {
			t.Errorf("%s and %s have the gecko_id %s", e.Slug, other, e.GeckoID)
		}
		slugOf[e.GeckoID] = e.Slug
		if n := len(rows[e.GeckoID]); n != 1 {
			t.Errorf("%d rows for the gecko_id %s of %s, want 1", n, e.GeckoID, e.Slug)
			continue
		}
		row := rows[e.GeckoID][0]
		want := domain.Figure{Value: row.Platforms, Source: row.Source, AsOf: domain.Date(row.AsOf)}
		if got == nil || *got != want {
			t.Errorf("platforms of %s are %v, want %v", e.Slug, got, want)
		}
	}
	if len(slugOf) == 0 {
		t.Error("no chain has a gecko_id")
	}
}

// The excerpt that the connector is tested with agrees with the whole.
func testRecording(t *testing.T, whole []recordedCount) {
	var excerpt []recordedCount
	decodeFile(t, platformsExcerpt, &excerpt)
	rows := map[string]recordedCount{}
	for _, r := range whole {
		if _, ok := rows[r.key()]; ok {
			t.Errorf("the recording has the row of %s twice", r.Name)
		}
		rows[r.key()] = r
	}
	for _, want := range excerpt {
		got, ok := rows[want.key()]
		if !ok {
			t.Errorf("the recording has no row %s", want.key())
			continue
		}
		if got.Platforms != want.Platforms || got.AsOf != want.AsOf || got.Source != want.Source {
			t.Errorf("row %s has %v of %s by %s, want %v of %s by %s", want.key(),
				got.Platforms, got.AsOf, got.Source, want.Platforms, want.AsOf, want.Source)
		}
	}
	if len(excerpt) == 0 {
		t.Errorf("%s has no rows", platformsExcerpt)
	}
}

// No chain has a figure of TVL, and none was recorded that one ought to have.
func testNoTVL(t *testing.T, chains map[string]domain.Chain, evidenced []evidencedChain) {
	var recorded []recordedTVL
	decodeFile(t, tvlRecording, &recorded)
	has := map[string]bool{}
	for _, r := range recorded {
		has[r.GeckoID] = r.GeckoID != ""
	}
	for _, e := range evidenced {
		if has[e.GeckoID] {
			t.Errorf("TVL of %s was recorded: it belongs into other.yaml", e.Slug)
		}
		if tvl := chains[e.Slug].TVL; tvl != nil {
			t.Errorf("%s has llama_tvl %v, which was not recorded", e.Slug, tvl.Value)
		}
	}
	if len(recorded) == 0 {
		t.Errorf("%s has no rows", tvlRecording)
	}
}
