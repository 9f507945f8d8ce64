package bundle

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"vitrine/internal/domain"
)

// maxAliased bounds the nodes that aliases add to a document: a few lines of YAML can expand to
// billions of values, each with a possible problem. A long list may share a value between its
// records.
func maxAliased(bytes int) int { return 100_000 + min(bytes/4, 1_000_000) }

// yamlLineEnds normalises line ends: YAML treats them alike, and positions count line feeds.
var yamlLineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// parseYAML parses one document. It accepts the YAML that people write by hand: no directives, no
// tags except !!str, no merge keys, no second document. Blank data is null.
func parseYAML(data []byte) (n *node, err error) {
	// The library is only fuzzed here: input that makes it panic is not meaningful YAML.
	defer func() {
		if recover() != nil {
			n, err = nil, syntaxFault(1, 1, "this YAML cannot be understood", "write it more simply")
		}
	}()
	text := yamlLineEnds.Replace(string(data))
	if err := guardYAML(text); err != nil {
		return nil, err
	}
	loader, err := yaml.NewLoader(strings.NewReader(text), yaml.WithPlugin(yamlLimits{}))
	if err != nil {
		return nil, err
	}
	var first, second yaml.Node
	switch err := loader.Load(&first); {
	case err == io.EOF:
		return &node{kind: null, line: 1, column: 1, size: 1}, nil
	case err != nil:
		return nil, yamlFault(err, text)
	}
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, faultAt(&second, "a second YAML document begins here", "keep one document in a file")
	case err != io.EOF:
		return nil, yamlFault(err, text)
	}
	b := yamlBuilder{anchored: map[*yaml.Node]*node{}, aliases: maxAliased(len(text))}
	return b.build(first.Content[0], 0)
}

// yamlLimits bounds the recursion of the library; the builder bounds aliases.
type yamlLimits struct{}

func (yamlLimits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return errors.New(tooDeep)
	}
	return nil
}

func (yamlLimits) CheckAlias(_, _ int) error { return nil }

func syntaxFault(line, column int, message, remedy string) *fault {
	return &fault{line: line, column: column, rule: domain.RuleSyntax, message: message, remedy: remedy}
}

func faultAt(from *yaml.Node, message, remedy string) *fault {
	return syntaxFault(from.Line, from.Column, message, remedy)
}

// yamlNumber matches a decimal number of the core schema of YAML 1.2.2, section 10.3.2, or one of
// another YAML version: such texts must be quoted.
var yamlNumber = regexp.MustCompile(`^(?:` +
	`[-+]?(?:\.[0-9]+|[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|` +
	`[-+]?0(?:b[01_]+|o[0-7_]+|x[0-9a-fA-F_]+)|` +
	`[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)

// plainKind resolves an unquoted scalar by the core schema: yes, no and dates are texts.
func plainKind(s string) kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolean
	}
	if strings.IndexByte("+-.0123456789", s[0]) >= 0 && yamlNumber.MatchString(s) { // most are texts
		return number
	}
	return text
}

// A yamlBuilder converts nodes of the library, and releases them on the way.
type yamlBuilder struct {
	anchored map[*yaml.Node]*node
	aliases  int // nodes that aliases may still add
}

func (b *yamlBuilder) build(from *yaml.Node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, faultAt(from, tooDeep, "write it flatter")
	}
	n := &node{line: from.Line, column: from.Column, size: 1}
	var err error
	switch from.Kind {
	case yaml.AliasNode:
		return b.alias(from)
	case yaml.MappingNode:
		n.kind = object
		err = b.fields(n, from, depth)
	case yaml.SequenceNode:
		n.kind = list
		err = b.elements(n, from, depth)
	default:
		err = scalar(n, from)
	}
	if err != nil {
		return nil, err
	}
	if from.Anchor != "" {
		b.anchored[from] = n
	}
	from.Content = nil
	return n, nil
}

func (b *yamlBuilder) elements(n *node, from *yaml.Node, depth int) error {
	if from.Tag != "!!seq" && from.Tag != "!" {
		return unsupportedTag(from)
	}
	n.items = make([]*node, 0, len(from.Content))
	for i := range from.Content {
		if err := b.item(n, from.Content[i], depth); err != nil {
			return err
		}
		from.Content[i] = nil
	}
	return nil
}

func (b *yamlBuilder) fields(n *node, from *yaml.Node, depth int) error {
	if from.Tag != "!!map" && from.Tag != "!" {
		return unsupportedTag(from)
	}
	n.keys = make([]*node, 0, len(from.Content)/2)
	n.items = make([]*node, 0, len(from.Content)/2)
	for i := 0; i < len(from.Content); i += 2 {
		key, err := b.key(from.Content[i], depth)
		if err != nil {
			return err
		}
		n.keys = append(n.keys, key)
		if err := b.item(n, from.Content[i+1], depth); err != nil {
			return err
		}
		from.Content[i], from.Content[i+1] = nil, nil
	}
	return nil
}

func (b *yamlBuilder) item(n *node, from *yaml.Node, depth int) error {
	item, err := b.build(from, depth+1)
	if err != nil {
		return err
	}
	n.items, n.size = append(n.items, item), n.size+item.size
	return nil
}

// key makes the name of a field, which is always a text.
func (b *yamlBuilder) key(from *yaml.Node, depth int) (*node, error) {
	if from.Tag == "!!merge" {
		return nil, faultAt(from, "merge keys (<<) are not supported", "write the fields out")
	}
	key, err := b.build(from, depth+1)
	if err != nil {
		return nil, err
	}
	if key.kind == list || key.kind == object {
		return nil, faultAt(from, "the name of this field is "+key.kind.String(), "write `name: value`")
	}
	return &node{kind: text, text: key.text, line: from.Line, column: from.Column, size: 1}, nil
}

func scalar(n *node, from *yaml.Node) error {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	tagged := from.Style&yaml.TaggedStyle != 0
	switch {
	case tagged && from.Tag != "!!str":
		return unsupportedTag(from)
	case tagged, from.Tag == "!", from.Style&quoted != 0:
		n.kind, n.text = text, from.Value
		return nil
	}
	if n.kind = plainKind(from.Value); n.kind != null {
		n.text = from.Value
	}
	return nil
}

func unsupportedTag(from *yaml.Node) *fault {
	return faultAt(from, "tags such as "+quote(from.Tag)+" are not supported here", "leave the tag out, quote what is text")
}

func (b *yamlBuilder) alias(from *yaml.Node) (*node, error) {
	n, ok := b.anchored[from.Alias]
	if !ok {
		return nil, faultAt(from, "the alias stands within the value that it stands for", "write the value itself")
	}
	if b.aliases -= n.size; b.aliases < 0 {
		return nil, faultAt(from, "the aliases of this file stand for too many values", "write the values themselves, or fewer")
	}
	return n, nil
}
