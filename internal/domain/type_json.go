package domain

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/recordjson"
)

// Limits of a JSON object.
const (
	MaxJSON      = 16 << 10 // bytes, without white space
	maxJSONDepth = 32       // nested lists and maps
)

// jsonType is a line with a [JSON] object, which is stored and served uninterpreted.
type jsonType struct{ lineType }

// extra is a field for data without a field.
func extra[R any](at func(*R) *JSON) *Field {
	return lineField(TypeJSON, "extra", func(r *R) *string { return (*string)(at(r)) }).
		about("Any JSON object of at most 16 KiB, stored and served as written", `{"slip44": 60}`)
}

func (jsonType) check(ck *checker, at Ref, f *Field, record any) {
	value := JSON(*f.Line(record))
	at = at.in(f.Name)
	switch {
	case len(value) > MaxJSON:
		ck.report(at, RuleTooLong, fmt.Sprintf("%s has %d bytes without white space, the limit is %d", f.Name, len(value), MaxJSON), "shorten it")
	case value[0] != '{' || !jsontext.Value(value).IsValid():
		ck.report(at, RuleMalformedExtra, f.Name+" is not a JSON object", "write a map")
	case value.depth() > maxJSONDepth:
		ck.report(at, RuleMalformedExtra, fmt.Sprintf("lists and maps of %s stand more than %d deep in one another", f.Name, maxJSONDepth), "write it flatter")
	case !ck.stored:
		ck.jsonStrings(at, f.Name, value)
		if f.bySource {
			ck.sources(at, value)
		}
	}
}

// whiteSpaces removes the white space that only JSON may contain.
var whiteSpaces = strings.NewReplacer("\t", " ", "\r", " ", "\u0085", " ")

// jsonStrings checks the characters of all names and strings of a JSON object. They may have
// several lines and tabs.
func (ck *checker) jsonStrings(at Ref, field string, value JSON) {
	for dec := jsontext.NewDecoder(strings.NewReader(string(value))); ; {
		token, err := dec.ReadToken()
		if err != nil { // the end: the JSON is valid
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

// depth returns the nesting of lists and maps.
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

func (jsonType) write(w *recordWriter, f *Field, record any) { w.Raw(*f.Line(record)) }

func (jsonType) read(r *recordjson.Reader, f *Field, record any) (err error) {
	*f.Line(record), err = r.RawObject()
	return err
}

func (jsonType) addValues(v *Values, path, name string, f *Field, record any) {
	text := *f.Line(record)
	if text == "" {
		return
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		v.add(Value{Path: path, Text: text, Name: name}) // checked catalogues have none
		return
	}
	v.json(path, name, value)
}

// json adds the members of objects and the elements of arrays as separate values.
func (v *Values) json(path, name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		v.add(Value{Path: path, Name: name})
		for member, inner := range value {
			v.json(path+"["+elementName(member)+"]", name+"["+member+"]", inner)
		}
	case []any:
		v.add(Value{Path: path, Name: name})
		texts := make([]string, len(value))
		for i, inner := range value {
			text, _ := json.Marshal(inner) // it came from JSON
			texts[i] = string(text)
		}
		v.lines(path, name, false, texts, jsonLink)
	default:
		text, _ := json.Marshal(value)
		v.add(Value{Path: path, Text: string(text), Name: name, Link: jsonLink(string(text))})
	}
}

// jsonLink returns the URL in a JSON string, like [plainLink].
func jsonLink(text string) string {
	var s string
	if json.Unmarshal([]byte(text), &s) != nil {
		return ""
	}
	return plainLink(s)
}

func (jsonType) appendTexts(texts []string, _ *Field, _ any) []string { return texts }

func (jsonType) isFree(*Field) bool { return false }

func (jsonType) schema(f *Field, _ *Schemas) Object {
	schema := Object{{"type", orNull("object")}}
	if f.Required {
		schema = Object{{"type", "object"}}
	}
	if f.bySource {
		schema = append(schema, Object{{"additionalProperties", Object{{"type", "string"}, {"pattern", `\S`}}}}...)
	}
	return schema
}

func (jsonType) formName(*Field) string { return "Map. " }

func (jsonType) random(r *Random, f *Field, record any) {
	if f.bySource {
		*f.Line(record) = r.choose(`{"description":"zoo.example.org, README"}`, `{"description":"https://zoo.example.org/about"}`)
		return
	}
	*f.Line(record) = r.choose(`{}`, `{"a":[1.0,"x"]}`, `{"b":[1.0,{"a":null}],"a":12345678901234567890}`)
}

// JSON is a JSON object as the editors wrote it, without white space; members keep their order
// and numbers their digits. It is stored and served uninterpreted. "" means none.
type JSON string
