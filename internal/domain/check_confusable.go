package domain

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/fold"
)

// maxSuspects bounds the confusable names that are compared with each other, so that the cost is
// linear in their number.
const maxSuspects = 16

// suspect is a name with confusable characters: letters that look like Latin ones, compatibility
// characters (full-width letters) or zero-width characters.
type suspect struct {
	label
	value, folded string
	stands        bool // only compatibility characters
}

// confusableNames reports names, titles and aliases that look like a different name of another
// record of the kind. It also reports names and titles that equal the name or key of another
// record except for case and accents (docs/check.md#confusable-names).
func (ck *checker) confusableNames() {
	if ck.stored { // the rule is about displayed names
		return
	}
	for _, d := range descriptions {
		ck.repeatedNames(d)
		suspects := ck.suspects(d)
		if len(suspects) == 0 { // usual; the rest need no folding
			continue
		}
		ck.eachLabel(d, func(at label, value string) {
			look := skeleton(value)
			if len(suspects[look]) == 0 {
				return
			}
			folded, reported := fold.Text(value), -1
			suspects[look] = slices.DeleteFunc(suspects[look], func(s suspect) bool {
				later := folded != look && s.index < at.index // the later of two confusable names is reported
				if s.index == at.index || s.folded == folded && (!s.stands || standsForOthers(value)) || later {
					return false
				}
				if s.index != reported { // otherwise the same name in another locale
					ck.confusable(d, s, at, value)
				}
				reported = s.index
				return true
			})
		})
	}
}

// suspects returns the confusable names of a kind by their skeleton.
func (ck *checker) suspects(d *Description) map[string][]suspect {
	suspects := map[string][]suspect{}
	ck.eachLabel(d, func(at label, value string) {
		if isPlainASCII(value) {
			return
		}
		folded, look := fold.Text(value), skeleton(value)
		stands := folded == look && standsForOthers(value)
		if (folded != look || stands) && look != "" && len(suspects[look]) < maxSuspects {
			suspects[look] = append(suspects[look], suspect{at, value, folded, stands})
		}
	})
	return suspects
}

// standsForOthers reports whether a text has compatibility characters, such as full-width
// letters.
func standsForOthers(s string) bool {
	return !isPlainASCII(s) && strings.ContainsFunc(s, func(r rune) bool { return spelledAs(r) != "" })
}

// repeatedNames reports names and titles that equal the name, title or key of another record
// except for case (ETHEREUM) or for digits that look like letters (Uni0n). Equal names are
// homonyms, which are valid, and aliases may be shared. Hashes limit the cost of long lists;
// records with equal hashes may have different names.
func (ck *checker) repeatedNames(d *Description) {
	if d.Kind == KindGroup { // groups of different modules may share a name
		return
	}
	seed := maphash.MakeSeed()
	first := make(map[uint64]int32, 2*d.Size(ck.cat))
	type pair struct{ named, of int }
	reported, times := map[pair]bool{}, map[uint64]int{}
	ck.eachLabel(d, func(at label, value string) {
		if at.field.Type == TypeLines || value == "" {
			return
		}
		hash := lookHash(seed, value)
		i, taken := first[hash]
		if !taken {
			first[hash] = int32(at.index)
		}
		if !taken || int(i) == at.index || times[hash] >= maxSuspects {
			return
		}
		folded := fold.Text(value)
		named, of := at, label{index: int(i)}
		was := ck.nameOf(d, &of, value, func(v string) bool { return fold.Text(v) == folded })
		if of.field == nil && !at.field.key {
			was = ck.nameOf(d, &of, value, func(v string) bool { return withoutDigits(fold.Text(v)) == withoutDigits(folded) })
		}
		switch {
		case of.field == nil, !of.field.key && was == value:
			return
		case fold.Text(d.Key(d.Record(ck.cat, at.index))) == fold.Text(d.Key(d.Record(ck.cat, of.index))): // their keys are reported
			return
		case standsForOthers(value) != standsForOthers(was): // it is a suspect
			return
		}
		if ck.reportsOther(named, of, value, was) {
			named, of, value, was = of, named, was, value
		}
		if p := (pair{named.index, of.index}); !reported[p] { // otherwise the same name in another locale
			reported[p] = true
			times[hash]++
			ck.repeatedName(d, named, of, value, was)
		}
	})
}

// reportsOther reports whether the second of two confusable names is reported: the one with more
// digits for letters, else the later one, but never a key.
func (ck *checker) reportsOther(named, of label, value, was string) bool {
	digits := func(s string) int { return strings.Count(s, "0") + strings.Count(s, "1") }
	switch {
	case named.field.key || of.field.key:
		return named.field.key
	case digits(value) != digits(was):
		return digits(value) < digits(was)
	}
	return named.index < of.index
}

// shortestLook is the minimum length in bytes of a folded name whose digits are compared as
// letters. Many shorter names are symbols that exist, such as SOL and SO1.
const shortestLook = 5

// digitLetters are the letters that look like digits.
var digitLetters = strings.NewReplacer("0", "o", "1", "l")

// withoutDigits returns a folded name with digits replaced by letters that look like them.
func withoutDigits(folded string) string {
	if len(folded) < shortestLook {
		return folded
	}
	return digitLetters.Replace(folded)
}

// lookHash returns the hash of withoutDigits of a folded text. It does not copy short ASCII
// names, which are most frequent.
func lookHash(seed maphash.Seed, s string) uint64 {
	var folded [64]byte
	if len(s) > len(folded) || !isPlainASCII(s) || strings.Contains(s, "  ") || s[0] == ' ' || s[len(s)-1] == ' ' {
		return maphash.String(seed, withoutDigits(fold.Text(s)))
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case len(s) < shortestLook:
		case c == '0':
			c = 'o'
		case c == '1':
			c = 'l'
		}
		folded[i] = c
	}
	return maphash.Bytes(seed, folded[:len(s)])
}

// nameOf finds the confusable name of a record: a name or title equal to value, else the last
// other one, else the key. It completes the label and returns its text. The label has no field if
// there is none.
func (ck *checker) nameOf(d *Description, of *label, value string, alike func(v string) bool) (was string) {
	for _, f := range d.Shape.Fields {
		if !f.isLabel() || f.Type == TypeLines {
			continue
		}
		for nth, v := range f.Type.appendTexts(nil, f, d.Record(ck.cat, of.index)) {
			found := of.field != nil && !of.field.key && was == value
			if !found && (of.field == nil || !f.key) && alike(v) {
				*of, was = label{of.index, f, nth}, v
			}
		}
	}
	return was
}

func (ck *checker) repeatedName(d *Description, named, of label, value, was string) {
	owner := d.name() + " " + quote(d.Address(d.Record(ck.cat, of.index)))
	message := fmt.Sprintf("%s %s reads like the %s %s of %s", named.field.Name, quote(value), of.field.Name, quote(was), owner)
	ck.repeats(ck.labelRef(d, named), ck.labelRef(d, of), RuleConfusableName, message, "write names that tell them apart, or accept the warning if both names are correct")
}

// label is the place of a name of a record: the nth text of a field.
type label struct {
	index int // of the record
	field *Field
	nth   int
}

func (ck *checker) labelRef(d *Description, l label) Ref {
	at := Ref{Kind: d.Kind, Index: l.index}.in(l.field.Name)
	switch l.field.Type {
	case TypeText:
		return at.in((*l.field.Text(d.Record(ck.cat, l.index)))[l.nth].Locale)
	case TypeLines:
		return at.at(l.nth)
	}
	return at
}

// eachLabel calls see with the names, titles, aliases and keys of all records of a kind.
func (ck *checker) eachLabel(d *Description, see func(at label, value string)) {
	var texts []string
	for _, f := range d.Shape.Fields {
		if !f.isLabel() {
			continue
		}
		for i := range d.Size(ck.cat) {
			texts = f.Type.appendTexts(texts[:0], f, d.Record(ck.cat, i))
			for nth, text := range texts {
				see(label{i, f, nth}, text)
			}
		}
	}
}

func (f *Field) isLabel() bool { return f.Names || f.label || f.key }

// skeleton returns the folded text without invisible characters, with confusable letters replaced
// by Latin ones.
func skeleton(s string) string {
	if !isPlainASCII(s) {
		s = strings.Map(func(r rune) rune {
			switch {
			case isZeroWidth(r), isBidiMark(r), isBidiIsolate(r), isBidiOverride(r):
				return -1
			case r == blankBraille:
				return ' '
			}
			return r
		}, s)
	}
	return fold.Latin(fold.Text(s))
}

func (ck *checker) confusable(d *Description, s suspect, at label, value string) {
	owner := d.name() + " " + quote(d.Address(d.Record(ck.cat, at.index)))
	ck.repeats(ck.labelRef(d, s.label), ck.labelRef(d, at), RuleConfusableName,
		fmt.Sprintf("%s %s, which holds %s, looks like %s of %s", s.field.Name, quote(s.value), strange(s.value), quote(value), owner),
		"write it in a single script, or accept the warning if both names are correct")
}

// strange names the first confusable character of a text.
func strange(s string) string {
	for _, r := range s {
		if r >= utf8.RuneSelf && (spelledAs(r) != "" || skeleton(string(r)) != fold.Text(string(r))) {
			return fmt.Sprintf("U+%04X", r)
		}
	}
	return "an invisible character"
}
