package bundle

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"vitrine/internal/catalog"
)

// maxAliased bounds what aliases add to a document, in nodes: a few lines of
// YAML can stand for billions of values.
const maxAliased = 100_000

// parseYAML parses one document. Of YAML it takes what people write by hand:
// no tags, no merge keys, no complex keys, no second document. Blank data is
// null.
func parseYAML(data []byte) (n *node, err error) {
	// The library is fuzzed here, not proven: whatever input makes it panic is
	// not YAML that an editor meant to write.
	defer func() {
		if recover() != nil {
			n, err = nil, &fault{line: 1, column: 1, rule: catalog.RuleSyntax, message: "this YAML cannot be understood", remedy: "write it more simply"}
		}
	}()
	// The library counts some ends of lines twice if they are two characters.
	tokens := lexer.Tokenize(strings.ReplaceAll(string(data), "\r\n", "\n"))
	if err := guardYAML(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, yamlFault(err)
	}
	root := ast.Node(nil)
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case root != nil:
			return nil, faultAt(doc.Body.GetToken(), "a second YAML document begins here", "keep one document in a file")
		default:
			root = doc.Body
		}
	}
	b := yamlBuilder{anchors: map[string]*node{}}
	return b.build(root, &node{line: 1, column: 1}, 0)
}

func yamlFault(err error) *fault {
	var syntax yaml.Error
	if errors.As(err, &syntax) {
		return faultAt(syntax.GetToken(), syntax.GetMessage(), "correct the YAML here")
	}
	return &fault{line: 1, column: 1, rule: catalog.RuleSyntax, message: err.Error(), remedy: "correct the YAML"}
}

func faultAt(tk *token.Token, message, remedy string) *fault {
	f := &fault{line: 1, column: 1, rule: catalog.RuleSyntax, message: message, remedy: remedy}
	if tk != nil && tk.Position != nil {
		f.line, f.column = max(1, tk.Position.Line), max(1, tk.Position.Column)
	}
	return f
}

// coreNumber is a decimal number by the core schema of YAML 1.2.2, section
// 10.3.2.
var coreNumber = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)

type yamlBuilder struct {
	anchors map[string]*node
	aliased int
}

// build makes a node of a parsed one; at is where it stands if it is empty.
func (b *yamlBuilder) build(from ast.Node, at *node, depth int) (*node, error) {
	if from == nil {
		return &node{kind: null, line: at.line, column: at.column, size: 1}, nil
	}
	if depth > maxDepth {
		return nil, faultAt(from.GetToken(), tooDeep, "write it flatter")
	}
	switch v := from.(type) {
	case *ast.AnchorNode:
		n, err := b.build(v.Value, nodeAt(v), depth+1)
		if err == nil {
			b.anchors[v.Name.GetToken().Value] = n
		}
		return n, err
	case *ast.AliasNode:
		return b.alias(v)
	case *ast.MappingNode:
		return b.mapping(v, v.Values, depth)
	case *ast.MappingValueNode:
		return b.mapping(v, []*ast.MappingValueNode{v}, depth)
	case *ast.SequenceNode:
		n := nodeAt(v)
		n.kind = list
		for _, value := range v.Values {
			item, err := b.build(value, n, depth+1)
			if err != nil {
				return nil, err
			}
			n.items, n.size = append(n.items, item), n.size+item.size
		}
		return n, nil
	}
	return b.scalar(from)
}

func (b *yamlBuilder) scalar(from ast.Node) (*node, error) {
	n := nodeAt(from)
	n.text = from.GetToken().Value
	switch v := from.(type) {
	case *ast.NullNode:
		n.kind, n.text = null, ""
	case *ast.BoolNode:
		n.kind = boolean
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		n.kind = number
	case *ast.StringNode:
		n.kind, n.text = text, v.Value
		if v.GetToken().Type == token.StringType && coreNumber.MatchString(v.Value) {
			n.kind = number // plain, and a number by the core schema: the library takes 1e21 for text
		}
	case *ast.LiteralNode:
		n.kind, n.text = text, v.Value.Value
	default:
		return nil, faultAt(from.GetToken(), "this YAML is not supported here", "write a text, a number, a list or a map")
	}
	return n, nil
}

func (b *yamlBuilder) alias(v *ast.AliasNode) (*node, error) {
	name := v.Value.GetToken().Value
	n, ok := b.anchors[name]
	if !ok {
		return nil, faultAt(v.GetToken(), fmt.Sprintf("there is no anchor &%s before this alias", name), "write the value itself")
	}
	if b.aliased += n.size; b.aliased > maxAliased {
		return nil, faultAt(v.GetToken(), "the aliases of this file stand for too many values", "write the values themselves, or fewer")
	}
	return n, nil
}

func (b *yamlBuilder) mapping(from ast.Node, values []*ast.MappingValueNode, depth int) (*node, error) {
	n := nodeAt(from)
	n.kind = object
	for i, field := range values {
		key, err := b.scalar(field.Key)
		if err != nil {
			return nil, err
		}
		key.kind = text
		if m, ok := from.(*ast.MappingNode); i == 0 && !(ok && m.IsFlowStyle) {
			n.line, n.column = key.line, key.column // the library's place is the colon
		}
		value, err := b.build(field.Value, key, depth+1)
		if err != nil {
			return nil, err
		}
		n.keys, n.items, n.size = append(n.keys, key), append(n.items, value), n.size+value.size
	}
	return n, nil
}

func nodeAt(from ast.Node) *node {
	f := faultAt(from.GetToken(), "", "")
	return &node{line: f.line, column: f.column, size: 1}
}
