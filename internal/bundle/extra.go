package bundle

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
)

// json decodes a map that is kept as it is: into JSON without white space, with its
// members in their order and its numbers digit by digit. Nothing is "".
func (d *decoder) json(n *node) string {
	if n == nil || n.kind == null {
		return ""
	}
	if n.kind != object {
		d.wrongType(n, "a map", "write any map of names to values, as {name: value}")
		return ""
	}
	data := d.appendJSON(nil, n)
	if len(data) > longestJSON {
		d.fail(n, domain.RuleTooLong, fmt.Sprintf("this has far more than %d bytes, the limit", domain.MaxJSON), "shorten it")
		return ""
	}
	return d.word(string(data)) // records may share it through an alias
}

// longestJSON is where writing JSON ends, in bytes: a few aliases can stand for very
// much of it. It is above the limit, so that what is somewhat longer is measured.
const longestJSON = 4 * domain.MaxJSON

func (d *decoder) appendJSON(b []byte, n *node) []byte {
	if len(b) > longestJSON {
		return b
	}
	switch n.kind {
	case object:
		return d.appendMembers(b, n)
	case list:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = d.appendJSON(b, item)
		}
		return append(b, ']')
	case text:
		b, _ = jsontext.AppendQuote(b, n.text) // invalid UTF-8 was rejected
		return b
	case boolean:
		return append(b, strings.ToLower(n.text)...)
	case number:
		if jsonNumber.MatchString(n.text) {
			return append(b, n.text...)
		}
		d.fail(n, domain.RuleWrongType, quote(n.text)+" is a number that JSON cannot have", "write it in decimal digits, or as text: "+strconv.Quote(n.text))
	}
	return append(b, "null"...)
}

func (d *decoder) appendMembers(b []byte, n *node) []byte {
	d.uniqueKeys(n)
	b = append(b, '{')
	first := true
	for i, key := range n.keys {
		if n.indexOf(key.text) != i {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b, _ = jsontext.AppendQuote(b, key.text)
		b = d.appendJSON(append(b, ':'), n.items[i])
	}
	return append(b, '}')
}
