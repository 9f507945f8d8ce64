package domain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// characterFault describes a forbidden character of a text: its kind, and how to correct it
// (docs/check.md#forbidden-characters).
type characterFault struct {
	char         rune
	kind, remedy string
}

// characterFault returns the first forbidden character of a text, nil for none. lines allows
// several lines. In published texts, only control and bidi override characters are forbidden,
// which were never allowed.
func (ck *checker) characterFault(s string, lines bool) *characterFault {
	if isPlainASCII(s) {
		return nil
	}
	var before, base rune // base is the last character that is neither a mark nor zero-width
	for i, r := range s {
		switch {
		case unicode.IsControl(r) && !(lines && r == '\n'), isBidiOverride(r):
			return faultOf(r)
		case ck.stored:
		case isNoncharacter(r), isBidiMark(r) && !strings.ContainsFunc(s, isRightToLeft):
			return faultOf(r)
		case isZeroWidth(r) && !mayBeZeroWidth(r, before, base, s[i:]) && strings.ContainsFunc(s, isVisible): // else it is reported as RuleInvisibleText
			return faultOf(r)
		}
		before = r
		if !isZeroWidth(r) && !unicode.Is(unicode.M, r) {
			base = r
		}
	}
	return nil
}

func isPlainASCII(s string) bool {
	return only(s, func(b byte) bool { return ' ' <= b && b < 0x7f })
}

const (
	softHyphen         = '\u00AD'
	zeroWidthSpace     = '\u200B'
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
	blankBraille       = '\u2800'
	blackFlag          = '\U0001F3F4'
)

func isBidiOverride(r rune) bool { return 0x202A <= r && r <= 0x202E }

// isBidiIsolate reports whether a character isolates the direction of a piece of text. Isolates
// are harmless, because their effect ends with the piece.
func isBidiIsolate(r rune) bool { return 0x2066 <= r && r <= 0x2069 }

// isBidiMark reports whether a character is an invisible mark of a direction, which only texts in
// right-to-left scripts need.
func isBidiMark(r rune) bool { return r == '\u200E' || r == '\u200F' || r == '\u061C' }

// isNoncharacter reports whether a code point is a noncharacter, which Unicode reserves for
// internal use. YAML excludes them, so texts with one could not be exported.
func isNoncharacter(r rune) bool { return 0xFDD0 <= r && r <= 0xFDEF || r&0xFFFE == 0xFFFE }

// isRightToLeft reports whether a letter belongs to a right-to-left script.
func isRightToLeft(r rune) bool {
	return r >= 0x0590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko,
		unicode.Samaritan, unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya)
}

// isZeroWidth reports whether a character is invisible and takes no space: a default ignorable
// code point or an interlinear annotation. Bidi controls have separate rules.
func isZeroWidth(r rune) bool {
	switch {
	case r < softHyphen, 0x3165 <= r && r < 0xFE00, isBidiMark(r), isBidiIsolate(r), isBidiOverride(r):
		return false
	case r == softHyphen, r == 0x180E, 0x200B <= r && r <= 0x200D, 0x2060 <= r && r <= 0x206F, r == 0xFEFF, 0xFFF9 <= r && r <= 0xFFFB,
		0x1BCA0 <= r && r <= 0x1BCA3, 0x1D173 <= r && r <= 0x1D17A, 0xE0000 <= r && r <= 0xE0FFF:
		return true
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// mayBeZeroWidth reports whether a zero-width character has an effect at the beginning of rest.
// before is the character before it, base the last one that is neither a mark nor zero-width.
func mayBeZeroWidth(r, before, base rune, rest string) bool {
	_, size := utf8.DecodeRuneInString(rest)
	after, _ := utf8.DecodeRuneInString(rest[size:])
	switch {
	case r == zeroWidthSpace: // parts words in scripts that are written without spaces
		return isSpaceless(base) && isSpaceless(after)
	case r == zeroWidthNonJoiner: // keeps letters of joining scripts apart
		return isJoining(base)
	case r == zeroWidthJoiner: // joins letters of such scripts, and emoji
		return isJoining(base) || isEmoji(base) && isEmoji(after)
	case unicode.Is(unicode.Variation_Selector, r): // chooses the form of a symbol, a digit or an ideograph
		return before == base && !unicode.In(base, unicode.Latin, unicode.Greek, unicode.Cyrillic) && isVisible(base)
	case 0xE0020 <= r && r <= 0xE007F: // spells the flags of regions
		return base == blackFlag
	case r == 0x180E:
		return unicode.Is(unicode.Mongolian, base)
	}
	return false
}

// isSpaceless reports whether a letter belongs to a script in which zero-width spaces separate
// words.
func isSpaceless(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// isJoining reports whether the form of a letter depends on its neighbours: in cursive scripts,
// and in Indic scripts and their relatives, which form conjuncts.
func isJoining(r rune) bool {
	return r >= 0x0600 && unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Adlam,
		unicode.Hanifi_Rohingya, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Myanmar, unicode.Khmer, unicode.Balinese, unicode.Javanese)
}

// isEmoji reports whether a symbol is part of emoji sequences, including skin tones.
func isEmoji(r rune) bool {
	return unicode.Is(unicode.So, r) || 0x1F3FB <= r && r <= 0x1F3FF
}

// faultOf returns the fault of a forbidden character.
func faultOf(r rune) *characterFault {
	switch {
	case r == '\n':
		return &characterFault{r, "line feed", "write it on one line; only descriptions may have several lines"}
	case isBidiOverride(r):
		return &characterFault{r, "bidi override character", "remove it; it changes how the text is displayed"}
	case isBidiMark(r):
		return &characterFault{r, "invisible bidi mark", "remove it; only text in right-to-left scripts needs one"}
	case isNoncharacter(r):
		return &characterFault{r, "noncharacter", "remove it; noncharacters have no meaning in published text"}
	case isZeroWidth(r):
		return &characterFault{r, "zero-width character", "remove it: readers cannot see it, and searches without it miss the text"}
	}
	return &characterFault{r, "control character", "remove it"}
}
