package site

import (
	"strings"
	"testing"
	"testing/fstest"
)

// The roles of the catalogue decide what pages show of chains, not the names of categories
// and groups.
func TestRolesDecideWhatIsShown(t *testing.T) {
	const (
		hexID, button, summary = "0x2105", "data-wallet", `<span class="facts">Zweite</span>`
		categories             = `
groups:
  - {key: stockwerk, module: chain, name: Floor}
  - {key: maschine, module: chain, name: Machine}
categories:
  - {key: zweite, name: Zweite, scopes: [chain], groups: {chain: [stockwerk]}}
  - {key: ethermaschine, name: Ethermaschine, scopes: [chain], groups: {chain: [maschine]}}
  - {key: evm, name: Not the machine, scopes: [chain], groups: {chain: [maschine]}}
`
		chain = `
- slug: base
  name: Base
  chain_id: 8453
  categories: [CATEGORIES]
  llama_tvl: 5
  rpc: [{url: https://rpc.example.org/}]
  native_currency: {name: Ether, symbol: ETH, decimals: 18}
`
	)
	for _, tt := range []struct {
		name, roles, categories string
		evm, summary            bool
	}{
		{"both", "roles: {evm: [ethermaschine], summary: [stockwerk]}", "zweite, ethermaschine", true, true},
		{"a chain without the categories", "roles: {evm: [ethermaschine], summary: [stockwerk]}", "evm", false, false},
		{"none", "", "zweite, ethermaschine, evm", false, false},
		{"evm alone", "roles: {evm: [ethermaschine, evm]}", "zweite, evm", true, false},
		{"summary alone", "roles: {summary: [maschine, stockwerk]}", "zweite", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			of, s := snapshotOf(t, fstest.MapFS{
				"catalog.yaml":    {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n" + tt.roles + "\n")},
				"categories.yaml": {Data: []byte(categories)},
				"chains.yaml":     {Data: []byte(strings.Replace(chain, "CATEGORIES", tt.categories, 1))},
			}), siteOf(t, Config{})
			page, list := pageAt(t, s, of, "/en/chains/base", ""), pageAt(t, s, of, "/en/chains", "")
			if strings.Contains(page, hexID) != tt.evm || strings.Contains(page, button) != tt.evm {
				t.Errorf("hexadecimal id %t, button %t; want both %t", strings.Contains(page, hexID), strings.Contains(page, button), tt.evm)
			}
			if strings.Contains(list, summary) != tt.summary {
				t.Errorf("summary in the list is not %t", tt.summary)
			}
		})
	}
}
