package bundle

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"vitrine/internal/domain"
)

// A decoder decodes nodes into records. It checks only shapes: domain.Check reports missing,
// malformed and unknown values, so a value of the right shape is stored as written.
type decoder struct {
	format string // extension of the file
	locale string // of plain strings
	report func(at *node, rule domain.Rule, message, remedy string)
	words  map[string]string
	// guesses counts the unknown fields.
	guesses int
	// failed counts the invalid values.
	failed int
}

// fail reports a node once: a value shared by aliases would be reported at the same place for
// each use.
func (d *decoder) fail(at *node, rule domain.Rule, message, remedy string) {
	d.failed++
	if at.bad {
		return
	}
	at.bad = true
	d.report(at, rule, message, remedy)
}

func (d *decoder) wrongType(at *node, what, remedy string) {
	found := at.kind.String()
	switch at.kind {
	case number, boolean, text:
		found += " (" + quote(at.text) + ")"
	}
	d.fail(at, domain.RuleWrongType, what+" is expected here, not "+found, remedy)
}

// maxWords bounds the interned words.
const maxWords = 1 << 14

// word interns s: lists repeat their categories, sources and dates many times.
func (d *decoder) word(s string) string {
	if w, ok := d.words[s]; ok {
		return w
	}
	if len(d.words) < maxWords {
		if d.words == nil {
			d.words = map[string]string{}
		}
		d.words[s] = s
	}
	return s
}

// string decodes a single line of text: a key, a name, a link. An empty value is "".
func (d *decoder) string(n *node) string {
	if n == nil {
		return ""
	}
	switch n.kind {
	case text, null:
	case boolean:
		d.wrongType(n, "text", "leave the field out if there is nothing to say; text of that kind stands in quotes")
	case number:
		d.wrongType(n, "text", quoteIt(n.text))
	default:
		d.wrongType(n, "text", "write one text, in quotes")
	}
	return strings.TrimSpace(n.text)
}

// strings decodes a list of texts with the indices of the file. An empty value is nil.
func (d *decoder) strings(n *node) []string {
	items := d.list(n)
	if len(items) == 0 {
		return nil
	}
	out := make([]string, len(items))
	for i, item := range items {
		if out[i] = d.word(d.string(item)); out[i] == "" && !item.bad {
			d.fail(item, domain.RuleWrongType, "an item of this list is empty", "write a text or remove the item")
		}
	}
	return out
}

// list returns the elements of a list. An empty value is an empty list.
func (d *decoder) list(n *node) []*node {
	switch {
	case n == nil || n.kind == null:
		return nil
	case n.kind == text:
		d.wrongType(n, "a list", "write "+listOf(n.text))
		return nil
	case n.kind != list:
		d.wrongType(n, "a list", "write [first, second]")
		return nil
	}
	return n.items
}

// listOf formats a text as the list that was most likely meant.
func listOf(s string) string {
	var items []string
	for _, item := range strings.Split(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, strconv.Quote(item))
		}
	}
	if list := "[" + strings.Join(items, ", ") + "]"; len(items) > 0 && len(list) <= 100 {
		return list
	}
	return "[first, second]"
}

// localised decodes a <text>: a string in the default locale, or a map from locale to string.
// Blank texts are ignored.
func (d *decoder) localised(n *node) domain.Text {
	if n == nil || n.kind == null {
		return nil
	}
	if n.kind != object {
		if n.kind == list {
			d.wrongType(n, "text", "write one text, or a map from locale to text")
		} else if s := d.string(n); s != "" {
			return domain.Text{{Locale: d.locale, Value: s}}
		}
		return nil
	}
	failed := d.failed
	d.uniqueKeys(n)
	t := make(domain.Text, 0, len(n.keys))
	for i, key := range n.keys {
		if s := d.string(n.items[i]); s != "" {
			t = append(t, domain.Translation{Locale: d.word(key.text), Value: s})
		}
	}
	slices.SortStableFunc(t, func(a, b domain.Translation) int { return cmp.Compare(a.Locale, b.Locale) })
	t = slices.CompactFunc(t, func(a, b domain.Translation) bool { return a.Locale == b.Locale })
	n.bad = n.bad || d.failed > failed // missing values may be the reported ones
	if len(t) == 0 {
		return nil
	}
	return t
}

// plainNumber matches a decimal number of JSON and YAML. Parsers disagree about other forms of
// YAML (0x10, 1_000, 010, .inf).
var plainNumber = regexp.MustCompile(`^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// groupedNumber matches a number with commas between thousands.
var groupedNumber = regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$`)

// withoutCommas returns the remedy for a number with commas, else otherwise.
func withoutCommas(n *node, otherwise string) string {
	if n.kind != text || !groupedNumber.MatchString(n.text) {
		return otherwise
	}
	return "numbers have no commas: write " + strings.ReplaceAll(n.text, ",", "")
}

// number decodes a number with any finite value, such as a priority.
func (d *decoder) number(n *node) float64 {
	if n == nil || n.kind == null {
		return 0
	}
	v, err := strconv.ParseFloat(n.text, 64)
	switch {
	case n.kind == text && plainNumber.MatchString(n.text):
		d.wrongType(n, "a number", "write it without quotes")
	case n.kind != number:
		d.wrongType(n, "a number", withoutCommas(n, "write a plain number"))
	case !plainNumber.MatchString(n.text) || err != nil:
		d.fail(n, domain.RuleWrongType, quote(n.text)+" is not a plain number", "write it in decimal digits")
	case math.Abs(v) > domain.MaxNumber:
		d.fail(n, domain.RuleWrongType, quote(n.text)+" is too great a number", tooGreat)
	default:
		return v + 0 // normalises -0
	}
	return 0
}

// tooGreat is the remedy for a number above [domain.MaxNumber].
const tooGreat = "write one of at most 9007199254740991: beyond it JSON does not tell whole numbers apart"

// figure decodes a <figure>. For a figure of the wrong shape it returns a placeholder, so that
// the figure is not reported as missing.
func (d *decoder) figure(n *node, whole bool) *domain.Figure {
	if n == nil || n.kind == null {
		return nil
	}
	if n.kind != object {
		return &domain.Figure{Value: d.figureValue(n, whole)}
	}
	d.object(n, "a number or {value, source, as_of}")
	d.onlyFields(n, "value", "source", "as_of")
	value, source, asOf := n.value("value"), n.value("source"), n.value("as_of")
	fig := &domain.Figure{Source: d.word(d.string(source)), AsOf: domain.Date(d.day(asOf))}
	var missing []string
	if value == nil || value.kind == null {
		missing = append(missing, "value")
	} else {
		fig.Value = d.figureValue(value, whole)
	}
	if fig.Source == "" && (source == nil || !source.bad) {
		missing = append(missing, "source")
	}
	if fig.AsOf == "" && (asOf == nil || !asOf.bad) {
		missing = append(missing, "as_of")
	}
	if len(missing) > 0 {
		d.fail(n, domain.RuleMissingField, "the figure lacks "+strings.Join(missing, " and "),
			"write {value, source, as_of}, or the bare number")
	} else if _, err := time.Parse(time.DateOnly, string(fig.AsOf)); err != nil && !asOf.bad {
		d.fail(asOf, domain.RuleMalformedFigure, quote(string(fig.AsOf))+" is not a date", "write a date as YYYY-MM-DD")
	}
	return fig
}

// day decodes the date of a figure, which is a text.
func (d *decoder) day(n *node) string {
	if n == nil || n.kind != number {
		return d.word(d.string(n))
	}
	d.wrongType(n, "a day", "write it as YYYY-MM-DD")
	return ""
}

func (d *decoder) figureValue(n *node, whole bool) float64 {
	v, err := strconv.ParseFloat(n.text, 64)
	malformed := func(message, remedy string) {
		d.fail(n, domain.RuleMalformedFigure, message, remedy)
	}
	switch {
	case n.kind == text && plainNumber.MatchString(n.text):
		d.wrongType(n, "a number", "write it without quotes")
	case n.kind != number:
		d.wrongType(n, "a number", withoutCommas(n, "write a number, or leave the figure out if it is not known"))
	case !plainNumber.MatchString(n.text):
		malformed(quote(n.text)+" is not a plain number", "write it in decimal digits")
	case err != nil || math.IsInf(v, 0):
		malformed(quote(n.text)+" is too great a number", tooGreat)
	case v < 0:
		malformed("the figure is negative", "write 0 or more, or leave it out if it is not known")
	case v > domain.MaxNumber:
		malformed(quote(n.text)+" is too great a number", tooGreat)
	case whole && v != math.Trunc(v):
		malformed(quote(n.text)+" is not a whole number", "write a count without decimals")
	default:
		return v + 0 // normalises -0
	}
	return 0
}

// object returns a map that is to be decoded; what names it in messages. Any other value is an error, and
// so is an empty one (but see document); the result is then nil.
func (d *decoder) object(n *node, what string) *node {
	if n.kind != object {
		remedy := "write its fields as `name: value`"
		if n.kind == list && d.format == ".ndjson" {
			remedy = "write each record on a line of its own, without brackets around them"
		}
		d.wrongType(n, what, remedy)
		return nil
	}
	d.cutNumbers(n)
	d.uniqueKeys(n)
	return n
}

// thousands matches three digits after a comma of a number, with or without decimals.
var thousands = regexp.MustCompile(`^[0-9]{3}(\.[0-9]+)?$`)

// cutNumbers reports numbers with commas in a map in braces, which YAML reads as a short number and
// fields without values: {value: 3,602,125}.
func (d *decoder) cutNumbers(n *node) {
	for i := 0; i < len(n.items); i++ {
		first, whole := n.items[i], n.items[i].text
		for first.kind == number && i+1 < len(n.keys) && n.items[i+1].kind == null && thousands.MatchString(n.keys[i+1].text) {
			i++
			whole += "," + n.keys[i].text
			n.keys[i].bad = true
		}
		if whole != first.text && groupedNumber.MatchString(whole) {
			d.fail(first, domain.RuleWrongType, "the number "+quote(whole)+" is cut at its commas", "numbers have no commas: write "+strings.ReplaceAll(whole, ",", ""))
		}
	}
}

// onlyFields reports the fields of a map other than known ones.
func (d *decoder) onlyFields(n *node, known ...string) {
	for _, key := range n.keys {
		if !slices.Contains(known, key.text) {
			d.unknown(key, known)
		}
	}
}

// unknown reports an unknown field; known are the valid names.
func (d *decoder) unknown(key *node, known []string) {
	d.fail(key, domain.RuleUnknownField, "there is no field "+quote(key.text)+" here", d.meant(key.text, known))
}

// maxGuesses bounds the unknown fields that get a suggestion.
const maxGuesses = 10_000

func (d *decoder) meant(field string, known []string) string {
	if d.guesses++; d.guesses > maxGuesses {
		return "remove it, or correct its name"
	}
	return meant(field, known)
}

// uniqueKeys reports repeated fields, at the later one.
func (d *decoder) uniqueKeys(n *node) {
	for i, key := range n.keys {
		if first := n.indexOf(key.text); first != i {
			d.fail(key, domain.RuleDuplicateField,
				fmt.Sprintf("the field %s is written twice, first in line %d", quote(key.text), n.keys[first].line), "keep one of them")
		}
	}
}

func quoteIt(s string) string { return "quote it: " + quote(s) }

// quote formats a value for a message, shortened.
func quote(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.Quote(s)
}
