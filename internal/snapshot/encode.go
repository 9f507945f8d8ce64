package snapshot

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
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

// EncodeMembers returns the members of the JSON form of a view in order, encoded. view points to the view.
func EncodeMembers(view any) Object[[]byte] {
	var all Object[[]byte]
	value := reflect.ValueOf(view).Elem()
	for _, m := range planOf(value.Type()) {
		if field := value.FieldByIndex(m.field); !m.omits(field) {
			all = append(all, Member[[]byte]{m.name, m.value(nil, field)})
		}
	}
	return all
}

// plan encodes structs of one type, with the members of embedded structs. Plans are made once, by
// reflection: an encoding calls one function per member.
type plan []planMember

// planMember encodes one field.
type planMember struct {
	field       []int // see [reflect.Value.FieldByIndex]
	name        string
	key         []byte                   // `"name":`
	omit        func(reflect.Value) bool // nil for never
	mark        marks                    // replaces the value if set, 0 for none
	afterLabels bool                     // the member is replaced with markLabels
	value       appendValue
}

// omits reports whether an object with a value of the field omits the member.
func (m *planMember) omits(field reflect.Value) bool { return m.omit != nil && m.omit(field) }

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
		if members, ok := membersOf(t.Field(i)); ok {
			p = append(p, members...)
		}
	}
	plans.Store(t, p)
	return p
}

// marks returns the marks of members.
func (p plan) marks() marks {
	var all marks
	for _, m := range p {
		all |= m.mark
	}
	return all
}

// has reports whether objects have a member with a name.
func (p plan) has(name string) bool {
	return slices.ContainsFunc(p, func(m planMember) bool { return m.name == name })
}

// membersOf returns the encoding of a field, or of the fields of an embedded struct; ok is false if it is
// not a member.
func membersOf(field reflect.StructField) (members plan, ok bool) {
	name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "-":
		return nil, false
	case field.Anonymous:
		for _, m := range planOf(field.Type) {
			m.field = slices.Concat(field.Index, m.field)
			members = append(members, m)
		}
		return members, true
	}
	m := planMember{field: field.Index, name: name, key: []byte(strconv.Quote(name) + ":"), value: valueOf(field.Type)}
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
	return plan{m}, true
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
	for i := range p {
		member := &p[i]
		field := v.FieldByIndex(member.field)
		if member.omits(field) || member.afterLabels && m&markLabels != 0 {
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
	if len(b) > start {
		b = b[:len(b)-1] // the last comma
	}
	return append(b, '}')
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
