// Package recordjson writes records of a catalogue as JSON and reads them: the
// form that they have in a directory's JSON files and in the rows of a store. Both
// directions go by the descriptions of package domain; a field that is described
// there is written and read here.
//
// What is empty is left out, and so is what a field is anyway when it is not
// written. A text is a map from locale to string; a figure is {value, source,
// as_of}, or the number alone if that is all there is.
//
// It must not know files, rows or what the fields are. Files that people wrote are
// read by package bundle, which says what is wrong with them and where.
package recordjson

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
)

// errNotFinite is the error for a number that JSON cannot have.
var errNotFinite = errors.New("a number is not finite")

// errNotJSON is the error for a value that should be JSON already.
var errNotJSON = errors.New("a value is not JSON")

// Append appends a record of a shape to dst, on one line, in the order of its
// fields; record points to it. A text that is in the locale plain and no other
// is written as a string; "" is no locale. The error is of a text that is not
// UTF-8, whose bytes are replaced by U+FFFD, of a number that is not finite, in
// whose place there is a 0, or of a [domain.JSON] that is none, in whose place there
// is {}.
func Append(dst []byte, s *domain.Shape, record any, plain string) ([]byte, error) {
	w := writer{buf: dst, plain: plain}
	w.record(s, record)
	return w.buf, w.err
}

type writer struct {
	buf   []byte
	plain string
	err   error // the first one
}

func (w *writer) record(s *domain.Shape, record any) {
	w.buf = append(w.buf, '{')
	first := true
	for _, f := range s.Fields {
		if f.InFileName() || !written(f, record) {
			continue
		}
		w.member(f.Name, &first)
		w.value(f, record)
	}
	w.buf = append(w.buf, '}')
}

// written reports whether a field has a value that has to be written.
func written(f *domain.Field, record any) bool {
	switch f.Type {
	case domain.TypeText:
		return len(*f.Text(record)) > 0
	case domain.TypeLines:
		return len(f.Lines(record)) > 0
	case domain.TypeNumber:
		return f.Required || *f.Number(record) != 0
	case domain.TypeFigure:
		return *f.Figure(record) != nil
	case domain.TypePart, domain.TypeParts, domain.TypeTable:
		return f.Size(record) > 0
	}
	line := *f.Line(record)
	return line != "" && line != f.Standard(record)
}

func (w *writer) value(f *domain.Field, record any) {
	switch f.Type {
	case domain.TypeText:
		w.text(*f.Text(record))
	case domain.TypeLines:
		w.lines(f.Lines(record))
	case domain.TypeNumber:
		w.number(*f.Number(record))
	case domain.TypeFigure:
		w.figure(*f.Figure(record))
	case domain.TypeJSON:
		w.json(*f.Line(record))
	case domain.TypePart:
		w.record(f.Parts, f.Part(record, 0))
	case domain.TypeParts:
		w.buf = append(w.buf, '[')
		for i := range f.Size(record) {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			w.record(f.Parts, f.Part(record, i))
		}
		w.buf = append(w.buf, ']')
	case domain.TypeTable:
		name, lines := f.Parts.Fields[0], f.Parts.Fields[1]
		w.buf = append(w.buf, '{')
		first := true
		for i := range f.Size(record) {
			part := f.Part(record, i)
			w.member(*name.Line(part), &first)
			w.lines(lines.Lines(part))
		}
		w.buf = append(w.buf, '}')
	default:
		w.string(*f.Line(record))
	}
}

func (w *writer) member(name string, first *bool) {
	if !*first {
		w.buf = append(w.buf, ',')
	}
	*first = false
	w.string(name)
	w.buf = append(w.buf, ':')
}

func (w *writer) string(s string) {
	buf, err := jsontext.AppendQuote(w.buf, s)
	w.buf = buf
	w.fail(err)
}

func (w *writer) number(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.fail(errNotFinite)
		v = 0
	}
	w.buf = jsontext.AppendFloat(w.buf, v, 64)
}

// json writes a JSON value as it is.
func (w *writer) json(value string) {
	if !jsontext.Value(value).IsValid() {
		w.fail(errNotJSON)
		value = "{}"
	}
	w.buf = append(w.buf, value...)
}

func (w *writer) text(t domain.Text) {
	if len(t) == 1 && w.plain != "" && t[0].Locale == w.plain {
		w.string(t[0].Value)
		return
	}
	w.buf = append(w.buf, '{')
	first := true
	for _, tr := range t {
		w.member(tr.Locale, &first)
		w.string(tr.Value)
	}
	w.buf = append(w.buf, '}')
}

func (w *writer) lines(lines []string) {
	w.buf = append(w.buf, '[')
	for i, s := range lines {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.string(s)
	}
	w.buf = append(w.buf, ']')
}

func (w *writer) figure(f *domain.Figure) {
	if f.Bare() && f.Source == "" {
		w.number(f.Value)
		return
	}
	w.buf = append(w.buf, `{"value":`...)
	w.number(f.Value)
	w.buf = append(w.buf, `,"source":`...)
	w.string(f.Source)
	w.buf = append(w.buf, `,"as_of":`...)
	w.string(string(f.AsOf))
	w.buf = append(w.buf, '}')
}

func (w *writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("write a record: %w", err)
	}
}
