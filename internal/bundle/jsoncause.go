package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// jsonState is the set of valid next tokens.
type jsonState uint8

const (
	valueNext      jsonState = iota
	valueOrEndNext           // after [
	nameOrEndNext            // after {
	nameNext                 // after a comma in a map
	colonNext                // after the name of a field
	commaOrEndNext           // after a value
)

// jsonOpen is an open bracket.
type jsonOpen struct {
	bracket      byte
	line, column int
}

// A jsonReading reads JSON token by token up to the mistake, which is usually before the character at
// which the decoder stops, such as a missing quote. It may begin within a document; open then has the
// brackets around that place.
type jsonReading struct {
	rest         []byte
	line, column int
	open         []jsonOpen
	state        jsonState
	alone        bool // a line of NDJSON

	last     fault // end of the last token, without texts
	lastText bool  // the last token was a text
	comma    fault // the last comma, without texts
	ran      bool  // it reached the end of the data
}

// explainJSON returns the fault of JSON that a decoder rejected with err at an offset of the data
// of r.
func explainJSON(err error, offset int, r jsonReading) *fault {
	data := r.rest
	line, column := advance(r.line, r.column, data[:offset])
	if f := conflictFault(data[bytes.LastIndexByte(data[:offset], '\n')+1:], line); f != nil {
		return f
	}
	r.last = *r.here("", "")
	cause := r.cause()
	if cause == nil || r.ran && !errors.Is(err, io.ErrUnexpectedEOF) { // only the data read so far ends, not the file
		return jsonFault(err, line, column)
	}
	return cause
}

// innermost returns the innermost open bracket, 0 for none.
func (r *jsonReading) innermost() byte {
	if len(r.open) == 0 {
		return 0
	}
	return r.open[len(r.open)-1].bracket
}

// cause returns the cause, nil if unknown.
func (r *jsonReading) cause() *fault {
	for {
		r.consume(len(r.rest) - len(bytes.TrimLeft(r.rest, blank)))
		if len(r.rest) == 0 {
			return r.endless()
		}
		if r.state == commaOrEndNext && len(r.open) == 0 {
			return r.here(errTrailing.Error(), trailingRemedy)
		}
		if c := r.nextCause(); c != nil {
			return c
		}
	}
}

func (r *jsonReading) consume(n int) {
	r.line, r.column = advance(r.line, r.column, r.rest[:n])
	r.rest = r.rest[n:]
}

// here returns a cause at the current position.
func (r *jsonReading) here(message, remedy string) *fault {
	return syntaxFault(r.line, r.column, message, remedy)
}

// saying returns a cause at the same place with other texts.
func (f fault) saying(message, remedy string) *fault {
	f.message, f.remedy = message, remedy
	return &f
}

// nextCause reads one token.
func (r *jsonReading) nextCause() *fault {
	switch b := r.rest[0]; b {
	case ']', '}':
		return r.closing(b)
	case ',':
		return r.separator()
	case ':':
		if r.state == commaOrEndNext && r.innermost() == '[' {
			return r.unclosed(fmt.Sprintf("before the field in line %d", r.last.line))
		}
		if r.state != colonNext {
			return r.here("there cannot be a colon here", "remove it, or write `\"name\": value`")
		}
		r.consume(1)
		r.state = valueNext
		return nil
	}
	return r.value()
}

func (r *jsonReading) closing(b byte) *fault {
	switch {
	case len(r.open) == 0:
		return r.here(fmt.Sprintf("there is one %c too many", b), "remove it")
	case r.state == nameNext, r.state == valueNext && r.comma != fault{} && r.comma == r.last:
		return r.comma.saying("there is a comma with nothing behind it", "remove it")
	case r.state == colonNext, r.state == valueNext:
		return r.last.saying("this field has no value", "write one after a colon, or remove the field")
	case b == ']' && r.innermost() != '[', b == '}' && r.innermost() != '{':
		return r.unclosed(fmt.Sprintf("before the %c in line %d", b, r.line))
	}
	r.consume(1)
	r.open = r.open[:len(r.open)-1]
	r.endValue(false)
	return nil
}

// unclosed returns the cause of data that ends too early: the innermost bracket.
func (r *jsonReading) unclosed(where string) *fault {
	if len(r.open) == 0 {
		return nil
	}
	o := r.open[len(r.open)-1]
	what, end := "the list", ']'
	if o.bracket == '{' {
		what, end = "the map", '}'
	}
	return syntaxFault(o.line, o.column, fmt.Sprintf("%s that begins here is not closed %s", what, where),
		fmt.Sprintf("write %c where it ends", end))
}

// endless returns the cause of a text or bracket without an end.
func (r *jsonReading) endless() *fault {
	r.ran = true
	c := r.unclosed("before the end of the file")
	if c != nil && r.alone {
		c.message = strings.Replace(c.message, "before the end of the file", "in this line", 1)
		c.remedy = "write each record of .ndjson on one line, or name the file .json"
	}
	return c
}

func (r *jsonReading) separator() *fault {
	switch r.state {
	case valueNext, nameNext, valueOrEndNext, nameOrEndNext:
		if r.last == r.comma || r.state == valueOrEndNext || r.state == nameOrEndNext {
			return r.here("there is a comma with nothing before it", "remove it")
		}
		return r.last.saying("this field has no value", "write one after the colon, or remove the field")
	case colonNext:
		return r.last.saying("there is no colon after the name of this field", "write `\"name\": value`")
	}
	r.state = valueNext
	if r.innermost() == '{' {
		r.state = nameNext
	}
	r.comma = *r.here("", "")
	r.last, r.lastText = r.comma, false
	r.consume(1)
	return nil
}

// endValue records that a value ended here.
func (r *jsonReading) endValue(text bool) {
	r.last, r.lastText, r.state = *r.here("", ""), text, commaOrEndNext
}

func (r *jsonReading) value() *fault {
	b := r.rest[0]
	switch {
	case r.state == commaOrEndNext && r.lastText && *r.here("", "") == r.last:
		return r.last.saying("the text ends before here", `write \" for a quote within a text, or a comma after it`)
	case r.state == commaOrEndNext:
		if c := r.comment(); c != nil {
			return c
		}
		return r.last.saying("a comma is missing here", "write one between this and what follows")
	case r.state == colonNext:
		return r.last.saying("there is no colon after the name of this field", "write `\"name\": value`")
	case b == '"':
		return r.text()
	case r.name() && (b == '{' || b == '['):
		return r.unclosed(fmt.Sprintf("before the %c in line %d", b, r.line))
	case b == '{' || b == '[':
		r.open = append(r.open, jsonOpen{b, r.line, r.column})
		r.consume(1)
		r.state = valueOrEndNext
		if b == '{' {
			r.state = nameOrEndNext
		}
		return nil
	}
	return r.word()
}

func (r *jsonReading) name() bool { return r.state == nameNext || r.state == nameOrEndNext }

func (r *jsonReading) comment() *fault {
	if r.rest[0] == '#' || bytes.HasPrefix(r.rest, []byte("//")) || bytes.HasPrefix(r.rest, []byte("/*")) {
		return r.here("JSON has no comments", "remove it")
	}
	return nil
}

// text reads a text or the name of a field.
func (r *jsonReading) text() *fault {
	for i := 1; i < len(r.rest); i++ {
		switch b := r.rest[i]; {
		case b == '"':
			r.consume(i + 1)
			if r.name() {
				r.endValue(false)
				r.state = colonNext
			} else {
				r.endValue(true)
			}
			return nil
		case b == '\n' || b == '\r':
			return r.here("the quotes that begin here are not closed in this line", `close them; a line end within a text is \n`)
		case b < ' ':
			r.consume(i)
			return r.here(fmt.Sprintf("a text holds the control character U+%04X", b), fmt.Sprintf(`write \u%04x, or remove it`, b))
		case b == '\\' && i+1 < len(r.rest):
			if strings.IndexByte(`"\/bfnrtu`, r.rest[i+1]) < 0 {
				r.consume(i)
				return r.here("this backslash begins nothing that JSON knows", `write \\ for a backslash`)
			}
			i++
		}
	}
	r.ran = true
	return r.here("the quotes that begin here are not closed", "close them")
}

// jsonNumber matches a number of RFC 8259, section 6. YAML has further forms, which JSON cannot
// represent as written.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// word reads a number, a literal or an invalid word.
func (r *jsonReading) word() *fault {
	if c := r.comment(); c != nil {
		return c
	}
	n := bytes.IndexAny(r.rest, " \t\r\n,:]}[{\"")
	if n < 0 {
		n, r.ran = len(r.rest), true
	}
	word := string(r.rest[:n])
	if !r.name() && (slices.Contains([]string{"true", "false", "null"}, word) || jsonNumber.MatchString(word)) {
		r.consume(n)
		r.endValue(false)
		return nil
	}
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case slices.Contains([]string{"'", "`", "“", "‘", "„", "«"}, string(first)):
		return r.here("texts and names stand in double quotes in JSON", `write "…" with straight double quotes`)
	case r.name():
		return r.here("the name of a field stands in double quotes in JSON", "write "+quote(word)+": …")
	case strings.EqualFold(word, "true"), strings.EqualFold(word, "false"), strings.EqualFold(word, "null"):
		return r.here(quote(word)+" is not JSON", "write "+strings.ToLower(word))
	case slices.Contains([]string{"none", "nil", "undefined", "nan", "inf", "infinity", "-infinity"}, strings.ToLower(word)):
		return r.here(quote(word)+" is not JSON", "write null, or remove the field")
	case strings.ContainsAny(word[:1], "+-.0123456789"):
		return r.here(quote(word)+" is not a number of JSON", "write it in decimal digits, without + and leading zeros, or in quotes if it is text")
	}
	return r.here(quote(word)+" is not JSON", "put text in double quotes")
}
