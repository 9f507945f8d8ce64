package domain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// fields checks the fields of a record by their descriptions: whether those that are
// required are there, those that reading fills in included, and what the type and rule of
// each ask of its value. Values of ownRule are left to the code that knows their meaning.
func (ck *checker) fields(at Ref, s *Shape, record any) {
	for _, f := range s.Fields {
		switch {
		case f.Type == TypeTable, f.inFileName: // reported part by part, and with the file
		case !f.isEmpty(record):
			ck.field(at, f, record)
		case s.requires(f, record), f.Standard(record) != "":
			ck.missingField(at, f)
		}
	}
}

// requires reports whether a record must have a field.
func (s *Shape) requires(f *Field, record any) bool {
	return f.Required || f.RequiredUnless != "" && *s.Field(f.RequiredUnless).line(record) == ""
}

// isEmpty reports whether a record lacks a field. A number is never empty: 0 is one, and
// reading reports a required number that is not written.
func (f *Field) isEmpty(record any) bool {
	switch {
	case f.IsLine():
		return *f.line(record) == ""
	case f.Type == TypeText:
		return len(*f.text(record)) == 0
	case f.Type == TypeLines:
		return len(f.lines(record)) == 0
	case f.Type == TypeFigure:
		return *f.figure(record) == nil
	}
	return f.Type != TypeNumber && f.Size(record) == 0
}

// field checks the value of a field, which is not empty, by its type.
func (ck *checker) field(at Ref, f *Field, record any) {
	if f.rule == ownRule {
		return
	}
	switch f.Type {
	case TypeNumber:
		ck.number(at, f, *f.number(record))
	case TypeFigure:
		ck.figure(at, f, *f.figure(record))
	case TypeLink:
		ck.linkField(at, f, *f.line(record))
	case TypeHandle:
		ck.handle(at.in(f.Name), f.Name, *f.line(record))
	case TypeChainID:
		ck.chainID(at.in(f.Name), f.Name, *f.line(record))
	case TypeDate:
		ck.date(at.in(f.Name), f.Name, Date(*f.line(record)))
	case TypeJSON:
		ck.json(at.in(f.Name), f.Name, JSON(*f.line(record)))
	case TypeText:
		ck.text(at, f.Name, *f.text(record), f.rule == passageRule)
	case TypeLine:
		ck.line(at, f, record)
	case TypeLines:
		ck.lines(at, f, record)
	case TypePart, TypeParts, TypeTable:
		ck.parts(at.in(f.Name), f, record)
	}
}

func (ck *checker) parts(at Ref, f *Field, record any) {
	if f.Type == TypePart {
		ck.fields(at, f.Parts, f.Part(record, 0))
		return
	}
	for i := range f.Size(record) {
		ck.fields(at.at(i), f.Parts, f.Part(record, i))
	}
}

func (ck *checker) line(at Ref, f *Field, record any) {
	value := *f.line(record)
	switch {
	case f.rule == chainRule:
		ck.chainRefs(at, f, record)
	case f.rule == appRule:
		ck.appRef(at, f, record)
	case value == f.Standard(record): // which no editor wrote
	default:
		ck.form(at.in(f.Name), f, f.Name, value)
	}
}

func (ck *checker) lines(at Ref, f *Field, record any) {
	switch f.rule {
	case categoryRule:
		ck.categoryRefs(at, f.lines(record), f.scope)
	case chainRule:
		ck.chainRefs(at, f, record)
	case enumRule:
		ck.enums(at.in(f.Name), f, f.lines(record))
	default:
		for i, value := range f.lines(record) {
			if here := at.in(f.Name).at(i); value == "" {
				ck.emptyEntry(here, f.Name)
			} else {
				ck.form(here, f, "an entry of "+f.Name, value)
			}
		}
	}
}

// form checks a line that is not empty by its form; what is what messages call it. A line
// without a form, or of a form that this does not know, is text.
func (ck *checker) form(at Ref, f *Field, what, value string) {
	allowed := f.Values()
	switch {
	case allowed != nil && !slices.Contains(allowed, value):
		ck.unknownValue(at, what, value, allowed)
	case allowed != nil:
	case f.Form == "key":
		ck.key(at, what, value)
	case f.Form == "channel id":
		ck.channelID(at, what, value)
	default:
		if fault := ck.textFault(what, value, maxName, false); fault != nil {
			ck.reportFault(at, fault)
		}
	}
}

// enums checks lines of which each is one of the values of its form, once.
func (ck *checker) enums(at Ref, f *Field, values []string) {
	allowed, seen := f.Values(), make(firsts)
	for i, value := range values {
		if first, repeated := seen.repeatsExactly(value, i); repeated {
			ck.repeats(at.at(i), at.at(first), RuleDuplicate, fmt.Sprintf("%s is listed twice", quote(value)), "remove one of them")
		} else if !slices.Contains(allowed, value) {
			ck.unknownValue(at.at(i), "an entry of "+f.Name, value, allowed)
		}
	}
}

// Values returns the values that the lines of a form may have, nil where they may
// be any.
func (f *Field) Values() []string {
	switch f.Form {
	case "status":
		return convert[string](Statuses())
	case "link type":
		return convert[string](LinkTypes())
	case "older figures":
		return convert[string](Olders())
	case "platform":
		return convert[string](Platforms())
	case "scope":
		return convert[string](Modules())
	case "item type":
		return []string{string(ItemCategory), string(ItemLink)}
	}
	return nil
}

func (ck *checker) date(at Ref, field string, d Date) {
	if !d.valid() {
		ck.report(at, RuleMalformedDate, fmt.Sprintf("%s %s is not a date", field, quote(string(d))), "write the day as YYYY-MM-DD")
	}
}

// Bounds of a JSON object that nobody looks into.
const (
	MaxJSON      = 16 << 10 // bytes, without white space
	maxJSONDepth = 32       // lists and maps in one another
)

func (ck *checker) json(at Ref, field string, value JSON) {
	switch {
	case len(value) > MaxJSON:
		ck.report(at, RuleTooLong, fmt.Sprintf("%s has %d bytes without white space, the limit is %d", field, len(value), MaxJSON), "shorten it")
	case value[0] != '{' || !jsontext.Value(value).IsValid():
		ck.report(at, RuleMalformedExtra, field+" is not a JSON object", "write a map")
	case value.depth() > maxJSONDepth:
		ck.report(at, RuleMalformedExtra, fmt.Sprintf("lists and maps of %s stand more than %d deep in one another", field, maxJSONDepth), "write it flatter")
	case !ck.stored:
		ck.jsonStrings(at, field, value)
	}
}

// whiteSpaces makes equal the white space that only JSON may hold, which programs read.
var whiteSpaces = strings.NewReplacer("\t", " ", "\r", " ", "\u0085", " ")

// jsonStrings checks the characters of all names and strings of a JSON object, each of
// which may have several lines and tabs.
func (ck *checker) jsonStrings(at Ref, field string, value JSON) {
	for dec := jsontext.NewDecoder(strings.NewReader(string(value))); ; {
		token, err := dec.ReadToken()
		if err != nil { // its end: it is valid
			return
		}
		if token.Kind() != '"' {
			continue
		}
		if fault := ck.plainFault("a text of "+field, whiteSpaces.Replace(token.String()), MaxJSON, true); fault != nil {
			ck.reportFault(at, fault)
			return
		}
	}
}

// depth returns how deep lists and maps stand in one another.
func (j JSON) depth() int {
	depth, deepest := 0, 0
	quoted := false
	for i := 0; i < len(j); i++ {
		switch c := j[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}
