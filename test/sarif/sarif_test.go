// Package sarif tests SARIF output of the binary against the schema that OASIS published.
package sarif

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // its source has the schema
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema compiles the schema of SARIF 2.1.0 in the source of go-sarif, which does not export it.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(longest(file)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("https://docs.oasis-open.org/sarif-schema-2.1.0.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("https://docs.oasis-open.org/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// longest returns the longest string literal of a file.
func longest(file *ast.File) (text string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if s, err := strconv.Unquote(literal.Value); err == nil && len(s) > len(text) {
				text = s
			}
		}
		return true
	})
	return text
}

func build(t *testing.T) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "vitrine")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/vitrine")
	command.Dir = "../.."
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return binary
}

// directory writes a catalogue.
func directory(t *testing.T, dir, chains string) {
	t.Helper()
	for name, text := range map[string]string{
		"catalog.yaml":      "{title: Shop, default_locale: en, locales: [en, ja], gate: {rules: {currency: ask}}}",
		"categories.yaml":   "groups: [{key: layer, module: chain, name: Layer}]\ncategories: [{key: l1, name: L1, scopes: [chain], groups: {chain: [layer]}}]",
		"chains/été 1.yaml": chains,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSchema checks the output of all commands with results of all levels, with and without places.
func TestSchema(t *testing.T) {
	compiled, binary, root := schema(t), build(t), t.TempDir()
	const chain = "- {slug: one, name: One, chain_id: 1, categories: [l1], native_currency: {name: Ether, symbol: ETH, decimals: DECIMALS}}\n"
	directory(t, filepath.Join(root, "old"), strings.ReplaceAll(chain, "DECIMALS", "18"))
	directory(t, filepath.Join(root, "new"), strings.ReplaceAll(chain, "DECIMALS", "6")+"- {slug: two, name: Two, chain_id: 2, categories: []}\n")
	directory(t, filepath.Join(root, "broken"), chain)
	for _, tt := range []struct {
		args   []string
		status int
		level  string // of a result, "" for none
	}{
		{[]string{"check", "new"}, 0, "warning"},
		{[]string{"check", filepath.Join(root, "broken")}, 1, "error"},
		{[]string{"gate", "old", "old"}, 0, ""},
		{[]string{"gate", "old", "new"}, 1, "error"},
		{[]string{"preview", "old", "new"}, 0, "error"},
	} {
		command := exec.CommandContext(t.Context(), binary, append(tt.args, "--format", "sarif")...)
		command.Dir = root
		out, err := command.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || command.ProcessState.ExitCode() != tt.status {
			t.Errorf("%v: %v, want status %d", tt.args, err, tt.status)
		}
		if has := bytes.Contains(out, []byte(`"level":"`+tt.level+`"`)); has != (tt.level != "") {
			t.Errorf("%v has no result of level %q: %s", tt.args, tt.level, out)
		}
		log, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
		if err != nil {
			t.Fatalf("%v: %v: %s", tt.args, err, out)
		}
		if err := compiled.Validate(log); err != nil {
			t.Errorf("%v: %v\n%s", tt.args, err, out)
		}
	}
	if compiled.Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{}}}) == nil {
		t.Error("the schema accepts a run without a tool")
	}
}
