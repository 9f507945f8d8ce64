package domain

import (
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// sourcesField is the name of the field with the sources of the other fields of a record.
const sourcesField = "sources"

// sources is a field with the source of each field that has one: a URL or a plain text.
func sources[R any](at func(*R) *JSON) *Field {
	f := lineField(TypeJSON, sourcesField, func(r *R) *string { return (*string)(at(r)) }).
		about("Sources of fields, by name: a URL or plain text each", `{"description": "https://example.org/about"}`)
	f.bySource = true
	return f
}

// Strings iterates over the members of the object that are strings, in their order. It ends at
// invalid JSON.
func (j JSON) Strings() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		j.members(func(name string, value jsontext.Token, isString bool) bool {
			return !isString || yield(name, value.String())
		})
	}
}

// members calls see for each member of the object until it returns false. value is the first
// token of the member's value, which isString says is all of it.
func (j JSON) members(see func(name string, value jsontext.Token, isString bool) bool) {
	dec := jsontext.NewDecoder(strings.NewReader(string(j)))
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return
		}
		key := name.String() // a token is valid until the next one is read
		if dec.PeekKind() != '"' {
			if !see(key, jsontext.Null, false) || dec.SkipValue() != nil {
				return
			}
			continue
		}
		value, err := dec.ReadToken()
		if err != nil || !see(key, value, true) {
			return
		}
	}
}

// sources checks that the members of a valid object are sources of fields of the record. A source
// with "://" is a link.
func (ck *checker) sources(at Ref, value JSON) {
	shape := Describe(at.Kind).Shape
	value.members(func(name string, token jsontext.Token, isString bool) bool {
		of := shape.Field(name)
		switch {
		case of == nil || of.InFileName || of.bySource:
			ck.reportFault(at, unknownValue("the field", name, shape.sourced()))
		case !isString || strings.TrimSpace(token.String()) == "":
			ck.report(at, RuleWrongType, fmt.Sprintf("the source of %s is not a text", name), "write a URL, or name the source")
		case strings.Contains(token.String(), "://"):
			link := &Field{Name: name}
			ck.linkField(at, link, token.String())
		default:
			if fault := ck.textFault("the source of "+name, token.String(), maxName, false); fault != nil {
				ck.reportFault(at, fault)
			}
		}
		return true
	})
}

// sourced returns the names of the fields that can have a source.
func (s *Shape) sourced() []string {
	var names []string
	for _, f := range s.Fields {
		if !f.InFileName && !f.bySource {
			names = append(names, f.Name)
		}
	}
	return names
}
