package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

// convertChainid runs the command and returns its status and output.
func convertChainid(args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	if err := run(args, &stdout, &stderr); err != nil {
		return 1, stdout.String(), stderr.String() + err.Error()
	}
	return 0, stdout.String(), stderr.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// written writes a file into a new directory and returns its path.
func written(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

const threeChains = `[
	{"name": "Two Mainnet", "chainId": 2, "shortName": "two", "icon": "i", "nativeCurrency": {"name": "Two", "symbol": "TWO", "decimals": 18}},
	{"name": "One <Testnet>", "chainId": 1, "shortName": "tone", "parent": {"type": "L2", "chain": "eip155-2"}},
	{"name": "Gone", "chainId": 3, "status": "deprecated"},
	{"name": "Nowhere"}
]`

// TestFlagsAreDocumented checks that the documentation names all flags, and that its table of
// inputs names only flags.
func TestFlagsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../catalog/chains-import.md")
	must(t, err)
	parser, err := kong.New(new(command))
	must(t, err)
	flags := map[string]bool{}
	for _, flag := range parser.Model.Flags {
		flags[flag.Name] = true
		if flag.Name != "help" && !bytes.Contains(page, []byte("`--"+flag.Name+"`")) {
			t.Errorf("no --%s in chains-import.md", flag.Name)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\|").FindAllSubmatch(page, -1) {
		if !flags[string(row[1])] {
			t.Errorf("chains-import.md: unknown flag --%s", row[1])
		}
	}
}

func TestConvert(t *testing.T) {
	out := filepath.Join(t.TempDir(), "chains.ndjson")
	status, stdout, stderr := convertChainid(written(t, "chains.json", threeChains),
		"--icons", written(t, "icons.json", `{"i": [{"url": "ipfs://bafy"}]}`),
		"--ipfs-gateway", "https://gw.example/ipfs/",
		"--tvl", written(t, "tvl.json", `[{"name": "II", "chainId": "2", "tvl": 5.5}, {"name": "Three", "chainId": 3, "tvl": 1}, {"name": "None", "tvl": null}]`),
		"--tvl-as-of", "2025-08-17",
		"--platforms", written(t, "platforms.json", `[{"name": "II", "chain_id": 2, "platforms": 7, "source": "s", "as_of": "2023-10-16"},
			{"name": "III", "chain_id": 3, "platforms": 8, "source": "s", "as_of": "2023-10-16"}]`),
		"--names", written(t, "names.json", `[{"chain_id": "2", "name": {"zh-hans": "二"}}]`),
		"--aliases", written(t, "aliases.json", `[{"chain_id": "2", "name": "Two Mainnet", "aliases": ["Deux"]}]`),
		"--categories", written(t, "categories.json", `[{"chain_id": "2", "name": "Two Mainnet", "categories": ["wasm-vm"], "why": "so"}]`),
		"--endings", written(t, "endings.json", `[{"chain_id": "3", "name": "Gone", "since": "2025-01-02", "note": {"en": "It ended"}, "successor": "2", "sources": ["s"]}]`),
		"--launched", written(t, "launched.json", `[{"chain_id": "3", "name": "Gone", "launched": "2020-01-02", "source": "s"}, {"chain_id": "1", "name": "Renamed", "launched": "2020-01-02", "source": "s"}]`),
		"--links", written(t, "links.json", `[{"chain_id": "3", "name": "Gone", "explorer": "https://scan.example", "source": "s"}]`),
		"--descriptions", written(t, "descriptions.json", `[{"chain_id": "3", "name": "Gone", "description": {"ja": "鎖", "en": "A <chain>"}}, {"chain_id": "9", "name": "Nine", "description": {"en": "x"}}]`),
		"--superchain", written(t, "superchain.json", `[{"chain_id": 2, "name": "Two", "superchain": "sepolia"}, {"chain_id": 9, "name": "Nine", "superchain": "mainnet"}, {"name": "None"}]`),
		"--kinds", written(t, "kinds.json", `[{"chain_id": "2", "kind": "testnet"}]`),
		"--keep-slugs", written(t, "earlier.ndjson", `{"slug": "uno", "chain_id": "1"}`),
		"--no-reviews", "--out", out)
	if status != 0 || stdout != "" {
		t.Fatalf("status %d, standard output %q, standard error:\n%s", status, stdout, stderr)
	}
	const wantReport = `left out: "Nowhere": the record has no chain id
not used: chain 1 "Renamed": launch: the chain is now called "One <Testnet>"; review it again
not used: chain 9: description: the registry has no such chain id
llama_tvl not joined: "None": the row has no tvl
llama_tvl not joined: chain 2 "II": the chain is a test network
platforms not joined: chain 2 "II": the chain is a test network
superchain not joined: "None": no chain id
superchain not joined: chain 9 "Nine": the registry has no such chain id
4 records read: 3 taken (1 mainnets, 2 testnets; 0 upcoming, 1 retired), 1 left out
llama_tvl: 1 rows joined, 2 not; platforms: 1 joined, 1 not; superchain: 1 joined, 2 not
chains with a category of chain_network: 3, chain_layer: 2, chain_vm: 3, chain_stack: 1, chain_ecosystem: 2, chain_settlement: 2
`
	if diff := cmp.Diff(wantReport, stderr); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	got, err := os.ReadFile(out)
	must(t, err)
	const want = `{"slug":"uno","name":{"en":"One <Testnet>"},"chain_id":"1","categories":["testnet","layer-3","evm","ethereum-ecosystem","settles-on-testnet"],"aliases":["tone"],"parent":"two-mainnet"}
{"slug":"two-mainnet","name":{"en":"Two Mainnet","zh-hans":"二"},"chain_id":"2","logo":"https://gw.example/ipfs/bafy",` +
		`"categories":["testnet","layer-2","wasm-vm","op-stack","ethereum-ecosystem","superchain","settles-on-testnet"],"aliases":["two","Deux"],"native_currency":{"name":"Two","symbol":"TWO","decimals":18}}
{"slug":"gone","name":{"en":"Gone"},"chain_id":"3","description":{"en":"A <chain>","ja":"鎖"},"categories":["mainnet","evm"],"llama_tvl":{"value":1,"source":"defillama","as_of":"2025-08-17"},"platforms":{"value":8,"source":"s","as_of":"2023-10-16"},` +
		`"launched":"2020-01-02","status":"retired","status_since":"2025-01-02","status_note":{"en":"It ended"},"successor":"two-mainnet","links":[{"type":"explorer","url":"https://scan.example"}],"sources":{"launched":"s","links":"s","status":"s"}}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestConvertLeavesOutByReview(t *testing.T) {
	status, stdout, stderr := convertChainid(written(t, "chains.json", threeChains), "--leave-out",
		written(t, "leave-out.json", `[{"chain_id": "3", "name": "Gone", "why": "so"}, {"chain_id": "2", "name": "Renamed", "why": "so"}]`))
	if status != 0 || strings.Contains(stdout, `"gone"`) || !strings.Contains(stdout, `"two-mainnet"`) {
		t.Errorf("status %d, records:\n%s", status, stdout)
	}
	for _, want := range []string{
		`left out: chain 3 "Gone": by review: so`,
		`not used: chain 2 "Renamed": leaving out: the chain is now called "Two Mainnet"; review it again`,
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	}
	if status, _, stderr := convertChainid(written(t, "chains.json", threeChains), "--leave-out",
		written(t, "leave-out.json", `[{"chain_id": "3", "name": "Gone"}]`)); status == 0 || !strings.Contains(stderr, "why is missing") {
		t.Errorf("no reason: status %d:\n%s", status, stderr)
	}
}

func TestConvertToStandardOutput(t *testing.T) {
	status, stdout, stderr := convertChainid(written(t, "chains.json", threeChains))
	if status != 0 {
		t.Fatalf("status %d:\n%s", status, stderr)
	}
	if got := strings.Count(stdout, "\n"); got != 3 {
		t.Errorf("%d lines on standard output, want 3:\n%s", got, stdout)
	}
	if !strings.Contains(stderr, "4 records read: 3 taken (2 mainnets, 1 testnets; 0 upcoming, 1 retired), 1 left out") {
		t.Errorf("report:\n%s", stderr)
	}
}

// TestConvertTwice checks that a conversion with its own result as previous import changes
// nothing.
func TestConvertTwice(t *testing.T) {
	chains := written(t, "chains.json", threeChains)
	out := filepath.Join(t.TempDir(), "chains.ndjson")
	if status, _, stderr := convertChainid(chains, "--out", out); status != 0 {
		t.Fatal(stderr)
	}
	first, err := os.ReadFile(out)
	must(t, err)
	if status, _, stderr := convertChainid(chains, "--keep-slugs", out, "--out", out); status != 0 {
		t.Fatal(stderr)
	}
	second, err := os.ReadFile(out)
	must(t, err)
	if diff := cmp.Diff(string(first), string(second)); diff != "" {
		t.Errorf("second conversion (-first +second):\n%s", diff)
	}
}

func TestConvertFailures(t *testing.T) {
	chains := written(t, "chains.json", threeChains)
	broken := written(t, "broken.json", `[{"name": `)
	out := filepath.Join(t.TempDir(), "out.ndjson")
	tests := []struct {
		name string
		args []string
		says string
	}{
		{"no file", nil, "expected"},
		{"a file that is not there", []string{filepath.Join(t.TempDir(), "none.json")}, "none.json"},
		{"a broken file", []string{broken, "--out", out}, "not valid JSON"},
		{"TVL without a date", []string{chains, "--tvl", chains}, "go together"},
		{"a date without TVL", []string{chains, "--tvl-as-of", "2025-08-17"}, "go together"},
		{"an odd date", []string{chains, "--tvl", chains, "--tvl-as-of", "17.8.2025"}, "not a date"},
		{"broken names", []string{chains, "--names", broken, "--out", out}, "broken.json"},
		{"an unknown kind", []string{chains, "--kinds", written(t, "kinds.json", `[{"chain_id": 1, "kind": "devnet"}]`)}, "write mainnet or testnet"},
		{"an unknown category", []string{chains, "--categories", written(t, "categories.json", `[{"chain_id": 1, "name": "A", "categories": ["l2"], "why": "so"}]`)}, "categories.json"},
		{"categories that exclude each other", []string{written(t, "odd.json", `[{"name": "A", "chainId": 1}, {"name": "B", "chainId": 2,
			"parent": {"type": "L2", "chain": "eip155-1"}, "rpc": ["https://subnets.avax.network/b"]}]`), "--out", out}, "exclude each other"},
		{"a launch without a source", []string{chains, "--launched", written(t, "launched.json", `[{"chain_id": 1, "name": "A", "launched": "2020-01-02"}]`)}, "launched.json"},
		{"a launch on no day", []string{chains, "--launched", written(t, "launched.json", `[{"chain_id": 1, "name": "A", "launched": "2020", "source": "s"}]`)}, "is not a date"},
		{"links without a source", []string{chains, "--links", written(t, "links.json", `[{"chain_id": 1, "name": "A", "website": "https://a.example"}]`)}, "links.json"},
		{"a description in no English", []string{chains, "--descriptions", written(t, "descriptions.json", `[{"chain_id": 1, "name": "A", "description": {"ja": "鎖"}}]`)}, "descriptions.json"},
		{"an alias that is none", []string{chains, "--aliases", written(t, "aliases.json", `[{"chain_id": 1, "name": "A", "aliases": [""]}]`)}, "aliases.json"},
		{"a broken registry of the Superchain", []string{chains, "--superchain", broken, "--out", out}, "broken.json"},
		{"an out of reach", []string{chains, "--out", filepath.Join(t.TempDir(), "none", "out.ndjson")}, filepath.FromSlash("none/out.ndjson was not written: ")},
		{"slugs in an array", []string{chains, "--keep-slugs", written(t, "chains.json", threeChains)}, "has no numeric chain id"},
		{"icons that are none", []string{chains, "--icons", written(t, "icons.json", `{"i": 1}`)}, "a value is of the wrong type: a JSON number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := convertChainid(tt.args...)
			if status != 1 || !strings.Contains(stderr, tt.says) {
				t.Errorf("status %d, standard error %q; want 1 and %q", status, stderr, tt.says)
			}
			if stdout != "" {
				t.Errorf("standard output %q, want none", stdout)
			}
			if strings.Contains(stderr, "struct") || strings.Contains(stderr, ".out.ndjson") {
				t.Errorf("standard error has internal details: %q", stderr)
			}
		})
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("a failed conversion left %s behind: %v", out, err)
	}
}

// TestConvertShrinks checks that a result that would remove most chains is rejected without its
// flag.
func TestConvertShrinks(t *testing.T) {
	const half = `{"slug": "uno", "chain_id": "1"}
{"slug": "dos", "chain_id": "2"}
{"slug": "ocho", "chain_id": "8"}
{"slug": "nueve", "chain_id": "9"}
`
	const less = half + `{"slug": "diez", "chain_id": "10"}`
	tests := []struct {
		name, chains, earlier string
		flags                 []string
		says                  string // "" if the file must be written
	}{
		{"nothing", `[]`, half, nil, "no record was taken, so nothing was written"},
		{"nothing usable", `[{"name": "Nowhere"}]`, half, nil, `left out: "Nowhere": the record has no chain id`},
		{"nothing, as is meant", `[]`, half, []string{"--shrink"}, ""},
		{"half", threeChains, half, nil, ""},
		{"less than half", threeChains, less, nil, "only 2 of the 5 chains of --keep-slugs remain"},
		{"less than half, as is meant", threeChains, less, []string{"--shrink"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := written(t, "earlier.ndjson", tt.earlier)
			args := append([]string{written(t, "chains.json", tt.chains), "--keep-slugs", out, "--out", out}, tt.flags...)
			status, _, stderr := convertChainid(args...)
			got, err := os.ReadFile(out)
			must(t, err)
			kept := string(got) == tt.earlier
			if tt.says == "" && (status != 0 || kept) {
				t.Errorf("status %d, written: %t; standard error:\n%s", status, !kept, stderr)
			}
			if tt.says != "" && (status != 1 || !kept || !strings.Contains(stderr, tt.says)) {
				t.Errorf("status %d, written: %t, want 1 and %q; standard error:\n%s", status, !kept, tt.says, stderr)
			}
		})
	}
}

func TestConvertCountsIdleReviews(t *testing.T) {
	chains := written(t, "chains.json", threeChains)
	const named = "not used: chain 77: review: the registry has no such chain id"
	status, _, stderr := convertChainid(chains)
	if status != 0 || strings.Contains(stderr, named) || strings.Count(stderr, "(--verbose names them)") != 1 {
		t.Errorf("status %d:\n%s", status, stderr)
	}
	if _, _, stderr = convertChainid(chains, "--verbose"); !strings.Contains(stderr, named) || strings.Contains(stderr, "--verbose") {
		t.Errorf("with --verbose:\n%s", stderr)
	}
}

// Figures are joined by reviewed names.
func TestConvertJoinsFigures(t *testing.T) {
	tvl := written(t, "tvl.json", `[{"name": "Two", "chainId": 2, "tvl": 0}, {"name": "Second", "chainId": 2, "tvl": 5}, {"name": "Solana", "chainId": null, "tvl": 7.5},
		{"name": "Unknown", "tvl": 1}]`)
	platforms := written(t, "protocols.csv", "name,protocols,timestamp\nSecond,0,2025-08-07\nTwo,3,2025-08-07\nSolana,282,2025-08-07\n")
	names := written(t, "names.json", `[{"name": "Solana", "decision": "joined", "chain_id": "solana:1", "why": "its name"}]`)
	status, stdout, stderr := convertChainid(written(t, "chains.json", `[{"name": "Two Mainnet", "chainId": 2}]`), "--tvl", tvl, "--tvl-as-of", "2026-05-29",
		"--platforms", platforms, "--llama-names", names, "--no-reviews")
	const want = `{"slug":"two-mainnet","name":{"en":"Two Mainnet"},"chain_id":"2","categories":["mainnet","evm"],` +
		`"llama_tvl":{"value":5,"source":"defillama","as_of":"2026-05-29"},"platforms":{"value":3,"source":"defillama","as_of":"2025-08-07"},"aliases":["Two"]}` + "\n"
	if status != 0 || stdout != want {
		t.Errorf("status %d, records %s; want %s\n%s", status, stdout, want, stderr)
	}
}

// Recordings that would remove most figures, or that are older than the existing ones, are rejected
// without their flag. The file is then unchanged.
func TestConvertKeepsFigures(t *testing.T) {
	const (
		ndjson = `{"slug":"a","chain_id":"1","llama_tvl":{"value":1,"source":"defillama","as_of":"2026-05-29"}}
{"slug":"b","chain_id":"2","llama_tvl":{"value":2,"source":"defillama","as_of":"2026-05-29"}}
{"slug":"c","chain_id":"7","llama_tvl":{"value":3,"source":"defillama","as_of":"2026-05-29"}}
{"slug":"d","chain_id":"8","llama_tvl":{"value":4,"source":"defillama","as_of":"2026-05-29"}}
`
		four = `{"name": "A", "chainId": 1, "tvl": 5}{"name": "B", "chainId": 2, "tvl": 5}{"name": "C", "chainId": 7, "tvl": 5}{"name": "D", "chainId": 8, "tvl": 5}`
		two  = `[{"name": "A", "chainId": 1, "tvl": 5}, {"name": "B", "chainId": 2, "tvl": 5}]`
	)
	chains := written(t, "registry.ndjson", `{"name": "A Mainnet", "chainId": 1}
{"name": "B Mainnet", "chainId": 2}
{"name": "C Mainnet", "chainId": 7}
{"name": "D Mainnet", "chainId": 8}
`)
	for _, tt := range []struct {
		name, recording, asOf string
		flags                 []string
		says                  string // "" if the file must be written
	}{
		{"all", four, "2026-06-01", nil, ""},
		{"two of four", two, "2026-06-01", nil, "only 2 of 4 llama_tvl figures would be left"},
		{"two of four, accepted", two, "2026-06-01", []string{"--shrink"}, ""},
		{"an error instead of rows", `{"error": "rate limited"}`, "2026-06-01", nil, "the recording has no usable rows"},
		{"cut off", `[{"name": "A", "chainId": 1, "tvl": 5}`, "2026-06-01", []string{"--shrink", "--older"}, "not valid JSON"},
		{"older", four, "2026-05-28", nil, "pass --older to write anyway"},
		{"older, accepted", four, "2026-05-28", []string{"--older"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			recording, file := written(t, "llama.json", tt.recording), written(t, "chains.ndjson", ndjson)
			args := append([]string{chains, "--tvl", recording, "--tvl-as-of", tt.asOf, "--no-reviews", "--out", file}, tt.flags...)
			status, _, errs := convertChainid(args...)
			got, err := os.ReadFile(file)
			must(t, err)
			kept := string(got) == ndjson
			if tt.says == "" && (status != 0 || kept) || tt.says != "" && (status != 1 || !kept || !strings.Contains(errs, tt.says)) {
				t.Errorf("status %d, file unchanged: %t, want %q; standard error:\n%s\nfile:\n%s", status, kept, tt.says, errs, got)
			}
		})
	}
}
