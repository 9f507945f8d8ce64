package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"vitrine/test/internal/trial"
)

// object is a JSON object with ordered members and unparsed values.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

// UnmarshalJSON rejects duplicate members.
func (o *object) UnmarshalJSON(doc []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(doc))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return fmt.Errorf("%.80s is no object", doc)
	}
	*o = object{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		if o.get(name.(string)) != nil {
			return fmt.Errorf("%.80s has the member %v twice", doc, name)
		}
		*o = append(*o, member{name.(string), value})
	}
	return nil
}

// encode returns the object without white space, with canonical strings.
func (o object) encode() []byte {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(quoted(m.name))
		out.WriteByte(':')
		out.Write(plain(m.value))
	}
	out.WriteByte('}')
	return out.Bytes()
}

// plain returns a value without white space, with canonical strings. The order of members and the
// digits of numbers are unchanged.
func plain(value json.RawMessage) []byte {
	switch value = bytes.TrimSpace(value); value[0] {
	case '{':
		var o object
		trial.Check(json.Unmarshal(value, &o))
		return o.encode()
	case '[':
		var elements []json.RawMessage
		trial.Check(json.Unmarshal(value, &elements))
		for i := range elements {
			elements[i] = plain(elements[i])
		}
		return slices.Concat([]byte{'['}, bytes.Join(convert[[]byte](elements), []byte{','}), []byte{']'})
	case '"':
		return quoted(decoded[string](value))
	}
	return value
}

func convert[T ~[]byte, E ~[]byte](list []E) (out []T) {
	for _, e := range list {
		out = append(out, T(e))
	}
	return out
}

// quoted returns a text as JSON without HTML escapes.
func quoted(s string) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	trial.Check(encoder.Encode(s))
	return bytes.TrimSpace(out.Bytes())
}

// decoded decodes a value of a known shape.
func decoded[T any](value json.RawMessage) (out T) {
	trial.Check(json.Unmarshal(value, &out), value)
	return out
}

// get returns the value of a member, nil for none.
func (o object) get(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text returns a text member, "" for another type or none.
func (o object) text(name string) (s string) {
	if json.Unmarshal(o.get(name), &s) != nil {
		return ""
	}
	return s
}

// part returns an object member, nil for another type or none.
func (o object) part(name string) (out object) {
	if json.Unmarshal(o.get(name), &out) != nil {
		return nil
	}
	return out
}

// without returns the object without some members.
func (o object) without(names ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return slices.Contains(names, m.name) })
}

// with returns the object with an additional member.
func (o object) with(name string, value any) object {
	return append(slices.Clip(o), member{name, trial.Must(json.Marshal(value))})
}

// MarshalJSON is [object.encode].
func (o object) MarshalJSON() ([]byte, error) { return o.encode(), nil }

// numbers counts the numbers in the object.
func (o object) numbers() (n int) {
	decoder := json.NewDecoder(bytes.NewReader(o.encode()))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return n
		}
		if _, ok := token.(json.Number); ok {
			n++
		}
	}
}

// difference returns the place where two objects differ in any order of members, "" for equal
// ones. Numbers are equal if all their digits are.
func difference(before, after object) string {
	for _, m := range before {
		got := after.get(m.name)
		if got == nil {
			return m.name + " is lost"
		}
		if !bytes.Equal(sorted(m.value), sorted(got)) {
			return fmt.Sprintf("%s was %s and is %s", m.name, m.value, got)
		}
	}
	if len(after) != len(before) {
		return fmt.Sprintf("%d members were %d", len(after), len(before))
	}
	return ""
}

// sorted returns a canonical form of a value: members by name, numbers unchanged.
func sorted(value json.RawMessage) []byte {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	var out any
	trial.Check(decoder.Decode(&out))
	return trial.Must(json.Marshal(out))
}
