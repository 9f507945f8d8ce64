package bundle

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
)

// locate adds the problems of records, each with its place.
func (r *reader) locate(found domain.Findings) error {
	byFile := map[*file]map[int][]placed{}
	var files []*file // in the order of the problems
	for _, p := range found.Problems {
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
	for rule, n := range found.Found {
		r.found[rule] += max(0, n-domain.MaxKept) // problems above the limit have no place
	}
	for rule, n := range found.Accepted {
		r.accepted[rule] += max(0, n-domain.MaxKept)
	}
	return nil
}

// placed is a problem and its path from the record of the pass.
type placed struct {
	domain.Problem
	path []string
}

// origin returns the file of a record, the index of the record in the file and the path within
// it.
func (r *reader) origin(at domain.Ref) (f *file, record int, path []string) {
	s, index := r.origins.segmentOf(at.Kind, at.Index)
	if s == nil {
		return &file{path: "catalog.yaml", kind: kindOf("catalog")}, 0, nil // of a list without a file, and so without a record
	}
	if d := domain.Describe(at.Kind); d.List != "" && !d.Long {
		return s.file, 0, append([]string{d.List, strconv.Itoa(index)}, at.Path...)
	}
	return s.file, index, at.Path
}

// locateIn passes through a file again, to find the places of the problems of some of its
// records.
func (r *reader) locateIn(f *file, problems map[int][]placed) error {
	r.reading = f.path
	if f.kind.Raw {
		r.locateRaw(f, problems)
		return nil
	}
	scratch := decoder{locale: r.decoder.locale, report: func(*node, domain.Rule, string, string) {}}
	p := &pass{of: f.kind, d: &scratch,
		want: func(i int) bool { return problems[i] != nil },
		yield: func(i int, n *node) error {
			for _, p := range problems[i] {
				line, column := standsAt(f, n, p)
				r.add(r.place(f, i, n, p, line, column))
			}
			if delete(problems, i); len(problems) == 0 {
				return errLocated
			}
			return r.ctx.Err()
		},
	}
	_, err := p.run(r.fsys, f.path)
	var broken *fault
	if err != nil && err != errLocated && !errors.As(err, &broken) {
		return err
	}
	for _, i := range slices.Sorted(maps.Keys(problems)) { // the file has changed since
		for _, p := range problems[i] {
			r.add(r.place(f, i, nil, p, 1, 1))
		}
	}
	return nil
}

// errLocated ends a pass after the last problem.
var errLocated = errors.New("all problems are located")

// standsAt returns the place of a problem of a record.
func standsAt(f *file, record *node, p placed) (line, column int) {
	n, key := record.follow(p.path)
	if n == record && !f.kind.Long {
		return 1, 1 // the problem is that of the file
	}
	if key != nil && p.Rule == domain.RuleUndeclaredLocale && !strings.HasSuffix(p.path[len(p.path)-1], "locale") {
		n = key // the problem is the locale of a text, not the text; other locales are values of their fields
	}
	return n.line, n.column
}

// place adds the place to a problem, and that of the repeated value if it has one. record is the
// i-th of the file, nil if unknown.
func (r *reader) place(f *file, i int, record *node, p placed, line, column int) Problem {
	message, first := p.Message, Place{}
	if p.First != nil {
		first = r.firstPlace(f, i, record, *p.First)
		message += ", first in " + first.String()
	}
	problem := problemAt(f.path, line, column, p.Rule, message, p.Remedy)
	problem.Accepted, problem.First = p.Accepted, first
	return problem
}

// firstPlace returns the place of a repeated value: of the field if it is in the same record, else of
// the other record.
func (r *reader) firstPlace(f *file, i int, record *node, first domain.Ref) Place {
	at, j, path := r.origin(first)
	if at == f && i == j && record != nil {
		n, _ := record.follow(path)
		return Place{f.path, n.line}
	}
	s, index := r.origins.segmentOf(first.Kind, first.Index)
	if s == nil || index >= len(s.lines) {
		return Place{at.path, 1}
	}
	return Place{at.path, int(s.lines[index])}
}
