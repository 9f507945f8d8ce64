// Package recordjson reads and writes the JSON values that records consist of. The types of
// fields in package domain use it for JSON files and for the rows of a store.
//
// It must not know records and fields.
package recordjson

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errNotFinite = errors.New("a number is not finite")
	errNotJSON   = errors.New("a value is not JSON")
)

// A Writer appends JSON values to Buf, without white space.
type Writer struct {
	Buf []byte
	Err error // error of the first value that JSON cannot represent; the output stays valid JSON
}

// Object writes an object whose members write adds by [Writer.Member].
func (w *Writer) Object(write func()) {
	w.Buf = append(w.Buf, '{')
	write()
	w.Buf = append(w.Buf, '}')
}

// Member begins a member of an object.
func (w *Writer) Member(name string) {
	if w.Buf[len(w.Buf)-1] != '{' {
		w.Buf = append(w.Buf, ',')
	}
	w.String(name)
	w.Buf = append(w.Buf, ':')
}

// List writes an array of n elements.
func (w *Writer) List(n int, write func(i int)) {
	w.Buf = append(w.Buf, '[')
	for i := range n {
		if i > 0 {
			w.Buf = append(w.Buf, ',')
		}
		write(i)
	}
	w.Buf = append(w.Buf, ']')
}

// String writes a string. Bytes that are not UTF-8 become U+FFFD and are an error.
func (w *Writer) String(s string) {
	buf, err := jsontext.AppendQuote(w.Buf, s)
	w.Buf = buf
	w.fail(err)
}

// Strings writes an array of strings.
func (w *Writer) Strings(list []string) {
	w.List(len(list), func(i int) { w.String(list[i]) })
}

// Number writes a number. One that is not finite becomes 0 and is an error.
func (w *Writer) Number(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.fail(errNotFinite)
		v = 0
	}
	w.Buf = jsontext.AppendFloat(w.Buf, v, 64)
}

// Raw writes a JSON value as it is. One that is not valid becomes {} and is an error.
func (w *Writer) Raw(value string) {
	if !jsontext.Value(value).IsValid() {
		w.fail(errNotJSON)
		value = "{}"
	}
	w.Buf = append(w.Buf, value...)
}

func (w *Writer) fail(err error) {
	if w.Err == nil && err != nil {
		w.Err = fmt.Errorf("write a record: %w", err)
	}
}
