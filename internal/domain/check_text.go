package domain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/locale"
	"vitrine/internal/spelling"
)

// Limits of texts, in code points.
const (
	maxName        = 500
	maxDescription = 10_000
)

// maxLocales bounds the declared locales: every text is compared with all of them.
const maxLocales = 200

// textLocales checks the locales of a text: undeclared ones are errors, missing ones are counted.
func (ck *checker) textLocales(at Ref, field string, t Text) {
	if ck.locales == nil {
		return
	}
	misspelt := ck.undeclaredLocales(at, field, t)
	if _, ok := t.In(ck.cat.DefaultLocale); !ok {
		if !misspelt {
			ck.report(at.in(field), RuleMissingText, fmt.Sprintf("%s has no text in the default locale %s", field, quote(ck.cat.DefaultLocale)),
				"add one, which every other locale falls back to")
		}
		return
	}
	ck.translations(at, field, t)
}

// undeclaredLocales reports the undeclared locales of a text, and returns whether one of them
// most likely misspells the default locale.
func (ck *checker) undeclaredLocales(at Ref, field string, t Text) (misspelt bool) {
	for _, tr := range t {
		if ck.locales[tr.Locale] {
			continue
		}
		remedy := fmt.Sprintf("add that locale to locales in %s, or remove this text", ck.files.Catalog)
		if locale.Valid(tr.Locale) != nil {
			remedy = "it is no locale: write the texts as a map from locale, as en or zh-hans, to text"
		}
		if near := ck.nearLocale(tr.Locale); near != "" {
			remedy = fmt.Sprintf("did you mean %s? If not, %s", quote(near), remedy)
			misspelt = misspelt || near == ck.cat.DefaultLocale
		}
		ck.report(at.in(field, tr.Locale), RuleUndeclaredLocale,
			fmt.Sprintf("%s has a text in %s, which the catalogue does not declare", field, quote(tr.Locale)), remedy)
	}
	return misspelt
}

// nearLocale returns the declared locale that tag most likely means: equal except for case and `_`, at
// an edit distance of one if tag is long enough, or the one that its readers get. After 1,000 different tags it
// returns "", because each record of a long list may have a wrong locale.
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
		if near == "" && len(a) > 4 && len(b) > 4 && spelling.Distance(a, b, 2) < 2 {
			near = l
		}
	}
	if near == "" {
		near = servedLocale(tag, declared)
	}
	return near
}

// servedLocale returns the declared locale that readers of another one get, "" for none: zh-hans for
// zh_CN.
func servedLocale(tag string, declared []string) string {
	if len(declared) == 0 || locale.Valid(foldLocale(tag)) != nil {
		return ""
	}
	set, err := locale.NewSet(declared[0], declared)
	if err != nil {
		return "" // the declared locales have problems of their own
	}
	near := set.Name(set.Match(tag))
	language, _, _ := strings.Cut(foldLocale(tag), "-")
	if served, _, _ := strings.Cut(foldLocale(near), "-"); served != language {
		return "" // the default locale, without a match
	}
	return near
}

// foldLocale returns a canonical form of a locale (docs/api.md#languages): `_` becomes `-`, and
// case is ignored.
func foldLocale(tag string) string { return strings.ReplaceAll(strings.ToLower(tag), "_", "-") }

// fault is the fault of a value without its place. Most values are valid, and places cost more
// than checks.
type fault struct {
	rule            Rule
	message, remedy string
}

func (ck *checker) reportFault(at Ref, f *fault) { ck.report(at, f.rule, f.message, f.remedy) }

// textFault returns the fault of a displayed text, nil for none or an empty text. lines allows
// several lines.
func (ck *checker) textFault(field, s string, limit int, lines bool) *fault {
	if fault := ck.plainFault(field, s, limit, lines); fault != nil {
		return fault
	}
	if !ck.stored && s != "" && !strings.ContainsFunc(s, isVisible) {
		return &fault{RuleInvisibleText, field + " has no character that can be seen", "write the text, or leave it out if there is none"}
	}
	return nil
}

// plainFault returns the fault of the characters of a string, or of its length above limit; nil
// for none.
func (ck *checker) plainFault(field, s string, limit int, lines bool) *fault {
	if len(s) <= limit && isPlainASCII(s) {
		return nil
	}
	if !utf8.ValidString(s) {
		return &fault{RuleInvalidUTF8, field + " is not valid UTF-8", "save the text as UTF-8"}
	}
	if f := ck.characterFault(s, lines); f != nil {
		return &fault{RuleForbiddenCharacter, fmt.Sprintf("%s holds the %s U+%04X", field, f.kind, f.char), f.remedy}
	}
	if n := utf8.RuneCountInString(s); n > limit {
		return &fault{RuleTooLong, fmt.Sprintf("%s has %d characters, the limit is %d", field, n, limit), "shorten it"}
	}
	return nil
}

// isVisible reports whether a character is visible alone. Spaces, control characters and
// combining marks are not.
func isVisible(r rune) bool {
	if ' ' < r && r < 0x7f {
		return true
	}
	return r != blankBraille && !unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf, unicode.Cs, unicode.M,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func (ck *checker) emptyEntry(at Ref, field string) {
	ck.report(at, RuleMissingField, "an entry of "+field+" is empty", "remove the entry or fill it in")
}

// maxQuoted is the maximum number of characters of a value in a message.
const maxQuoted = 60

// quote formats s for a message: shortened, with visible characters only.
func quote(s string) string {
	short := prefix(s, maxQuoted)
	if short != s {
		short += "…"
	}
	quoted := strconv.Quote(short)
	if isPlainASCII(short) || !strings.ContainsFunc(quoted, isUnseen) {
		return quoted
	}
	var b strings.Builder
	for _, r := range quoted {
		if isUnseen(r) { // strconv treats it as a letter or a symbol
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
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

// gaps counts missing translations by kind and locale. Most names of a long list are never
// translated, and a warning for each would hide other problems.
type gaps struct {
	texts map[Kind]int
	of    map[gapID]*gap
}

type gapID struct {
	kind     Kind
	locale   string
	accepted bool
}

type gap struct {
	first   Ref // the first text; if some are partly translated, the first of those
	missing int // texts
	partly  int // of these, texts with other translations
}

func (g *gaps) count(id gapID, at Ref, partly bool) {
	of := g.of[id]
	if of == nil {
		of = &gap{first: at}
		g.of[id] = of
	}
	of.missing++
	if partly {
		if of.partly++; of.partly == 1 {
			of.first = at
		}
	}
}

// translations counts, or reports one by one, the declared locales that a text lacks.
func (ck *checker) translations(at Ref, field string, t Text) {
	ck.gaps.texts[at.Kind]++
	lacks := func(l string) bool { _, ok := t.In(l); return !ok }
	if !slices.ContainsFunc(ck.wanted, lacks) {
		return
	}
	at = at.in(field)
	var missing, accepted []string
	for _, l := range ck.wanted {
		if !lacks(l) {
			continue
		}
		if ck.accepts(RuleMissingTranslation, at, l) {
			accepted = append(accepted, l)
		} else {
			missing = append(missing, l)
		}
	}
	partly := len(missing)+len(accepted) < len(ck.wanted)
	for _, of := range []struct {
		locales  []string
		accepted bool
	}{{missing, false}, {accepted, true}} {
		if len(of.locales) == 0 {
			continue
		}
		if ck.reading.EveryGap {
			ck.keep(Problem{At: at, Rule: RuleMissingTranslation, Accepted: of.accepted,
				Message: fmt.Sprintf("no %s in %s", field, strings.Join(of.locales, ", ")),
				Remedy:  "translate it, or leave it: the default locale's text is shown"})
			continue
		}
		for _, l := range of.locales {
			ck.gaps.count(gapID{at.Kind, l, of.accepted}, at, partly)
		}
	}
}

// translationGaps reports the number of missing texts of each kind in each locale.
func (ck *checker) translationGaps() {
	for _, kind := range Kinds() {
		for _, l := range ck.wanted {
			for _, accepted := range []bool{false, true} {
				if g := ck.gaps.of[gapID{kind, l, accepted}]; g != nil {
					ck.keep(Problem{At: g.first, Rule: RuleMissingTranslation, Accepted: accepted,
						Message: g.String(kind, l, ck.gaps.texts[kind]),
						Remedy:  "translate them, or leave it: the default locale's text is shown"})
				}
			}
		}
	}
}

// String returns the number of texts that lack a locale, and of those with other translations, in
// which the locale was probably forgotten.
func (g *gap) String(kind Kind, locale string, texts int) string {
	s := fmt.Sprintf("%d of %d texts of %s are not in %s", g.missing, texts, kind, locale)
	if 0 < g.partly && g.partly < g.missing {
		s += fmt.Sprintf(", of which %d have other translations", g.partly)
	}
	return s
}
