package quality_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

// Recordings and reviews of the catalogue.
var (
	tvlRecording       = filepath.FromSlash("../../catalog/.import/llama-tvl-2026-05-29.json")
	platformsRecording = filepath.FromSlash("../../catalog/.import/llama-protocols-2025-08-07.csv")
	namesFile          = filepath.FromSlash("../../catalog/.import/llama-names.json")
	idsFile            = filepath.FromSlash("../../catalog/.import/other-ids.json")
	accountsFile       = filepath.FromSlash("../../catalog/.import/accounts.json")
)

// evidencedID is an element of .import/other-ids.json: the source of the id of a chain of
// chains/other.yaml.
type evidencedID struct {
	Slug      string   `json:"slug"`
	ChainID   string   `json:"chain_id"`
	IDSources []string `json:"id_sources"`
	// Launched is the launch date, "" if unknown.
	Launched       string `json:"launched"`
	LaunchedSource string `json:"launched_source"`
}

func TestOtherChains(t *testing.T) {
	chains := readOther(t)
	var evidenced []evidencedID
	decodeFile(t, idsFile, &evidenced)

	t.Run("every chain has evidence", func(t *testing.T) { testEvidence(t, chains, evidenced) })
	t.Run("ids are not bare numbers", func(t *testing.T) { testQualifiedIDs(t, chains) })
}

// readOther returns the chains of chains/other.yaml by slug, at least one.
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

// Both lists have the same chains with the same ids, and each id has a source.
func testEvidence(t *testing.T, chains map[string]domain.Chain, evidenced []evidencedID) {
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
		case string(ch.Launched) != e.Launched || (e.Launched == "") != (e.LaunchedSource == ""):
			t.Errorf("launched of %s is %q, the evidence is for %q by %q", e.Slug, ch.Launched, e.Launched, e.LaunchedSource)
		}
		seen[e.Slug] = true
	}
	for slug := range chains {
		if !seen[slug] {
			t.Errorf("no evidence for %s", slug)
		}
	}
}

// ownID matches a name, a whole hash, or a whole CAIP-2 id.
var ownID = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]*|[0-9a-f]{64}|[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})$`)

// A bare number is an EVM id, so only chains with an EVM may have one.
func testQualifiedIDs(t *testing.T, chains map[string]domain.Chain) {
	slugOf := map[string]string{}
	for slug, ch := range chains {
		if ownEVM := bareNumber.MatchString(ch.ChainID) && slices.Contains(ch.Categories, "evm"); !ownEVM && !ownID.MatchString(ch.ChainID) {
			t.Errorf("chain_id %q of %s is neither a name, a hash nor a CAIP-2 identifier", ch.ChainID, slug)
		}
		if other, ok := slugOf[ch.ChainID]; ok {
			t.Errorf("%s and %s have the chain_id %q", slug, other, ch.ChainID)
		}
		slugOf[ch.ChainID] = slug
	}
}
