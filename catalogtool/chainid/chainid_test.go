package chainid_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"vitrine/catalogtool/chainid"
	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/domain"
)

func convert(t *testing.T, doc string, opts chainid.Options) chainid.Result {
	t.Helper()
	res, err := chainid.Convert(strings.NewReader(doc), opts)
	must(t, err)
	return res
}

func open[T any](t *testing.T, path string, read func(f *os.File) (T, error)) T {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	v, err := read(f)
	must(t, err)
	return v
}

// recorded converts the recorded sample with all its side files.
func recorded(t *testing.T) chainid.Result {
	t.Helper()
	opts := chainid.Options{
		Reviews:  reviews(t),
		Networks: map[string]chainid.Network{"3366": chainid.Testnet, "999999999": chainid.Testnet},
		Names:    map[string]chainid.NameTexts{"1": {"zh-hans": " 以太坊主网 "}},
		Slugs:    map[string]string{"239": "tac"},
		Gateway:  "https://ipfs.io/ipfs/",
		Icons:    open(t, "testdata/icons.json", func(f *os.File) (map[string]string, error) { return chainid.ReadIcons(f) }),
		TVL: open(t, "../../internal/connector/defillama/testdata/v2-chains-2025-08-17.json", func(f *os.File) ([]connector.Row, error) {
			rows, lost, err := defillama.Chains(f, "2025-08-17")
			if len(lost) > 0 {
				t.Errorf("lost rows: %v", lost)
			}
			return rows, err
		}),
		Superchain: open(t, "testdata/superchain.json", func(f *os.File) ([]chainid.SuperchainChain, error) {
			rows, lost, err := chainid.ReadSuperchain(f)
			if len(lost) != 1 {
				t.Errorf("lost rows: %v; want that of the devnet", lost)
			}
			return rows, err
		}),
		Facts: map[string]chainid.Fact{
			"42161": {Name: "Arbitrum One", Categories: []string{"arbitrum-orbit"}, Why: "…"},
			"8453":  {Name: "Base", Categories: []string{"layer-2", "settles-on-ethereum"}, Why: "…"},
		},
		Aliases: map[string]chainid.Aliases{"1": {Name: "Ethereum Mainnet", Aliases: []string{"Ether", "ETH"}}},
		Platforms: open(t, "testdata/platforms.json", func(f *os.File) ([]connector.Row, error) {
			rows, _, err := connector.Counts(f)
			return rows, err
		}),
	}
	return open(t, "testdata/chains.json", func(f *os.File) (chainid.Result, error) { return chainid.Convert(f, opts) })
}

func en(name string) domain.Text { return domain.Text{{Locale: "en", Value: name}} }

func TestConvertRecorded(t *testing.T) {
	res := recorded(t)
	byID := map[string]domain.Chain{}
	for _, ch := range res.Chains {
		byID[ch.ChainID] = ch
	}
	tvl := func(v float64) *domain.Figure {
		return &domain.Figure{Value: v, Source: "defillama", AsOf: "2025-08-17"}
	}
	platforms := func(v float64) *domain.Figure {
		return &domain.Figure{Value: v, Source: "defillama", AsOf: "2023-10-16"}
	}
	want := map[string]domain.Chain{
		"1": {Slug: "ethereum-mainnet", ChainID: "1", Name: domain.Text{{Locale: "en", Value: "Ethereum Mainnet"}, {Locale: "zh-hans", Value: "以太坊主网"}},
			Logo:       "https://ipfs.io/ipfs/QmdwQDr6vmBtXmK2TmknkEuZNoaDqTasFdZdu3DRw8b2wt",
			Categories: []string{"mainnet", "evm"}, Aliases: []string{"eth", "Ether", "Ethereum", "以太坊"}, TVL: tvl(93518925875.6537), Platforms: platforms(884)},
		"42161": {Slug: "arbitrum-one", ChainID: "42161", Name: en("Arbitrum One"), Aliases: []string{"arb1"},
			Categories: []string{"mainnet", "layer-2", "evm", "arbitrum-orbit", "ethereum-ecosystem", "arbitrum-ecosystem", "settles-on-ethereum"}},
		"10": {Slug: "op-mainnet", ChainID: "10", Name: en("OP Mainnet"), Aliases: []string{"oeth", "OP"},
			Categories: []string{"mainnet", "layer-2", "evm", "op-stack", "ethereum-ecosystem", "superchain", "settles-on-ethereum"}},
		"8453": {Slug: "base", ChainID: "8453", Name: en("Base"), Categories: []string{"mainnet", "layer-2", "evm", "ethereum-ecosystem", "settles-on-ethereum"}},
		"3":    {Slug: "ropsten", ChainID: "3", Name: en("Ropsten"), Categories: []string{"testnet", "evm"}, Aliases: []string{"rop", "Ethereum Testnet Ropsten"}},
		"77":   {Slug: "poa-network-sokol", ChainID: "77", Name: en("POA Network Sokol"), Categories: []string{"testnet", "evm"}, Aliases: []string{"spoa"}},
		"16602": {Slug: "0g-galileo-testnet-16602", ChainID: "16602", Name: en("0G Galileo Testnet"), Categories: []string{"testnet", "evm"},
			Aliases: []string{"0g-galileo-testnet", "0G"}},
		"100610":   {Slug: "monsoon", ChainID: "100610", Name: en("Monsoon"), Categories: []string{"mainnet", "evm"}, Aliases: []string{"RDP"}},
		"239":      {Slug: "tac", ChainID: "239", Name: en("TAC Mainnet"), Categories: []string{"mainnet", "evm", "cosmos-sdk", "cosmos-ecosystem"}, Aliases: []string{"tacchain_239-1"}, TVL: tvl(209413263.240837)},
		"3366":     {Slug: "meroneum", ChainID: "3366", Name: en("Meroneum"), Categories: []string{"testnet", "evm"}, Aliases: []string{"meron-testnet", "MERON"}},
		"96969696": {Slug: "privix-chain-testnet", ChainID: "96969696", Name: en("Privix Chain Testnet"), Categories: []string{"testnet", "evm"}, Aliases: []string{"tpsc", "PRIVIX"}},
	}
	for id, w := range want {
		got := byID[id]
		if w.Logo == "" {
			got.Logo = ""
		}
		if w.TVL == nil {
			got.TVL = nil
		}
		if w.Platforms == nil {
			got.Platforms = nil
		}
		facts := cmpopts.IgnoreFields(domain.Chain{}, "Website", "Links", "RPC", "Currency", "Parent") // see TestRecordedFacts
		if diff := cmp.Diff(w, got, facts); diff != "" {
			t.Errorf("chain %s (-want +got):\n%s", id, diff)
		}
	}
	if got := byID["100"].Logo; got != "" {
		t.Errorf("logo of Gnosis, whose icon is not in the recording: %q", got)
	}
	last := res.Chains[len(res.Chains)-1]
	if last.ChainID != "2716446429837000" {
		t.Errorf("the last chain is %s, want 2716446429837000", last.ChainID)
	}
}

func TestConvertRecordedReport(t *testing.T) {
	rep := recorded(t).Report
	rep.Unused, rep.Idle = nil, nil                                                                                     // most reviews are of chains outside the sample
	rep.Lost = slices.DeleteFunc(rep.Lost, func(l connector.Loss) bool { return strings.HasPrefix(l.Reason, "rpc: ") }) // see TestRecordedLosses
	want := chainid.Report{
		Read: 38, Mainnets: 20, Testnets: 18, Upcoming: 1, Retired: 2,
		Lost: []connector.Loss{
			{ChainID: "3", Name: "Ropsten", Reason: `faucet: url "http://fauceth.komputing.org?chain=3&address=${ADDRESS}" has a placeholder`},
			{ChainID: "3", Name: "Ropsten", Reason: `faucet: url "https://faucet.ropsten.be?${ADDRESS}" has a placeholder`},
			{ChainID: "5", Name: "Goerli", Reason: `faucet: url "http://fauceth.komputing.org?chain=5&address=${ADDRESS}" has a placeholder`},
			{ChainID: "5", Name: "Goerli", Reason: `faucet: url "https://goerli-faucet.slock.it?address=${ADDRESS}" has a placeholder`},
			{ChainID: "100", Name: "Gnosis", Reason: `there is no icon "gnosis"`},
			{ChainID: "11155111", Name: "Ethereum Sepolia", Reason: `faucet: url "http://fauceth.komputing.org?chain=11155111&address=${ADDRES…" has a placeholder`},
		},
	}
	want.Coverage = []chainid.Coverage{
		{Group: "chain_network", Chains: 38}, {Group: "chain_layer", Chains: 7}, {Group: "chain_vm", Chains: 38},
		{Group: "chain_stack", Chains: 4}, {Group: "chain_ecosystem", Chains: 6}, {Group: "chain_settlement", Chains: 7},
	}
	want.Superchain = chainid.Join{Joined: 2, NotJoined: []connector.Loss{
		{ChainID: "57073", Name: "Ink", Reason: "the registry has no such chain id"},
		{ChainID: "11155420", Name: "OP Sepolia Testnet", Reason: "the registry has no such chain id"},
	}}
	notes := rep.TVL.NotJoined
	rep.TVL.NotJoined = nil
	want.TVL.Joined = 13
	want.Platforms = chainid.Join{Joined: 5, NotJoined: []connector.Loss{
		{Name: "Solana", Reason: "no chain id"},
		{Name: "Kardia", Reason: "no chain id"},
		{ChainID: "9001", Name: "Evmos", Reason: "the registry has no such chain id"},
		{ChainID: "71394", Name: "Godwoken", Reason: "the registry has no such chain id"},
	}}
	if diff := cmp.Diff(want, rep); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if len(notes)+want.TVL.Joined != 23 {
		t.Errorf("%d rows of TVL joined and %d not, want 23 in all", want.TVL.Joined, len(notes))
	}
}

func TestConvertLeavesOut(t *testing.T) {
	res := convert(t, `[
		{"name": "A", "chainId": 5},
		{"name": "B", "chainId": "007"},
		{"name": "C", "chainId": 123456789012345678901234567890},
		{"name": "no id"},
		{"name": "null id", "chainId": null},
		{"name": "zero", "chainId": 0},
		{"name": "negative", "chainId": -1},
		{"name": "float", "chainId": 1.5},
		{"name": "exponent", "chainId": 1e3},
		{"name": "word", "chainId": "cosmoshub-4"},
		{"name": "too long", "chainId": "`+strings.Repeat("9", 79)+`"},
		{"name": "a boolean", "chainId": true},
		{"name": 5, "chainId": 6},
		{"chainId": 8},
		{"name": "  ", "chainId": 9},
		{"name": "a\u202eb", "chainId": 10},
		{"name": "A again", "chainId": 5},
		{"name": "gone", "chainId": 11, "status": " Deprecated "},
		17, null, "text", []
	]`, chainid.Options{})
	var ids []string
	for _, ch := range res.Chains {
		ids = append(ids, ch.ChainID)
	}
	if diff := cmp.Diff([]string{"5", "7", "11", "123456789012345678901234567890"}, ids); diff != "" {
		t.Errorf("chain ids (-want +got):\n%s", diff)
	}
	want := []connector.Loss{
		{Name: "no id", Reason: "the record has no chain id"},
		{Name: "null id", Reason: "the record has no chain id"},
		{Name: "zero", Reason: "the record has no chain id"},
		{Name: "negative", Reason: `chain id "-1" is not a positive decimal integer`},
		{Name: "float", Reason: `chain id "1.5" is not a positive decimal integer`},
		{Name: "exponent", Reason: `chain id "1e3" is not a positive decimal integer`},
		{Name: "word", Reason: `chain id "cosmoshub-4" is not a positive decimal integer`},
		{Name: "too long", Reason: "chain id has 79 digits, more than 78"},
		{Name: "a boolean", Reason: `chain id "true" is not a positive decimal integer`},
		{Reason: "record 12: name is of the wrong type: a JSON number"},
		{Reason: "record 18: the record is of the wrong type: a JSON number"},
		{Reason: "the record has no chain id"},
		{Reason: "record 20: the record is of the wrong type: a JSON string"},
		{Reason: "record 21: the record is of the wrong type: a JSON array"},
		{ChainID: "5", Name: "A again", Reason: `chain id 5 is already that of "A"`},
		{ChainID: "8", Reason: "the record has no name"},
		{ChainID: "9", Reason: "the record has no name"},
		{ChainID: "10", Name: "a\u202eb", Reason: "the name is over 500 characters or holds control characters"},
	}
	if diff := cmp.Diff(want, res.Report.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

func TestConvertRefusesDocuments(t *testing.T) {
	for name, doc := range map[string]string{
		"empty":            "",
		"a text":           `"A"`,
		"cut off":          `[{"name": "A", "chainId": 1}`,
		"cut off inside":   `[{"name": "A", "cha`,
		"not JSON":         `[{name: "A"}]`,
		"two arrays":       `[] []`,
		"too deep":         strings.Repeat("[", 20_000),
		"a trailing comma": `[{"name": "A", "chainId": 1},]`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := chainid.Convert(strings.NewReader(doc), chainid.Options{}); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestSlugs(t *testing.T) {
	rec := func(id int, name, short, status string) string {
		b, _ := json.Marshal(map[string]any{"chainId": id, "name": name, "shortName": short, "status": status})
		return string(b)
	}
	long := strings.Repeat("long ", 30)
	tests := []struct {
		name    string
		records []string
		kept    map[string]string
		want    []string // in the order of chain ids
	}{
		{"punctuation", []string{rec(1, "re.al  (Real-World Assets)", "", "")}, nil, []string{"re-al-real-world-assets"}},
		{"accents", []string{rec(1, "Créditcoïn Ｎｅｔ ﬁ", "", "")}, nil, []string{"creditcoin-net-fi"}},
		{"apostrophe", []string{rec(1, "Bob's Chain", "", "")}, nil, []string{"bobs-chain"}},
		{"not all of the name has an ASCII form", []string{rec(1, "以太坊 V2", "Eth V2", "")}, nil, []string{"eth-v2"}},
		{"neither has the short name", []string{rec(1, "以太坊", "链", "")}, nil, []string{"chain-1"}},
		{"punctuation only", []string{rec(1, "!!!", "", "")}, nil, []string{"chain-1"}},
		{"the lowest id keeps the plain slug", []string{rec(30, "Same", "", ""), rec(4, "same!", "", ""), rec(100, "Same", "", "")}, nil,
			[]string{"same", "same-30", "same-100"}},
		{"deprecated chains keep theirs", []string{rec(1, "Same", "", "deprecated"), rec(2, "Same", "", "")}, nil, []string{"same", "same-2"}},
		{"a suffixed slug is taken by a name", []string{rec(3, "X 5", "", ""), rec(4, "X", "", ""), rec(5, "X", "", "")}, nil,
			[]string{"x-5", "x", "x-5-2"}},
		{"the slug of an earlier import stays", []string{rec(1, "Kaia", "", ""), rec(2, "Klaytn", "", "")}, map[string]string{"1": "klaytn"},
			[]string{"klaytn", "klaytn-2"}},
		{"long names", []string{rec(1, long, "", ""), rec(2, long, "", "")}, nil,
			[]string{strings.Repeat("long-", 19) + "long", strings.Repeat("long-", 19) + "lon-2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := convert(t, "["+strings.Join(tt.records, ",")+"]", chainid.Options{Slugs: tt.kept})
			var got []string
			for _, ch := range res.Chains {
				got = append(got, ch.Slug)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("slugs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKindsOverride(t *testing.T) {
	const doc = `[{"name": "Ropsten", "chainId": 3}, {"name": "Plain", "chainId": 4}, {"name": "Renamed", "chainId": 5}]`
	res := convert(t, doc, chainid.Options{
		Reviews: []chainid.Review{
			{ChainID: "3", Name: "Ropsten", Network: chainid.Mainnet},
			{ChainID: "4", Name: "Plain", Network: chainid.Mainnet},
			{ChainID: "5", Name: "Reviewed as this", Network: chainid.Testnet},
			{ChainID: "6", Name: "Gone", Network: chainid.Testnet},
		},
		Networks: map[string]chainid.Network{"4": chainid.Testnet},
	})
	want := [][]string{{"mainnet", "evm"}, {"testnet", "evm"}, {"mainnet", "evm"}}
	for i, ch := range res.Chains {
		if diff := cmp.Diff(want[i], ch.Categories); diff != "" {
			t.Errorf("%s (-want +got):\n%s", ch.ChainID, diff)
		}
	}
	unused := []connector.Loss{
		{ChainID: "5", Name: "Reviewed as this", Reason: `review: the chain is now called "Renamed"; review it again`},
	}
	if diff := cmp.Diff(unused, res.Report.Unused); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
	idle := []connector.Loss{{ChainID: "6", Reason: "review: the registry has no such chain id"}}
	if diff := cmp.Diff(idle, res.Report.Idle); diff != "" {
		t.Errorf("idle (-want +got):\n%s", diff)
	}
}

func TestJoin(t *testing.T) {
	row := func(id, name string, v float64) connector.Row {
		return connector.Row{ChainID: id, Name: name, Figure: domain.Figure{Value: v, Source: "s", AsOf: "2025-01-02"}}
	}
	res := convert(t, `[{"name": "One", "chainId": 1}, {"name": "Two", "chainId": 2}, {"name": "Old", "chainId": 3, "status": "deprecated"},
		{"name": "Five", "chainId": 5}, {"name": "Wanchain Testnet", "chainId": 999}]`,
		chainid.Options{TVL: []connector.Row{
			row("1", "another name", 0), row("", "One", 7), row("3", "Old", 8), row("4", "Two", 9),
			row("5", "former name", 0), row("5", "Five", 5), row("5", "lesser", 1), row("999", "HyperEVM", 6),
		}})
	want := chainid.Join{Joined: 3, NotJoined: []connector.Loss{
		{Name: "One", Reason: "no chain id"},
		{ChainID: "4", Name: "Two", Reason: "the registry has no such chain id"},
		{ChainID: "5", Name: "former name", Reason: "another row of the chain has more"},
		{ChainID: "5", Name: "lesser", Reason: "another row of the chain has more"},
		{ChainID: "999", Name: "HyperEVM", Reason: "the chain is a test network"},
	}}
	if diff := cmp.Diff(want, res.Report.TVL); diff != "" {
		t.Errorf("join (-want +got):\n%s", diff)
	}
	if got := res.Chains[0].TVL; got == nil || got.Value != 0 {
		t.Errorf("TVL of chain 1 is %v, want the value 0", got)
	}
	if got := res.Chains[3].TVL; got == nil || got.Value != 5 {
		t.Errorf("TVL of chain 5 is %v, want the larger value 5", got)
	}
	if got := res.Chains[1].TVL; got != nil {
		t.Errorf("TVL of chain 2 is %v, want none", got)
	}
}

func TestLogos(t *testing.T) {
	icons := map[string]string{"good": "ipfs://bafy/logo.svg", "web": "https://example.org/x.png", "odd": "ipfs://a b", "up": "ipfs://../x"}
	tests := []struct{ icon, want, lost string }{
		{"good", "https://gw.example/ipfs/bafy/logo.svg", ""},
		{"", "", ""},
		{"web", "", `icon "web" is not an ipfs:// address: "https://example.org/x.png"`},
		{"odd", "", `icon "odd" is not an ipfs:// address: "ipfs://a b"`},
		{"up", "", `icon "up" is not an ipfs:// address: "ipfs://../x"`},
		{"none", "", `there is no icon "none"`},
	}
	for _, tt := range tests {
		t.Run(tt.icon, func(t *testing.T) {
			res := convert(t, fmt.Sprintf(`[{"name": "A", "chainId": 1, "icon": %q}]`, tt.icon),
				chainid.Options{Icons: icons, Gateway: "https://gw.example/ipfs/"})
			if got := res.Chains[0].Logo; got != tt.want {
				t.Errorf("logo %q, want %q", got, tt.want)
			}
			var lost string
			if len(res.Report.Lost) > 0 {
				lost = res.Report.Lost[0].Reason
			}
			if lost != tt.lost {
				t.Errorf("lost %q, want %q", lost, tt.lost)
			}
		})
	}
}

// TestConvertIgnoresOrder checks that the result does not depend on the order of the file.
func TestConvertIgnoresOrder(t *testing.T) {
	var records []json.RawMessage
	must(t, json.Unmarshal(readFile(t, "testdata/chains.json"), &records))
	want := recordedPlain(t, records)
	rapid.Check(t, func(rt *rapid.T) {
		shuffled := rapid.Permutation(records).Draw(rt, "order")
		if diff := cmp.Diff(want, recordedPlain(t, shuffled)); diff != "" {
			rt.Fatalf("the order of the records shows (-want +got):\n%s", diff)
		}
	})
}

func recordedPlain(t *testing.T, records []json.RawMessage) chainid.Result {
	doc, err := json.Marshal(records)
	must(t, err)
	res, err := chainid.Convert(bytes.NewReader(doc), chainid.Options{})
	must(t, err)
	return res
}

func FuzzConvert(f *testing.F) {
	f.Add([]byte(`[{"name":"A","chainId":1,"shortName":"a","nativeCurrency":{"symbol":"X"},"parent":{"type":"L2"}},{"name":"A","chainId":"2","status":"deprecated"}]`))
	f.Add([]byte(`[{"name":"以太坊","chainId":1e3},{"name":"\u0000","chainId":7},5,null]`))
	f.Add([]byte(`[{"NAME":"Case","CHAINID":3,"icon":"i"}`))
	f.Add([]byte(`[{"name":"KorthoTest","title":"t","chainId":4,"status":"active","nativeCurrency":{"symbol":"ETH"}},{"name":"kortho test","chainId":40}]`))
	f.Add([]byte(`[{"name":"A","chainId":1,"parent":{"type":"L2","chain":"eip155-2"},"rpc":["https://a.skalenodes.com"]},{"name":"B","chainId":2,"rpc":5,"parent":{"type":"L2","chain":"eip155-1"}}]`))
	// Inputs that mutations of bytes rarely produce: many fields, many records, deep nesting.
	f.Add([]byte(`[{"name":"A","chainId":1` + strings.Repeat(`,"x":{}`, 500) + `}]`))
	f.Add([]byte(`[{"name":"A","chainId":1}` + strings.Repeat(`,{"name":"A","chainId":1}`, 500) + `]`))
	f.Add([]byte(`[{"name":"A","chainId":1,"rpc":["https://a b","ws://a","https://u:p@a"],"infoURL":"//x","explorers":[{"name":"\u202e","url":"https://a"},5],"faucets":{},"nativeCurrency":{"name":"A","symbol":"B","decimals":1e99}}]`))
	f.Add([]byte(`[{"name":"A","chainId":1,"rpc":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}]`))
	opts := chainid.Options{Superchain: []chainid.SuperchainChain{{ChainID: "2", Network: chainid.Mainnet}},
		Facts: map[string]chainid.Fact{"1": {Name: "A", Categories: []string{"zk-stack", "solana-ecosystem"}}},
		Icons: map[string]string{"i": "ipfs://x"}, Gateway: "https://g/", Slugs: map[string]string{"2": "kept"},
		Endings: map[string]chainid.Ending{"1": {Name: "A", Note: en("It ended"), Successor: "2"}, "2": {Name: "A", Note: en("It ended"), Successor: "1"}}}
	f.Fuzz(func(t *testing.T, doc []byte) {
		res, err := chainid.Convert(bytes.NewReader(doc), opts)
		if err != nil {
			return
		}
		if got := len(res.Chains) + len(res.Report.LeftOut); got != res.Report.Read {
			t.Errorf("%d chains and %d left out of %d read", len(res.Chains), len(res.Report.LeftOut), res.Report.Read)
		}
		if got := res.Report.Mainnets + res.Report.Testnets; got != len(res.Chains) {
			t.Errorf("%d kinds of %d chains", got, len(res.Chains))
		}
		slugs := map[string]bool{}
		for _, ch := range res.Chains {
			if slugs[ch.Slug] {
				t.Errorf("slug %q twice", ch.Slug)
			}
			slugs[ch.Slug] = true
		}
		for _, p := range domain.Check(bundledAround(res.Chains), domain.Reading{}).Problems {
			if p.Rule.Severity() == domain.Error {
				t.Errorf("chain %d at %v: %s: %s", p.At.Index, p.At.Path, p.Rule, p.Message)
			}
		}
		again, err := chainid.Convert(bytes.NewReader(doc), opts)
		if diff := cmp.Diff(res, again); err != nil || diff != "" {
			t.Errorf("a second run gives a different result: %v\n%s", err, diff)
		}
	})
}

// bundledAround returns a valid catalogue with the chains.
func bundledAround(chains []domain.Chain) *domain.Catalog {
	text := en("x")
	c := &domain.Catalog{Title: text, DefaultLocale: "en", Locales: []string{"en", "zh-hans"}, Chains: chains,
		Groups: []domain.Group{{Key: "g", Module: domain.ModuleChain, Name: text}}}
	_, keys := chainid.Taxonomy()
	for _, key := range slices.Concat(keys...) {
		c.Categories = append(c.Categories, domain.Category{Key: key, Name: text, Scopes: []domain.Module{domain.ModuleChain},
			Groups: []domain.ModuleGroups{{Module: domain.ModuleChain, Keys: []string{"g"}}}})
	}
	return c
}
