package chainid_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/catalogtool/chainid"
	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

func TestReadFacts(t *testing.T) {
	wantRead(t, chainid.ReadFacts, `[{"chain_id": 1, "name": " A ", "categories": ["layer-2", "evm", "settles-on-base"], "why": "so"}]`,
		map[string]chainid.Fact{"1": {Name: "A", Categories: []string{"layer-2", "evm", "settles-on-base"}, Why: "so"}})
	for name, tt := range map[string]struct{ entry, says string }{
		"no reason":               {`"name": "A", "categories": ["layer-1"]`, "missing"},
		"no name":                 {`"categories": ["layer-1"], "why": "so"`, "missing"},
		"no categories":           {`"name": "A", "why": "so"`, "missing"},
		"unknown":                 {`"name": "A", "categories": ["layer-9"], "why": "so"`, `chains have no category "layer-9"`},
		"a kind":                  {`"name": "A", "categories": ["testnet"], "why": "so"`, "--kinds"},
		"twice":                   {`"name": "A", "categories": ["evm", "evm"], "why": "so"`, "evm stands there twice"},
		"two layers":              {`"name": "A", "categories": ["layer-2", "sidechain"], "why": "so"`, "layer-2 and sidechain exclude each other"},
		"two virtual machines":    {`"name": "A", "categories": ["evm", "wasm-vm"], "why": "so"`, "evm and wasm-vm exclude each other"},
		"two stacks":              {`"name": "A", "categories": ["zk-stack", "op-stack"], "why": "so"`, "op-stack and zk-stack exclude each other"},
		"settlement of a layer 1": {`"name": "A", "categories": ["layer-1", "settles-on-base"], "why": "so"`, "settles-on-base is for chains with"},
		"settlement of no layer":  {`"name": "A", "categories": ["settles-on-base"], "why": "so"`, "settles-on-base is for chains with"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := chainid.ReadFacts(strings.NewReader(`[{"chain_id": 1, ` + tt.entry + `}]`))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
		})
	}
}

func TestReadAliases(t *testing.T) {
	wantRead(t, chainid.ReadAliases, `[{"chain_id": "56", "name": "BNB", "aliases": [" BSC ", "Binance  Chain"]}]`,
		map[string]chainid.Aliases{"56": {Name: "BNB", Aliases: []string{"BSC", "Binance Chain"}}},
		`[{"chain_id": 1, "aliases": ["x"]}]`, `[{"chain_id": 1, "name": "A"}]`, `[{"chain_id": 1, "name": "A", "aliases": [" "]}]`,
		`[{"name": "A", "aliases": ["x"]}]`, `[{"chain_id": 1, "name": "A", "aliases": "x"}]`, `{}`)
}

func TestReadDescriptions(t *testing.T) {
	wantRead(t, chainid.ReadDescriptions, `[{"chain_id": 56, "name": " A ", "description": {"ja": "鎖", "en": " A  chain "}, "source": " README "}]`,
		map[string]chainid.Description{"56": {Name: "A", Text: domain.Text{{Locale: "en", Value: "A chain"}, {Locale: "ja", Value: "鎖"}}, Source: "README"}},
		`[{"chain_id": 1, "description": {"en": "x"}}]`, `[{"chain_id": 1, "name": "A"}]`, `[{"chain_id": 1, "name": "A", "description": {"ja": "x"}}]`,
		`[{"chain_id": 1, "name": "A", "description": {"en": " "}}]`, `[{"chain_id": 1, "name": "A", "description": {"en": "x", "ja": ""}}]`,
		`[{"chain_id": 1, "name": "A", "description": {"en": "x\u202ey"}}]`, `[{"chain_id": 1, "name": "A", "description": {"en": "x", "": "y"}}]`,
		`[{"name": "A", "description": {"en": "x"}}]`, `[{"chain_id": 1, "name": "A", "description": "x"}]`, `{}`)
}

func TestReadSuperchain(t *testing.T) {
	rows, lost, err := chainid.ReadSuperchain(strings.NewReader(`[
		{"chain_id": 10, "name": "OP Mainnet", "superchain": "mainnet"}, {"chain_id": "11", "name": "S", "superchain": "sepolia"},
		{"chain_id": 12, "name": "D", "superchain": "sepolia-devnet-2"}, {"name": "N", "superchain": "mainnet"},
		{"chain_id": 1.5, "name": "F", "superchain": "mainnet"}, 5]`))
	must(t, err)
	want := []chainid.SuperchainChain{{ChainID: "10", Name: "OP Mainnet", Network: chainid.Mainnet}, {ChainID: "11", Name: "S", Network: chainid.Testnet}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantLost := []connector.Loss{
		{ChainID: "12", Name: "D", Reason: `superchain "sepolia-devnet-2" is neither mainnet nor sepolia`},
		{Name: "N", Reason: "no chain id"},
		{Name: "F", Reason: `chain id "1.5" is not a positive decimal integer`},
		{Reason: "row 5: the record is of the wrong type: a JSON number"},
	}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
	if _, _, err := chainid.ReadSuperchain(strings.NewReader(`"x"`)); err == nil {
		t.Error("no error for a text")
	}
}

// TestBundledImportFiles checks that the side files are valid, that their chains exist with the
// reviewed names, and that the bundled chains were converted with the current files.
func TestBundledImportFiles(t *testing.T) {
	chains := map[string]bundledChain{}
	for _, ch := range bundledChains(t) {
		chains[ch.ID] = ch
	}
	const dir = "../../catalog/.import/"
	facts := open(t, dir+"categories.json", func(f *os.File) (map[string]chainid.Fact, error) { return chainid.ReadFacts(f) })
	aliases := open(t, dir+"aliases.json", func(f *os.File) (map[string]chainid.Aliases, error) { return chainid.ReadAliases(f) })
	names := open(t, dir+"names.json", func(f *os.File) (map[string]chainid.NameTexts, error) { return chainid.ReadNames(f) })
	descriptions := open(t, dir+"descriptions.json", func(f *os.File) (map[string]chainid.Description, error) { return chainid.ReadDescriptions(f) })
	endings := open(t, dir+"endings.json", func(f *os.File) (map[string]chainid.Ending, error) { return chainid.ReadEndings(f) })
	// holds reports whether a review has the name in the registry. The record has a different one
	// if names.json overrides it.
	holds := func(id, name string) bool { return chains[id].Name["en"] == name || names[id]["en"] != "" }
	for id, e := range endings {
		ch := chains[id]
		if !holds(id, e.Name) || ch.Status != "retired" || ch.Since != string(e.Since) || len(ch.Note) != len(e.Note) {
			t.Errorf("the ending of chain %s %q is not in its record, of %q: %s since %q", id, e.Name, ch.Name["en"], ch.Status, ch.Since)
		}
		for _, note := range e.Note {
			if ch.Note[note.Locale] != note.Value {
				t.Errorf("chain %s ends in %s with %q, want %q", id, note.Locale, ch.Note[note.Locale], note.Value)
			}
		}
	}
	if len(facts) < 200 || len(aliases) < 60 || len(names) < 60 || len(endings) < 20 {
		t.Errorf("%d facts, %d aliases, %d names, %d endings; want 200, 60, 60 and 20 and more", len(facts), len(aliases), len(names), len(endings))
	}
	for id, f := range facts {
		if !holds(id, f.Name) {
			t.Errorf("fact on chain %s is of %q, the chain is %q", id, f.Name, chains[id].Name["en"])
		}
		for _, key := range f.Categories {
			if !slices.Contains(chains[id].Categories, key) {
				t.Errorf("chain %s %q has no %s", id, f.Name, key)
			}
		}
	}
	for id, a := range aliases {
		if !holds(id, a.Name) {
			t.Errorf("aliases of chain %s are of %q, the chain is %q", id, a.Name, chains[id].Name["en"])
		}
		for _, alias := range a.Aliases {
			known := append(slices.Clone(chains[id].Aliases), a.Name)
			if !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, alias) }) {
				t.Errorf("chain %s %q has no alias %q", id, a.Name, alias)
			}
		}
	}
	for id, d := range descriptions {
		if got := chains[id].Sources["description"]; got != d.Source {
			t.Errorf("chain %s has %q as the source of its description, want %q", id, got, d.Source)
		}
		if !holds(id, d.Name) || len(chains[id].Description) != len(d.Text) {
			t.Errorf("chain %s %q is described in %d languages, want %d of the description of %q",
				id, chains[id].Name["en"], len(chains[id].Description), len(d.Text), d.Name)
		}
		for _, text := range d.Text {
			if got := chains[id].Description[text.Locale]; got != text.Value {
				t.Errorf("chain %s is described in %s as %q, want %q", id, text.Locale, got, text.Value)
			}
		}
	}
	for id, texts := range names {
		for loc, name := range texts {
			if chains[id].Name[loc] != name {
				t.Errorf("chain %s is %q in %s, want %q", id, chains[id].Name[loc], loc, name)
			}
		}
	}
}
