package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/catalog"
)

// A reader is one run of Read: the catalogue so far, where its records came
// from, and what is wrong.
type reader struct {
	ctx      context.Context
	fsys     fs.FS
	opts     Options
	decoder  decoder
	catalog  catalog.Catalog
	unread   catalog.Unread
	problems []Problem
	origins  origins
	sums     []string
}

func newReader(ctx context.Context, fsys fs.FS, opts Options) *reader {
	return &reader{
		ctx: ctx, fsys: fsys, opts: opts,
		// The locale of the bundled catalogue, until catalog.yaml says another.
		decoder: decoder{locale: "en"},
		unread:  catalog.Unread{Menus: map[string]bool{}},
		origins: origins{},
	}
}

// counts are the kinds of records that a kind of file has, and how many of
// each there are in a catalogue.
func counts(of catalog.Kind, c *catalog.Catalog) map[catalog.Kind]int {
	switch of {
	case catalog.KindCategory:
		return map[catalog.Kind]int{catalog.KindGroup: len(c.Groups), catalog.KindCategory: len(c.Categories)}
	case catalog.KindChain:
		return map[catalog.Kind]int{of: len(c.Chains)}
	case catalog.KindAccount:
		return map[catalog.Kind]int{of: len(c.Accounts)}
	case catalog.KindChannel:
		return map[catalog.Kind]int{of: len(c.Channels)}
	case catalog.KindMenu:
		return map[catalog.Kind]int{of: len(c.Menus)}
	}
	return map[catalog.Kind]int{of: 0} // catalog and nav: the only file of their kind
}

// lost notes that a file is meant to be there and is not, so that references
// into it are not reported.
func (r *reader) lost(name string) {
	switch classify(name) {
	case catalog.KindCatalog:
		r.unread.Catalog = true
	case catalog.KindCategory:
		r.unread.Categories = true
	case catalog.KindNavGroup:
		r.unread.Nav = true
	case catalog.KindMenu:
		r.unread.Menus[strings.TrimSuffix(path.Base(name), path.Ext(name))] = true
	}
}

// read adds the records of a file to the catalogue. Of a file that does not
// parse it keeps the fault alone.
func (r *reader) read(f *file) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	before, problems := r.catalog, len(r.problems)
	for kind, n := range counts(f.kind, &r.catalog) {
		r.origins.begin(kind, f, n)
	}
	r.decoder.report = func(at *node, rule catalog.Rule, message, remedy string) {
		r.problems = append(r.problems, problemAt(f.path, at.line, at.column, rule, message, remedy))
	}
	p := &pass{of: f.kind, d: &r.decoder, yield: func(i int, n *node) error { return r.take(f, i, n) }}
	sum, err := p.run(r.fsys, f.path)
	r.sums = append(r.sums, fmt.Sprintf("%q %x\n", f.path, sum))
	var broken *fault
	switch {
	case errors.As(err, &broken):
		r.catalog, r.problems = before, r.problems[:problems]
		r.problems = append(r.problems, problemAt(f.path, broken.line, broken.column, broken.rule, broken.message, broken.remedy))
		r.lost(f.path)
	case err != nil:
		return err
	case r.opts.Progress != nil && long(f.kind):
		r.opts.Progress(f.path, p.next)
	}
	return nil
}

// progressEvery is how many records are read between two looks at the context.
const progressEvery = 4096

// take decodes one record of a file.
func (r *reader) take(f *file, i int, n *node) error {
	if i%progressEvery == progressEvery-1 {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if r.opts.Progress != nil {
			r.opts.Progress(f.path, i+1)
		}
	}
	r.decoder.decode(f.kind, n, &r.catalog)
	r.origins.mark(f.kind, n)
	if f.kind == catalog.KindMenu {
		r.catalog.Menus[len(r.catalog.Menus)-1].PathSlug = f.stem()
	}
	if !long(f.kind) && unusable(n) {
		r.lost(f.path)
	}
	return nil
}

// unusable reports whether a document has lists that could not be read as
// such, or are written twice, or have records that are no maps: what refers
// into them may well be right.
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

// digest sums up what was read, in the order of the paths.
func (r *reader) digest() string {
	slices.Sort(r.sums)
	h := sha256.Sum256([]byte(strings.Join(r.sums, "")))
	return hex.EncodeToString(h[:])
}

// locate adds the problems that were found in records, each with its place.
func (r *reader) locate(found []catalog.Problem) error {
	byFile := map[*file]map[int][]placed{}
	var files []*file // in the order of the problems
	for _, p := range found {
		f, record, steps := r.origin(p.At)
		if byFile[f] == nil {
			byFile[f] = map[int][]placed{}
			files = append(files, f)
		}
		byFile[f][record] = append(byFile[f][record], placed{p, steps})
	}
	for _, f := range files {
		if err := r.locateIn(f, byFile[f]); err != nil {
			return err
		}
	}
	return nil
}

// placed is a problem and the path to it from the record of the pass.
type placed struct {
	catalog.Problem
	path []string
}

// origin returns the file that a record came from, which record of the file it
// is and the path within that.
func (r *reader) origin(at catalog.Ref) (f *file, record int, path []string) {
	s, index := r.origins.find(at.Kind, at.Index)
	if s == nil {
		return &file{path: "catalog.yaml"}, 0, nil // of a list that has no file, so without a record
	}
	switch at.Kind {
	case catalog.KindGroup, catalog.KindNavGroup:
		return s.file, 0, append([]string{"groups", strconv.Itoa(index)}, at.Path...)
	case catalog.KindCategory:
		return s.file, 0, append([]string{"categories", strconv.Itoa(index)}, at.Path...)
	default:
		return s.file, index, at.Path
	}
}

// locateIn passes through a file again, for the places of the problems of some
// of its records.
func (r *reader) locateIn(f *file, problems map[int][]placed) error {
	scratch := decoder{locale: r.decoder.locale, report: func(*node, catalog.Rule, string, string) {}}
	p := &pass{of: f.kind, d: &scratch,
		want: func(i int) bool { return problems[i] != nil },
		yield: func(i int, n *node) error {
			var again catalog.Catalog
			scratch.decode(f.kind, n, &again) // marks the nodes that were reported before
			for _, at := range problems[i] {
				r.place(f, n, at)
			}
			delete(problems, i)
			return r.ctx.Err()
		},
	}
	_, err := p.run(r.fsys, f.path)
	var broken *fault
	if err != nil && !errors.As(err, &broken) {
		return err
	}
	for _, i := range slices.Sorted(maps.Keys(problems)) { // the file is not what it was a moment ago
		for _, at := range problems[i] {
			r.problems = append(r.problems, problemAt(f.path, 1, 1, at.Rule, at.Message, at.Remedy))
		}
	}
	return nil
}

// place adds a problem of a record, unless its value was reported already
// because of its shape.
func (r *reader) place(f *file, record *node, p placed) {
	n, key, bad := record.find(p.path)
	if bad {
		return
	}
	if n == record && !long(f.kind) {
		n = &node{line: 1, column: 1} // the file is what is wrong
	}
	if key != nil && (p.Rule == catalog.RuleUndeclaredLocale || p.Rule == catalog.RuleMalformedLocale) {
		n = key // the locale is what is wrong, not the text in it
	}
	r.problems = append(r.problems, problemAt(f.path, n.line, n.column, p.Rule, p.Message, p.Remedy))
}
