package bundle

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// yamlOf writes a JSON object as a YAML file, as an editor would write it.
func yamlOf(data []byte) ([]byte, error) {
	n, err := parseJSON(data, 1, 1, false)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	writeYAML(&b, n, 0)
	return b.Bytes(), nil
}

// writeYAML writes the fields of a map or the elements of a list, each on
// lines of its own.
func writeYAML(b *bytes.Buffer, n *node, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, item := range n.items {
		if n.kind == list {
			b.WriteString(margin + "- ")
			if item.kind == object && len(item.items) > 0 {
				var fields bytes.Buffer
				writeYAML(&fields, item, indent+2)
				b.Write(fields.Bytes()[indent+2:]) // its first field stands behind the dash
				continue
			}
		} else {
			b.WriteString(margin + plainOrQuoted(n.keys[i].text) + ":")
			if !inline(item) {
				b.WriteByte('\n')
				writeYAML(b, item, indent+2)
				continue
			}
			b.WriteByte(' ')
		}
		writeInline(b, item)
		b.WriteByte('\n')
	}
}

// inline reports whether a value stands behind its key: texts, numbers, lists
// of texts, and what is empty.
func inline(n *node) bool {
	if n.kind == list {
		return len(n.items) == 0 || n.items[0].kind == text
	}
	return n.kind != object || len(n.items) == 0
}

func writeInline(b *bytes.Buffer, n *node) {
	switch n.kind {
	case text:
		b.WriteString(plainOrQuoted(n.text))
	case number:
		b.WriteString(n.text)
	case list:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeInline(b, item)
		}
		b.WriteByte(']')
	default:
		b.WriteString("{}")
	}
}

// plainText are texts that mean themselves in YAML without quotes, wherever
// they stand; reserved are the words among them that some readers of YAML take
// for something else.
var (
	plainText = regexp.MustCompile(`^\p{L}[\p{L}\p{M}\p{N}_./-]*( [\p{L}\p{M}\p{N}_./-]+)*$`)
	reserved  = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n|nan|inf)$`)
)

// plainOrQuoted writes a text in YAML. Every escape that Go writes for valid
// UTF-8 is one of YAML too.
func plainOrQuoted(s string) string {
	if plainText.MatchString(s) && !reserved.MatchString(s) && !strings.Contains(s, " -") {
		return s
	}
	return strconv.Quote(s)
}
