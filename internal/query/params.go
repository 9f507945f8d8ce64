package query

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// params holds the decoded, non-empty values of the parameters that an
// operation knows, in the order of the query string.
type params struct {
	values []param
}

type param struct{ name, value string }

func (p params) first(name string) string {
	for _, v := range p.values {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

func (p params) all(name string) []string {
	var all []string
	for _, v := range p.values {
		if v.name == name {
			all = append(all, v.value)
		}
	}
	return all
}

// scan splits a raw query at `&` (a raw `;` is part of a value, so the standard
// library's parser does not fit) and checks the values of the known
// parameters. Unknown ones are ignored, whatever they hold, also when their
// names cannot be decoded. Empty values count as absent before repeats are
// counted (docs/api.md#the-operations).
func scan(raw string, known Parameters) (params, error) {
	var p params
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || rawValue == "" || !slices.Contains(known, name) {
			continue
		}
		value, err := decode(name, rawValue)
		if err != nil {
			return params{}, err
		}
		if name != "tag" && p.first(name) != "" {
			return params{}, &Error{Parameter: name, Detail: name + " is given more than once"}
		}
		p.values = append(p.values, param{name, value})
	}
	return p, nil
}

// Has reports whether a raw query has a parameter with a value.
func Has(raw, parameter string) bool {
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(rawName); err == nil && name == parameter && value != "" {
			return true
		}
	}
	return false
}

func decode(name, raw string) (string, error) {
	value, err := url.QueryUnescape(raw)
	if err != nil {
		return "", &Error{Parameter: name, Detail: name + " has an invalid percent-encoding; write % itself as %25"}
	}
	if !utf8.ValidString(value) {
		return "", &Error{Parameter: name, Detail: name + " is not valid UTF-8"}
	}
	if strings.ContainsFunc(value, unicode.IsControl) {
		return "", &Error{Parameter: name, Detail: name + " holds a control character"}
	}
	return value, nil
}
