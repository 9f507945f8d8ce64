package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitrine/test/internal/trial"
)

// Sizes of the catalogue: lists large enough to be compressed, and quick to read.
const (
	chains   = 400
	accounts = 100
)

// leftToServer is the share of changes, one in so many, that are not imported: the server watches
// the directory and publishes them.
const leftToServer = 30

// editor changes one record of a catalogue directory per second.
type editor struct {
	vitrine, dir, store string
}

// newEditor writes a catalogue to work, publishes it, and returns a new API key.
func newEditor(vitrine, work string) (e *editor, key string) {
	e = &editor{vitrine: vitrine, dir: filepath.Join(work, "catalog"), store: "sqlite:" + filepath.Join(work, "store.db")}
	trial.Must(trial.Command(vitrine, "init", e.dir))
	trial.Check(e.fill())
	trial.Check(e.publish())
	return e, trial.Must(trial.Command(vitrine, "keys", "add", "soak", "--store", e.store))
}

// fill adds records to the result of vitrine init.
func (e *editor) fill() error {
	var many, users strings.Builder
	lines := json.NewEncoder(&many)
	for i := range chains {
		err := lines.Encode(map[string]any{
			"slug": fmt.Sprintf("chain-%d", i), "chain_id": fmt.Sprint(1000 + i), "llama_tvl": i * 1000 % 977, "categories": []string{"layer-1"},
			"name": map[string]string{"en": fmt.Sprintf("%s Chain %d", words[i%len(words)], i), "zh-hans": fmt.Sprintf("区块链 %d", i)},
			"logo": fmt.Sprintf("https://example.org/logos/%d.png", i),
		})
		if err != nil {
			return err
		}
	}
	lines = json.NewEncoder(&users)
	for i := range accounts {
		err := lines.Encode(map[string]any{
			"handle": fmt.Sprintf("account_%d", i), "name": fmt.Sprintf("%s %d", words[i%len(words)], i), "followers_count": i * 37,
			"categories": []string{"foundation"}, "description": "Writes about " + words[i*7%len(words)] + " and " + words[i*3%len(words)] + ".",
		})
		if err != nil {
			return err
		}
	}
	return errors.Join(e.write("chains/many.ndjson", many.String()), e.write("twitter/many.ndjson", users.String()), e.change(0))
}

// change changes the directory.
func (e *editor) change(n int) error {
	return e.write("chains/edited.yaml", fmt.Sprintf("- {slug: edited, chain_id: soak:1, name: {en: Edited %d, zh-hans: 已编辑 %d}, llama_tvl: %d}\n", n, n, n%1000))
}

// write replaces a file of the catalogue atomically. On a busy machine, a truncated file could be
// unchanged for a quarter of a second and be published.
func (e *editor) write(name, text string) error {
	path, written := filepath.Join(e.dir, name), e.dir+".new"
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(written, []byte(text), 0o644), os.Rename(written, path))
}

// edit publishes a change per second until ctx is done, and returns their number. Changes that
// are left to the server take longer: it waits until the directory is settled.
func (e *editor) edit(ctx context.Context) (changes int, err error) {
	for {
		next := time.Second
		if changes++; changes%leftToServer == 0 {
			next = 4 * time.Second
		}
		tick := time.NewTimer(next)
		if err := e.change(changes); err != nil {
			return changes, err
		}
		if changes%leftToServer != 0 {
			if err := e.publish(); err != nil {
				return changes, err
			}
		}
		select {
		case <-ctx.Done():
			return changes, nil
		case <-tick.C:
		}
	}
}

// publish imports the directory. It retries once if the server published at the same time.
func (e *editor) publish() error {
	_, err := trial.Command(e.vitrine, "import", e.dir, "--store", e.store)
	if err != nil {
		_, err = trial.Command(e.vitrine, "import", e.dir, "--store", e.store)
	}
	return err
}
