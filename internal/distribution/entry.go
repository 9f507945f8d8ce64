// Package distribution writes and reads distributions: a revision as a folder of immutable,
// content-addressed files and one small signed pointer, entry.json (docs/distribution.md). A
// [Writer] publishes states into a folder. A [Reader] is a source of states from a folder or a web
// server, which trusts neither.
//
// The package must not know engines of a store, responses, or the command line.
package distribution

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"vitrine/internal/store"
)

// Format is the version of the format that this package writes and reads.
const Format = 1

// EntryFile is the path of the pointer.
const EntryFile = "entry.json"

// Limits of what a reader accepts. Writers stay below them.
const (
	maxEntry     = 1 << 20  // bytes of the pointer
	maxSignature = 4 << 10  // bytes of a signature
	maxContent   = 64 << 20 // bytes of a file after decompression
	maxTotal     = 4 << 30  // bytes of all files of a full set after decompression
	maxDeltas    = 1000
)

// Entry is the pointer: it describes one revision and names its files.
type Entry struct {
	Format    int    `json:"format"`
	Catalogue string `json:"catalogue"` // random, the same for all revisions
	// Epoch increases when the store is replaced by an older copy. Revisions count within an epoch.
	Epoch    int64     `json:"epoch"`
	Revision Revision  `json:"revision"`
	IssuedAt time.Time `json:"issuedAt"`
	// ValidUntil is the time until which the publisher replaces the pointer, changed or not.
	ValidUntil time.Time `json:"validUntil"`
	// Licences are those that the catalogue declares; none if it declares none.
	Licences []Licence `json:"licences,omitempty"`
	// Sources are those that the catalogue declares, in the order of the editors; none if it declares none.
	Sources []Source `json:"sources,omitempty"`
	Digest  string   `json:"digest"` // of all lines, see [set.digest]
	Kinds   []Kind   `json:"kinds"`  // the full set
	Deltas  []Delta  `json:"deltas"` // newest first
	// Keys are the statements of keys that were replaced, oldest first; none if none was.
	Keys []KeyStatement `json:"keys,omitempty"`
	// Changes are the blocks of the log of the changes of the last revisions, oldest first; none if it
	// is unknown.
	Changes []File `json:"changes,omitempty"`
	// Tables are for analysts; nil for none.
	Tables *Tables `json:"tables,omitempty"`
}

// Revision is the public part of [store.Revision].
type Revision struct {
	Number      int64     `json:"number"`
	PublishedAt time.Time `json:"publishedAt"`
	Op          store.Op  `json:"op"`
}

// Licence is a licence of the catalogue.
type Licence struct {
	Name  string `json:"name"`
	URL   string `json:"url,omitempty"`
	Scope string `json:"scope,omitempty"` // what it covers, in the default locale; "" for everything
}

// Source is a source of figures or facts.
type Source struct {
	Key     string `json:"key"` // which figures have as source
	Name    string `json:"name"`
	URL     string `json:"url,omitempty"`
	Licence string `json:"licence,omitempty"` // "" if none is stated
}

// Kind has the files with all records of a kind. Each line is in one of them.
type Kind struct {
	Kind    string `json:"kind"`
	Records int    `json:"records"`
	Digest  string `json:"digest"`
	Files   []File `json:"files"`
}

// Delta leads from an earlier revision of the epoch to the present one.
type Delta struct {
	From  Revision `json:"from"`
	Lines int      `json:"lines"`
	File  *File    `json:"file,omitempty"` // nil if nothing changed
}

// File is a compressed file of lines.
type File struct {
	Path          string `json:"path"`
	Size          int64  `json:"size"`
	SHA256        string `json:"sha256"`
	ContentSize   int64  `json:"contentSize"`
	ContentSHA256 string `json:"contentSha256"`
}

// publicRevision returns the public part of a revision.
func publicRevision(r store.Revision) Revision {
	return Revision{Number: r.Number, PublishedAt: r.PublishedAt.UTC().Truncate(time.Millisecond), Op: r.Op}
}

// Is reports whether a stored revision is the one that was distributed.
func (r Revision) Is(stored store.Revision) bool {
	other := publicRevision(stored)
	return r.Number == other.Number && r.PublishedAt.Equal(other.PublishedAt) && r.Op == other.Op
}

func (r Revision) stored() store.Revision {
	return store.Revision{Number: r.Number, PublishedAt: r.PublishedAt.UTC(), Op: r.Op}
}

var (
	filePath  = regexp.MustCompile(`^files/[a-z0-9][a-z0-9.-]{0,199}$`)
	plainName = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
)

// parseEntry decodes and checks a pointer. Unknown members are ignored.
func parseEntry(data []byte) (*Entry, error) {
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("%s is not JSON: %w", EntryFile, err)
	}
	if version.Format != Format {
		return nil, fmt.Errorf("%s has format %d; this version reads format %d", EntryFile, version.Format, Format)
	}
	e := new(Entry)
	if err := json.Unmarshal(data, e); err != nil {
		return nil, fmt.Errorf("%s: %w", EntryFile, err)
	}
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", EntryFile, err)
	}
	return e, nil
}

func (e *Entry) check() error {
	switch {
	case !plainName.MatchString(e.Catalogue):
		return fmt.Errorf("%q is not the id of a catalogue", e.Catalogue)
	case e.Epoch < 1 || e.Revision.Number < 1:
		return errors.New("the epoch or the revision is not positive")
	case !e.ValidUntil.After(e.IssuedAt):
		return errors.New("it expires before it is issued")
	case len(e.Deltas) > maxDeltas:
		return fmt.Errorf("it has %d deltas, more than %d", len(e.Deltas), maxDeltas)
	}
	total, seen, files := int64(0), map[string]bool{}, distinct{}
	for _, k := range e.Kinds {
		if !plainName.MatchString(k.Kind) || seen[k.Kind] || k.Records < 0 || !isDigest(k.Digest) {
			return fmt.Errorf("kind %q is malformed or repeated", k.Kind)
		}
		seen[k.Kind] = true
		for _, f := range k.Files {
			if err := files.add(f); err != nil {
				return err
			}
			total += f.ContentSize
		}
	}
	if total > maxTotal {
		return fmt.Errorf("its files have %d bytes, more than %d", total, int64(maxTotal))
	}
	for _, d := range e.Deltas {
		if d.From.Number < 1 || d.From.Number >= e.Revision.Number || (d.File == nil) != (d.Lines == 0) {
			return fmt.Errorf("the delta from revision %d is malformed", d.From.Number)
		}
		if d.File != nil {
			if err := d.File.check(); err != nil {
				return err
			}
		}
	}
	if err := checkLog(e.Changes); err != nil {
		return err
	}
	if e.Tables != nil {
		if err := e.Tables.check(); err != nil {
			return err
		}
	}
	if digestOf(e.Kinds) != e.Digest {
		return errors.New("its digest is not that of its kinds")
	}
	return nil
}

func (f File) check() error {
	switch {
	case !filePath.MatchString(f.Path):
		return fmt.Errorf("%q is not the path of a file", f.Path)
	case f.Size < 0 || f.ContentSize < 0 || f.ContentSize > maxContent || f.Size > maxContent:
		return fmt.Errorf("%s has an impossible size", f.Path)
	case !isDigest(f.SHA256) || !isDigest(f.ContentSHA256):
		return fmt.Errorf("%s has no SHA-256", f.Path)
	}
	return nil
}

// distinct has the paths and hashes of files whose content occurs once. Otherwise a small pointer could
// make a reader decode one file many times.
type distinct map[string]bool

// add adds a file. It returns an error for a malformed or a known one.
func (d distinct) add(f File) error {
	if err := f.check(); err != nil {
		return err
	}
	switch {
	case d[f.Path]:
		return fmt.Errorf("%s is named twice", f.Path)
	case d[f.ContentSHA256]:
		return fmt.Errorf("%s has the content of another file", f.Path)
	}
	d[f.Path], d[f.ContentSHA256] = true, true
	return nil
}

func isDigest(s string) bool {
	decoded, err := hex.DecodeString(s)
	return err == nil && len(decoded) == 32
}

// described returns all files of the entry.
func (e *Entry) described() []File {
	var all []File
	for _, k := range e.Kinds {
		all = append(all, k.Files...)
	}
	for _, d := range e.Deltas {
		if d.File != nil {
			all = append(all, *d.File)
		}
	}
	all = append(all, e.Changes...)
	if e.Tables != nil {
		for _, t := range e.Tables.Files {
			all = append(all, t.File)
		}
	}
	return all
}

// delta returns the delta from a revision, and whether there is one.
func (e *Entry) delta(from int64) (Delta, bool) {
	for _, d := range e.Deltas {
		if d.From.Number == from {
			return d, true
		}
	}
	return Delta{}, false
}

// Head returns the revision of the pointer in a folder. The signature is not verified. The error
// for a folder without a pointer wraps [fs.ErrNotExist].
func Head(ctx context.Context, dir string) (Revision, error) {
	data, err := folder(dir).get(ctx, EntryFile, maxEntry)
	if err != nil {
		return Revision{}, err
	}
	e, err := parseEntry(data)
	if err != nil {
		return Revision{}, err
	}
	return e.Revision, nil
}

// compare orders entries of one catalogue by their revisions, across epochs.
func (e *Entry) compare(other *Entry) int {
	return cmp.Or(cmp.Compare(e.Epoch, other.Epoch), cmp.Compare(e.Revision.Number, other.Revision.Number))
}
