package recordjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
)

// A Decoder reads records one after the other. Strings that come again and
// again, as categories and locales do, are kept once for all records of a
// Decoder. The zero value is ready; it is for one goroutine.
type Decoder struct {
	dec   *jsontext.Decoder
	words map[string]string
}

// maxWords bounds the strings that a decoder keeps, and longWord their length.
const (
	maxWords = 1 << 14
	longWord = 64
)

// Decode reads what [Append] wrote, with no locale plain, into an empty record of
// a shape; record points to it. It is strict: a member that the shape does not
// have, that comes twice or that holds a value of another type is an error, for
// to drop it in silence would be to serve less than was published. Data is not
// kept.
func (d *Decoder) Decode(data []byte, s *domain.Shape, record any) error {
	from := bytes.NewBuffer(data)
	if d.dec == nil {
		d.dec, d.words = jsontext.NewDecoder(from), map[string]string{}
	} else {
		d.dec.Reset(from)
	}
	if err := d.record(s, record); err != nil {
		return err
	}
	if _, err := d.dec.ReadToken(); err != io.EOF {
		return errors.New("there is more behind the record")
	}
	return nil
}

func (d *Decoder) record(s *domain.Shape, record any) error {
	err := d.object(func(name []byte) error {
		f := s.Field(string(name))
		if f == nil || f.InFileName() {
			return fmt.Errorf("there is no field %q", name)
		}
		if err := d.value(f, record); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.SetStandards(record)
	return nil
}

func (d *Decoder) value(f *domain.Field, record any) (err error) {
	switch f.Type {
	case domain.TypeText:
		*f.Text(record), err = d.text()
	case domain.TypeLines:
		var lines []string
		lines, err = d.lines()
		f.SetLines(record, lines)
	case domain.TypeNumber:
		*f.Number(record), err = d.number()
	case domain.TypeFigure:
		*f.Figure(record), err = d.figure()
	case domain.TypeJSON:
		*f.Line(record), err = d.json()
	case domain.TypePart:
		err = d.record(f.Parts, f.Grow(record))
	case domain.TypeParts:
		err = d.list(func() error { return d.record(f.Parts, f.Grow(record)) })
	case domain.TypeTable:
		name, lines := f.Parts.Fields[0], f.Parts.Fields[1]
		err = d.object(func(key []byte) error {
			part := f.Grow(record)
			*name.Line(part) = d.word(key)
			list, err := d.lines()
			lines.SetLines(part, list)
			return err
		})
	default:
		*f.Line(record), err = d.string()
	}
	return err
}

// expect reads a token of a kind.
func (d *Decoder) expect(kind jsontext.Kind) error {
	if got := d.dec.PeekKind(); got != kind {
		if _, err := d.dec.ReadToken(); err != nil {
			return err
		}
		return fmt.Errorf("%s stands where %s is expected", got, kind)
	}
	_, err := d.dec.ReadToken()
	return err
}

func (d *Decoder) object(member func(name []byte) error) error {
	if err := d.expect('{'); err != nil {
		return err
	}
	for d.dec.PeekKind() != '}' {
		name, err := d.quoted()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	return d.expect('}')
}

func (d *Decoder) list(element func() error) error {
	if err := d.expect('['); err != nil {
		return err
	}
	for d.dec.PeekKind() != ']' {
		if kind := d.dec.PeekKind(); kind == 0 {
			return d.expect(']')
		}
		if err := element(); err != nil {
			return err
		}
	}
	return d.expect(']')
}

// quoted reads a string. It is good until the next one is read.
func (d *Decoder) quoted() ([]byte, error) {
	if kind := d.dec.PeekKind(); kind != '"' {
		return nil, d.expect('"')
	}
	raw, err := d.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	return jsontext.AppendUnquote(nil, raw)
}

func (d *Decoder) string() (string, error) {
	s, err := d.quoted()
	return string(s), err
}

// json returns an object as it is written, without white space.
func (d *Decoder) json() (string, error) {
	if kind := d.dec.PeekKind(); kind != '{' {
		return "", d.expect('{')
	}
	raw, err := d.dec.ReadValue()
	if err != nil {
		return "", err
	}
	raw = raw.Clone()
	err = raw.Compact()
	return string(raw), err
}

// word returns a string that is likely to come again.
func (d *Decoder) word(s []byte) string {
	if w, ok := d.words[string(s)]; ok {
		return w
	}
	w := string(s)
	if len(d.words) < maxWords && len(w) <= longWord {
		d.words[w] = w
	}
	return w
}

func (d *Decoder) lines() ([]string, error) {
	var lines []string
	err := d.list(func() error {
		s, err := d.quoted()
		lines = append(lines, d.word(s))
		return err
	})
	return lines, err
}

func (d *Decoder) text() (domain.Text, error) {
	var t domain.Text
	err := d.object(func(name []byte) error {
		locale := d.word(name)
		value, err := d.string()
		t = append(t, domain.Translation{Locale: locale, Value: value})
		return err
	})
	return t, err
}

func (d *Decoder) number() (float64, error) {
	if kind := d.dec.PeekKind(); kind != '0' {
		return 0, d.expect('0')
	}
	raw, err := d.dec.ReadValue()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(raw), 64)
}

func (d *Decoder) figure() (*domain.Figure, error) {
	if d.dec.PeekKind() == '0' {
		v, err := d.number()
		return &domain.Figure{Value: v}, err
	}
	var f domain.Figure
	known := false
	err := d.object(func(name []byte) (err error) {
		var word []byte
		switch string(name) {
		case "value":
			known = true
			f.Value, err = d.number()
		case "source":
			word, err = d.quoted()
			f.Source = d.word(word)
		case "as_of":
			word, err = d.quoted()
			f.AsOf = domain.Date(d.word(word))
		default:
			err = fmt.Errorf("a figure has no field %q", name)
		}
		return err
	})
	if err == nil && !known {
		err = errors.New("a figure has no value")
	}
	return &f, err
}
