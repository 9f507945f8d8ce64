// Package bundle reads and writes catalogue directories: the YAML, JSON and
// NDJSON files that editors write and review
// (docs/directory.md#the-files). It knows where in which file each value stands, so that every
// problem of a catalogue is reported with its place.
//
// It must not know what makes a catalogue valid: it reports what cannot be
// read, and asks [domain.Check] for the rest. It knows nothing of stores,
// revisions or responses either.
//
// Files are decoded twice at most. The first pass makes records, and of long
// lists in JSON and NDJSON it holds one at a time, so that 200,000 of them cost
// what the catalogue costs. The second goes only through the files that
// domain.Check has found problems in, and finds their places.
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
	Remedy   string          `json:"remedy"`  // what to do about it
	// Accepted says that it is a warning which the catalogue accepts.
	Accepted bool `json:"accepted,omitempty"`
}

// String returns the line that `vitrine check` prints (docs/check.md). Of
// what is accepted it says that in place of the severity. A
// file's name is quoted if there is something in it that cannot be seen: a
// problem is one line, and does nothing to a terminal.
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

// Directory is what Read found.
type Directory struct {
	// Catalog is never nil, and complete when no problem is an error.
	Catalog *domain.Catalog
	// Digest is a SHA-256 in hex over the paths and bytes of the files that
	// were read: the same content has the same digest, wherever it lies.
	Digest string
	// Fingerprint is what [Fingerprint] said while it was read.
	Fingerprint string
	// Problems are ordered by file, line, column, rule and message; nil for none.
	// There are the first [domain.MaxKept] of each rule, and of accepted ones as
	// many again.
	Problems []Problem
	// Found counts all problems by rule but those that are accepted, which
	// Accepted does.
	Found, Accepted domain.Count

	// Commit is the one that the directory was at, if it lies in a checkout of git
	// and was read by [ReadSettled]; CommitProblem says why that could not be found
	// out.
	Commit        checkout.Commit
	CommitProblem error
	// Commits are those that the checkout has, nil without a Commit.
	Commits Commits

	origins origins
}

// Commits tells how the commits of a repository are related, as [checkout.Repo] does.
type Commits interface {
	// IsAncestor reports whether a commit is an ancestor of another one, false where the
	// repository does not tell.
	IsAncestor(ancestor, of string) (bool, error)
	// Has reports whether the repository has a commit.
	Has(hash string) (bool, error)
}

// Origin returns where a record stands, as `file:line`, "" where that is not
// known. Index is the record's in the catalogue's slice of that kind.
func (d *Directory) Origin(kind domain.Kind, index int) string {
	s, i := d.origins.segmentOf(kind, index)
	if s == nil || i >= len(s.lines) {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.file.path, s.lines[i])
}

// Errors returns the number of problems that keep the catalogue from being
// published.
func (d *Directory) Errors() int { return d.Found.Of(domain.Error) }

// Warnings returns the number of problems that do not, but for those that the
// catalogue accepts.
func (d *Directory) Warnings() int { return d.Found.Of(domain.Warning) }

// Options are what a caller of Read may ask for; the zero value asks for
// nothing.
type Options struct {
	// Progress, unless nil, is called now and then while a long list is read
	// and at its end, in the goroutine of Read.
	Progress func(file string, records int)
	// Today is the day in UTC on which the directory is read: figures of later
	// days are errors (see [domain.Reading]). "" is any day.
	Today domain.Date
	// EveryGap has each missing translation reported by itself, rather than their
	// sum by kind and locale.
	EveryGap bool
}

// Open opens a directory for Read. What is opened below it stays below it: a
// link that leads out is an error. The caller calls close when done.
func Open(dir string) (fsys fs.FS, close func() error, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() { // to open a pipe is to wait for somebody who writes to it
		return nil, nil, fmt.Errorf("%s is no directory; name the one that has catalog.yaml in it", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), root.Close, nil
}

// Read reads and checks a whole catalogue directory. It fails only when the
// directory could not be checked at all: when the root cannot be listed, when
// it changed meanwhile ([ErrChanging]), when ctx is done, or with a
// [*contain.Error]. Everything else is among the problems.
func Read(ctx context.Context, fsys fs.FS, opts Options) (*Directory, error) {
	return readIn(ctx, fsys, opts, nil, false)
}

// readIn is Read of a directory in a checkout, nil for none. With copied it copies the
// files into memory before it decodes them, unless they are too large for that: the
// directory must not change while they are copied, and may change while they are
// decoded.
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
	for _, f := range l.files {
		if err := r.read(f); err != nil {
			return nil, err
		}
	}
	found := domain.Check(&r.catalog, domain.Reading{
		Unread: r.unread, Files: l.names(), Today: opts.Today, EveryGap: opts.EveryGap,
		Broken: r.found.Of(domain.Error) > 0, Reported: r.reportedAt,
	})
	if err := r.locate(found); err != nil {
		return nil, err
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
		Digest:      r.digest(),
		Fingerprint: l.fingerprint(),
		Problems:    r.problems,
		Found:       r.found,
		Accepted:    r.accepted,
		Commit:      commit, CommitProblem: unknown, Commits: commits,
		origins: r.origins,
	}, nil
}

// order sorts the problems, and drops those that are there twice: an aliased
// value is reported wherever it is used.
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

// Fingerprint returns a text that changes when a file that Read would look at
// is added, removed, or changes its size, mode, time or, where the platform
// tells, its inode or the time of its last change. It is cheap, and meant for a
// poller: files that kept all of that may still differ (see [Directory.Digest]).
//
// It fails when the root cannot be listed, or with a [*contain.Error].
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
