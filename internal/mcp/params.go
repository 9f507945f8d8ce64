package mcp

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"vitrine/internal/response"
	"vitrine/internal/spelling"
)

// valueType is the type of a parameter's value.
type valueType string

const (
	aText   valueType = "string"
	aNumber valueType = "integer"
	aSwitch valueType = "boolean"
	aList   valueType = "array" // of texts
)

// param is a parameter of a tool. It has the name and the meaning of the API's.
type param struct {
	name, about string
	is          valueType
	enum        []string // allowed texts, nil for any
	least, most int      // of a number; most characters of a text; most items of a list
	required    bool
}

// maxItem bounds the characters of an item of a list: those of a key.
const maxItem = 100

// object is a JSON object of a schema.
type object = map[string]any

// schema returns the JSON Schema of the values of a parameter.
func (p param) schema() object {
	s := object{"type": p.is}
	if p.about != "" {
		s["description"] = p.about
	}
	switch p.is {
	case aNumber:
		s["minimum"], s["maximum"] = p.least, p.most
	case aList:
		s["maxItems"] = p.most
		if p.enum != nil {
			s["items"] = object{"type": aText, "enum": p.enum}
		} else {
			s["items"] = object{"type": aText, "maxLength": maxItem}
		}
	case aText:
		if p.enum != nil {
			s["enum"] = p.enum
		} else {
			s["maxLength"] = p.most
		}
	}
	return s
}

// inputSchema returns the JSON Schema of the arguments of a tool.
func inputSchema(params []param) object {
	properties, required := object{}, []string{}
	for _, p := range params {
		properties[p.name] = p.schema()
		if p.required {
			required = append(required, p.name)
		}
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// problem is an error for an agent, in the result of its call. Detail is a sentence.
type problem struct {
	Code       response.Code `json:"code"`
	Detail     string        `json:"detail"`
	Parameter  string        `json:"parameter,omitempty"`
	Allowed    []string      `json:"allowed,omitempty"`
	DidYouMean string        `json:"didYouMean,omitempty"` // one of Allowed
	Candidates []string      `json:"candidates,omitempty"` // keys of the catalogue, the likeliest first
}

func (p *problem) Error() string { return string(p.Code) + ": " + p.Detail }

// wrong returns the problem of an invalid parameter.
func wrong(name, format string, args ...any) *problem {
	return &problem{Code: response.InvalidParameter, Detail: name + " " + fmt.Sprintf(format, args...), Parameter: name}
}

// arguments has the arguments of a call by name, without absent and empty ones. [url.Values.Encode] returns
// the query string of the API's request.
type arguments struct{ url.Values }

// on reports whether a boolean argument is set.
func (a arguments) on(name string) bool { return a.Get(name) != "" }

// number returns the value of a number, absent where it is not given.
func (a arguments) number(name string, absent int) int {
	n, err := strconv.Atoi(a.Get(name))
	if err != nil {
		return absent
	}
	return n
}

// parse reads the arguments of a call. The error is a [*problem] that names the
// parameter.
func parse(raw json.RawMessage, params []param) (arguments, error) {
	var given map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return arguments{}, &problem{Code: response.InvalidParameter, Detail: "the arguments must be a JSON object"}
		}
	}
	for name := range given {
		if !slices.ContainsFunc(params, func(p param) bool { return p.name == name }) {
			return arguments{}, unknownParam(given, params)
		}
	}
	a := arguments{url.Values{}}
	for _, p := range params {
		value := ""
		if raw, ok := given[p.name]; ok && string(raw) != "null" {
			var err error
			if value, err = p.read(raw); err != nil {
				return arguments{}, err
			}
		}
		switch {
		case value != "":
			a.Set(p.name, value)
		case p.required:
			return arguments{}, wrong(p.name, "is required: %s", p.about)
		}
	}
	return a, nil
}

// unknownParam returns an error that names the first unknown parameter, by name; nil for none.
func unknownParam(given map[string]json.RawMessage, params []param) error {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
	}
	var unknown []string
	for name := range given {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	name := shortened(slices.Min(unknown))
	return &problem{
		Code: response.InvalidParameter, Detail: fmt.Sprintf("this tool has no parameter %q", name),
		Parameter: name, Allowed: names, DidYouMean: spelling.Nearest(name, names),
	}
}

// read returns a value as the API has it in a query string.
func (p param) read(raw json.RawMessage) (string, error) {
	switch p.is {
	case aNumber:
		var n float64
		if json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || n < float64(p.least) || n > float64(p.most) {
			return "", wrong(p.name, "must be a whole number from %d to %d", p.least, p.most)
		}
		return strconv.Itoa(int(n)), nil
	case aSwitch:
		var on bool
		if json.Unmarshal(raw, &on) != nil {
			return "", wrong(p.name, "must be true or false")
		}
		if !on {
			return "", nil
		}
		return "1", nil
	case aList:
		var items []string
		if json.Unmarshal(raw, &items) != nil {
			return "", wrong(p.name, `must be a list of strings, such as ["a"]`)
		}
		if len(items) > p.most {
			return "", wrong(p.name, "has too many items: at most %d", p.most)
		}
		for _, item := range items {
			if err := p.check(item, maxItem); err != nil {
				return "", err
			}
		}
		return strings.Join(items, ","), nil
	}
	var value string
	if json.Unmarshal(raw, &value) != nil {
		return "", wrong(p.name, "must be a string")
	}
	if value == "" {
		return "", nil
	}
	return value, p.check(value, p.most)
}

// check returns an error for a text that is not allowed, or longer than most.
func (p param) check(value string, most int) error {
	if p.enum == nil {
		if utf8.RuneCountInString(value) > most {
			return wrong(p.name, "is too long: at most %d characters", most)
		}
		return nil
	}
	if slices.Contains(p.enum, value) {
		return nil
	}
	err := wrong(p.name, "must be one of %s", strings.Join(p.enum, ", "))
	err.Allowed, err.DidYouMean = p.enum, spelling.Nearest(value, p.enum)
	return err
}

// shortened bounds a text of a request that is repeated in a response.
func shortened(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxItem)], "") }
