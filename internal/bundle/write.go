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

	"vitrine/internal/domain"
	"vitrine/internal/picture"
)

// ErrNotEmpty is the error of Write and Init for a directory that is not empty: they never
// overwrite files.
var ErrNotEmpty = errors.New("the directory is not empty; name a new or an empty one")

// Write writes a catalogue into dir, which must be empty or missing. Reading it again gives an
// equal catalogue, unless this one has errors. The long lists are NDJSON, the rest is YAML; empty
// lists have no file. A missing directory appears atomically; in an existing one, catalog.yaml
// appears last.
func Write(c *domain.Catalog, dir string) error {
	lists, last, err := directoryOf(c)
	if err != nil {
		return err
	}
	return create(dir, lists, last)
}

// directoryOf returns a function that writes all files of a catalogue except the last one.
func directoryOf(c *domain.Catalog) (lists func(root *os.Root) error, last document, err error) {
	own, err := RecordYAML(c, domain.KindCatalog, 0)
	if err != nil {
		return nil, document{}, err
	}
	return func(root *os.Root) error {
		documents, err := documentsOf(c)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(documents)) {
			if err := writeFile(root, name, documents[name]); err != nil {
				return err
			}
		}
		for _, d := range domain.Descriptions() {
			if d.Long && d.Size(c) > 0 {
				if err := writeNew(root, d.File+".ndjson", func(w io.Writer) error { return writeLines(w, d, c, c.DefaultLocale) }); err != nil {
					return err
				}
			}
		}
		return nil
	}, document{"catalog.yaml", own}, nil
}

// documentsOf returns the files of a catalogue except long lists and catalog.yaml, by path.
func documentsOf(c *domain.Catalog) (map[string][]byte, error) {
	documents := map[string][]byte{}
	for _, d := range domain.Descriptions() {
		switch {
		case d.Kind == domain.KindCatalog, d.Long, d.Size(c) == 0:
		case d.File != "":
			document, err := yamlOf(listsOf(c, d.File))
			if err != nil {
				return nil, err
			}
			documents[d.File+".yaml"] = document
		default:
			for i := range d.Size(c) {
				slug := d.Key(d.Record(c, i))
				if !fileSlug.MatchString(slug) {
					return nil, fmt.Errorf("%s %q cannot be the name of a file", d.Names[0], slug)
				}
				if asset, ok := d.Record(c, i).(*domain.Asset); ok {
					documents[d.Folder+"/"+slug] = picture.Decode(picture.FormatOf(slug), asset.Content)
					continue
				}
				document, err := RecordYAML(c, d.Kind, i)
				if err != nil {
					return nil, err
				}
				documents[d.Folder+"/"+slug+".yaml"] = document
			}
		}
	}
	return documents, nil
}

// listsOf returns a file with lists of records as JSON.
func listsOf(c *domain.Catalog, file string) []byte {
	var b []byte
	for _, d := range listsIn(file) {
		for i := range d.Size(c) {
			switch {
			case i > 0:
				b = append(b, ',')
			case len(b) > 0:
				b = fmt.Appendf(b, "],%q:[", d.List)
			default:
				b = fmt.Appendf(b, "{%q:[", d.List)
			}
			b, _ = d.Shape.AppendJSON(b, d.Record(c, i), c.DefaultLocale) // invalid UTF-8 becomes U+FFFD
		}
	}
	return append(b, "]}"...)
}

// fileSlug matches path slugs (docs/identity.md#keys), which are safe as file names.
var fileSlug = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)

// writeFile writes a new file and the folders above it.
func writeFile(root *os.Root, name string, data []byte) error {
	return writeNew(root, name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeLines writes the records of a kind, one per line.
func writeLines(w io.Writer, d *domain.Description, c *domain.Catalog, locale string) error {
	buffered := bufio.NewWriter(w)
	var line []byte
	for i := range d.Size(c) {
		line, _ = d.Shape.AppendJSON(line[:0], d.Record(c, i), locale) // invalid UTF-8 becomes U+FFFD
		if _, err := buffered.Write(append(line, '\n')); err != nil {
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
