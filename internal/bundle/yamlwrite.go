package bundle

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// yamlOf formats a JSON object as a YAML file in the style of editors.
func yamlOf(data []byte) ([]byte, error) {
	n, err := parseJSON(data, 1, 1, false)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	writeYAML(&b, n, 0)
	return b.Bytes(), nil
}

// writeYAML writes the fields of a map or the elements of a list on separate lines.
func writeYAML(b *bytes.Buffer, n *node, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, item := range n.items {
		if n.kind == list {
			b.WriteString(margin + "- ")
			if item.kind == object && len(item.items) > 0 {
				var fields bytes.Buffer
				writeYAML(&fields, item, indent+2)
				b.Write(fields.Bytes()[indent+2:]) // the first field follows the dash
				continue
			}
			if !inline(item) {
				b.WriteByte('\n')
				writeYAML(b, item, indent+2)
				continue
			}
		} else {
			b.WriteString(margin + fieldName(n.keys[i].text, margin) + ":")
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

// fieldName formats the name of a field. A long one needs a mark, and its value begins on the
// next line: YAML 1.2.2, section 8.2.2.
func fieldName(name, margin string) string {
	const longest = 100 // code points, each of which may be escaped; YAML allows 1024
	if utf8.RuneCountInString(name) <= longest {
		return plainOrQuoted(name)
	}
	return "? " + strconv.Quote(name) + "\n" + margin
}

// inline reports whether a value follows its key on the same line: texts, numbers, lists of them,
// and empty values.
func inline(n *node) bool {
	if n.kind == list {
		return !slices.ContainsFunc(n.items, func(item *node) bool { return len(item.items) > 0 })
	}
	return n.kind != object || len(n.items) == 0
}

func writeInline(b *bytes.Buffer, n *node) {
	switch n.kind {
	case text:
		b.WriteString(plainOrQuoted(n.text))
	case number, boolean:
		b.WriteString(n.text)
	case null:
		b.WriteString("null")
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

// plainText matches texts that need no quotes anywhere in YAML; reserved are words among them
// that some parsers interpret.
var (
	plainText = regexp.MustCompile(`^\p{L}[\p{L}\p{M}\p{N}_./-]*( [\p{L}\p{M}\p{N}_./-]+)*$`)
	reserved  = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n|nan|inf)$`)
)

// plainOrQuoted formats a text in YAML. Every escape that Go writes for valid UTF-8 is valid in
// YAML.
func plainOrQuoted(s string) string {
	if plainText.MatchString(s) && !reserved.MatchString(s) && !strings.Contains(s, " -") {
		return s
	}
	return strconv.Quote(s)
}
