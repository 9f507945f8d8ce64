package chainid_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/catalogtool/chainid"
	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

func recordedFacts(t *testing.T) chainid.Result {
	t.Helper()
	opts := chainid.Options{Facts: map[string]chainid.Fact{"1234": fact("Step Network", "layer-1", "avalanche-l1")}}
	return open(t, "testdata/facts.json", func(f *os.File) (chainid.Result, error) { return chainid.Convert(f, opts) })
}

// of returns the chain with an id.
func of(t *testing.T, res chainid.Result, id string) domain.Chain {
	t.Helper()
	i := slices.IndexFunc(res.Chains, func(ch domain.Chain) bool { return ch.ChainID == id })
	if i < 0 {
		t.Fatalf("no chain has the id %s", id)
	}
	return res.Chains[i]
}

func endpoints(urls ...string) (out []domain.Endpoint) {
	for _, u := range urls {
		out = append(out, domain.Endpoint{URL: u})
	}
	return out
}

func TestRecordedFacts(t *testing.T) {
	res := recordedFacts(t)
	arbitrum := of(t, res, "42161")
	arbitrum.Categories = nil
	want := domain.Chain{
		Slug: "arbitrum-one", Name: en("Arbitrum One"), ChainID: "42161", Aliases: []string{"arb1"},
		Website: "https://arbitrum.io",
		Links: []domain.Link{
			{Type: "explorer", Name: "Arbiscan", URL: "https://arbiscan.io"},
			{Type: "explorer", Name: "Arbitrum Explorer", URL: "https://explorer.arbitrum.io"},
			{Type: "explorer", Name: "dexguru", URL: "https://arbitrum.dex.guru"},
			{Type: "bridge", URL: "https://bridge.arbitrum.io"},
		},
		RPC: endpoints("https://arb1.arbitrum.io/rpc", "https://arbitrum-one-rpc.publicnode.com", "wss://arbitrum-one-rpc.publicnode.com",
			"https://rpcfree.com/arbitrum-rpc", "https://rpc.satelink.network/rpc/arbitrum"),
		Currency: &domain.Currency{Name: "Ether", Symbol: "ETH", Decimals: 18},
		Parent:   "ethereum-mainnet",
	}
	if diff := cmp.Diff(want, arbitrum); diff != "" {
		t.Errorf("Arbitrum One (-want +got):\n%s", diff)
	}
	rpc := of(t, res, "1").RPC
	if len(rpc) != 10 || rpc[0].URL != "https://api.mycryptoapi.com/eth" || rpc[9].URL != "https://rpc.mevblocker.io" {
		t.Errorf("endpoints of Ethereum: %v, want the first ten without a place for a key", rpc)
	}
	for id, status := range map[string]domain.Status{"43288": domain.StatusRetired, "17000": domain.StatusUpcoming, "560048": ""} {
		if got := of(t, res, id).Status; got != status {
			t.Errorf("status of %s: %q, want %q", id, got, status)
		}
	}
	if got := of(t, res, "100001").Parent; got != "quarkchain-mainnet-root" {
		t.Errorf("parent of a shard: %q", got)
	}
	if got := of(t, res, "1234").Parent; got != "" {
		t.Errorf("parent of a layer 1: %q", got)
	}
}

// TestRecordedLosses lists everything in the registry that the chains lack.
func TestRecordedLosses(t *testing.T) {
	var got []string
	for _, loss := range recordedFacts(t).Report.Lost {
		got = append(got, loss.ChainID+" "+loss.Reason)
	}
	want := strings.Split(strings.TrimSpace(string(readFile(t, "testdata/facts-lost.txt"))), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

func TestFactsOfOtherShapes(t *testing.T) {
	for name, tt := range map[string]struct{ record, lost string }{
		"a website that is a number":     {`"infoURL": 5`, ""},
		"a path":                         {`"infoURL": "/about"`, `"/about" has no host`},
		"a website beyond ASCII":         {`"infoURL": "https://a.example/docså"`, `website "https://a.example/docså" has a character outside ASCII`},
		"white space around":             {`"infoURL": " https://a.example "`, ""},
		"an explorer that is a text":     {`"explorers": ["https://a.example"]`, "explorer: 1 of another shape"},
		"faucets that are no list":       {`"faucets": {}`, "faucet: 1 of another shape"},
		"an explorer of no name":         {`"explorers": [{"name": "none", "url": "https://a.example"}]`, ""},
		"a name that cannot be seen":     {`"explorers": [{"name": "\u202ex", "url": "https://a.example"}]`, `explorer: name holds the bidi override character U+202E`},
		"a password":                     {`"rpc": ["https://u:p@a.example"]`, "rpc: url has a user name or password before the host: it leads to \"a.example\""},
		"a parameter that is a key":      {`"rpc": ["https://a.example?apikey=1"]`, `rpc: url has the parameter "apikey", whose value would be published`},
		"a path that is a key":           {`"rpc": ["https://a.example/v1/0f1e2d3c4b5a69788796a5b4c3d2e1f0"]`, "rpc: url has a part that looks like a key"},
		"a place for a key":              {`"rpc": ["https://a.example/${KEY}", "https://a.example/{KEY}"]`, `rpc: url "https://a.example/${KEY}" has a placeholder; rpc: url "https://a.example/{KEY}" has a placeholder`},
		"another scheme":                 {`"rpc": ["ipc://a"]`, `rpc: url "ipc://a" is not an endpoint URL`},
		"twice":                          {`"rpc": ["https://a.example.org", "https://a.example.org"]`, ""},
		"a coin without decimals":        {`"nativeCurrency": {"name": "A", "symbol": "A"}`, ""},
		"a coin with half a decimal":     {`"nativeCurrency": {"name": "A", "symbol": "A", "decimals": 1.5}`, "native_currency: decimals 1.5 is not a whole number"},
		"a parent that is no EVM chain":  {`"parent": {"type": "shard", "chain": "cosmos-1"}`, `parent: "cosmos-1" is no EVM chain`},
		"a parent that is not there":     {`"parent": {"type": "shard", "chain": "eip155-9"}`, "parent: the registry has no such chain id 9"},
		"a parent that is the same":      {`"parent": {"type": "shard", "chain": "eip155-1"}`, "parent: 1 leads back to it"},
		"a parent that is a testnet":     {`"parent": {"type": "shard", "chain": "eip155-2"}`, `parent: a mainnet is not built on a testnet (2 "B Testnet")`},
		"bridges of a parent of no type": {`"parent": {"bridges": [{"url": "bridge"}]}`, `bridge: url "bridge" has no scheme`},
	} {
		t.Run(name, func(t *testing.T) {
			res := convert(t, `[{"name": "A", "chainId": 1, `+tt.record+`}, {"name": "B Testnet", "chainId": 2}]`, chainid.Options{})
			var lost []string
			for _, loss := range res.Report.Lost {
				lost = append(lost, loss.Reason)
			}
			if got := strings.Join(lost, "; "); got != tt.lost {
				t.Errorf("lost %q, want %q", got, tt.lost)
			}
		})
	}
}

func TestEndings(t *testing.T) {
	ending := func(name, successor string) chainid.Ending {
		return chainid.Ending{Name: name, Since: "2025-01-02", Note: en("It ended"), Successor: successor}
	}
	res := convert(t, `[{"name": "Old", "chainId": 1, "status": "incubating"}, {"name": "New", "chainId": 2}, {"name": "Renamed", "chainId": 3}]`,
		chainid.Options{Endings: map[string]chainid.Ending{
			"1": ending("Old", "2"), "2": ending("New", "1"), "3": ending("Other", ""), "4": ending("Gone", ""),
		}})
	got := of(t, res, "1")
	got.Categories = nil
	want := domain.Chain{Slug: "old", Name: en("Old"), ChainID: "1", Status: domain.StatusRetired, StatusSince: "2025-01-02",
		StatusNote: en("It ended"), Successor: "new"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chain 1 (-want +got):\n%s", diff)
	}
	if ch := of(t, res, "3"); ch.Status != "" {
		t.Errorf("the renamed chain is %s", ch.Status)
	}
	if res.Report.Retired != 2 || res.Report.Upcoming != 0 {
		t.Errorf("%d retired and %d upcoming, want 2 and 0", res.Report.Retired, res.Report.Upcoming)
	}
	if diff := cmp.Diff([]connector.Loss{{ChainID: "2", Name: "New", Reason: "successor: 1 leads back to it"}}, res.Report.Lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
	unused := []connector.Loss{
		{ChainID: "3", Name: "Other", Reason: `ending: the chain is now called "Renamed"; review it again`},
		{ChainID: "4", Reason: "ending: the registry has no such chain id"},
	}
	if diff := cmp.Diff(unused, res.Report.Unused); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
}

// TestDescriptions checks that a description and its source apply only while the chain has the reviewed name.
func TestDescriptions(t *testing.T) {
	described := func(name string) chainid.Description {
		return chainid.Description{Name: name, Text: en("A chain for tests"), Source: "https://example.com/" + name}
	}
	res := convert(t, `[{"name": " A ", "chainId": 1}, {"name": "Renamed", "chainId": 2}, {"name": "C", "chainId": 3}]`, chainid.Options{
		Descriptions: map[string]chainid.Description{"1": described("A"), "2": described("B"), "4": described("D")}})
	for id, want := range map[string]domain.Text{"1": en("A chain for tests"), "2": nil, "3": nil} {
		if diff := cmp.Diff(want, of(t, res, id).Description); diff != "" {
			t.Errorf("description of chain %s (-want +got):\n%s", id, diff)
		}
	}
	for id, want := range map[string]domain.JSON{"1": `{"description":"https://example.com/A"}`, "2": "", "3": ""} {
		if got := of(t, res, id).Sources; got != want {
			t.Errorf("sources of chain %s are %s, want %s", id, got, want)
		}
	}
	unused := []connector.Loss{
		{ChainID: "2", Name: "B", Reason: `description: the chain is now called "Renamed"; review it again`},
		{ChainID: "4", Reason: "description: the registry has no such chain id"},
	}
	if diff := cmp.Diff(unused, res.Report.Unused); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
}

func TestReadEndings(t *testing.T) {
	const whole = `"name": " A ", "since": "2025-01-02", "note": {"en": " It  ended ", "ja": ""}, "successor": 2, "sources": ["s"]`
	got, err := chainid.ReadEndings(strings.NewReader(`[{"chain_id": 1, ` + whole + `}]`))
	must(t, err)
	want := map[string]chainid.Ending{"1": {Name: "A", Since: "2025-01-02", Note: en("It ended"), Successor: "2", Source: "s"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("endings (-want +got):\n%s", diff)
	}
	for _, without := range []string{`"name": " A ", `, `"en": " It  ended ", `, `, "sources": ["s"]`} {
		entry := strings.Replace(whole, without, "", 1)
		if _, err := chainid.ReadEndings(strings.NewReader(`[{"chain_id": 1, ` + entry + `}]`)); err == nil {
			t.Errorf("no error for %s", entry)
		}
	}
	for _, with := range []string{"2025-13-01", "2025"} {
		entry := strings.Replace(whole, "2025-01-02", with, 1)
		if _, err := chainid.ReadEndings(strings.NewReader(`[{"chain_id": 1, ` + entry + `}]`)); err == nil {
			t.Errorf("no error for %s", entry)
		}
	}
}

// TestSymbolsAsAliases checks that a symbol is an alias of the mainnet, if there is one, and that
// borrowed symbols are not aliases.
func TestSymbolsAsAliases(t *testing.T) {
	chain := func(id int, name, symbol string) string {
		return fmt.Sprintf(`{"name": %q, "chainId": %d, "nativeCurrency": {"name": "x", "symbol": %q, "decimals": 18}}`, name, id, symbol)
	}
	res := convert(t, "["+strings.Join([]string{
		chain(1, "A", "AAA"), chain(2, "A Testnet", "aaa"), chain(3, "B Testnet", "tB"), chain(4, "C", "ETH"), chain(5, "C Testnet", "ALSO"),
	}, ",")+"]", chainid.Options{Aliases: map[string]chainid.Aliases{"4": {Name: "C", Aliases: []string{"Also"}}}})
	want := map[string][]string{"1": {"AAA"}, "2": nil, "3": {"tB"}, "4": {"Also"}, "5": nil}
	for id, aliases := range want {
		if diff := cmp.Diff(aliases, of(t, res, id).Aliases); diff != "" {
			t.Errorf("aliases of %s (-want +got):\n%s", id, diff)
		}
	}
}
