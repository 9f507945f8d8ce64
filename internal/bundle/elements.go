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

	// Where in the document the source's last position is:
	open  []jsonOpen
	state jsonState
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
	if err := e.openBracket(valueOrEndNext); err != nil {
		return err
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
	if err := e.openBracket(nameOrEndNext); err != nil {
		return err
	}
	// The map is decoded as if its values were nothing: they are streamed.
	brace := e.open[len(e.open)-1]
	m := &node{kind: object, line: brace.line, column: brace.column}
	for e.dec.PeekKind() != '}' {
		key, err := e.value()
		if err != nil {
			return err
		}
		e.state = colonNext
		again := m.value(key.text) != nil
		value := &node{}
		if e.dec.PeekKind() == '[' {
			value.kind = list
		}
		m.keys, m.items = append(m.keys, key), append(m.items, value)
		switch {
		case key.text != e.of.List || again:
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
	e.d.named(m, e.of)
	return e.close()
}

// notAList reports a value that should be a list.
func (e *elements) notAList() error {
	n, err := e.value()
	if err == nil {
		e.d.records(n)
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
	e.passed()
	return n, err
}

// passed moves to the end of a value.
func (e *elements) passed() {
	e.src.position(e.dec.InputOffset())
	e.state = commaOrEndNext
}

// openBracket reads the bracket of a list or a map.
func (e *elements) openBracket(state jsonState) error {
	if _, err := e.dec.ReadToken(); err != nil {
		return e.explain(err)
	}
	line, column := e.src.position(e.dec.InputOffset() - 1)
	bracket := byte('[')
	if state == nameOrEndNext {
		bracket = '{'
	}
	e.open = append(e.open, jsonOpen{bracket, line, column})
	e.src.position(e.dec.InputOffset())
	e.state = state
	return nil
}

func (e *elements) skip() error {
	if err := e.dec.SkipValue(); err != nil {
		return e.explain(err)
	}
	e.passed()
	return nil
}

// close reads the end of a list or a map.
func (e *elements) close() error {
	if _, err := e.dec.ReadToken(); err != nil {
		return e.explain(err)
	}
	e.open = e.open[:len(e.open)-1]
	e.passed()
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
	rest := e.src.held[e.src.passed:]
	offset := max(0, faultOffset(err, e.src.offset+int64(len(rest)))-e.src.offset)
	return explainJSON(err, int(offset), jsonReading{rest: rest, line: e.src.line, column: e.src.column, open: e.open, state: e.state})
}
