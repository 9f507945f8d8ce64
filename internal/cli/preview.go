package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/preview"
	"vitrine/internal/snapshot"
)

type previewCmd struct {
	Base   string `arg:"" help:"What is served: a catalogue directory, a revision of the store, or a git ref (REF or REF:PATH)."`
	Head   string `arg:"" help:"What would replace it: likewise."`
	Format string `enum:"text,json,markdown,github,sarif" default:"text" help:"Output format: ${enum}. markdown is the summary of a pull request; github and sarif annotate files of HEAD." env:"-"`
	Site   string `placeholder:"DIR" env:"-" help:"Also write the pages of changed records, and overviews, as files that a browser reads without a server."`
	storeFlag
}

// Help is the part of the help that only this command prints.
func (previewCmd) Help() string { return withoutHistory }

// Run prints what changes for readers. The status is 0 whatever changes.
func (c *previewCmd) Run(ctx context.Context, to streams) error {
	base, head, err := readBoth(ctx, c.storeFlag, c.Base, c.Head, to)
	if err != nil {
		return err
	}
	served := head.catalog
	if base.state == nil && head.state == nil { // renamed records keep their ids, as in a publish
		served, _ = domain.KeepIDs(base.catalog, head.catalog, nil)
	}
	before, after, err := compileBoth(base.catalog, served)
	if err != nil {
		return err
	}
	r := review{
		base: c.Base, head: c.Head, report: preview.Compare(before, after),
		findings: openFindings(base, head), warnings: newWarnings(base.dir, head.dir), editURL: base.catalog.EditURL,
	}
	locateRecords(r.report.Records, base, head)
	if err := r.print(to, c.Format, head); err != nil {
		return could{fmt.Errorf("print the preview: %w", err)}
	}
	if c.Site == "" {
		return nil
	}
	return writeSite(to, c.Site, &r, before, after)
}

// compileBoth compiles two catalogues as if they were the same revision.
func compileBoth(base, head *domain.Catalog) (before, after preview.Version, err error) {
	before.Catalog, after.Catalog = base, head
	if before.Snapshot, err = snapshot.Compile(nil, base, snapshot.Revision{}); err == nil {
		after.Snapshot, err = snapshot.Compile(before.Snapshot, head, snapshot.Revision{})
	}
	return before, after, err
}

// review is what a reviewer of a change is shown.
type review struct {
	base, head string
	report     *preview.Report
	findings   []gate.Finding
	warnings   []bundle.Problem // new ones
	// editURL is the template of links to files, "" for none. It is that of base: a change must not
	// add links to its own review.
	editURL string
}

// locateRecords sets the file and line of records in head, and of removed ones in base.
func locateRecords(all []preview.Records, base, head operand) {
	before, after := newPlaces(base), newPlaces(head)
	locate := func(rows preview.Rows, kind domain.Kind, at *places) {
		for i := range rows.Examples {
			rows.Examples[i].At = at.origin(kind, rows.Examples[i].Key)
		}
	}
	for _, of := range all {
		locate(of.Added, of.Kind, after)
		locate(of.Changed, of.Kind, after)
		locate(of.Removed, of.Kind, before)
	}
}

func (r *review) print(to streams, format string, head operand) error {
	switch format {
	case "json":
		return writeJSON(to.out, r.json())
	case formatGitHub:
		return writeGitHub(to.out, "vitrine preview", r.remarks(head), r.verdict().text+"; "+r.counts())
	case formatSARIF:
		return writeSARIF(to.out, r.remarks(head))
	case "markdown":
		return writeMarkdown(to.out, "Preview of the catalogue", r.verdict().text, r.counts(), r.sections())
	}
	return writeSections(to.out, r.verdict().text, r.counts(), r.sections())
}

// remarks returns the findings of the gate and the new warnings.
func (r *review) remarks(head operand) []remark {
	return slices.Concat(findingRemarks(r.findings, head), problemRemarks(r.warnings, head.root))
}

// counts sums the review up, in one line.
func (r *review) counts() string {
	var records tally
	for _, of := range r.report.Records {
		records.added += of.Added.Total
		records.changed += of.Changed.Total
		records.removed += of.Removed.Total
	}
	stale := 0
	for _, s := range r.report.Stale {
		stale += s.Records.Total
	}
	fallbacks := r.report.FallingBack
	return fmt.Sprintf("records: %s; operations with other responses: %d; gate findings: %d; new warnings: %d; records with new fallbacks: %s; translations that may be stale: %s",
		records, operationsIn(r.report), len(r.findings), len(r.warnings), inLocales(fallbacks.Records, fallbacks.Locales), grouped(stale))
}

// inLocales counts records and the locales that are affected.
func inLocales(records, locales int) string {
	if records == 0 {
		return "0"
	}
	return fmt.Sprintf("%s in %s", grouped(records), plural(locales, "locale"))
}

// verdict says whether the findings would hold a publish of head. It does not know the rules that need
// the history of the store.
func (r *review) verdict() verdict {
	var held []string
	for _, f := range r.findings {
		if holds(f) {
			held = append(held, string(f.Severity)+" "+f.Rule)
		}
	}
	switch {
	case len(held) > 0:
		text := strings.Join(held[:min(len(held), shownGroups)], ", ")
		if more := len(held) - shownGroups; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		return verdict{"held", "A publish would be held: " + text}
	case len(r.findings) > 0:
		return verdict{"warn", fmt.Sprintf("The comparison has no findings that hold a publish (%s)", findingCounts(r.findings))}
	case r.report.IsEmpty():
		return verdict{"nothing", "A publish would change nothing"}
	}
	return verdict{"pass", "The comparison has no findings that hold a publish"}
}

// verdict is the effect of the findings, as a name for programs and a sentence without a full stop.
type verdict struct{ name, text string }

// operationsIn counts the operations of a report, which has one entry for each request.
func operationsIn(report *preview.Report) int {
	names := map[string]bool{}
	for _, op := range report.Operations {
		names[op.Name] = true
	}
	return len(names)
}

// reviewJSON is the output of preview with `--format json`.
type reviewJSON struct {
	Base    string `json:"base"`
	Head    string `json:"head"`
	Verdict string `json:"verdict"` // nothing, pass, warn or held
	*preview.Report
	Findings []findingJSON    `json:"findings"`
	Warnings []bundle.Problem `json:"warnings"` // the first new ones
	Total    int              `json:"warningsTotal"`
}

// maxWarnings bounds the new warnings in JSON.
const maxWarnings = 100

func (r *review) json() reviewJSON {
	return reviewJSON{
		Base: r.base, Head: r.head, Verdict: r.verdict().name, Report: r.report, Findings: newFindingsJSON(r.findings).Findings,
		Warnings: r.warnings[:min(len(r.warnings), maxWarnings)], Total: len(r.warnings),
	}
}

// newWarnings returns the warnings of head about records that have fewer equal ones in base; nil if
// either is not a directory. Missing translations are among the fallbacks of the report. A warning that
// a record repeats another one is at the one that differs from base.
func newWarnings(base, head *bundle.Directory) []bundle.Problem {
	if base == nil || head == nil {
		return nil
	}
	known := map[string]int{}
	for at, warnings := range warningsByRecord(base) {
		known[at] = len(warnings)
	}
	delta, records := domain.DeltaOf(base.Catalog, head.Catalog), recordLines(head)
	differs := map[string]bool{}
	for _, d := range domain.Descriptions() {
		_, after := delta.Records(d)
		for _, record := range after {
			differs[nameOf(d, record)] = true
		}
	}
	var all []bundle.Problem
	for at, warnings := range warningsByRecord(head) {
		if more := len(warnings) - known[at]; more > 0 {
			for _, p := range warnings[len(warnings)-more:] {
				if !differs[recordAt(records[p.File], p.Line)] && differs[recordAt(records[p.First.File], p.First.Line)] {
					p = p.AtFirst()
				}
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b bundle.Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(string(a.Rule), string(b.Rule)), strings.Compare(a.Message, b.Message))
	})
	return all
}

// warningsByRecord returns the warnings that are not accepted, by record, rule and text.
func warningsByRecord(dir *bundle.Directory) map[string][]bundle.Problem {
	records := recordLines(dir)
	all := map[string][]bundle.Problem{}
	for _, p := range dir.Problems {
		if p.Accepted || p.Severity != domain.Warning || p.Rule == domain.RuleMissingTranslation {
			continue
		}
		at := fmt.Sprintf("%q %q %q", recordAt(records[p.File], p.Line), p.Rule, p.Message)
		all[at] = append(all[at], p)
	}
	return all
}

// fileRecord is a record of a file.
type fileRecord struct {
	line int    // where it begins
	name string // kind and key
}

// recordLines returns the records of each file of a directory, by line.
func recordLines(dir *bundle.Directory) map[string][]fileRecord {
	all := map[string][]fileRecord{}
	for _, d := range domain.Descriptions() {
		for i := range d.Size(dir.Catalog) {
			if file, line, ok := cutPlace(dir.Origin(d.Kind, i)); ok {
				all[file] = append(all[file], fileRecord{line, nameOf(d, d.Record(dir.Catalog, i))})
			}
		}
	}
	for _, records := range all {
		slices.SortStableFunc(records, func(a, b fileRecord) int { return cmp.Compare(a.line, b.line) })
	}
	return all
}

func nameOf(d *domain.Description, record any) string { return string(d.Kind) + " " + d.Key(record) }

// recordAt returns the name of the record that a line is in, "" for none.
func recordAt(records []fileRecord, line int) string {
	after, _ := slices.BinarySearchFunc(records, line+1, func(r fileRecord, line int) int { return cmp.Compare(r.line, line) })
	if after == 0 {
		return ""
	}
	return records[after-1].name
}
