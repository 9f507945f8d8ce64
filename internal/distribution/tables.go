package distribution

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"vitrine/internal/tables"
)

// Tables are the content of a revision as CSV and as a SQLite file, for analysts. Readers do not
// need them. They may be of an earlier revision, because writing them costs as much as the whole
// catalogue.
type Tables struct {
	Revision  Revision  `json:"revision"`
	Digest    string    `json:"digest"` // of the revision, see [digestOf]
	WrittenAt time.Time `json:"writtenAt"`
	Files     []Table   `json:"files"`
}

// Table is a compressed file of [Tables].
type Table struct {
	Name   string `json:"name"`   // of the table; "catalogue" for all
	Format string `json:"format"` // "csv" or "sqlite"
	File   File   `json:"file"`
}

// scratchFile is the SQLite file while it is written, in the folder of the distribution. A killed
// process leaves it behind, and the next write replaces it.
const scratchFile = ".tables.sqlite"

// maxTable is the maximum size of a table after decompression.
const maxTable = 16 << 30

// check returns an error if the description is malformed.
func (t *Tables) check() error {
	for _, table := range t.Files {
		f := table.File
		if f.ContentSize < 0 || f.ContentSize > maxTable {
			return fmt.Errorf("%s has an impossible size", f.Path)
		}
		f.ContentSize = 0 // tables are larger than files of lines
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

// tablesDue returns the time at which the tables must be written again; ok is false for never.
func (w *Writer) tablesDue() (at time.Time, ok bool) {
	switch t := w.last.Tables; {
	case w.config.Tables == nil:
		return time.Time{}, t != nil // they are no longer wanted
	case w.tablesFault != nil:
		return w.tablesRetry, true
	case t == nil:
		return time.Time{}, true
	case t.Digest == w.last.Digest:
		return time.Time{}, false
	default:
		return t.WrittenAt.Add(*w.config.Tables), true
	}
}

// usableTables returns the tables of the last entry, nil if the next one cannot have them. Tables with
// a purged record are not used.
func (w *Writer) usableTables(job *writing, purged bool) *Tables {
	if w.last == nil || w.last.Tables == nil || purged || w.last.Epoch != job.entry.Epoch {
		return nil
	}
	for _, table := range w.last.Tables.Files {
		if !folder(w.config.Dir).has(table.File) {
			return nil
		}
	}
	return w.last.Tables
}

// tablesPause is the time before tables that could not be written are tried again.
const tablesPause = time.Minute

// tables describes the tables in the entry, and writes them if they are due. If they cannot be written,
// the entry has the previous ones or none, and tablesFault says why.
func (w *Writer) tables(job *writing, purged bool) error {
	if w.config.Tables == nil {
		w.tablesFault = nil
		return nil
	}
	e, usable := job.entry, w.usableTables(job, purged)
	if usable != nil && (usable.Digest == e.Digest || e.IssuedAt.Before(usable.WrittenAt.Add(*w.config.Tables))) {
		e.Tables, w.tablesFault = usable, nil
		return nil
	}
	e.Tables = usable
	if w.tablesFault != nil && e.IssuedAt.Before(w.tablesRetry) {
		return nil
	}
	written, err := job.writeTables(w.tableLimit)
	if job.ctx.Err() != nil {
		return job.ctx.Err()
	}
	if err != nil {
		w.tablesFault, w.tablesRetry = err, e.IssuedAt.Add(tablesPause)
		return nil
	}
	e.Tables, w.tablesFault = written, nil
	return nil
}

// writeTables writes the tables of the revision. limit is the maximum size of a compressed table.
func (w *writing) writeTables(limit int) (*Tables, error) {
	e := w.entry
	t := &Tables{Revision: e.Revision, Digest: e.Digest, WrittenAt: e.IssuedAt, Files: []Table{}}
	source := &tables.Source{Catalog: &w.lines.encoder.public, Hidden: w.lines.encoder.hidden, About: []tables.Fact{
		{Name: "catalogue", Value: e.Catalogue}, {Name: "revision", Value: strconv.FormatInt(e.Revision.Number, 10)},
		{Name: "published_at", Value: e.Revision.PublishedAt.Format(time.RFC3339Nano)}, {Name: "digest", Value: e.Digest},
	}}
	for _, of := range []struct {
		name  string
		value any
		known bool
	}{{"licences", e.Licences, len(e.Licences) > 0}, {"sources", e.Sources, len(e.Sources) > 0}} {
		if !of.known {
			continue
		}
		text, err := json.Marshal(of.value)
		if err != nil {
			return nil, err
		}
		source.About = append(source.About, tables.Fact{Name: of.name, Value: string(text)})
	}
	if err := w.addTable(t, "catalogue", "sqlite", limit, func(to io.Writer) error { return w.sqlite(to, source) }); err != nil {
		return nil, err
	}
	for name, write := range tables.CSV(source) {
		if err := w.addTable(t, name, "csv", limit, write); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// sqlite writes the SQLite file by way of a file of the folder.
func (w *writing) sqlite(to io.Writer, source *tables.Source) (err error) {
	path := folder(w.dir).name(scratchFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	if err := tables.WriteSQLite(w.ctx, path, source); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() // which is only read
	_, err = io.Copy(to, file)
	return err
}

// errLargeTable reports that a compressed table is larger than its limit.
var errLargeTable = errors.New("the table is too large")

// addTable compresses what write writes, writes the file, and adds it to the tables. A table that is
// larger than limit is omitted.
func (w *writing) addTable(t *Tables, name, format string, limit int, write func(io.Writer) error) error {
	var packed bytes.Buffer
	sum := sha256.New()
	out := gzip.NewWriter(&packed)
	content := &counted{ctx: w.ctx, to: io.MultiWriter(out, sum), packed: &packed, limit: limit}
	err := cmp.Or(write(content), out.Close())
	if err == nil && packed.Len() > limit {
		err = errLargeTable
	}
	if errors.Is(err, errLargeTable) {
		w.omitted = append(w.omitted, name+"."+format)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s.%s: %w", name, format, err)
	}
	f := File{Size: int64(packed.Len()), SHA256: hexSum(packed.Bytes()), ContentSize: content.size, ContentSHA256: hex.EncodeToString(sum.Sum(nil))}
	f.Path = "files/" + strings.ReplaceAll(name, "_", "-") + "-" + w.mark + f.SHA256 + "." + format + ".gz"
	t.Files = append(t.Files, Table{Name: name, Format: format, File: f})
	if folder(w.dir).has(f) {
		return nil
	}
	w.written++
	w.bytes += f.Size
	return folder(w.dir).writeFile(f.Path, packed.Bytes())
}

// counted counts what is written, and ends with its context or when the compressed file is too large.
type counted struct {
	ctx    context.Context
	to     io.Writer
	packed *bytes.Buffer
	limit  int // of packed
	size   int64
}

// Write implements [io.Writer].
func (c *counted) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if c.packed.Len() > c.limit {
		return 0, errLargeTable
	}
	n, err := c.to.Write(p)
	c.size += int64(n)
	return n, err
}
