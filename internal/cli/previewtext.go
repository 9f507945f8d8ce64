package cli

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/gate"
	"vitrine/internal/preview"
)

// Limits of a printed preview. JSON has more.
const (
	shownWarnings  = 20
	shownFallbacks = 30
	shownGroups    = 6   // of locales, of an operation
	shownMessage   = 400 // code points of a message
)

// section is a part of a preview.
type section struct {
	title string
	lines []outlined
}

// outlined is a line of a section: text of the program, and text of catalogues, which is not trusted.
type outlined struct {
	depth     int
	fragments []fragment
}

// fragment is a piece of text.
type fragment struct {
	text string
	code bool // from a catalogue, a file name or a name of the API
}

func plainText(format string, args ...any) fragment {
	return fragment{text: fmt.Sprintf(format, args...)}
}

func catalogText(text string) fragment { return fragment{text: text, code: true} }

func (s *section) add(depth int, fragments ...fragment) {
	s.lines = append(s.lines, outlined{depth, fragments})
}

// addMore adds a line that counts what is left out.
func (s *section) addMore(depth, n int, what string) {
	if n > 0 {
		s.add(depth, plainText("… and %s more %s", grouped(n), what))
	}
}

// sections returns the parts of a review that are not empty.
func (r *review) sections() []section {
	all := []section{r.findingsSection(), r.warningsSection(), r.recordsSection(), r.operationsSection(), r.fallbacksSection()}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.lines) == 0 })
}

func (r *review) findingsSection() section {
	s := section{title: fmt.Sprintf("Gate findings (%d)", len(r.findings))}
	for _, f := range r.findings {
		s.add(0, plainText("%s ", f.Severity), catalogText(f.Rule), plainText(": "), catalogText(summaryOf(f)))
	}
	return s
}

func summaryOf(f gate.Finding) string { return shortened(printable(f.Summary())) }

func (r *review) warningsSection() section {
	s := section{title: fmt.Sprintf("New warnings (%d)", len(r.warnings))}
	for _, p := range r.warnings[:min(len(r.warnings), shownWarnings)] {
		s.add(0, catalogText(p.Place()), plainText(" "), catalogText(string(p.Rule)), plainText(": "), catalogText(messageOf(p)))
	}
	s.addMore(0, len(r.warnings)-shownWarnings, "warnings")
	return s
}

func messageOf(p bundle.Problem) string { return shortened(printable(p.Message + "; " + p.Remedy)) }

func shortened(text string) string {
	if runes := []rune(text); len(runes) > shownMessage {
		return string(runes[:shownMessage]) + "…"
	}
	return text
}

func (r *review) recordsSection() section {
	s := section{title: "Records"}
	for _, of := range r.report.Records {
		counts := tally{added: of.Added.Total, changed: of.Changed.Total, removed: of.Removed.Total}
		s.add(0, catalogText(string(of.Kind)), plainText(": %s", counts.short()))
		s.rows(of.Added, "+", "added")
		s.rows(of.Removed, "-", "removed")
		s.rows(of.Changed, "~", "changed")
	}
	return s
}

func (r *review) operationsSection() section {
	s := section{title: "Responses"}
	for _, op := range r.report.Operations {
		for _, c := range op.Changes[:min(len(op.Changes), shownGroups)] {
			s.add(0, catalogText(op.Name), plainText(" "), catalogText(op.Path), plainText(" (%s): %s", r.localesText(c.Locales), changesText(c)))
			s.rows(c.Added, "+", "added")
			s.rows(c.Removed, "-", "removed")
			s.rows(c.Changed, "~", "changed")
			s.rows(c.Moved, "↕", "moved")
		}
		s.addMore(1, len(op.Changes)-shownGroups, "groups of locales")
	}
	return s
}

// localesText names locales.
func (r *review) localesText(locales []string) string {
	switch {
	case len(locales) == len(r.report.Locales) && len(locales) > 1:
		return "all locales"
	case len(locales) > shownGroups:
		return strings.Join(locales[:shownGroups], ", ") + fmt.Sprintf(" and %d more", len(locales)-shownGroups)
	}
	return strings.Join(locales, ", ")
}

// changesText counts the changes of a response.
func changesText(c preview.Changes) string {
	text := tally{added: c.Added.Total, changed: c.Changed.Total, removed: c.Removed.Total}.short()
	if c.Moved.Total > 0 {
		text += fmt.Sprintf(", %s moved", grouped(c.Moved.Total))
	}
	text = strings.TrimPrefix(text, ", ")
	if c.Before == 1 && c.After == 1 {
		return text
	}
	if c.Before != c.After {
		return fmt.Sprintf("%s → %s; %s", grouped(c.Before), grouped(c.After), text)
	}
	return fmt.Sprintf("%s; of %s", text, grouped(c.After))
}

// rows adds the examples of rows.
func (s *section) rows(rows preview.Rows, sign, what string) {
	for _, row := range rows.Examples {
		if row.Key == "" { // the response as a whole
			s.members(1, row)
			continue
		}
		s.add(1, rowText(row, sign)...)
		s.members(2, row)
	}
	s.addMore(1, rows.Total-len(rows.Examples), what)
}

func rowText(row preview.Row, sign string) []fragment {
	fragments := []fragment{plainText("%s ", sign), catalogText(row.Key)}
	if row.Title != "" {
		fragments = append(fragments, plainText(" "), catalogText(row.Title))
	}
	if row.Was != "" {
		fragments = append(fragments, plainText(", formerly "), catalogText(row.Was))
	}
	if row.To > 0 {
		fragments = append(fragments, plainText(": place %s → %s", grouped(row.From), grouped(row.To)))
	}
	return fragments
}

// members adds the changed members of a row. The order of records is a change without a name.
func (s *section) members(depth int, row preview.Row) {
	for _, m := range row.Members {
		values := []fragment{valueText(m.Before), plainText(" → "), valueText(m.After)}
		if m.Name != "" {
			values = slices.Insert(values, 0, catalogText(m.Name), plainText(": "))
		}
		s.add(depth, values...)
	}
	s.addMore(depth, row.Omitted, "members")
}

func valueText(value string) fragment {
	if value == "" {
		return plainText("none")
	}
	return catalogText(printable(value))
}

func (r *review) fallbacksSection() section {
	s := section{title: "Texts in another locale"}
	shown := r.report.Fallbacks[:min(len(r.report.Fallbacks), shownFallbacks)]
	for _, f := range shown {
		s.add(0, catalogText(string(f.Kind)+"."+f.Field), plainText(" in "), catalogText(f.Locale), plainText(": %s → %s fall back", grouped(f.Before), grouped(f.After)))
		s.rows(f.New, "+", "records")
	}
	s.addMore(0, len(r.report.Fallbacks)-len(shown), "fields")
	return s
}
