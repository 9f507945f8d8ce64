package bundle

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"vitrine/internal/domain"
)

// maxYAMLMarks bounds the characters that may begin or end a YAML value: the library takes up to
// a kilobyte for each.
const maxYAMLMarks = 1_000_000

// guardYAML rejects data that the library must not parse: too many values for memory, and values
// that it interprets differently from YAML 1.2. Accepted data may still be invalid.
func guardYAML(data string) error {
	if line := directiveLine(data); line > 0 {
		return syntaxFault(line, 1, "YAML directives are not supported", "leave the line out")
	}
	halves := 0
	for i, r := range data {
		if r == ' ' || 'a' <= r && r <= 'z' { // usual, and faster
			continue
		}
		if message, remedy := unfitForYAML(r); message != "" {
			line, column := advance(1, 1, data[:i])
			f := syntaxFault(line, column, message, remedy)
			if r > 0x2029 { // valid in JSON, but forbidden in texts
				f.rule = domain.RuleForbiddenCharacter
			}
			return f
		}
		switch r {
		case ',', ':', '[', '{', '?', '&', '*', '!', '#':
			halves += 2
		case '"', '\'': // a value has two of them
			halves++
		case '-':
			if i+1 == len(data) || data[i+1] <= ' ' {
				halves += 2
			}
		}
		if halves > 2*maxYAMLMarks {
			line, column := advance(1, 1, data[:i])
			return syntaxFault(line, column, fmt.Sprintf("the YAML has too many values up to here, over %d", maxYAMLMarks),
				"write a long list as .ndjson, one record a line, or cut it into several files")
		}
	}
	return nil
}

// directiveLine returns the line of a directive before the document, 0 for none.
func directiveLine(data string) int {
	n := 0
	for line := range strings.Lines(data) {
		n++
		if strings.HasPrefix(line, "%") {
			return n
		}
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			break
		}
	}
	return 0
}

// unfitForYAML returns the fault of a character that YAML forbids, or that parsers of YAML 1.1,
// such as the library, treat as a line end.
func unfitForYAML(r rune) (message, remedy string) {
	switch {
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return fmt.Sprintf("the character U+%04X ends a line in some YAML and in other YAML it does not", r),
			fmt.Sprintf(`write it as \u%04x within double quotes, or remove it`, r)
	case r == 0xFFFE, r == 0xFFFF:
		return fmt.Sprintf("the file holds the noncharacter U+%04X", r), "remove it; noncharacters have no meaning in published text"
	case r < ' ' && r != '\t' && r != '\n':
		return fmt.Sprintf("the character U+%04X is not allowed in YAML", r), "remove it"
	}
	return "", ""
}

// yamlFault converts an error of the library to a fault at the place of the correction: an
// unclosed bracket where it begins, not at the end of the file.
func yamlFault(err error, data string) *fault {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return syntaxFault(1, 1, err.Error(), "correct the YAML")
	}
	end := lastCharacter(data)
	at := yaml.Mark{Line: load.Mark.Line, Column: load.Mark.Column}
	if begins := load.ContextMark; begins.Line > 0 && (after(at, end) || load.ContextMsg == "while scanning a simple key" || unclosed(load)) {
		at = begins
	}
	if after(at, end) {
		at = end
	}
	message, remedy := explainYAML(load)
	return syntaxFault(max(1, at.Line), max(1, at.Column), message, remedy)
}

// unclosed reports whether the next token is invalid in a list or map in brackets.
func unclosed(load *yaml.LoadError) bool {
	return load.Message == "did not find expected ',' or ']'" || load.Message == "did not find expected ',' or '}'"
}

func after(a, b yaml.Mark) bool {
	return a.Line > b.Line || a.Line == b.Line && a.Column > b.Column
}

// lastCharacter returns the place of the last character other than white space.
func lastCharacter(data string) yaml.Mark {
	line, column := advance(1, 1, strings.TrimRight(data, " \t\n"))
	return yaml.Mark{Line: line, Column: max(1, column-1)}
}

// explainYAML replaces the library's message of a frequent mistake by one for editors.
func explainYAML(load *yaml.LoadError) (message, remedy string) {
	message, remedy = load.Message, "correct the YAML here"
	if load.ContextMsg != "" {
		message += " " + load.ContextMsg
	}
	switch name, unknown := strings.CutPrefix(load.Message, "unknown anchor '"); {
	case unknown:
		name = strings.TrimSuffix(name, "' referenced")
		return "there is no anchor " + quote("&"+name) + " before this alias", "write the value itself"
	case load.Message == tooDeep:
		return tooDeep, "write it flatter"
	case load.Message == "did not find expected <document start>":
		return errTrailing.Error(), "remove it, or correct the indentation"
	case load.Message == "mapping values are not allowed in this context":
		return "there cannot be a `: ` here", "put text with a colon in quotes, or correct the indentation"
	case load.Message == "found character that cannot start any token":
		return "nothing can begin with this character", "indent with spaces and not with tabs, and quote text that begins with @, % or `"
	case strings.Contains(load.Message, "a tab character"):
		return "there is a tab in the indentation", "indent with spaces"
	case unclosed(load):
		end := load.Message[len(load.Message)-2 : len(load.Message)-1]
		return "what begins here is not closed, or a comma is missing in it, before line " + strconv.Itoa(load.Mark.Line), "write " + end + " where it ends"
	case load.Message == "did not find expected '-' indicator":
		return "this line is indented neither as the items of the list nor as their fields", "begin items with `- ` in the same column, and indent fields as those above"
	case load.Message == "did not find expected key":
		return "this is not a field of the map around it", "correct the indentation, or the quotes in the lines above"
	case load.Message == "could not find expected ':'":
		return "there is no `: ` after the name of this field", "write `name: value`, or correct the indentation"
	case load.Message == "found unexpected end of stream":
		return "the quotes that begin here are not closed", "close them"
	}
	return message, remedy
}
