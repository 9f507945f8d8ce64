package domain

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// fields checks the fields of a record that have no rules of their own.
func (ck *checker) fields(at Ref, s *Shape, record any) {
	for _, f := range s.Fields {
		ck.field(at, f, record, s.requires(f, record))
	}
}

// requires reports whether a record must have a field.
func (s *Shape) requires(f *Field, record any) bool {
	return f.Required || f.RequiredUnless != "" && *s.Field(f.RequiredUnless).line(record) == ""
}

func (ck *checker) field(at Ref, f *Field, record any, required bool) {
	switch f.Type {
	case TypeNumber:
		ck.number(at, f, *f.number(record))
	case TypeFigure:
		ck.figure(at, f, *f.figure(record))
	case TypeLink:
		ck.linkField(at, f, *f.line(record), required)
	case TypeDate:
		ck.date(at.in(f.Name), f.Name, Date(*f.line(record)))
	case TypeJSON:
		ck.json(at.in(f.Name), f.Name, JSON(*f.line(record)))
	case TypePart:
		if f.Size(record) > 0 {
			ck.fields(at.in(f.Name), f.Parts, f.Part(record, 0))
		}
	default:
		ck.byRule(at, f, record, required)
	}
}

func (ck *checker) byRule(at Ref, f *Field, record any, required bool) {
	switch {
	case f.rule == idRule:
		ck.writtenID(at, *f.line(record))
	case f.rule == nameRule && f.Type == TypeText:
		if required || len(*f.text(record)) > 0 {
			ck.name(at, f.Name, *f.text(record))
		}
	case f.rule == nameRule:
		ck.plainName(at, *f.line(record))
	case f.rule == passageRule:
		ck.description(at, f.Name, *f.text(record))
	case f.rule == lineRule:
		ck.plainLine(at, f, *f.line(record))
	case f.rule == linesRule:
		ck.list(at, f.Name, f.lines(record))
	case f.rule == enumRule:
		ck.enum(at, f, record)
	case f.rule == categoryRule:
		ck.categoryRefs(at, f.lines(record), f.scope)
	case f.rule == chainRule:
		ck.chainRefs(at, f, record)
	case f.Type == TypeParts && (f.Parts == linkShape || f.Parts == endpointShape):
		for i := range f.Size(record) {
			ck.fields(at.in(f.Name).at(i), f.Parts, f.Part(record, i))
		}
	}
}

func (ck *checker) linkField(at Ref, f *Field, link string, required bool) {
	switch {
	case link == "" && required:
		ck.missing(at.in(f.Name), f.Name)
	case link == "":
	case f.rule == endpointRule:
		ck.endpoint(at, f.Name, link)
	default:
		ck.link(at, f.Name, link)
		if f.rule == publicRule {
			ck.secret(at, f.Name, link)
		}
	}
}

func (ck *checker) plainLine(at Ref, f *Field, s string) {
	at = at.in(f.Name)
	switch {
	case s == "" && f.Required:
		ck.missing(at, f.Name)
	case s != "" && ck.plain(at, f.Name, s, maxName, false):
		ck.visible(at, f.Name, s)
	}
}

// enum checks a line, or each of several lines, that is one of the values of its
// form.
func (ck *checker) enum(at Ref, f *Field, record any) {
	at = at.in(f.Name)
	allowed := f.Values()
	if f.IsLine() {
		switch value := *f.line(record); {
		case value == "" && f.Required:
			ck.missing(at, f.Name)
		case value != "" && !slices.Contains(allowed, value):
			ck.unknownValue(at, f.Name, value, allowed)
		}
		return
	}
	seen := make(firsts)
	for i, value := range f.lines(record) {
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
	}
	return nil
}

func (ck *checker) date(at Ref, field string, d Date) {
	if d != "" && !d.valid() {
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
	case value == "":
	case len(value) > MaxJSON:
		ck.report(at, RuleTooLong, fmt.Sprintf("%s has %d bytes without white space, the limit is %d", field, len(value), MaxJSON), "shorten it")
	case value[0] != '{' || !jsontext.Value(value).IsValid():
		ck.report(at, RuleMalformedExtra, field+" is not a JSON object", "write a map")
	case value.depth() > maxJSONDepth:
		ck.report(at, RuleMalformedExtra, fmt.Sprintf("lists and maps of %s stand more than %d deep in one another", field, maxJSONDepth), "write it flatter")
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
