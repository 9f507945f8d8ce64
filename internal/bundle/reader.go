package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// A reader is the state of one run of Read: the catalogue so far, the origins of its records, and
// the problems.
type reader struct {
	ctx      context.Context
	fsys     fs.FS
	opts     Options
	decoder  decoder
	catalog  domain.Catalog
	unread   domain.Unread
	problems []Problem
	found    domain.Count // problems; only the first of each rule are stored
	accepted domain.Count // the same for accepted ones
	reported reported
	origins  origins
	sums     []string
	reading  string // path of the current file, "" for none
	seed     maphash.Seed
	lines    map[domain.Kind][]decodedLine // of the records of the catalogue, by index
	reused   map[domain.Kind]bool          // kinds with a record that was decoded before

	documents map[listFile][]int32 // see [Decoded]
}

func newReader(ctx context.Context, fsys fs.FS, opts Options) *reader {
	seed := maphash.MakeSeed()
	if opts.Decoded != nil {
		seed = opts.Decoded.seed
	}
	return &reader{
		ctx: ctx, fsys: fsys, opts: opts, seed: seed, lines: map[domain.Kind][]decodedLine{}, reused: map[domain.Kind]bool{},
		documents: map[listFile][]int32{},
		// The locale of the bundled catalogue, unless catalog.yaml has another.
		decoder:  decoder{locale: "en"},
		unread:   domain.Unread{Kinds: map[domain.Kind]bool{}, Menus: map[string]bool{}},
		origins:  origins{},
		found:    domain.Count{},
		accepted: domain.Count{},
		reported: reported{},
	}
}

// add stores a problem, or only counts it above the limit of its rule.
func (r *reader) add(p Problem) {
	if r.count(p).Keep(p.Rule) {
		r.problems = append(r.problems, p)
	}
}

// reports returns the number of problems so far.
func (r *reader) reports() int {
	return r.found.Of(domain.Error) + r.found.Of(domain.Warning) + r.accepted.Of(domain.Error) + r.accepted.Of(domain.Warning)
}

// count returns the counter of a problem.
func (r *reader) count(p Problem) domain.Count {
	if p.Accepted {
		return r.accepted
	}
	return r.found
}

// counts returns the numbers of records in a catalogue of the kinds in a kind of file.
func counts(of *domain.Description, c *domain.Catalog) map[domain.Kind]int {
	if of.Kind == domain.KindCatalog {
		return map[domain.Kind]int{of.Kind: 0} // the file is one record
	}
	found := map[domain.Kind]int{}
	for _, d := range domain.Descriptions() {
		if d == of || d.File != "" && d.File == of.File {
			found[d.Kind] = d.Size(c)
		}
	}
	return found
}

// lost records that an expected file is missing, so that references into it are not reported.
func (r *reader) lost(name string) {
	switch d := classify(name); {
	case d == nil:
	case d.Kind == domain.KindMenu:
		r.unread.Menus[strings.TrimSuffix(path.Base(name), path.Ext(name))] = true
	default:
		r.unread.Kinds[d.Kind] = true
	}
}

// read adds the records of a file to the catalogue. For a file that cannot be parsed, it adds
// only the fault. ahead has the parsed document, nil if it was not parsed ahead.
func (r *reader) read(f *file, ahead <-chan parsed) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.reading = f.path
	if f.kind.Raw {
		defer func() { r.reading = "" }()
		return r.raw(f)
	}
	before, problems, found := r.catalog, len(r.problems), maps.Clone(r.found)
	for kind, n := range counts(f.kind, &r.catalog) {
		r.origins.beginFile(kind, f, n)
	}
	r.decoder.report = func(at *node, rule domain.Rule, message, remedy string) {
		r.add(problemAt(f.path, at.line, at.column, rule, message, remedy))
	}
	p := &pass{of: f.kind, d: &r.decoder, ahead: ahead, yield: func(i int, n *node) error { return r.decodeRecord(f, i, n) }}
	p.take = func(sum [sha256.Size]byte) (bool, error) { return r.take(f, p, sum) }
	failed, reports, first := r.decoder.failed, r.reports(), f.kind.Size(&r.catalog)
	p.line = func(data []byte, line int, parse func() (*node, error)) error { return r.line(f, p, data, line, parse) }
	sum, err := p.run(r.fsys, f.path)
	r.sums = append(r.sums, sumOf(f, sum))
	var broken *fault
	switch {
	case errors.As(err, &broken):
		r.catalog, r.problems, r.found = before, r.problems[:problems], found
		r.dropLines(f.kind)
		r.add(problemAt(f.path, broken.line, broken.column, broken.rule, broken.message, broken.remedy))
		r.lost(f.path)
	case err != nil:
		return err
	default:
		if r.decoder.failed == failed && r.reports() == reports {
			r.rememberDocument(f, sum, first)
		}
		if r.opts.Progress != nil && f.kind.Long {
			r.opts.Progress(f.path, p.next)
		}
	}
	r.reading = ""
	return nil
}

// progressEvery is the number of records between checks of the context.
const progressEvery = 4096

// decodeRecord decodes one record of a file.
func (r *reader) decodeRecord(f *file, i int, n *node) error {
	if err := r.progress(f, i); err != nil {
		return err
	}
	failed := r.decoder.failed
	r.decoder.decode(f.kind, n, &r.catalog, f.stem())
	if r.decoder.failed > failed {
		r.reported.remember(spotOf(f, i), n)
	}
	r.origins.mark(f.kind, n)
	if !f.kind.Long && unusable(n) {
		r.lost(f.path)
	}
	return nil
}

// progress reports the progress with the i-th record of a file, and returns the error of the context.
func (r *reader) progress(f *file, i int) error {
	if i%progressEvery != progressEvery-1 {
		return nil
	}
	if r.opts.Progress != nil {
		r.opts.Progress(f.path, i+1)
	}
	return r.ctx.Err()
}

// unusable reports whether lists of a document are incomplete: they are not lists, occur twice,
// or have records that are not maps. References into them are not reported, because they may be
// valid.
func unusable(n *node) bool {
	if n.bad {
		return true
	}
	for i, key := range n.keys {
		switch v := n.items[i]; key.text {
		case "locales", "default_locale":
			if key.bad || v.bad {
				return true
			}
		case "groups", "categories":
			if key.bad || v.bad || slices.ContainsFunc(v.items, func(record *node) bool { return record.bad }) {
				return true
			}
		}
	}
	return false
}

// sumOf is the part of a file in the digest of a directory.
func sumOf(f *file, sum [sha256.Size]byte) string { return fmt.Sprintf("%q %x\n", f.path, sum) }

// digestOf returns the hash of the paths and hashes of all files, ordered by path. It orders sums.
func digestOf(sums []string) string {
	slices.Sort(sums)
	h := sha256.Sum256([]byte(strings.Join(sums, "")))
	return hex.EncodeToString(h[:])
}
