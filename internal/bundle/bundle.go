// Package bundle reads and writes catalogue directories: the YAML, JSON and NDJSON files that
// editors write and review (docs/directory.md#the-files). It tracks file, line and column of each
// value, so that every problem is reported with its place.
//
// It must not know which catalogues are valid: it reports files that cannot be read, and leaves
// the rest to [domain.Check]. It must not know stores, revisions or responses.
//
// Files are decoded at most twice. The first pass makes records. It holds one element of a long
// JSON or NDJSON list at a time, so that memory is proportional to the catalogue and not to the
// files. The second pass finds the places of the problems of domain.Check, only in the affected
// files.
//
// All functions are safe for concurrent use. A *Directory is safe for concurrent use unless it is
// modified.
package bundle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/checkout"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
)

// Problem is a problem with its place in a directory.
type Problem struct {
	File     string          `json:"file"`   // slash path, relative to the directory
	Line     int             `json:"line"`   // from 1
	Column   int             `json:"column"` // from 1, in characters
	Severity domain.Severity `json:"severity"`
	Rule     domain.Rule     `json:"rule"`
	Message  string          `json:"message"` // what is wrong
	Remedy   string          `json:"remedy"`  // correction
	// Accepted is true for a warning that the catalogue accepts.
	Accepted bool `json:"accepted,omitempty"`
	// First is the record or value that the problem repeats, as in Message.
	First Place `json:"-"`
}

// Place is a line of a file. The zero value is none.
type Place struct {
	File string
	Line int // 1 if unknown
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", printable(p.File), p.Line) }

// AtFirst returns the problem at the place that it repeats, if there is one. Its message names the
// other place.
func (p Problem) AtFirst() Problem {
	message := strings.TrimSuffix(p.Message, ", first in "+p.First.String())
	p.Message = fmt.Sprintf("repeated in %s: %s", Place{p.File, p.Line}, message)
	p.File, p.Line, p.Column = p.First.File, p.First.Line, 1
	return p
}

// String returns the line that `vitrine check` prints (docs/check.md). An accepted problem has
// "accepted" instead of the severity. A file name with invisible characters is quoted: a problem
// is one line without terminal controls.
func (p Problem) String() string {
	severity := string(p.Severity)
	if p.Accepted {
		severity = "accepted"
	}
	return fmt.Sprintf("%s: %s: %s: %s; %s", p.Place(), severity, p.Rule, p.Message, p.Remedy)
}

// Place returns `file:line:column`.
func (p Problem) Place() string {
	return fmt.Sprintf("%s:%d:%d", printable(p.File), p.Line, p.Column)
}

func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return name
	}
	return strconv.Quote(name)
}

func problemAt(file string, line, column int, rule domain.Rule, message, remedy string) Problem {
	return Problem{File: file, Line: line, Column: column, Severity: rule.Severity(), Rule: rule, Message: message, Remedy: remedy}
}

// Directory is the result of Read.
type Directory struct {
	// Catalog is never nil. It is complete unless a problem is an error.
	Catalog *domain.Catalog
	// Digest is the SHA-256, in hex, of the paths and bytes of all files. Equal content has equal
	// digests at any location.
	Digest string
	// Fingerprint is the result of [Fingerprint] for the read state.
	Fingerprint string
	// Problems are ordered by file, line, column, rule and message; nil for none. They include
	// the first [domain.MaxKept] of each rule, and as many accepted ones.
	Problems []Problem
	// Found counts all problems by rule, except accepted ones, which are in Accepted.
	Found, Accepted domain.Count

	// Commit is the checked-out commit, if the directory is in a git checkout and was read by
	// [ReadSettled]. CommitProblem is the reason why it is unknown.
	Commit        checkout.Commit
	CommitProblem error
	// Commits are those of the checkout, nil without a Commit.
	Commits Commits

	origins origins

	// What Decoded needs:
	seed      maphash.Seed
	lines     map[domain.Kind][]decodedLine // of the records, by index; may be shorter than the list
	clean     map[domain.Kind][]bool        // see [domain.Findings]
	documents map[listFile][]int32          // see [Decoded]
	today     domain.Date
}

// Commits reports relations of commits, like [checkout.Repo].
type Commits interface {
	// IsAncestor reports whether a commit is an ancestor of another. It is false if the
	// repository lacks the information.
	IsAncestor(ancestor, of string) (bool, error)
	// Has reports whether the repository has a commit.
	Has(hash string) (bool, error)
}

// Origin returns the place of a record as `file:line`, "" if unknown. index is that of the record
// in the catalogue's slice of the kind.
func (d *Directory) Origin(kind domain.Kind, index int) string {
	s, i := d.origins.segmentOf(kind, index)
	if s == nil || i >= len(s.lines) {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.file.path, s.lines[i])
}

// Errors returns the number of problems that prevent publishing.
func (d *Directory) Errors() int { return d.Found.Of(domain.Error) }

// Warnings returns the number of other problems, without accepted ones.
func (d *Directory) Warnings() int { return d.Found.Of(domain.Warning) }

// Options configure Read. The zero value has the defaults.
type Options struct {
	// Progress, unless nil, is called periodically while a long list is read and at its end, in
	// the goroutine of Read.
	Progress func(file string, records int)
	// Today is the current day in UTC: figures of later days are errors (see [domain.Reading]).
	// "" allows any day.
	Today domain.Date
	// Decoded are the records of an earlier reading. Equal lines of NDJSON are neither decoded nor
	// checked again, which changes nothing in the result. It may be nil.
	Decoded *Decoded
	// EveryGap reports each missing translation, instead of their number by kind and locale.
	EveryGap bool
	// Unchecked omits [domain.Check], for a directory that was checked before. Problems are only
	// those of reading the files.
	Unchecked bool
}

// missingDirectory is the error of a catalogue directory that does not exist.
type missingDirectory string

func (m missingDirectory) Error() string {
	return "there is no directory " + string(m) + "; name the directory that has catalog.yaml"
}

func (missingDirectory) Unwrap() error { return fs.ErrNotExist }

// Open opens a directory for Read. Links that lead out of it are errors. The error for a missing one wraps
// [fs.ErrNotExist]. The caller must call close.
func Open(dir string) (fsys fs.FS, close func() error, err error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, missingDirectory(dir)
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() { // opening a pipe would block
		return nil, nil, fmt.Errorf("%s is not a directory; name the directory that has catalog.yaml", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), root.Close, nil
}

// Read reads and checks a whole catalogue directory. It returns an error only if the directory
// could not be checked: if the root cannot be listed, if files changed meanwhile ([ErrChanging]),
// if ctx is done, or a [*contain.Error]. Everything else is a problem.
func Read(ctx context.Context, fsys fs.FS, opts Options) (*Directory, error) {
	return readIn(ctx, fsys, opts, nil, false)
}

// readIn is Read of a directory in a checkout, nil for none. With copied, it first copies the
// files into memory, unless they are too large. Then the directory must not change while it is
// copied, but may change while it is decoded.
func readIn(ctx context.Context, fsys fs.FS, opts Options, repo *checkout.Repo, copied bool) (_ *Directory, err error) {
	r := newReader(ctx, fsys, opts)
	defer contain.Panic(&err, reading(&r.reading))
	l, err := survey(fsys)
	if err != nil {
		return nil, fmt.Errorf("list the catalogue directory: %w", err)
	}
	files := newSteady(fsys, l)
	r.fsys = files
	copied = copied && files.copy(l)
	var commit checkout.Commit
	var unknown error
	unchanged := func() error {
		if repo != nil {
			commit, unknown = repo.Head(l.paths(), isCatalogFile)
		}
		if again, err := survey(fsys); files.changed.Load() || err != nil || again.seal() != l.seal() {
			return ErrChanging
		}
		if repo != nil && repo.Busy() {
			return errGit
		}
		return nil
	}
	if copied {
		if err := unchanged(); err != nil {
			return nil, err
		}
	}
	for _, p := range l.problems {
		r.add(p)
	}
	for _, name := range l.lost {
		r.lost(name)
	}
	documents, end := parseAhead(files, l.files, r.knownDocuments())
	defer end()
	for _, f := range l.files {
		if err := r.read(f, documents[f]); err != nil {
			return nil, err
		}
	}
	var found domain.Findings
	if !opts.Unchecked {
		found = domain.Check(&r.catalog, domain.Reading{
			Unread: r.unread, Files: l.names(), Today: opts.Today, EveryGap: opts.EveryGap,
			Broken: r.found.Of(domain.Error) > 0, Reported: r.reportedAt,
			Clean: r.clean(),
		})
		if err := r.locate(found); err != nil {
			return nil, err
		}
	}
	if !copied {
		if err := unchanged(); err != nil {
			return nil, err
		}
	}
	var commits Commits
	if commit.Hash != "" {
		commits = repo
	}
	r.order()
	return &Directory{
		Catalog:     &r.catalog,
		Digest:      digestOf(r.sums),
		Fingerprint: l.fingerprint(),
		Problems:    r.problems,
		Found:       r.found,
		Accepted:    r.accepted,
		Commit:      commit, CommitProblem: unknown, Commits: commits,
		origins: r.origins,
		seed:    r.seed, lines: r.lines, documents: r.documents, clean: found.Clean, today: opts.Today,
	}, nil
}

// order sorts the problems and removes duplicates: an aliased value is reported wherever it is
// used.
func (r *reader) order() {
	slices.SortFunc(r.problems, compareProblems)
	kept := r.problems[:0]
	for _, p := range r.problems {
		if n := len(kept); n > 0 && p == kept[n-1] {
			r.count(p)[p.Rule]--
			continue
		}
		kept = append(kept, p)
	}
	r.problems = kept
}

func compareProblems(a, b Problem) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Remedy, b.Remedy),
	)
}

// Digest returns the [Directory.Digest] of a directory, without decoding its files. They must not
// change meanwhile. It returns an error if a file cannot be read.
func Digest(fsys fs.FS) (string, error) {
	l, err := survey(fsys)
	if err != nil {
		return "", fmt.Errorf("list the catalogue directory: %w", err)
	}
	var sums []string
	for _, f := range l.files {
		data, err := fs.ReadFile(fsys, f.path)
		if err != nil {
			return "", err
		}
		sums = append(sums, sumOf(f, sha256.Sum256(data)))
	}
	return digestOf(sums), nil
}

// Fingerprint returns a text that changes when a file of the directory is added, removed, or
// changes its size, mode, time or, on some platforms, its inode or change time. It is a cheap
// check for pollers: files with equal metadata may still differ (see [Directory.Digest]).
//
// It returns an error if the root cannot be listed, or a [*contain.Error].
func Fingerprint(fsys fs.FS) (_ string, err error) {
	defer contain.Panic(&err, reading(new(string)))
	l, err := survey(fsys)
	if err != nil {
		return "", fmt.Errorf("list the catalogue directory: %w", err)
	}
	return l.fingerprint(), nil
}

func (l *layout) fingerprint() string {
	h := sha256.New()
	for _, f := range l.files {
		io.WriteString(h, describe(f.path, f.info))
	}
	for _, p := range l.problems {
		fmt.Fprintf(h, "%s\n", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
