package domain

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxChainID = 100 // code points

// chainIDType is a line with a chain id, which has several spellings.
type chainIDType struct{ lineType }

func (chainIDType) check(ck *checker, at Ref, f *Field, record any) {
	id := *f.Line(record)
	if utf8.RuneCountInString(id) > maxChainID || !isGraphic(id) || !ck.stored && strings.ContainsFunc(id, isUnseen) {
		ck.report(at.in(f.Name), RuleMalformedKey, fmt.Sprintf("%s %s is not well-formed", f.Name, quote(id)),
			fmt.Sprintf("write an id of at most %d characters without white space or invisible characters", maxChainID))
	}
}

// isGraphic reports whether s has no white space, control and format characters.
func isGraphic(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) })
}

// isUnseen reports whether a character is invisible, although Unicode classifies it as a letter,
// mark or symbol.
func isUnseen(r rune) bool { return r == blankBraille || isZeroWidth(r) }

// readLine accepts a plain decimal integer as text (docs/directory.md#chains). Other numbers,
// such as 0x10, would become ids that match nothing.
func (chainIDType) readLine(text string, number bool) (line, wanted, remedy string) {
	if !number || only(text, isDigit) {
		return text, "", ""
	}
	remedy = "write the id in decimal digits"
	if id, ok := new(big.Int).SetString(text, 0); ok && id.Sign() > 0 && strings.ContainsAny(text, "xXoObB") {
		remedy += ": " + id.String()
	}
	return text, "a decimal chain id", remedy
}

func (chainIDType) isFree(*Field) bool { return true }

func (chainIDType) schema(*Field, *Schemas) Object {
	return Object{{"type", []string{"string", "integer"}}, {"minimum", 0}, {"minLength", 1}}
}

func (chainIDType) random(r *Random, f *Field, record any) {
	*f.Line(record) = r.text("1", "007", "7", "a:b", "90", "0x10", "cosmoshub-4")
}
