package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFullOutput checks that every command fails if its output cannot be written.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	dir := filepath.Join(t.TempDir(), "catalogue")
	db := "sqlite:" + filepath.Join(t.TempDir(), "vitrine.db")
	for _, command := range [][]string{{"init", dir}, {"import", dir, "--store", db}} {
		if status, out := runCommand(command...); status != 0 {
			t.Fatal(out)
		}
	}
	broken := filepath.Join(dir, "broken.yaml")
	must(t, os.WriteFile(broken, []byte("x: 1\n"), 0o600))
	for _, command := range [][]string{
		{"schema"}, {"schema", "chain"}, {"version"}, {"--version"}, {"--help"}, {"serve", "--help"}, {"help"}, {"help", "keys", "add"}, {"config"}, {"check", dir}, {"init", dir + "2"},
		{"history", "--store", db}, {"show", "chain", "ethereum", "--store", db},
		{"explain", "chain", "ethereum", "--store", db}, {"export", dir + "3", "--store", db}, {"keys", "add", "a", "--store", db}, {"keys", "list", "--store", db},
		{"rollback", "1", "--dry-run", "--store", db}, {"prune", "--keep", "1", "--store", db}, {"migrate", "--store", db},
	} {
		var stderr strings.Builder
		if status := run(context.Background(), command, streams{out: full, err: &stderr}); status != statusUnable || strings.Contains(stderr.String(), "(see vitrine") {
			t.Errorf("vitrine %s: status %d, want %d and no hint to read the help:\n%s", strings.Join(command, " "), status, statusUnable, stderr.String())
		}
	}
}
