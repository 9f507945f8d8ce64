package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const registry = "../connector/chainid/testdata/chains.json"

// proposed runs propose chainid.
func proposed(t *testing.T, args ...string) (status int, diff, report string) {
	t.Helper()
	var out, messages bytes.Buffer
	status = run(t.Context(), append([]string{"propose", "chainid"}, args...), streams{out: &out, err: &messages})
	return status, out.String(), messages.String()
}

// directoryOf writes a catalogue directory with chains.
func directoryOf(t *testing.T, chains string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"catalog.yaml": "{title: Shop, default_locale: en, locales: [en]}", "categories.yaml": "groups: []\ncategories: []\n", "chains.yaml": chains,
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

const editors = `# Our chains.
- slug: ethereum
  name: Ethereum # without "Mainnet"
  chain_id: 1
  website: https://ethereum.example

- slug: op
  name: OP
  chain_id: eip155:10
- slug: solana
  name: Solana
  chain_id: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
`

// TestProposeChainid checks that missing facts and new chains are proposed and values of editors stay. The diff
// and --write lead to the same directory, which has no errors and nothing more to propose.
func TestProposeChainid(t *testing.T) {
	dir := directoryOf(t, editors)
	status, diff, report := proposed(t, dir, "--from", registry, "--new", "2", "--verbose")
	if status != 0 || !strings.Contains(report, "2 new chains, 2 chains with changed facts; 1 facts differ") ||
		!strings.Contains(report, "website is another one at the registry") || !strings.Contains(report, "2 further new chains are not proposed; --new 4") {
		t.Fatalf("%d\n%s\n%s", status, diff, report)
	}
	for _, line := range []string{"--- a/chains.yaml", "+++ b/chains.yaml", "--- /dev/null", "+++ b/chains/chainid.yaml", "+    symbol: ETH"} {
		if !strings.Contains(diff, line+"\n") {
			t.Errorf("no line %s in\n%s", line, diff)
		}
	}
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "---") {
			t.Errorf("a line of the editors is removed: %s", line)
		}
	}
	before, err := os.ReadFile(filepath.Join(dir, "chains.yaml"))
	must(t, err)
	if string(before) != editors {
		t.Error("the directory was written without --write")
	}
	patched := directoryOf(t, editors)
	if patch, err := exec.LookPath("patch"); err == nil {
		command := exec.Command(patch, "-p1", "-s")
		command.Dir, command.Stdin = patched, strings.NewReader(diff)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v %s\n%s", err, out, diff)
		}
	} else {
		patched = ""
	}
	if status, out, report := proposed(t, dir, "--from", registry, "--new", "2", "--write"); status != 0 || out != "" {
		t.Fatalf("%d %s %s", status, out, report)
	}
	for _, name := range []string{"chains.yaml", "chains/chainid.yaml"} {
		written, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		if !strings.Contains(string(written), "# ") {
			t.Errorf("%s has no comment", name)
		}
		if patched == "" {
			continue
		}
		if same, err := os.ReadFile(filepath.Join(patched, name)); err != nil || !bytes.Equal(written, same) {
			t.Errorf("%s differs after patch: %v\n%s\n%s", name, err, written, same)
		}
	}
	var out bytes.Buffer
	if status := run(t.Context(), []string{"check", dir}, streams{out: &out, err: &out}); status != 0 {
		t.Errorf("check: %d %s", status, out.String())
	}
	if status, diff, report := proposed(t, dir, "--from", registry, "--new", "0"); status != 0 || diff != "" {
		t.Errorf("again: %d %s %s", status, diff, report)
	}
}

// TestProposeChainidSince checks that a fact that the directory has from an earlier registry follows the
// registry, and that one that editors changed does not.
func TestProposeChainidSince(t *testing.T) {
	dir := directoryOf(t, strings.Replace(editors, "https://ethereum.example", "https://ethereum.org", 1))
	data, err := os.ReadFile(registry)
	must(t, err)
	later := filepath.Join(t.TempDir(), "later.json")
	must(t, os.WriteFile(later, bytes.Replace(data, []byte("https://ethereum.org"), []byte("https://ethereum.new"), 1), 0o600))
	status, diff, report := proposed(t, dir, "--from", later, "--since", registry, "--new", "0")
	if status != 0 || !strings.Contains(diff, "-  website: https://ethereum.org\n+  website: \"https://ethereum.new\"\n") {
		t.Errorf("%d\n%s\n%s", status, diff, report)
	}
	dir = directoryOf(t, editors)
	if status, diff, report := proposed(t, dir, "--from", later, "--since", registry, "--new", "0"); status != 0 || strings.Contains(diff, "ethereum.new") || !strings.Contains(report, "1 facts differ") {
		t.Errorf("%d\n%s\n%s", status, diff, report)
	}
}

// TestProposeChainidRejects checks that nothing is proposed from a document that is no registry, or for a
// broken directory.
func TestProposeChainidRejects(t *testing.T) {
	dir := directoryOf(t, editors)
	broken := filepath.Join(t.TempDir(), "broken.json")
	for _, text := range []string{"", "[]", "<html>", `{"error": "x"}`, `[{"name": "x"`} {
		must(t, os.WriteFile(broken, []byte(text), 0o600))
		if status, diff, report := proposed(t, dir, "--from", broken, "--write"); status != 2 || diff != "" || report == "" {
			t.Errorf("%s: %d %s %s", text, status, diff, report)
		}
	}
	if status, _, report := proposed(t, directoryOf(t, "- slug: one"), "--from", registry); status != 2 || !strings.Contains(report, "vitrine check") {
		t.Errorf("a broken directory: %d %s", status, report)
	}
	if status, _, report := proposed(t, dir, "--from", "http://127.0.0.1:1/chains.json"); status != 2 || !strings.Contains(report, "not public") {
		t.Errorf("a private address: %d %s", status, report)
	}
	after, err := os.ReadFile(filepath.Join(dir, "chains.yaml"))
	must(t, err)
	if string(after) != editors {
		t.Error("the directory was changed")
	}
}
