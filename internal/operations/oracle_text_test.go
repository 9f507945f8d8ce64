package operations_test

// The oracle's rules of text: locales, folding and searching. It scans where the engine has
// indexes, and shares no code with it.

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"vitrine/internal/domain"
)

// resolveLocale finds the locale of a request (docs/api.md#languages).
func resolveLocale(c *domain.Catalog, value string) string {
	if value == "" || len(value) > 64 {
		return c.DefaultLocale
	}
	wanted, ok := parseLocale(value)
	if !ok {
		return c.DefaultLocale
	}
	candidates := localesLike(c.Locales, wanted, sameScript)
	if len(candidates) == 0 && isChinese(wanted) {
		candidates = localesLike(c.Locales, wanted, anyScript)
	}
	if len(candidates) == 0 {
		return c.DefaultLocale
	}
	for tag := wanted; tag != language.Und; tag = tag.Parent() {
		for _, candidate := range candidates {
			if sameLocale(candidate, tag.String()) {
				return candidate
			}
		}
	}
	return candidates[0]
}

// parseLocale parses a tag. It returns false if the tag is malformed, undetermined, private or of
// an unknown language.
func parseLocale(value string) (language.Tag, bool) {
	tag, err := language.Parse(strings.ReplaceAll(value, "_", "-"))
	if _, unknownSubtag := err.(language.ValueError); err != nil && !unknownSubtag {
		return language.Und, false
	}
	base, _, _ := tag.Raw()
	return tag, base.String() != "und"
}

// isChinese reports whether a tag is Chinese in one of its two scripts.
func isChinese(tag language.Tag) bool {
	base, _ := tag.Base()
	script, _ := tag.Script()
	return base.String() == "zh" && (script.String() == "Hans" || script.String() == "Hant")
}

func sameScript(a, b language.Tag) bool {
	as, _ := a.Script()
	bs, _ := b.Script()
	return as == bs
}

func anyScript(language.Tag, language.Tag) bool { return true }

func localesLike(declared []string, wanted language.Tag, script func(a, b language.Tag) bool) []string {
	var like []string
	base, _ := wanted.Base()
	for _, locale := range declared {
		tag := language.Make(locale)
		if b, _ := tag.Base(); b == base && script(tag, wanted) {
			like = append(like, locale)
		}
	}
	return like
}

func sameLocale(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "_", "-"), strings.ReplaceAll(b, "_", "-"))
}

// inLocale returns the value of a text by the fallback of docs/api.md#languages: the locale, its
// declared parents, the default locale; "" for none.
func inLocale(c *domain.Catalog, text domain.Text, locale string) string {
	line := []string{locale}
	for tag := language.Make(locale).Parent(); tag != language.Und; tag = tag.Parent() {
		line = append(line, tag.String())
	}
	for _, locale := range append(line, c.DefaultLocale) {
		for _, translation := range text {
			if sameLocale(translation.Locale, locale) {
				return translation.Value
			}
		}
	}
	return ""
}

// foldedTexts caches results of foldText. There are few texts, which are folded often.
var foldedTexts sync.Map

func folded(s string) string {
	if known, ok := foldedTexts.Load(s); ok {
		return known.(string)
	}
	text := foldText(s)
	foldedTexts.Store(s, text)
	return text
}

// foldText returns the folded form of a text, following the steps of
// docs/api.md#exact-rules.
func foldText(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	var kept []rune
	base := rune(0)
	for _, r := range norm.NFD.String(s) {
		if unicode.Is(unicode.Mn, r) && losesMarks(base) {
			continue
		}
		if !unicode.Is(unicode.M, r) {
			base = r
		}
		kept = append(kept, r)
	}
	s = cases.Fold().String(norm.NFC.String(string(kept)))
	return strings.Join(strings.Fields(s), " ")
}

func losesMarks(r rune) bool {
	return unicode.IsLetter(r) &&
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic)
}

// searchTerms returns the terms of a query. Without terms, all records match.
func searchTerms(q string) []string {
	var terms []string
	for term := range strings.SplitSeq(folded(q), " ") {
		if term = strings.TrimLeft(term, "@"); term != "" {
			terms = append(terms, term)
		}
	}
	return terms
}

func matches(term, text string) bool {
	if matchesAnywhere(term) {
		return strings.Contains(folded(text), term)
	}
	for i := range text {
		if startsWord(text, i) && strings.HasPrefix(folded(text[i:]), term) {
			return true
		}
	}
	return false
}

func matchesAnywhere(term string) bool {
	if utf8.RuneCountInString(term) >= 3 {
		return true
	}
	first, _ := utf8.DecodeRuneInString(term)
	return !isLetterOrDigit(first) || strings.ContainsFunc(term, func(r rune) bool {
		return strings.ContainsRune("〆〱〲〳〴〵〼ー", r) || unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// startsWord reports whether a word starts at byte i. It ignores marks on the character before,
// so that canonically equivalent texts agree.
func startsWord(text string, i int) bool {
	at, _ := utf8.DecodeRuneInString(text[i:])
	if !isLetterOrDigit(at) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	if i == 0 || !isLetterOrDigit(before) && !unicode.Is(unicode.M, before) {
		return true
	}
	bare := strings.TrimRightFunc(text[:i], func(r rune) bool { return unicode.Is(unicode.M, r) })
	before, _ = utf8.DecodeLastRuneInString(bare)
	return unicode.IsUpper(at) && unicode.IsLower(before) ||
		unicode.IsNumber(at) && unicode.IsLetter(before) ||
		unicode.IsLetter(at) && unicode.IsNumber(before)
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// endsWord reports whether a word may end before byte i.
func endsWord(text string, i int) bool {
	if i == len(text) {
		return true
	}
	at, _ := utf8.DecodeRuneInString(text[i:])
	return !isLetterOrDigit(at) && !unicode.Is(unicode.M, at) || startsWord(text, i)
}
