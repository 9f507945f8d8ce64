package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written puts a file into a directory of its own and returns its path.
func written(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// Figures are joined by reviewed names.
func TestConvertDefillama(t *testing.T) {
	tvl := written(t, "tvl.json", `[{"name": "Two", "chainId": 2, "tvl": 0}, {"name": "Second", "chainId": 2, "tvl": 5}, {"name": "Solana", "chainId": null, "tvl": 7.5},
		{"name": "Unknown", "tvl": 1}]`)
	platforms := written(t, "protocols.csv", "name,protocols,timestamp\nSecond,0,2025-08-07\nTwo,3,2025-08-07\nSolana,282,2025-08-07\n")
	names := written(t, "names.json", `[{"name": "Solana", "decision": "joined", "chain_id": "solana:1", "why": "its name"}]`)
	chains := written(t, "chains.yaml", "chains:\n  # by hand\n  - slug: solana\n    chain_id: solana:1\n    categories: [mainnet]\n")
	var out, errs bytes.Buffer
	status := run(context.Background(), []string{"convert", "defillama", tvl, "--as-of", "2026-05-29", "--platforms", platforms, "--names", names, "--chains", chains},
		streams{out: &out, err: &errs})
	got, err := os.ReadFile(chains)
	must(t, err)
	const wantFile = "chains:\n  # by hand\n  - slug: solana\n    chain_id: solana:1\n    categories: [mainnet]\n" +
		"    llama_tvl: {value: 7.5, source: defillama, as_of: 2026-05-29}\n    platforms: {value: 282, source: defillama, as_of: 2025-08-07}\n"
	if status != 0 || out.Len() != 0 || string(got) != wantFile {
		t.Errorf("status %d, standard output %q, file:\n%s\n%s", status, &out, got, &errs)
	}
	wantReport := `llama_tvl not joined: "Unknown": no chain id, and the name is not reviewed
llama_tvl not joined: chain 2 "Two": another row of the chain has more
platforms not joined: "Second": 0 protocols: the recording did not count them
2 figures are in ` + chains + ", which was written\n"
	if diff := cmp.Diff(wantReport, errs.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestConvertDefillamaFailures(t *testing.T) {
	good := written(t, "good.json", `[{"name": "Two", "chainId": 2, "tvl": 5}]`)
	names := written(t, "names.json", `[]`)
	broken := written(t, "broken.json", `[{"name": `)
	chains := written(t, "chains.yaml", "chains: []\n")
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{good, "--as-of", "29.5.2026", "--names", names, "--chains", chains}, 2, "not a date"},
		{[]string{broken, "--as-of", "2026-05-29", "--names", names, "--chains", chains}, 1, "broken.json"},
		{[]string{good, "--as-of", "2026-05-29", "--names", broken, "--chains", chains}, 1, "broken.json"},
		{[]string{good, "--as-of", "2026-05-29", "--names", names, "--chains", written(t, "odd.yaml", "apps: []\n")}, 1, "no list of chains"},
		{[]string{good, "--as-of", "2026-05-29", "--names", names, "--chains", filepath.Join(t.TempDir(), "none.yaml")}, 2, "none.yaml"},
		{[]string{good, "--as-of", "2999-01-01", "--names", names, "--chains", chains}, 2, "--as-of 2999-01-01 is in the future"},
		{[]string{written(t, "large.json", `[{"name": "Two", "chainId": 2, "tvl": 1e300}]`), "--as-of", "2026-05-29", "--names", names, "--chains", chains}, 1,
			`large.json: the llama_tvl 1e+300 of "Two" is too large, the limit is 9007199254740991, so nothing was written`},
		{[]string{good, "--as-of", "2026-05-29", "--platforms", written(t, "late.csv", "name,protocols,timestamp\nTwo,5,2999-01-01T00:00:00Z\n"), "--names", names, "--chains", chains}, 1,
			`late.csv: the platforms 5 of "Two" is of 2999-01-01, which is in the future`},
		{[]string{written(t, "good.json.gz", "\x1f\x8b\x08\x00"), "--as-of", "2026-05-29", "--names", names, "--chains", chains}, 1, "good.json.gz: the file is compressed; unpack it"},
		{[]string{written(t, "wide.json", "\xff\xfe[\x00]\x00"), "--as-of", "2026-05-29", "--names", names, "--chains", chains}, 1, "wide.json: the file is UTF-16, not UTF-8; save it as UTF-8"},
		{[]string{good, "--as-of", "2026-05-29", "--names", names, "--chains", written(t, "chains.yaml.gz", "\x1f\x8b\x08\x00")}, 1, "chains.yaml.gz: the file is compressed; unpack it"},
	} {
		var out, errs bytes.Buffer
		status := run(context.Background(), append([]string{"convert", "defillama"}, tt.args...), streams{out: &out, err: &errs})
		if status != tt.status || !strings.Contains(errs.String(), tt.says) {
			t.Errorf("%v: status %d, standard error %q; want %d and %q", tt.args, status, &errs, tt.status, tt.says)
		}
	}
}

// Recordings that would remove most figures, or that are older than the existing ones, are rejected
// without their flag. The file is then unchanged.
func TestConvertKeepsFigures(t *testing.T) {
	const (
		yaml = "chains:\n  - slug: a\n    chain_id: cosmos:a-1\n    llama_tvl: {value: 1, source: defillama, as_of: 2026-05-29}\n    platforms: {value: 9, source: defillama, as_of: 2026-01-01}\n" +
			"  - slug: b\n    chain_id: b-1\n    llama_tvl: {value: 2, source: defillama, as_of: 2026-05-29}\n" +
			"  - slug: c\n    chain_id: eip155:7\n    llama_tvl: {value: 3, source: defillama, as_of: 2026-05-29}\n" +
			"  - slug: d\n    chain_id: 8\n    llama_tvl: {value: 4, source: defillama, as_of: 2026-05-29}\n"
		four  = `{"name": "A", "chainId": 1, "tvl": 5}{"name": "B", "chainId": 2, "tvl": 5}{"name": "C", "chainId": 7, "tvl": 5}{"name": "D", "chainId": 8, "tvl": 5}`
		other = `[{"name": "Z", "chainId": 99, "tvl": 5}]`
	)
	names := written(t, "names.ndjson", `{"name": "A", "decision": "joined", "chain_id": "a-1", "why": "so"}
{"name": "B", "decision": "joined", "chain_id": "cosmos:b-1", "why": "so"}
`)
	for _, tt := range []struct {
		name, recording, asOf string
		flags                 []string
		says                  string // "" where it is written
	}{
		{"all", four, "2026-06-01", nil, ""},
		{"none that joins", other, "2026-06-01", nil, "no llama_tvl figures would be left of 4"},
		{"empty", `[]`, "2026-06-01", nil, "the recording has no usable rows, so nothing was written"},
		{"empty, accepted", `[]`, "2026-06-01", []string{"--shrink"}, ""},
		{"older, only to shrink", four, "2026-05-28", []string{"--shrink"}, "the recording of llama_tvl is dated 2026-05-28, older than the existing figures of 2026-05-29"},
		{"older, accepted", four, "2026-05-28", []string{"--older"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			recording, file := written(t, "llama.json", tt.recording), written(t, "chains.yaml", yaml)
			var errs bytes.Buffer
			args := append([]string{"convert", "defillama", recording, "--as-of", tt.asOf, "--names", names, "--chains", file}, tt.flags...)
			status := run(context.Background(), args, streams{out: io.Discard, err: &errs})
			got, err := os.ReadFile(file)
			must(t, err)
			kept := string(got) == yaml
			if tt.says == "" && (status != 0 || kept) || tt.says != "" && (status != 1 || !kept || !strings.Contains(errs.String(), tt.says)) {
				t.Errorf("status %d, file unchanged: %t, want %q; standard error:\n%s\nfile:\n%s", status, kept, tt.says, &errs, got)
			}
			if tt.name == "all" && strings.Count(string(got), "{value: 5,") != 4 {
				t.Errorf("not all four ids joined:\n%s", got)
			}
			if !strings.Contains(string(got), "platforms: {value: 9") {
				t.Errorf("counts are lost without a recording of them:\n%s", got)
			}
		})
	}
}
