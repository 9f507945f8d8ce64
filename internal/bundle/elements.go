package bundle

import (
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// elements is a pass through a JSON list, bare or under the kind's name, that
// holds one element at a time.
type elements struct {
	*pass
	src *source
	dec *jsontext.Decoder
}

func newElements(p *pass, src *source) *elements {
	return &elements{pass: p, src: src, dec: jsontext.NewDecoder(src, jsonOptions)}
}

func (e *elements) run() error {
	var err error
	switch e.dec.PeekKind() {
	case '[':
		err = e.list()
	case '{':
		err = e.wrapped()
	default:
		err = e.notAList()
	}
	if err == io.EOF {
		return emptyJSON(1, 1)
	}
	if err != nil {
		return err
	}
	if _, err := e.dec.ReadToken(); err == nil {
		line, column := e.src.position(e.dec.InputOffset() - 1)
		return jsonFault(errTrailing, line, column)
	} else if err != io.EOF {
		return e.explain(err)
	}
	return nil
}

// list hands on the elements of the list that comes next.
func (e *elements) list() error {
	if _, err := e.dec.ReadToken(); err != nil {
		return e.explain(err)
	}
	for e.dec.PeekKind() != ']' {
		if e.want != nil && !e.want(e.next) {
			e.next++
			if err := e.skip(); err != nil {
				return err
			}
			continue
		}
		if err := e.record(e.value); err != nil {
			return err
		}
	}
	return e.close()
}

// wrapped reads a map that has the list under the kind's name.
func (e *elements) wrapped() error {
	if _, err := e.dec.ReadToken(); err != nil {
		return e.explain(err)
	}
	// The map is decoded as if its values were nothing: they are streamed.
	m := &node{kind: object}
	for e.dec.PeekKind() != '}' {
		key, err := e.value()
		if err != nil {
			return err
		}
		again := m.value(key.text) != nil
		m.keys, m.items = append(m.keys, key), append(m.items, &node{})
		switch {
		case key.text != string(e.of) || again:
			err = e.skip()
		case e.dec.PeekKind() == '[':
			err = e.list()
		default:
			err = e.notAList()
		}
		if err != nil {
			return err
		}
	}
	fields := e.d.document(m, "")
	fields.field(string(e.of))
	fields.done()
	return e.close()
}

// notAList reads a value that stands in a list's place, for its report.
func (e *elements) notAList() error {
	n, err := e.value()
	if err == nil {
		e.d.list(n)
	}
	return err
}

// value reads the next value, or the name of the next field.
func (e *elements) value() (*node, error) {
	raw, err := e.dec.ReadValue()
	if err != nil {
		return nil, e.explain(err)
	}
	line, column := e.src.position(e.dec.InputOffset() - int64(len(raw)))
	if len(raw) > maxRecord {
		return nil, e.src.tooLarge()
	}
	n, err := buildJSON(raw, line, column)
	e.src.position(e.dec.InputOffset())
	return n, err
}

func (e *elements) skip() error {
	if err := e.dec.SkipValue(); err != nil {
		return e.explain(err)
	}
	e.src.position(e.dec.InputOffset())
	return nil
}

// close reads the end of a list or a map.
func (e *elements) close() error {
	if _, err := e.dec.ReadToken(); err != nil {
		return e.explain(err)
	}
	return nil
}

// explain turns an error of the decoder into a fault; the end of the file
// stays what it is.
func (e *elements) explain(err error) error {
	if err == io.EOF {
		return err
	}
	if stopped := e.src.err; stopped != io.EOF && errors.Is(err, stopped) {
		return e.src.fault()
	}
	line, column := e.src.position(faultOffset(err, e.src.offset+int64(len(e.src.held))))
	return jsonFault(err, line, column)
}
