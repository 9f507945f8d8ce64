package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/gate"
)

// The formats that show remarks next to their files.
const (
	formatGitHub = "github"
	formatSARIF  = "sarif"
)

// remark is a problem or a finding with its place, for programs that show it beside the file.
type remark struct {
	severity     domain.Severity
	rule         string
	message      string // one line
	file         string // slash path from the working directory, or an absolute one; "" for none
	line, column int    // from 1, 0 for none
}

// problemRemarks returns the problems of a directory whose files are below root, except accepted ones.
func problemRemarks(problems []bundle.Problem, root string) []remark {
	var all []remark
	for _, p := range problems {
		if p.Accepted {
			continue
		}
		all = append(all, remark{p.Severity, string(p.Rule), p.Message + "; " + p.Remedy, fileBelow(root, p.File), p.Line, p.Column})
	}
	return all
}

// maxPlaces bounds the records of a finding that have a remark.
const maxPlaces = 5

// findingRemarks returns the findings of the gate, each at its first records in the candidate. A
// finding whose records are gone annotates the file of the catalogue. Messages begin with the severity,
// because forges have other severities.
func findingRemarks(findings []gate.Finding, candidate operand) []remark {
	at := newPlaces(candidate)
	var all []remark
	for _, f := range findings {
		placed := 0
		for _, r := range findingRecords(f) {
			file, line, ok := at.record(r.Kind, r.Key)
			if !ok || placed == maxPlaces {
				continue
			}
			placed++
			all = append(all, remark{findingSeverity(f), f.Rule, printable(string(f.Severity) + ": " + affectedText(r) + ": " + f.Message + "; " + f.Why), file, line, 1})
		}
		if placed == 0 {
			file, line := at.catalog()
			all = append(all, remark{findingSeverity(f), f.Rule, printable(string(f.Severity) + ": " + f.Summary()), file, line, min(line, 1)})
		}
	}
	return all
}

// findingSeverity returns Warning for a finding that holds no publish.
func findingSeverity(f gate.Finding) domain.Severity {
	if holds(f) {
		return domain.Error
	}
	return domain.Warning
}

// affectedText names a record of a finding, with its field and values if it has some.
func affectedText(r gate.Record) string {
	text := r.Key
	if r.Field != "" {
		text += " " + r.Field
	}
	if r.Before != "" || r.After != "" {
		text += fmt.Sprintf(" (%s → %s)", cmp.Or(shortened(r.Before, shownRunes), "nothing"), cmp.Or(shortened(r.After, shownRunes), "nothing"))
	}
	return text
}

// places finds the records of a directory in its files.
type places struct {
	of    operand
	index map[domain.Kind]map[string]int // by identity of the key and of the address
}

func newPlaces(of operand) *places { return &places{of, map[domain.Kind]map[string]int{}} }

// record returns the file and line of a record. ok is false if the catalogue does not have it, or is
// not a directory.
func (p *places) record(kind domain.Kind, key string) (file string, line int, ok bool) {
	file, line, ok = cutPlace(p.origin(kind, key))
	return fileBelow(p.of.root, file), line, ok
}

// origin returns the place of a record as FILE:LINE in its directory, "" if it is not known.
func (p *places) origin(kind domain.Kind, key string) string {
	d := domain.Describe(kind)
	if p.of.dir == nil || d == nil {
		return ""
	}
	if p.index[kind] == nil {
		p.index[kind] = map[string]int{}
		for i := range d.Size(p.of.dir.Catalog) {
			record := d.Record(p.of.dir.Catalog, i)
			p.index[kind][d.Identity(d.Key(record))] = i
			p.index[kind][d.Identity(d.Address(record))] = i
		}
	}
	if i, ok := p.index[kind][d.Identity(key)]; ok {
		return p.of.dir.Origin(kind, i)
	}
	return ""
}

// catalog returns the file of the catalogue's own fields, "" if it is not a directory.
func (p *places) catalog() (file string, line int) {
	if p.of.dir == nil {
		return "", 0
	}
	if file, line, ok := cutPlace(p.of.dir.Origin(domain.KindCatalog, 0)); ok {
		return fileBelow(p.of.root, file), line
	}
	return fileBelow(p.of.root, "catalog.yaml"), 1
}

// cutPlace splits FILE:LINE.
func cutPlace(origin string) (file string, line int, ok bool) {
	colon := strings.LastIndexByte(origin, ':')
	if colon < 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(origin[colon+1:])
	return origin[:colon], line, err == nil
}

// fileBelow returns the slash path of a file of a directory: from the working directory if it is below
// that, else an absolute one.
func fileBelow(root, file string) string {
	abs, err := filepath.Abs(root)
	if err != nil {
		return file
	}
	here, err := os.Getwd()
	if err != nil {
		return filepath.ToSlash(filepath.Join(abs, file))
	}
	for _, at := range [][2]string{{here, abs}, {realPath(here), realPath(abs)}} {
		if rel, err := filepath.Rel(at[0], filepath.Join(at[1], filepath.FromSlash(file))); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(filepath.Join(abs, filepath.FromSlash(file)))
}
