package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"vitrine/test/internal/trial"
)

// catalogue is the state of the registry at a merge, as files of a directory.
type catalogue struct {
	sources map[string]*source         // by path
	dropped map[string]map[string]bool // texts that check refuses, by path
	lines   []string                   // the path of each line of chains.ndjson
}

const settings = `title: Registry
default_locale: en
locales: [en]
search: {demote: [testnet]}
`

const categories = `groups:
  - {key: network, module: chain, name: Network}
categories:
  - {key: mainnet, name: Mainnet, scopes: [chain], groups: {chain: [network]}}
  - {key: testnet, name: Testnet, scopes: [chain], groups: {chain: [network]}}
`

// newCatalogue returns the registry before the first merge: each file as it was before the first
// merge that changed it.
func newCatalogue(merges []merge) *catalogue {
	c := &catalogue{sources: map[string]*source{}, dropped: map[string]map[string]bool{}}
	seen := map[string]bool{}
	for _, m := range merges {
		for _, change := range m.Changes {
			if !seen[change.Path] && change.Before != nil {
				c.sources[change.Path] = change.Before
			}
			seen[change.Path] = true
		}
	}
	return c
}

// apply applies a merge.
func (c *catalogue) apply(m merge) {
	for _, change := range m.Changes {
		if change.After == nil {
			delete(c.sources, change.Path)
			continue
		}
		c.sources[change.Path] = change.After
	}
}

// encode returns chains.ndjson.
func (c *catalogue) encode() []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	c.lines = slices.Sorted(maps.Keys(c.sources))
	for _, path := range c.lines {
		trial.Check(encoder.Encode(convert(path, c.sources[path], c.dropped[path])))
	}
	return out.Bytes()
}

// write writes the directory.
func (c *catalogue) write(dir string) {
	trial.Check(os.MkdirAll(dir, 0o755))
	trial.Check(os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte(settings), 0o644))
	trial.Check(os.WriteFile(filepath.Join(dir, "categories.yaml"), []byte(categories), 0o644))
	trial.Check(os.WriteFile(filepath.Join(dir, "chains.ndjson"), c.encode(), 0o644))
}

// drop leaves out the text at a position of chains.ndjson from now on. It is false if there is none.
func (c *catalogue) drop(line, column int) bool {
	lines := bytes.Split(c.encode(), []byte("\n"))
	if line < 1 || line > len(c.lines) {
		return false
	}
	runes := []rune(string(lines[line-1]))
	if column < 1 || column > len(runes) {
		return false
	}
	var text string
	if json.NewDecoder(bytes.NewReader([]byte(string(runes[column-1:])))).Decode(&text) != nil {
		return false
	}
	path := c.lines[line-1]
	if c.dropped[path] == nil {
		c.dropped[path] = map[string]bool{}
	}
	known := c.dropped[path][text]
	c.dropped[path][text] = true
	return !known
}
