package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/preview"
	"vitrine/internal/site"
)

// maxPages bounds the pages of a static preview.
const maxPages = 500

// writeSite writes pages of head into a directory, which must be empty or missing: the overviews, and the
// pages of records whose responses change, in all locales. The index links to the review, which has the
// values before and after.
func writeSite(to streams, dir string, r *review, base, head preview.Version) error {
	pages, omitted := changedPages(base, head)
	s, err := site.New(site.Config{})
	if err != nil {
		return err
	}
	var changes bytes.Buffer
	if err := writeSections(&changes, r.verdict().text, r.counts(), r.sections()); err != nil {
		return err
	}
	files, err := s.Static(head.Snapshot, pages, changes.Bytes())
	if err != nil {
		return err
	}
	if err := writeFiles(dir, files); err != nil {
		return writeError(err)
	}
	more := ""
	if omitted > 0 {
		more = fmt.Sprintf("; left out: %s, as there are at most %s", grouped(omitted), grouped(maxPages))
	}
	_, err = fmt.Fprintf(to.err, "wrote %s pages to %s%s\n", grouped(len(pages)), dir, more)
	return err
}

// changedPages returns the canonical paths of the pages to write, and how many are left out.
func changedPages(base, head preview.Version) (pages []string, omitted int) {
	paths := site.Overviews()
	for _, of := range site.RecordPages() {
		for _, address := range preview.ChangedRecords(base, head, of.Kind) {
			paths = append(paths, of.Path+url.PathEscape(address))
		}
	}
	for _, path := range paths {
		for _, name := range head.Snapshot.Locales().Names() {
			if len(pages) == maxPages {
				omitted++
				continue
			}
			pages = append(pages, "/"+strings.ToLower(name)+path)
		}
	}
	return pages, omitted
}

// writeFiles writes files by slash path below a directory, which must be empty or missing.
func writeFiles(dir string, files map[string][]byte) error {
	found, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(found) > 0:
		return fmt.Errorf("%s: %w", dir, bundle.ErrNotEmpty)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
