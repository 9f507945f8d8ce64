package chainid_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/catalogtool/chainid"
	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// TestAddresses checks that reviewed addresses fill what the registry lacks, with their source, and apply only
// while the chain has the reviewed name.
func TestAddresses(t *testing.T) {
	addresses := func(name string) chainid.Addresses {
		return chainid.Addresses{Name: name, Website: "https://a.example", Source: "https://source.example/a",
			Links: []domain.Link{{Type: "explorer", URL: "https://scan.example"}}}
	}
	res := convert(t, `[{"name": "A", "chainId": 1}, {"name": "Whole", "chainId": 2, "infoURL": "https://own.example",
		"explorers": [{"name": "", "url": "https://scan.example"}]}, {"name": "Renamed", "chainId": 3}]`,
		chainid.Options{Addresses: map[string]chainid.Addresses{"1": addresses("A"), "2": addresses("Whole"), "3": addresses("C")}})
	for _, tt := range []struct {
		id, website string
		links       int
		sources     domain.JSON
	}{
		{"1", "https://a.example", 1, `{"links":"https://source.example/a","website":"https://source.example/a"}`},
		{"2", "https://own.example", 1, ""},
		{"3", "", 0, ""},
	} {
		ch := of(t, res, tt.id)
		if ch.Website != tt.website || len(ch.Links) != tt.links || ch.Sources != tt.sources {
			t.Errorf("chain %s has %q, %v and the sources %s, want %q, %d links and %s", tt.id, ch.Website, ch.Links, ch.Sources, tt.website, tt.links, tt.sources)
		}
	}
	unused := []connector.Loss{{ChainID: "3", Name: "C", Reason: `links: the chain is now called "Renamed"; review it again`}}
	if diff := cmp.Diff(unused, res.Report.Unused); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
}

func TestReadAddresses(t *testing.T) {
	const whole = `"name": "A", "website": "https://a.example", "explorer": "https://scan.example", "source": "s"`
	got, err := chainid.ReadAddresses(strings.NewReader(`[{"chain_id": 1, ` + whole + `}]`))
	must(t, err)
	want := map[string]chainid.Addresses{"1": {Name: "A", Website: "https://a.example", Source: "s",
		Links: []domain.Link{{Type: "explorer", URL: "https://scan.example"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
	for _, entry := range []string{`"name": "A", "website": "https://a.example"`, `"name": "A", "source": "s"`, `"website": "https://a.example", "source": "s"`} {
		if _, err := chainid.ReadAddresses(strings.NewReader(`[{"chain_id": 1, ` + entry + `}]`)); err == nil {
			t.Errorf("no error for %s", entry)
		}
	}
}

// TestSourcesOfLaunches checks the form in which the notes of reviewers on sources reach a chain.
func TestSourcesOfLaunches(t *testing.T) {
	for note, want := range map[string]string{
		"open: l2beat/l2beat, packages/config/src/projects/a/a.ts: milestone, x.com/a/status/1": "https://github.com/l2beat/l2beat/blob/HEAD/packages/config/src/projects/a/a.ts",
		"first block: algorand/go-algorand, installer/genesis.json: the timestamp":              "https://github.com/algorand/go-algorand/blob/HEAD/installer/genesis.json",
		"open: example.com/launch, 2026-03: it opened":                                          "https://example.com/launch",
		"https://example.com/launch: it opened":                                                 "https://example.com/launch",
		"hyperlane-xyz/hyperlane-monorepo pull request 8662":                                    "https://github.com/hyperlane-xyz/hyperlane-monorepo/pull/8662",
		"github.com/ethereum-lists/chains, _data/chains, as of 2026-08-20: eip155-3.json is":    "https://github.com/ethereum-lists/chains/blob/HEAD/_data/chains/eip155-3.json",
		"example.com, 2026-03: a page that the note does not name":                              "example.com, 2026-03: a page that the note does not name",
		"open: announcement of its makers, not found again":                                     "open: announcement of its makers, not found again",
	} {
		got, err := chainid.ReadLaunches(strings.NewReader(`[{"chain_id": 1, "name": "A", "launched": "2025-01-02", "source": "` + note + `"}]`))
		must(t, err)
		if got["1"].Source != want {
			t.Errorf("%q became %q, want %q", note, got["1"].Source, want)
		}
	}
}

// TestSourcesOfChains checks that the sources of launches and endings reach their chains; of several the first
// with a link.
func TestSourcesOfChains(t *testing.T) {
	endings, err := chainid.ReadEndings(strings.NewReader(`[{"chain_id": 1, "name": "A", "note": {"en": "It ended"}, "sources": ["a letter", "example.com/end"]}]`))
	must(t, err)
	res := convert(t, `[{"name": "A", "chainId": 1}]`, chainid.Options{Endings: endings,
		Launches: map[string]chainid.Launch{"1": {Name: "A", Day: "2025-01-02", Source: "https://example.com/launch"}}})
	const want domain.JSON = `{"launched":"https://example.com/launch","status":"https://example.com/end"}`
	if got := of(t, res, "1").Sources; got != want {
		t.Errorf("sources are %s, want %s", got, want)
	}
}
