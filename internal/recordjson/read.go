package recordjson

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Reader reads JSON values of known types, one after the other. It is strict: a value of
// another type and a repeated name are errors. The zero value is ready; a Reader is for one
// goroutine. Its strings are in blocks of at most 64 KiB, which take less memory than single strings. A
// block stays in memory as long as one of its strings.
type Reader struct {
	from  bytes.Buffer
	dec   *jsontext.Decoder
	words map[string]string
	lists map[string][]string // of words, by their lengths and bytes
	key   []byte              // of the last list, for its memory
	block strings.Builder     // of the last strings
}

// A block has twice the size of the one before, so that a few strings do not get a large one.
const (
	firstBlock = 1 << 10
	largeBlock = 64 << 10
)

// Limits of interned strings and lists: their number and length in bytes.
const (
	maxWords = 1 << 14
	longWord = 64
	maxLists = 1 << 15
	longList = 256
)

// Reset makes the reader read data, which it does not keep.
func (r *Reader) Reset(data []byte) {
	r.from = *bytes.NewBuffer(data) // the decoder reads a buffer without a copy
	if r.dec == nil {
		r.dec, r.words, r.lists = jsontext.NewDecoder(&r.from), map[string]string{}, map[string][]string{}
	} else {
		r.dec.Reset(&r.from)
	}
}

// End returns an error if there is anything after the last value.
func (r *Reader) End() error {
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return errors.New("there is more data after the record")
	}
	return nil
}

// expect reads a token of a kind.
func (r *Reader) expect(kind jsontext.Kind) error {
	if got := r.dec.PeekKind(); got != kind {
		if _, err := r.dec.ReadToken(); err != nil {
			return err
		}
		return fmt.Errorf("%s stands where %s is expected", got, kind)
	}
	_, err := r.dec.ReadToken()
	return err
}

// Object reads an object and calls member to read the value of each name, which is valid
// until the next string is read.
func (r *Reader) Object(member func(name []byte) error) error {
	if err := r.expect('{'); err != nil {
		return err
	}
	for r.dec.PeekKind() != '}' {
		name, err := r.Quoted()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	return r.expect('}')
}

// List reads an array and calls element to read each element.
func (r *Reader) List(element func() error) error {
	if err := r.expect('['); err != nil {
		return err
	}
	for r.dec.PeekKind() != ']' {
		if kind := r.dec.PeekKind(); kind == 0 {
			return r.expect(']')
		}
		if err := element(); err != nil {
			return err
		}
	}
	return r.expect(']')
}

// Quoted reads a string, which is valid until the next one is read.
func (r *Reader) Quoted() ([]byte, error) {
	if kind := r.dec.PeekKind(); kind != '"' {
		return nil, r.expect('"')
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	return jsontext.AppendUnquote(nil, raw)
}

// String reads a string.
func (r *Reader) String() (string, error) {
	s, err := r.Quoted()
	return r.own(s), err
}

// own returns a copy of s.
func (r *Reader) own(s []byte) string {
	if len(s) > r.block.Cap()-r.block.Len() {
		if len(s) > firstBlock {
			return string(s)
		}
		size := min(max(firstBlock, 2*r.block.Cap()), largeBlock)
		r.block.Reset()
		r.block.Grow(size)
	}
	from := r.block.Len()
	r.block.Write(s)
	return r.block.String()[from:]
}

// Word reads a string that is likely to repeat, and interns it.
func (r *Reader) Word() (string, error) {
	s, err := r.Quoted()
	return r.Intern(s), err
}

// Intern returns s as a string, the same one for equal short strings.
func (r *Reader) Intern(s []byte) string {
	if w, ok := r.words[string(s)]; ok {
		return w
	}
	w := string(s)
	if len(r.words) < maxWords && len(w) <= longWord {
		r.words[w] = w
	}
	return w
}

// Strings reads an array of strings; an empty one is nil. Equal short arrays are the same slice, which must
// not be modified: many records have the same categories.
func (r *Reader) Strings() ([]string, error) {
	var room [8]string
	list, key := room[:0], r.key[:0]
	err := r.List(func() error {
		s, err := r.Word()
		list = append(list, s)
		key = append(binary.AppendUvarint(key, uint64(len(s))), s...)
		return err
	})
	r.key = key
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if known := r.lists[string(key)]; known != nil {
		return known, nil
	}
	own := append(make([]string, 0, len(list)), list...)
	if len(r.lists) < maxLists && len(key) <= longList {
		r.lists[string(key)] = own
	}
	return own, nil
}

// IsString reports whether the next value is a string.
func (r *Reader) IsString() bool { return r.dec.PeekKind() == '"' }

// IsNumber reports whether the next value is a number.
func (r *Reader) IsNumber() bool { return r.dec.PeekKind() == '0' }

// Number reads a number.
func (r *Reader) Number() (float64, error) {
	if !r.IsNumber() {
		return 0, r.expect('0')
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(raw), 64)
}

// RawObject reads an object and returns it as written, without white space.
func (r *Reader) RawObject() (string, error) {
	if kind := r.dec.PeekKind(); kind != '{' {
		return "", r.expect('{')
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		return "", err
	}
	raw = raw.Clone()
	err = raw.Compact()
	return string(raw), err
}
