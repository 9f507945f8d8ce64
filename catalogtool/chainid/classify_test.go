package chainid_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/catalogtool/chainid"
	"vitrine/internal/connector"
)

// below has records that other records settle on.
const below = `
	{"name": "Ethereum", "chainId": 1}, {"name": "Arbitrum", "chainId": 42161, "parent": {"type": "L2", "chain": "eip155-1"}},
	{"name": "Base", "chainId": 8453}, {"name": "BNB", "chainId": 56}, {"name": "Gnosis", "chainId": 100},
	{"name": "Sepolia", "chainId": 11155111}, {"name": "Old", "chainId": 5, "title": "Testnet", "status": "deprecated"},
	{"name": "Plain", "chainId": 600}`

func fact(name string, categories ...string) chainid.Fact {
	return chainid.Fact{Name: name, Categories: categories, Why: "…"}
}

// belowFacts has the reviewed facts of below.
var belowFacts = map[string]chainid.Fact{
	"1":        fact("Ethereum", "layer-1", "ethereum-ecosystem"),
	"42161":    fact("Arbitrum", "arbitrum-orbit"),
	"8453":     fact("Base", "layer-2", "superchain", "settles-on-ethereum"),
	"56":       fact("BNB", "layer-1", "bnb-ecosystem"),
	"11155111": fact("Sepolia", "layer-1", "ethereum-ecosystem"),
}

func TestRulesOfCategories(t *testing.T) {
	tests := []struct {
		name, record string // record 700 without its id
		fact         *chainid.Fact
		member       chainid.Network // of the Superchain
		want         string
		lost         string
	}{
		{name: "nothing but the registry", record: `"name": "X"`, want: "mainnet evm"},
		{name: "layer 2 of Ethereum", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-1"}`,
			want: "mainnet layer-2 evm ethereum-ecosystem settles-on-ethereum"},
		{name: "layer 2 of BNB", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-56"}`,
			want: "mainnet layer-2 evm bnb-ecosystem settles-on-bnb"},
		{name: "layer 2 of Gnosis", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-100"}`,
			want: "mainnet layer-2 evm settles-on-gnosis"},
		{name: "layer 2 of another chain", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-600"}`,
			want: "mainnet layer-2 evm settles-on-other"},
		{name: "layer 2 of a test network", record: `"name": "X Testnet", "parent": {"type": "L2", "chain": "eip155-11155111"}`,
			want: "testnet layer-2 evm ethereum-ecosystem settles-on-testnet"},
		{name: "the parent is deprecated", record: `"name": "X Testnet", "parent": {"type": "L2", "chain": "eip155-5"}`,
			want: "testnet layer-2 evm settles-on-testnet"},
		{name: "layer 3, by the parent's parent", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-42161"}`,
			want: "mainnet layer-3 evm ethereum-ecosystem arbitrum-ecosystem settles-on-arbitrum"},
		{name: "layer 3, by a fact on the parent; membership in the Superchain is not inherited",
			record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-8453"}`,
			want:   "mainnet layer-3 evm ethereum-ecosystem settles-on-base"},
		{name: "a shard is no layer", record: `"name": "X", "parent": {"type": "shard", "chain": "eip155-1"}`, want: "mainnet evm"},
		{name: "a testnet on a mainnet", record: `"name": "X Testnet", "parent": {"type": "L2", "chain": "eip155-1"}`,
			want: "testnet layer-2 evm ethereum-ecosystem", lost: `settlement: a testnet does not settle on a mainnet (1 "Ethereum")`},
		{name: "a mainnet on a testnet", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-11155111"}`,
			want: "mainnet layer-2 evm ethereum-ecosystem", lost: `settlement: a mainnet does not settle on a testnet (11155111 "Sepolia")`},
		{name: "a fact knows the settlement better", record: `"name": "X Testnet", "parent": {"type": "L2", "chain": "eip155-1"}`,
			fact: &chainid.Fact{Name: "X Testnet", Categories: []string{"layer-2", "settles-on-testnet"}},
			want: "testnet layer-2 evm settles-on-testnet"},
		{name: "the parent is not there", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-99"}`,
			want: "mainnet layer-2 evm", lost: `settlement: the registry has no other chain "eip155-99"`},
		{name: "the parent is no EVM chain", record: `"name": "X", "parent": {"type": "L2", "chain": "cosmos-1"}`,
			want: "mainnet layer-2 evm", lost: `settlement: the registry has no other chain "cosmos-1"`},
		{name: "its own parent", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-700"}`,
			want: "mainnet layer-2 evm", lost: `settlement: the registry has no other chain "eip155-700"`},
		{name: "in the Superchain", record: `"name": "X"`, member: chainid.Mainnet,
			want: "mainnet layer-2 evm op-stack ethereum-ecosystem superchain settles-on-ethereum"},
		{name: "in the Superchain for tests", record: `"name": "X Testnet"`, member: chainid.Testnet,
			want: "testnet layer-2 evm op-stack ethereum-ecosystem superchain settles-on-testnet"},
		{name: "in the Superchain as another kind", record: `"name": "X"`, member: chainid.Testnet, want: "mainnet evm"},
		{name: "an Avalanche L1, by host", record: `"name": "X", "rpc": ["https://x", "https://subnets.avax.network/x/mainnet/rpc"]`,
			want: "mainnet layer-1 evm avalanche-l1 avalanche-ecosystem"},
		{name: "the C-Chain's host proves nothing", record: `"name": "X", "rpc": ["https://api.avax.network/ext/bc/C/rpc"]`, want: "mainnet evm"},
		{name: "a SKALE chain, by host", record: `"name": "X", "rpc": ["https://mainnet.SKALEnodes.com/v1/x", "wss://mainnet.skalenodes.com/v1/ws/x"]`,
			want: "mainnet evm skale-chain ethereum-ecosystem"},
		{name: "a host that ends alike", record: `"name": "X", "rpc": ["https://notskalenodes.com", "https://skalenodes.com.example", "http://%zz"]`, want: "mainnet evm"},
		{name: "a Substrate chain, by host", record: `"name": "X", "rpc": ["https://services.tanssi-mainnet.network/x"]`, want: "mainnet evm substrate"},
		{name: "RPCs of another shape prove nothing", record: `"name": "X", "rpc": {"0": "https://mainnet.skalenodes.com"}`, want: "mainnet evm"},
		{name: "a Cosmos chain id", record: `"name": "X", "shortName": "xchain_700-2"`, want: "mainnet evm cosmos-sdk cosmos-ecosystem"},
		{name: "another chain's Cosmos id", record: `"name": "X", "shortName": "xchain_701-2"`, want: "mainnet evm"},
		{name: "a fact is stronger than the registry", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-1"}`,
			fact: &chainid.Fact{Name: "X", Categories: []string{"sidechain", "zk-stack"}},
			want: "mainnet sidechain evm zk-stack"},
		{name: "a settlement of a fact has an ecosystem", record: `"name": "X"`,
			fact: &chainid.Fact{Name: "X", Categories: []string{"settles-on-bitcoin", "polygon-cdk", "layer-2"}},
			want: "mainnet layer-2 evm polygon-cdk polygon-ecosystem bitcoin-ecosystem settles-on-bitcoin"},
		{name: "facts add to ecosystems", record: `"name": "X", "parent": {"type": "L2", "chain": "eip155-1"}`,
			fact: &chainid.Fact{Name: "X", Categories: []string{"bitcoin-ecosystem"}},
			want: "mainnet layer-2 evm ethereum-ecosystem bitcoin-ecosystem settles-on-ethereum"},
		{name: "a fact knows another virtual machine", record: `"name": "X"`,
			fact: &chainid.Fact{Name: "X", Categories: []string{"wasm-vm"}}, want: "mainnet wasm-vm"},
		{name: "a virtual machine of a fact about another chain", record: `"name": "X"`,
			fact: &chainid.Fact{Name: "Y", Categories: []string{"wasm-vm"}}, want: "mainnet evm"},
		{name: "a fact about another chain with the id", record: `"name": "X"`,
			fact: &chainid.Fact{Name: "Y", Categories: []string{"layer-1"}}, want: "mainnet evm"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := chainid.Options{Facts: map[string]chainid.Fact{}, Networks: map[string]chainid.Network{"5": chainid.Testnet}}
			for id, f := range belowFacts {
				opts.Facts[id] = f
			}
			if tt.fact != nil {
				opts.Facts["700"] = *tt.fact
			}
			if tt.member != "" {
				opts.Superchain = []chainid.SuperchainChain{{ChainID: "700", Name: "X", Network: tt.member}}
			}
			res := convert(t, "["+below+`, {"chainId": 700, `+tt.record+"}]", opts)
			for _, ch := range res.Chains {
				if ch.ChainID != "700" {
					continue
				}
				if got := strings.Join(ch.Categories, " "); got != tt.want {
					t.Errorf("categories %q, want %q", got, tt.want)
				}
			}
			var lost string
			for _, loss := range res.Report.Lost {
				if strings.HasPrefix(loss.Reason, "settlement: ") {
					lost += loss.Reason
				}
			}
			if lost != tt.lost {
				t.Errorf("lost %q, want %q", lost, tt.lost)
			}
		})
	}
}

// TestEcosystemsOfACycle checks that layers with a cycle of parents have the ecosystems of all
// of them.
func TestEcosystemsOfACycle(t *testing.T) {
	res := convert(t, `[{"name": "A", "chainId": 1, "parent": {"type": "L2", "chain": "eip155-3"}},
		{"name": "B", "chainId": 2, "parent": {"type": "L2", "chain": "eip155-1"}},
		{"name": "C", "chainId": 3, "parent": {"type": "L2", "chain": "eip155-2"}}]`,
		chainid.Options{Facts: map[string]chainid.Fact{"1": fact("A", "solana-ecosystem")}})
	for _, ch := range res.Chains {
		if !strings.Contains(strings.Join(ch.Categories, " "), "solana-ecosystem") {
			t.Errorf("chain %s has %v, want solana-ecosystem among them", ch.ChainID, ch.Categories)
		}
	}
}

func TestContradictions(t *testing.T) {
	tests := []struct {
		name, doc string
		opts      chainid.Options
		want      []string
	}{
		{"two layers", `[{"name": "A", "chainId": 1}, {"name": "B", "chainId": 2, "parent": {"type": "L2", "chain": "eip155-1"},
			"rpc": ["https://subnets.avax.network/b"]}]`, chainid.Options{},
			[]string{`chain 2 "B": layer-2 (parent.type L2) and layer-1 (an Avalanche L1 has validators of its own) exclude each other; settle it with a reviewed fact`}},
		{"two registries", `[{"name": "A", "chainId": 1, "parent": {"type": "L2", "chain": "eip155-9"}}, {"name": "B", "chainId": 2, "parent": {"type": "L2", "chain": "eip155-1"}}]`,
			chainid.Options{Superchain: []chainid.SuperchainChain{{ChainID: "2", Network: chainid.Mainnet}}},
			[]string{`chain 2 "B": layer-2 (the registry of the Superchain) and layer-3 (parent.type L2, and the parent "A" is a layer 2)`}},
		{"two stacks", `[{"name": "A", "chainId": 1, "rpc": ["https://x.skalenodes.com", "https://subnets.avax.network/b"]}]`, chainid.Options{},
			[]string{`chain 1 "A": skale-chain (an RPC on skalenodes.com) and avalanche-l1 (an RPC on subnets.avax.network)`}},
		{"kind and settlement, of two chains", `[{"name": "A", "chainId": 1}, {"name": "B Testnet", "chainId": 2}]`,
			chainid.Options{Facts: map[string]chainid.Fact{
				"1": fact("A", "layer-2", "settles-on-testnet"), "2": fact("B Testnet", "layer-2", "settles-on-ethereum")}},
			[]string{`chain 1 "A": a mainnet has settles-on-testnet`, `chain 2 "B Testnet": a testnet has settles-on-ethereum`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := chainid.Convert(strings.NewReader(tt.doc), tt.opts)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
		})
	}
}

func TestSuperchainJoin(t *testing.T) {
	res := convert(t, `[{"name": "A", "chainId": 1}, {"name": "B", "chainId": 2}, {"name": "Old", "chainId": 3, "status": "deprecated"}]`,
		chainid.Options{Superchain: []chainid.SuperchainChain{
			{ChainID: "1", Name: "A", Network: chainid.Mainnet}, {ChainID: "1", Name: "A", Network: chainid.Mainnet},
			{ChainID: "2", Name: "B", Network: chainid.Testnet}, {ChainID: "3", Name: "C", Network: chainid.Mainnet},
		}})
	want := chainid.Join{Joined: 2, NotJoined: []connector.Loss{
		{ChainID: "1", Name: "A", Reason: "an earlier row has the same chain id"},
		{ChainID: "2", Name: "B", Reason: "it is a testnet there and a mainnet here"},
	}}
	if diff := cmp.Diff(want, res.Report.Superchain); diff != "" {
		t.Errorf("join (-want +got):\n%s", diff)
	}
}

func TestFactsAndAliasesOfOtherChains(t *testing.T) {
	res := convert(t, `[{"name": "New", "chainId": 1, "shortName": "n", "nativeCurrency": {"symbol": "NEW"}}, {"name": "Same", "chainId": 2, "shortName": "s"}]`,
		chainid.Options{
			Facts: map[string]chainid.Fact{"1": fact("Former", "layer-1"), "7": fact("Gone", "layer-1")},
			Aliases: map[string]chainid.Aliases{
				"1": {Name: "Former", Aliases: []string{"old"}},
				"2": {Name: "Same", Aliases: []string{"S", "Other", "other", "same"}},
			}})
	want := []connector.Loss{
		{ChainID: "1", Name: "Former", Reason: `categories: the chain is now called "New"; review it again`},
		{ChainID: "1", Name: "Former", Reason: `aliases: the chain is now called "New"; review it again`},
		{ChainID: "7", Reason: "categories: the registry has no such chain id"},
	}
	if diff := cmp.Diff(want, res.Report.Unused); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
	for i, aliases := range [][]string{{"n"}, {"s", "Other"}} {
		if diff := cmp.Diff(aliases, res.Chains[i].Aliases); diff != "" {
			t.Errorf("aliases of chain %s (-want +got):\n%s", res.Chains[i].ChainID, diff)
		}
	}
}

// TestParentsOfReviewedSettlements checks that a chain with a reviewed settlement has that chain
// as its parent if the registry has none.
func TestParentsOfReviewedSettlements(t *testing.T) {
	res := convert(t, `[{"name": "Ethereum", "chainId": 1}, {"name": "Arbitrum", "chainId": 42161, "parent": {"type": "L2", "chain": "eip155-1"}},
		{"name": "Above", "chainId": 2}, {"name": "Beside", "chainId": 3}, {"name": "Elsewhere", "chainId": 4}]`,
		chainid.Options{Facts: map[string]chainid.Fact{
			"2": fact("Above", "layer-3", "settles-on-arbitrum"), "3": fact("Beside", "layer-1"), "4": fact("Elsewhere", "layer-2", "settles-on-gnosis"),
		}})
	for id, want := range map[string]string{"1": "", "42161": "ethereum", "2": "arbitrum", "3": "", "4": ""} {
		if got := of(t, res, id).Parent; got != want {
			t.Errorf("parent of %s: %q, want %q", id, got, want)
		}
	}
	if diff := cmp.Diff([]connector.Loss{{ChainID: "4", Name: "Elsewhere", Reason: "parent: the registry has no such chain id 100"}}, res.Report.Lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

// TestReviewedParents checks that a reviewed parent overrides the registry's, and applies only within a kind.
func TestReviewedParents(t *testing.T) {
	above := func(name, parent string) chainid.Fact {
		return chainid.Fact{Name: name, Categories: []string{"layer-2", "settles-on-testnet"}, Parent: parent, Why: "…"}
	}
	res := convert(t, `[{"name": "Ethereum", "chainId": 1}, {"name": "Sepolia", "chainId": 11155111}, {"name": "Hoodi", "chainId": 560048},
		{"name": "A Testnet", "chainId": 2}, {"name": "B Testnet", "chainId": 3, "parent": {"type": "L2", "chain": "eip155-560048"}},
		{"name": "C Testnet", "chainId": 4}, {"name": "D Testnet", "chainId": 5}]`,
		chainid.Options{Facts: map[string]chainid.Fact{
			"2": above("A Testnet", "11155111"), "3": above("B Testnet", "11155111"), "4": above("C Testnet", "1"), "5": above("Another", "11155111"),
		}})
	for id, want := range map[string]string{"2": "sepolia", "3": "sepolia", "4": "", "5": ""} {
		if got := of(t, res, id).Parent; got != want {
			t.Errorf("parent of %s: %q, want %q", id, got, want)
		}
	}
	if diff := cmp.Diff([]connector.Loss{{ChainID: "4", Name: "C Testnet", Reason: `parent: a testnet is not built on a mainnet (1 "Ethereum")`}}, res.Report.Lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}
