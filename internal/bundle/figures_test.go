package bundle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

var allFigures = []domain.FigureName{domain.FigureTVL, domain.FigurePlatforms}

func TestSetFigures(t *testing.T) {
	figure := func(v float64) domain.Figure { return domain.Figure{Value: v, Source: "s", AsOf: "2026-05-29"} }
	before := `# the head stays
chains:
  # and so does this
  - slug: solana
    name: Solana
    chain_id: solana:1
    categories: [mainnet]
    platforms: {value: 115, source: s, as_of: 2023-10-16}
    aliases: [SOL] # a remark

  - slug: word
    chain_id: word-1
    name: Word
    llama_tvl: 5
    platforms: {value: 1, source: other, as_of: 2023-10-16}
    categories:
      - mainnet
      - layer-1
  - slug: gone
    chain_id: gone-1
    categories: [mainnet]
    llama_tvl: {value: 9, source: s, as_of: 2020-01-01}`
	const want = `# the head stays
chains:
  # and so does this
  - slug: solana
    name: Solana
    chain_id: solana:1
    categories: [mainnet]
    llama_tvl: {value: 1.5, source: s, as_of: 2026-05-29}
    platforms: {value: 282, source: s, as_of: 2026-05-29}
    aliases: [SOL] # a remark

  - slug: word
    chain_id: word-1
    name: Word
    llama_tvl: 5
    platforms: {value: 1, source: other, as_of: 2023-10-16}
    categories:
      - mainnet
      - layer-1
  - slug: gone
    chain_id: gone-1
    categories: [mainnet]
`
	figures := map[string]bundle.Figures{
		"solana:1": {domain.FigureTVL: figure(1.5), domain.FigurePlatforms: figure(282)},
		"word-1":   {domain.FigureTVL: figure(2), domain.FigurePlatforms: figure(3)},
		"nowhere":  {domain.FigureTVL: figure(4)},
	}
	got, set, err := bundle.SetFigures([]byte(before), "s", allFigures, figures)
	wantSet := map[domain.FigureName]bundle.Replaced{
		domain.FigureTVL: {Before: 1, After: 1, Newest: "2020-01-01"}, domain.FigurePlatforms: {Before: 1, After: 1, Newest: "2023-10-16"},
	}
	if diff := cmp.Diff(wantSet, set); err != nil || diff != "" {
		t.Fatalf("error %v, replaced (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	again, _, err := bundle.SetFigures(got, "s", allFigures, figures)
	if diff := cmp.Diff(string(got), string(again)); diff != "" || err != nil {
		t.Errorf("the second time: error %v (-first +second):\n%s", err, diff)
	}
}

func TestSetFiguresRefuses(t *testing.T) {
	for _, file := range []string{
		"chains: [",
		"categories: []",
		"chains:\n  - slug: a",
		"chains:\n  - {slug: a, chain_id: a-1}",
		"chains:\n  - slug: a\n    chain_id: a-1\n    llama_tvl:\n      value: 1\n      source: s\n      as_of: 2020-01-01",
	} {
		if got, _, err := bundle.SetFigures([]byte(file), "s", allFigures, nil); err == nil {
			t.Errorf("no error for %q, but %q", file, got)
		}
	}
}
