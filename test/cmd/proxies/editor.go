package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"vitrine/test/internal/trial"
)

// editor edits a catalogue directory and publishes it.
type editor struct {
	vitrine, dir, store string
}

// newEditor copies the binary and a catalogue to a directory that the user nobody can read.
func newEditor(vitrine, catalog, work string) *editor {
	e := &editor{vitrine: filepath.Join(work, "vitrine"), dir: filepath.Join(work, "catalog"), store: "sqlite:" + filepath.Join(work, "store.db")}
	trial.Check(os.WriteFile(e.vitrine, trial.Must(os.ReadFile(vitrine)), 0o755))
	trial.Check(os.CopyFS(e.dir, os.DirFS(catalog)))
	return e
}

// publish publishes a revision with a new chain and a new menu.
func (e *editor) publish(revision int64) error {
	chain := fmt.Sprintf("- {slug: eth-proxies, chain_id: proxies:1, name: Number %d, llama_tvl: %d}\n", revision, revision*1e9)
	menu := fmt.Sprintf("title: Later %d\nstandalone: []\n", revision)
	for name, text := range map[string]string{
		"chains/proxies.yaml":                      chain,
		fmt.Sprintf("nav/later-%d.yaml", revision): menu,
	} {
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	command := exec.Command(e.vitrine, "import", e.dir, "--store", e.store)
	command.SysProcAttr = asNobody()
	output, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("publish revision %d: %w\n%s", revision, err, output)
	}
	return nil
}
