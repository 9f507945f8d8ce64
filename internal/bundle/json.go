package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
)

// jsonOptions accept duplicate names: the decoder reports them with their place.
var jsonOptions = jsontext.AllowDuplicateNames(true)

// parseJSON parses the only value of data. Positions start at line and column. Blank data is no
// value. alone is true for a line of NDJSON.
func parseJSON(data []byte, line, column int, alone bool) (*node, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsonOptions)
	raw, err := dec.ReadValue()
	if err == io.EOF {
		return nil, emptyJSON(line, column)
	}
	if err == nil {
		raw = bytes.Clone(raw)
		var after error
		if _, after = dec.ReadToken(); after == nil {
			err = &jsontext.SyntacticError{ByteOffset: dec.InputOffset() - 1, Err: errTrailing}
		} else if after != io.EOF {
			err = after
		}
	}
	if err != nil {
		offset := faultOffset(err, int64(len(data)))
		return nil, explainJSON(err, int(offset), jsonReading{rest: data, line: line, column: column, alone: alone})
	}
	start := len(data) - len(bytes.TrimLeft(data, blank))
	line, column = advance(line, column, data[:start])
	return buildJSON(raw, line, column)
}

func emptyJSON(line, column int) *fault {
	return syntaxFault(line, column, "the file is empty, which is not JSON", "write [] or {} into it, or take it away")
}

var errTrailing = errors.New("there is more after the end of the value")

const trailingRemedy = "remove it, or put several values into one list"

// faultOffset returns the offset of a decoder's error.
func faultOffset(err error, end int64) int64 {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return min(max(0, syntactic.ByteOffset), end)
	}
	return end
}

func jsonFault(err error, line, column int) *fault {
	f := &fault{line: line, column: column, rule: domain.RuleSyntax, remedy: "correct the JSON here"}
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTrailing):
		f.message, f.remedy = errTrailing.Error(), trailingRemedy
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.message, f.remedy = "the JSON ends too early", "close what is open"
	case errors.As(err, &syntactic):
		f.message = strings.TrimPrefix(syntactic.Err.Error(), "jsontext: ")
	default:
		f.message = strings.TrimPrefix(err.Error(), "jsontext: ")
	}
	return f
}

// buildJSON makes the nodes of one valid JSON value without surrounding space.
func buildJSON(raw []byte, line, column int) (*node, error) {
	b := jsonBuilder{rest: raw, line: line, column: column}
	return b.value(0)
}

type jsonBuilder struct {
	rest         []byte
	line, column int
}

// consume moves past the next n bytes.
func (b *jsonBuilder) consume(n int) []byte {
	taken := b.rest[:n]
	b.line, b.column = advance(b.line, b.column, taken)
	b.rest = b.rest[n:]
	return taken
}

// nextByte moves to the next byte of a token, past separators.
func (b *jsonBuilder) nextByte() byte {
	n := 0
	for n < len(b.rest) && strings.IndexByte(" \t\r\n,:", b.rest[n]) >= 0 {
		n++
	}
	b.consume(n)
	return b.rest[0]
}

func (b *jsonBuilder) value(depth int) (*node, error) {
	n := &node{line: b.line, column: b.column, size: 1}
	switch b.rest[0] {
	case '{':
		n.kind = object
		return n, b.members(n, '}', depth)
	case '[':
		n.kind = list
		return n, b.members(n, ']', depth)
	case '"':
		n.kind, n.text = text, b.string()
	case 'n':
		b.consume(len("null"))
	case 't', 'f':
		n.kind, n.text = boolean, b.word()
	default:
		n.kind, n.text = number, b.word()
	}
	return n, nil
}

func (b *jsonBuilder) members(n *node, end byte, depth int) error {
	if depth == maxDepth {
		return &fault{line: b.line, column: b.column, rule: domain.RuleSyntax, message: tooDeep, remedy: "write it flatter"}
	}
	b.consume(1)
	for b.nextByte() != end {
		if end == '}' {
			key := &node{kind: text, line: b.line, column: b.column, size: 1}
			key.text = b.string()
			n.keys = append(n.keys, key)
			b.nextByte()
		}
		item, err := b.value(depth + 1)
		if err != nil {
			return err
		}
		n.items, n.size = append(n.items, item), n.size+item.size
	}
	b.consume(1)
	return nil
}

var tooDeep = fmt.Sprintf("lists and maps stand more than %d deep in one another", maxDepth)

func (b *jsonBuilder) string() string {
	n := 1
	for b.rest[n] != '"' {
		if b.rest[n] == '\\' {
			n++
		}
		n++
	}
	quoted := b.consume(n + 1)
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:n])
	}
	plain, _ := jsontext.AppendUnquote(nil, quoted) // validated before
	return string(plain)
}

// word reads a number or a literal.
func (b *jsonBuilder) word() string {
	n := 0
	for n < len(b.rest) && strings.IndexByte(" \t\r\n,:]}", b.rest[n]) < 0 {
		n++
	}
	return string(b.consume(n))
}
