package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/preview"
)

// Limits of a printed preview. JSON has more.
const (
	shownFallbacks = 30
	shownGroups    = 6   // of locales, of an operation
	shownMessage   = 400 // code points of a message
)

// section is a part of a preview. Markdown shows one that is folded only on request.
type section struct {
	title  string
	lines  []outlined
	folded bool
	links  string // template of links to places, "" for none
}

// outlined is a line of a section: text of the program, and text of catalogues, which is not trusted.
type outlined struct {
	depth     int
	fragments []fragment
}

// fragment is a piece of text.
type fragment struct {
	text string
	code bool   // from a catalogue, a file name or a name of the API
	link string // https address in Markdown, "" for none
}

func plainText(format string, args ...any) fragment {
	return fragment{text: fmt.Sprintf(format, args...)}
}

func catalogText(text string) fragment { return fragment{text: text, code: true} }

func (s *section) add(depth int, fragments ...fragment) {
	s.lines = append(s.lines, outlined{depth, fragments})
}

// addMore adds a line that counts what is left out, named in the singular or by an adjective.
func (s *section) addMore(depth, n int, what string) {
	if n > 0 {
		s.add(depth, plainText("… and %s more %s", grouped(n), strings.TrimPrefix(plural(n, what), grouped(n)+" ")))
	}
}

// plural returns a number with a noun in the singular or plural. Adjectives are added, removed and so
// on, without a plural.
func plural(n int, noun string) string {
	if n != 1 && !strings.HasSuffix(noun, "ed") {
		head, of, found := strings.Cut(noun, " of ")
		noun = head + "s"
		if found {
			noun += " of " + of
		}
	}
	return grouped(n) + " " + noun
}

// sections returns the parts of a review that are not empty.
func (r *review) sections() []section {
	all := []section{r.findingsSection(), r.warningsSection(), r.recordsSection(), r.fallbacksSection(), r.staleSection(), r.operationsSection()}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.lines) == 0 })
}

func (r *review) findingsSection() section {
	s := section{title: fmt.Sprintf("Gate findings (%d)", len(r.findings))}
	for _, alike := range sameRecords(r.findings) {
		for i, f := range alike {
			s.add(min(i, 1), plainText("%s ", f.Severity), catalogText(f.Rule), plainText(": "), catalogText(summaryOf(f)))
		}
	}
	return s
}

// sameRecords groups findings about the same records, which probably have one cause.
func sameRecords(findings []gate.Finding) [][]gate.Finding {
	alone := 0
	return groupBy(findings, func(f gate.Finding) string {
		if len(f.Records) == 0 {
			alone++
			return fmt.Sprint(alone)
		}
		keys := map[string]bool{}
		for _, r := range f.Records {
			keys[string(r.Kind)+" "+r.Key] = true
		}
		return fmt.Sprintf("%q %d", slices.Sorted(maps.Keys(keys)), max(0, f.Total-len(f.Records)))
	})
}

// groupBy groups elements with the same key, in the order of the first of each.
func groupBy[T any, K comparable](all []T, keyOf func(T) K) [][]T {
	var groups [][]T
	place := map[K]int{}
	for _, one := range all {
		key := keyOf(one)
		i, known := place[key]
		if !known {
			i = len(groups)
			place[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], one)
	}
	return groups
}

func summaryOf(f gate.Finding) string { return shortened(printable(f.Summary()), shownMessage) }

func (r *review) warningsSection() section {
	s := section{title: fmt.Sprintf("New warnings (%d)", len(r.warnings))}
	for _, of := range groupBy(r.warnings, func(p bundle.Problem) domain.Rule { return p.Rule }) {
		for _, p := range of[:min(len(of), unfolded)] {
			s.add(0, catalogText(p.Place()), plainText(" "), catalogText(string(p.Rule)), plainText(": "), catalogText(messageOf(p)))
		}
		if more := len(of) - unfolded; more > 0 {
			s.add(0, plainText("… and %s more ", grouped(more)), catalogText(string(of[0].Rule)))
		}
	}
	return s
}

func messageOf(p bundle.Problem) string {
	return shortened(printable(p.Message+"; "+p.Remedy), shownMessage)
}

func shortened(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

func (r *review) recordsSection() section {
	s := section{title: "Records", links: r.editURL}
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
	s := section{title: fmt.Sprintf("Responses of %s", plural(operationsIn(r.report), "operation")), folded: true}
	for _, op := range r.report.Operations {
		for _, c := range op.Changes[:min(len(op.Changes), shownGroups)] {
			s.add(0, catalogText(op.Name), plainText(" "), catalogText(op.Path), plainText(" (%s): %s", r.localesText(c.Locales), changesText(c)))
			s.rows(c.Added, "+", "added")
			s.rows(c.Removed, "-", "removed")
			s.rows(c.Changed, "~", "changed")
			s.rows(c.Moved, "↕", "moved")
		}
		s.addMore(1, len(op.Changes)-shownGroups, "group of locales")
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
		s.add(1, append(rowText(row, sign), placeText(row.At, s.links)...)...)
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

// placeText returns the file and line of a record, with a link by a template; nil if they are not known.
func placeText(at, template string) []fragment {
	if at == "" {
		return nil
	}
	place := catalogText(at)
	if file, line, ok := cutPlace(at); ok && template != "" {
		place.link = strings.NewReplacer("<", "%3C", ">", "%3E").Replace(domain.EditLink(template, file, line))
	}
	return []fragment{plainText(" ("), place, plainText(")")}
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
	s.addMore(depth, row.Omitted, "member")
}

func valueText(value string) fragment {
	if value == "" {
		return plainText("none")
	}
	return catalogText(printable(value))
}

func (r *review) fallbacksSection() section {
	s := section{title: "Texts in another locale"}
	alike := sameFallbacks(r.report.Fallbacks)
	for _, all := range alike[:min(len(alike), shownFallbacks)] {
		f := all[0]
		var locales []string
		for _, f := range all {
			locales = append(locales, f.Locale)
		}
		s.add(0, catalogText(string(f.Kind)+"."+f.Field), plainText(" in "), catalogText(r.localesText(locales)), plainText(": %s → %s fall back", grouped(f.Before), grouped(f.After)))
		s.rows(f.New, "+", "record")
	}
	s.addMore(0, len(alike)-shownFallbacks, "field")
	return s
}

// sameFallbacks groups fallbacks of one field with the same numbers and records in several locales.
func sameFallbacks(fallbacks []preview.Fallback) [][]preview.Fallback {
	var groups [][]preview.Fallback
	for _, f := range fallbacks {
		last := len(groups) - 1
		if last >= 0 && alikeButLocale(groups[last][0], f) {
			groups[last] = append(groups[last], f)
			continue
		}
		groups = append(groups, []preview.Fallback{f})
	}
	return groups
}

func alikeButLocale(a, b preview.Fallback) bool {
	return a.Kind == b.Kind && a.Field == b.Field && a.Before == b.Before && a.After == b.After && a.New.Total == b.New.Total &&
		slices.EqualFunc(a.New.Examples, b.New.Examples, func(a, b preview.Row) bool { return a.Key == b.Key })
}

func (r *review) staleSection() section {
	s := section{title: "Translations that may be stale"}
	for _, of := range r.report.Stale[:min(len(r.report.Stale), shownFallbacks)] {
		s.add(0, catalogText(string(of.Kind)+"."+of.Field), plainText(" in "), catalogText(strings.Join(of.Locales, ", ")),
			plainText(": the default locale changed in %s, and they did not", plural(of.Records.Total, "record")))
		s.rows(of.Records, "~", "record")
	}
	s.addMore(0, len(r.report.Stale)-shownFallbacks, "field")
	return s
}
