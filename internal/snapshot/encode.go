package snapshot

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
)

// Encode returns the JSON form of a pointer to a view, or of a slice of views or strings:
// members in the order of the fields, no white space. It panics for other types.
func Encode(v any) []byte { return appendView(make([]byte, 0, 512), v) }

func appendView(b []byte, v any) []byte {
	value := reflect.ValueOf(v)
	return valueOf(value.Type())(b, value)
}

// EncodedMember is a member of a JSON object.
type EncodedMember struct {
	Name  string
	Value []byte // JSON
}

// EncodeMembers returns the members of the JSON form of a view in order. view points to the view.
func EncodeMembers(view any) []EncodedMember {
	value := reflect.ValueOf(view).Elem()
	return planOf(value.Type()).members(nil, value)
}

// plan encodes structs of one type. Plans are made once, by reflection: an encoding calls
// one function per member.
type plan []planMember

// planMember encodes one field.
type planMember struct {
	field       int
	name        string
	key         []byte                   // `"name":`
	omit        func(reflect.Value) bool // nil for never
	mark        marks                    // replaces the value if set, 0 for none
	afterLabels bool                     // the member is replaced with markLabels
	value       appendValue
	embedded    plan // of an embedded struct, whose members are those of the object
}

// appendValue appends the JSON form of a value of one type.
type appendValue func(b []byte, v reflect.Value) []byte

// marks are the members that rows leave out of their encoding (see [row]).
type marks uint8

const (
	markText marks = 1 << iota
	markLabels
)

// plans caches the plans of structs by type.
var plans sync.Map

// planOf returns the plan of a struct type. It panics for a field that cannot be encoded.
func planOf(t reflect.Type) plan {
	if p, ok := plans.Load(t); ok {
		return p.(plan)
	}
	p := plan{}
	for i := range t.NumField() {
		if m, ok := memberOf(t.Field(i)); ok {
			m.field = i
			p = append(p, m)
		}
	}
	plans.Store(t, p)
	return p
}

// marks returns the marks of members.
func (p plan) marks() marks {
	var all marks
	for _, m := range p {
		all |= m.mark | m.embedded.marks()
	}
	return all
}

// memberOf returns the encoding of a field; ok is false if it is not a member.
func memberOf(field reflect.StructField) (m planMember, ok bool) {
	name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "-":
		return planMember{}, false
	case field.Anonymous:
		return planMember{embedded: planOf(field.Type)}, true
	}
	m = planMember{name: name, key: []byte(strconv.Quote(name) + ":"), value: valueOf(field.Type)}
	switch option {
	case "omitempty":
		m.omit = isEmptyValue
	case "omitzero":
		m.omit = reflect.Value.IsZero
	}
	switch field.Tag.Get("encode") {
	case "null":
		m.value = appendNullable
	case "text":
		m.mark = markText
	case "labels":
		m.mark = markLabels
	case "keys":
		m.afterLabels = true
	}
	return m, true
}

func isEmptyValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String, reflect.Slice:
		return v.Len() == 0
	}
	return v.IsZero()
}

// appendObject appends the JSON form of a struct.
func (p plan) appendObject(b []byte, v reflect.Value, m marks) []byte {
	b = append(b, '{')
	start := len(b)
	b = p.appendMembers(b, v, m)
	if len(b) > start {
		b = b[:len(b)-1] // the last comma
	}
	return append(b, '}')
}

// appendMembers appends the members of a struct, each followed by a comma.
func (p plan) appendMembers(b []byte, v reflect.Value, m marks) []byte {
	for i := range p {
		member := &p[i]
		field := v.Field(member.field)
		switch {
		case member.embedded != nil:
			b = member.embedded.appendMembers(b, field, m)
			continue
		case member.omit != nil && member.omit(field), member.afterLabels && m&markLabels != 0:
			continue
		}
		b = append(b, member.key...)
		switch member.mark & m {
		case markText:
			b = append(b, '"', textMark, '"')
		case markLabels:
			b = append(b, labelsMark)
		default:
			b = member.value(b, field)
		}
		b = append(b, ',')
	}
	return b
}

// members appends the members of a struct one by one.
func (p plan) members(all []EncodedMember, v reflect.Value) []EncodedMember {
	for i := range p {
		member := &p[i]
		field := v.Field(member.field)
		switch {
		case member.embedded != nil:
			all = member.embedded.members(all, field)
		case member.omit == nil || !member.omit(field):
			all = append(all, EncodedMember{member.name, member.value(nil, field)})
		}
	}
	return all
}

// object is implemented by every [Object].
type object interface{ isObject() }

func (Object[T]) isObject() {}

// valueOf returns the encoding of values of a type.
func valueOf(t reflect.Type) appendValue {
	if t == reflect.TypeFor[domain.JSON]() {
		return func(b []byte, v reflect.Value) []byte { return append(b, v.String()...) }
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte { return appendString(b, v.String()) }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }
	case reflect.Int, reflect.Int64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }
	case reflect.Float64:
		return func(b []byte, v reflect.Value) []byte { return appendNumber(b, v.Float()) }
	case reflect.Pointer:
		value := valueOf(t.Elem())
		return func(b []byte, v reflect.Value) []byte { return value(b, v.Elem()) }
	case reflect.Struct:
		p := planOf(t)
		return func(b []byte, v reflect.Value) []byte { return p.appendObject(b, v, 0) }
	case reflect.Slice:
		if t.Implements(reflect.TypeFor[object]()) {
			return objectOf(t.Elem())
		}
		return arrayOf(valueOf(t.Elem()))
	}
	panic(fmt.Sprintf("snapshot: views cannot have values of type %v", t))
}

// arrayOf returns the encoding of slices; nil is [].
func arrayOf(value appendValue) appendValue {
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = value(b, v.Index(i))
		}
		return append(b, ']')
	}
}

// objectOf returns the encoding of an [Object] with members of a type.
func objectOf(member reflect.Type) appendValue {
	value := valueOf(member.Field(1).Type)
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '{')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, v.Index(i).Field(0).String()), ':')
			b = value(b, v.Index(i).Field(1))
		}
		return append(b, '}')
	}
}

func appendNullable(b []byte, v reflect.Value) []byte {
	if v.Len() == 0 {
		return append(b, "null"...)
	}
	return appendString(b, v.String())
}

// appendString appends a string. Invalid UTF-8, which valid catalogues do not have, becomes
// U+FFFD.
func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // the error only reports U+FFFD
	return b
}

// appendNumber appends a finite number like encoding/json: the shortest digits that represent it
// exactly, without exponent for ordinary magnitudes.
func appendNumber(b []byte, n float64) []byte {
	const exact = 1 << 53 // integers up to here have one float64 each
	if n == math.Trunc(n) && math.Abs(n) < exact {
		return strconv.AppendInt(b, int64(n), 10)
	}
	digits, err := json.Marshal(n)
	if err != nil {
		panic("snapshot: a figure that is no number got past domain.Check: " + err.Error())
	}
	return append(b, digits...)
}
