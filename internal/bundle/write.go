package bundle

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"

	"vitrine/internal/catalog"
)

// ErrNotEmpty is the error of Write and Init for a directory that holds
// something: neither overwrites what editors wrote.
var ErrNotEmpty = errors.New("the directory is not empty")

// Write writes the directory form of a catalogue into dir, which is made if it
// is missing and must be empty. Reading it again gives an equal catalogue, if
// this one has no problems of severity Error. The long lists are NDJSON, the
// rest is YAML; empty lists have no file. A directory that was not there appears
// whole or not at all; in one that was, catalog.yaml appears last.
func Write(c *catalog.Catalog, dir string) error {
	lists, last := directoryOf(c)
	return create(dir, lists, last)
}

// directoryOf returns what writes all files of a catalogue but the last one.
func directoryOf(c *catalog.Catalog) (lists func(root *os.Root) error, last document) {
	e := encoder{locale: c.DefaultLocale}
	return func(root *os.Root) error {
		documents := map[string]*node{}
		if len(c.Groups)+len(c.Categories) > 0 {
			documents["categories.yaml"] = e.categories(c)
		}
		if len(c.NavGroups) > 0 {
			documents["nav.yaml"] = e.nav(c.NavGroups)
		}
		for i := range c.Menus {
			slug := c.Menus[i].PathSlug
			if !fileSlug.MatchString(slug) {
				return fmt.Errorf("menu %q: its path slug cannot be the name of a file", slug)
			}
			documents["nav/"+slug+".yaml"] = e.menu(&c.Menus[i])
		}
		for _, name := range slices.Sorted(maps.Keys(documents)) {
			if err := writeFile(root, name, yamlBytes(documents[name])); err != nil {
				return err
			}
		}
		return errors.Join(
			writeLines(root, "chains.ndjson", c.Chains, e.chain),
			writeLines(root, "twitter.ndjson", c.Accounts, e.account),
			writeLines(root, "youtube.ndjson", c.Channels, e.channel),
		)
	}, document{"catalog.yaml", yamlBytes(e.catalog(c))}
}

// fileSlug are the path slugs of the contract, which are safe as file names.
var fileSlug = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// WriteChains writes chains as NDJSON, one a line, in the fields' order of the
// contract. Texts are written as maps from locale, so that the lines mean the
// same whatever the default locale of the catalogue is.
func WriteChains(w io.Writer, chains []catalog.Chain) error {
	return encodeLines(w, chains, encoder{}.chain)
}

// writeFile writes a new file and the folders that it lies in.
func writeFile(root *os.Root, name string, data []byte) error {
	return writeNew(root, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func writeLines[T any](root *os.Root, name string, records []T, encode func(*T) *node) error {
	if len(records) == 0 {
		return nil
	}
	return writeNew(root, name, func(w io.Writer) error { return encodeLines(w, records, encode) })
}

func encodeLines[T any](w io.Writer, records []T, encode func(*T) *node) error {
	buffered := bufio.NewWriter(w)
	var line []byte
	for i := range records {
		line = append(appendJSON(line[:0], encode(&records[i])), '\n')
		if _, err := buffered.Write(line); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

func writeNew(root *os.Root, name string, write func(io.Writer) error) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
