// Package bundle reads and writes catalogue directories: the YAML, JSON and
// NDJSON files that editors write and review (contract, "The catalogue
// directory"). It knows where in which file each value stands, so that every
// problem of a catalogue is reported with its place.
//
// It must not know what makes a catalogue valid: it reports what cannot be
// read, and asks [catalog.Check] for the rest. It knows nothing of stores,
// revisions or responses either.
//
// Files are decoded twice at most. The first pass makes records, and of long
// lists in JSON and NDJSON it holds one at a time, so that 200,000 of them cost
// what the catalogue costs. The second goes only through the files that
// catalog.Check has found problems in, and finds their places.
//
// All functions are safe for concurrent use; so is a *Directory that nobody
// changes.
package bundle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/catalog"
)

// Problem is a problem with its place in a directory.
type Problem struct {
	File     string           `json:"file"`   // slash path, relative to the directory
	Line     int              `json:"line"`   // from 1
	Column   int              `json:"column"` // from 1, in characters
	Severity catalog.Severity `json:"severity"`
	Rule     catalog.Rule     `json:"rule"`
	Message  string           `json:"message"` // what is wrong
	Remedy   string           `json:"remedy"`  // what to do about it
}

// String returns the line that `vitrine check` prints (contract, "`check`"). A
// file's name is quoted if there is something in it that cannot be seen: a
// problem is one line, and does nothing to a terminal.
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s: %s; %s", printable(p.File), p.Line, p.Column, p.Severity, p.Rule, p.Message, p.Remedy)
}

func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return name
	}
	return strconv.Quote(name)
}

func problemAt(file string, line, column int, rule catalog.Rule, message, remedy string) Problem {
	return Problem{file, line, column, rule.Severity(), rule, message, remedy}
}

// Directory is what Read found.
type Directory struct {
	// Catalog is never nil, and complete when no problem is an error.
	Catalog *catalog.Catalog
	// Digest is a SHA-256 in hex over the paths and bytes of the files that
	// were read: the same content has the same digest, wherever it lies.
	Digest string
	// Problems are ordered by file, line, column, rule and message; nil for none.
	Problems []Problem

	origins origins
}

// Origin returns where a record stands, as `file:line`, "" where that is not
// known. Index is the record's in the catalogue's slice of that kind.
func (d *Directory) Origin(kind catalog.Kind, index int) string {
	s, i := d.origins.find(kind, index)
	if s == nil || i >= len(s.lines) {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.file.path, s.lines[i])
}

// Errors returns the number of problems that keep the catalogue from being
// published.
func (d *Directory) Errors() int { return d.count(catalog.Error) }

// Warnings returns the number of problems that do not.
func (d *Directory) Warnings() int { return d.count(catalog.Warning) }

func (d *Directory) count(s catalog.Severity) int {
	n := 0
	for _, p := range d.Problems {
		if p.Severity == s {
			n++
		}
	}
	return n
}

// Options are what a caller of Read may ask for; the zero value asks for
// nothing.
type Options struct {
	// Progress, unless nil, is called now and then while a long list is read
	// and at its end, in the goroutine of Read.
	Progress func(file string, records int)
}

// Open opens a directory for Read. What is opened below it stays below it: a
// link that leads out is an error. The caller calls close when done.
func Open(dir string) (fsys fs.FS, close func() error, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), root.Close, nil
}

// Read reads and checks a whole catalogue directory. It fails only when the
// directory could not be checked at all: when the root cannot be listed, or
// when ctx is done. Everything else is among the problems.
func Read(ctx context.Context, fsys fs.FS, opts Options) (*Directory, error) {
	l, err := survey(fsys)
	if err != nil {
		return nil, fmt.Errorf("list the catalogue directory: %w", err)
	}
	r := newReader(ctx, fsys, opts)
	r.problems = l.problems
	for _, name := range l.lost {
		r.lost(name)
	}
	for _, f := range l.files {
		if err := r.read(f); err != nil {
			return nil, err
		}
	}
	if err := r.locate(catalog.Check(&r.catalog, r.unread)); err != nil {
		return nil, err
	}
	slices.SortFunc(r.problems, compareProblems)
	return &Directory{
		Catalog:  &r.catalog,
		Digest:   r.digest(),
		Problems: slices.Compact(r.problems), // an aliased value is reported wherever it is used
		origins:  r.origins,
	}, nil
}

func compareProblems(a, b Problem) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Remedy, b.Remedy),
	)
}

// Fingerprint returns a text that changes when a file that Read would look at
// is added, removed, or changes its size, mode, time or, where the platform
// tells, its inode or the time of its last change. It is cheap, and meant for a
// poller: files that kept all of that may still differ (see [Directory.Digest]).
func Fingerprint(fsys fs.FS) (string, error) {
	l, err := survey(fsys)
	if err != nil {
		return "", fmt.Errorf("list the catalogue directory: %w", err)
	}
	h := sha256.New()
	for _, f := range l.files {
		fmt.Fprintf(h, "%q %d %d %s %s\n", f.path, f.info.Size(), f.info.ModTime().UnixNano(), f.info.Mode(), identity(f.info))
	}
	for _, p := range l.problems {
		fmt.Fprintf(h, "%s\n", p)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
