package catalog

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of texts, in code points.
const (
	maxName        = 500
	maxDescription = 10_000
)

// maxLocales bounds the locales that a catalogue declares: every text is held
// against each of them.
const maxLocales = 200

// name checks a required text of one line.
func (ck *checker) name(at Ref, field string, t Text) {
	at = at.in(field)
	if len(t) == 0 {
		ck.missing(at, field)
		return
	}
	ck.text(at, field, t, maxName, false)
}

// description checks an optional text, which may have several lines.
func (ck *checker) description(at Ref, t Text) {
	if len(t) > 0 {
		ck.text(at.in("description"), "description", t, maxDescription, true)
	}
}

func (ck *checker) text(at Ref, field string, t Text, limit int, lines bool) {
	for i, tr := range t {
		here := at.in(tr.Locale)
		if i > 0 && t[i-1].Locale == tr.Locale {
			ck.report(here, RuleDuplicate, fmt.Sprintf("%s has two texts in %s", field, quote(tr.Locale)), "remove one of them")
		}
		if tr.Value == "" {
			ck.report(here, RuleMissingText, fmt.Sprintf("%s is empty in %s", field, quote(tr.Locale)), "write the text or remove the locale")
		}
		ck.plain(here, field, tr.Value, limit, lines)
	}
	if ck.locales == nil {
		return
	}
	misspelt := ck.undeclaredLocales(at, field, t)
	if _, ok := t.In(ck.cat.DefaultLocale); !ok {
		if !misspelt {
			ck.report(at, RuleMissingText, fmt.Sprintf("%s has no text in the default locale %s", field, quote(ck.cat.DefaultLocale)),
				"add one, which every other locale falls back to")
		}
		return
	}
	ck.translations(at, field, t)
}

// undeclaredLocales reports the locales that the catalogue does not declare,
// and whether one of them is most likely the default locale misspelt.
func (ck *checker) undeclaredLocales(at Ref, field string, t Text) (misspelt bool) {
	for _, tr := range t {
		if ck.locales[tr.Locale] {
			continue
		}
		remedy := "add that locale to locales in catalog.yaml, or remove this text"
		if near := ck.nearLocale(tr.Locale); near != "" {
			remedy = fmt.Sprintf("did you mean %s? If not, %s", quote(near), remedy)
			misspelt = misspelt || near == ck.cat.DefaultLocale
		}
		ck.report(at.in(tr.Locale), RuleUndeclaredLocale,
			fmt.Sprintf("%s has a text in %s, which the catalogue does not declare", field, quote(tr.Locale)), remedy)
	}
	return misspelt
}

// nearLocale returns the declared locale that tag is most likely a misspelling
// of: equal but for case and `_`, or one edit away if it is long enough to say.
// Only so many are looked into: a long list may have as many wrong locales.
func (ck *checker) nearLocale(tag string) string {
	near, ok := ck.nearLocales[tag]
	if !ok && len(ck.nearLocales) < 1000 {
		near = nearestLocale(tag, ck.cat.Locales[:min(maxLocales, len(ck.cat.Locales))])
		ck.nearLocales[tag] = near
	}
	return near
}

func nearestLocale(tag string, declared []string) string {
	near := ""
	for _, l := range declared {
		a, b := foldLocale(l), foldLocale(tag)
		if a == b {
			return l
		}
		if near == "" && len(a) > 4 && len(b) > 4 && edits(a, b, 2) < 2 {
			near = l
		}
	}
	return near
}

// foldLocale makes equal what the contract holds equal: `_` is `-`, and case
// does not matter.
func foldLocale(tag string) string { return strings.ReplaceAll(strings.ToLower(tag), "_", "-") }

// plain checks the characters and the length of a string that is not empty
// by definition. It reports whether they are fine.
func (ck *checker) plain(at Ref, field, s string, limit int, lines bool) bool {
	if !utf8.ValidString(s) {
		ck.report(at, RuleInvalidUTF8, field+" is not valid UTF-8", "save the text as UTF-8")
		return false
	}
	if r, found := forbidden(s, lines); found {
		ck.report(at, RuleForbiddenCharacter, fmt.Sprintf("%s holds the %s U+%04X", field, characterKind(r), r), characterRemedy(r))
		return false
	}
	if n := len(s); n > limit {
		if n = utf8.RuneCountInString(s); n > limit {
			ck.report(at, RuleTooLong, fmt.Sprintf("%s has %d characters, the limit is %d", field, n, limit), "shorten it")
			return false
		}
	}
	return true
}

// forbidden returns the first character that no text may hold: control
// characters (Unicode Cc), save line feeds where there may be lines, and the
// controls that embed text in a direction or override its own. Those that
// isolate a piece of text (U+2066 to U+2069) are what such texts should use.
func forbidden(s string, lines bool) (rune, bool) {
	for _, r := range s {
		if isBidiOverride(r) || unicode.IsControl(r) && !(lines && r == '\n') {
			return r, true
		}
	}
	return 0, false
}

func isBidiOverride(r rune) bool { return 0x202A <= r && r <= 0x202E }

func isBidiIsolate(r rune) bool { return 0x2066 <= r && r <= 0x2069 }

func characterKind(r rune) string {
	switch {
	case r == '\n':
		return "line feed"
	case isBidiOverride(r):
		return "bidi override character"
	}
	return "control character"
}

func characterRemedy(r rune) string {
	switch {
	case r == '\n':
		return "write it on one line; only descriptions may have several"
	case isBidiOverride(r):
		return "remove it; it makes text look other than it is"
	}
	return "remove it"
}

// list checks the entries of a list of plain texts.
func (ck *checker) list(at Ref, field string, entries []string) {
	for i, s := range entries {
		here := at.in(field).at(i)
		if s == "" {
			ck.emptyEntry(here, field)
			continue
		}
		ck.plain(here, "an entry of "+field, s, maxName, false)
	}
}

func (ck *checker) emptyEntry(at Ref, field string) {
	ck.report(at, RuleMissingField, "an entry of "+field+" is empty", "remove the entry or fill it in")
}

// quote returns s for a message: short, and with everything visible.
func quote(s string) string {
	if p := prefix(s, 60); p != s {
		return strconv.Quote(p + "…")
	}
	return strconv.Quote(s)
}

// prefix returns the first n code points of s.
func prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// gaps counts the texts that have no translation at all, so that they can be
// reported field by field: most names of a long list are never translated,
// and a warning for each would drown the rest.
type gaps struct {
	of    map[gapField]*gap
	order []*gap
}

// gapField is a field of all records of a kind, without indices.
type gapField struct {
	kind Kind
	path string
}

type gap struct {
	first   Ref
	field   string
	list    string // what is counted
	missing int
	texts   int
}

func (g *gaps) count(at Ref, field string, missing bool) {
	var path []string
	for _, p := range at.Path {
		if p[0] < '0' || p[0] > '9' {
			path = append(path, p)
		}
	}
	id := gapField{at.Kind, strings.Join(path, ".")}
	if g.of[id] == nil {
		g.of[id] = &gap{field: field, list: listName(at.Kind, path)}
	}
	of := g.of[id]
	of.texts++
	if !missing {
		return
	}
	if of.missing == 0 {
		of.first = at
		g.order = append(g.order, of)
	}
	of.missing++
}

// listName names what a field is counted in, for people.
func listName(kind Kind, path []string) string {
	if len(path) > 1 {
		return strings.Replace(path[len(path)-2], "standalone", "items", 1)
	}
	switch kind {
	case KindAccount:
		return "accounts"
	case KindChannel:
		return "channels"
	case KindNavGroup:
		return "nav groups"
	}
	return string(kind)
}

// translations notes which declared locales a text lacks.
func (ck *checker) translations(at Ref, field string, t Text) {
	var missing []string
	for _, l := range ck.wanted {
		if _, ok := t.In(l); !ok {
			missing = append(missing, l)
		}
	}
	none := len(missing) > 0 && len(missing) == len(ck.wanted)
	ck.gaps.count(at, field, none)
	if len(missing) > 0 && !none {
		ck.report(at, RuleMissingTranslation, noText(field, missing), translationRemedy)
	}
}

func noText(field string, locales []string) string {
	return fmt.Sprintf("no %s in %s", field, strings.Join(locales, ", "))
}

const translationRemedy = "translate it, or leave it: the default locale's text is shown"

func (ck *checker) translationGaps() {
	for _, g := range ck.gaps.order {
		message := noText(g.field, ck.wanted)
		if g.texts > 1 {
			message = fmt.Sprintf("%s: %d of %d %s", message, g.missing, g.texts, g.list)
		}
		ck.report(g.first, RuleMissingTranslation, message, translationRemedy)
	}
}
