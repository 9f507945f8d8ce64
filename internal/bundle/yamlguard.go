package bundle

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// Bounds of what the YAML parser gets to see. It recurses with every key of a
// block map, and moves all tokens that follow with every empty value.
const (
	maxYAMLKeys  = 1000
	maxYAMLEmpty = 2000
)

// guardYAML refuses what would make the parser recurse or work without bound,
// and the parts of YAML that a catalogue does not need, before the parser sees
// them. What it lets pass may still be wrong.
func guardYAML(tokens token.Tokens) error {
	var g yamlGuard
	for _, tk := range tokens {
		if tk.Type == token.CommentType {
			continue
		}
		if err := g.unsupported(tk); err != nil {
			return err
		}
		if g.enter(tk); g.depth() > 3*maxDepth {
			return faultAt(tk, tooDeep, "write it flatter")
		}
		if n := len(g.open); n > 0 && g.open[n-1].keys > maxYAMLKeys {
			return faultAt(tk, fmt.Sprintf("the map has more than %d fields", maxYAMLKeys), "write it as JSON")
		}
		if g.empty > maxYAMLEmpty {
			return faultAt(tk, fmt.Sprintf("there are more than %d empty values up to here", maxYAMLEmpty),
				"leave out the fields that are empty, or write the list as .ndjson")
		}
		g.before, g.last = g.last, tk
	}
	return nil
}

// yamlGuard is what is known of the tokens so far, without parsing them.
type yamlGuard struct {
	open         []block   // block collections that may be open
	flow         []bracket // brackets that are open
	empty        int       // values that were left empty
	before, last *token.Token
}

// A block is a collection by indentation: where it stands, and how many lines
// of it did not begin with a dash.
type block struct{ column, keys int }

// A bracket is an open { or [, and the colons since its last comma.
type bracket struct {
	curly  bool
	colons int
}

// depth is at least how deep the parser would recurse.
func (g *yamlGuard) depth() int {
	depth := len(g.open) + len(g.flow)
	for _, b := range g.flow {
		depth += b.colons
	}
	return depth
}

func (g *yamlGuard) unsupported(tk *token.Token) error {
	switch tk.Type {
	case token.TagType:
		return faultAt(tk, "tags such as "+quote(tk.Value)+" are not supported", "leave the tag out, quote what is text")
	case token.MappingKeyType:
		return faultAt(tk, "keys that begin with ? are not supported", "write `key: value`")
	case token.MergeKeyType:
		return faultAt(tk, "merge keys (<<) are not supported", "write the fields out")
	case token.DirectiveType:
		return faultAt(tk, "YAML directives are not supported", "leave the line out")
	case token.DocumentHeaderType:
		if g.last != nil {
			return faultAt(tk, "a second YAML document begins here", "keep one document in a file")
		}
	case token.AnchorType:
		if g.before != nil && g.before.Type == token.AnchorType {
			return faultAt(tk, "a value has two anchors", "keep one of them")
		}
	}
	return nil
}

// enter takes the next token into account.
func (g *yamlGuard) enter(tk *token.Token) {
	if g.leavesEmpty(tk) {
		g.empty++
	}
	if len(g.flow) == 0 {
		g.enterBlock(tk)
	}
	top := len(g.flow) - 1
	switch tk.Type {
	case token.SequenceStartType, token.MappingStartType:
		g.flow = append(g.flow, bracket{curly: tk.Type == token.MappingStartType})
	case token.SequenceEndType, token.MappingEndType:
		g.flow = g.flow[:max(0, top)]
	case token.CollectEntryType:
		if top >= 0 {
			g.flow[top].colons = 0
		}
	case token.MappingValueType:
		if top >= 0 {
			g.flow[top].colons++
		}
	}
}

func (g *yamlGuard) enterBlock(tk *token.Token) {
	column := tk.Position.Column
	for len(g.open) > 0 && g.open[len(g.open)-1].column > column {
		g.open = g.open[:len(g.open)-1]
	}
	if n := len(g.open); n == 0 || g.open[n-1].column < column {
		g.open = append(g.open, block{column: column})
	}
	if tk.Type != token.SequenceEntryType {
		g.open[len(g.open)-1].keys++
	}
}

// leavesEmpty reports whether the token before tk was waiting for a value that
// tk is not.
func (g *yamlGuard) leavesEmpty(tk *token.Token) bool {
	if g.last == nil {
		return false
	}
	if n := len(g.flow); n > 0 {
		switch tk.Type {
		case token.CollectEntryType, token.MappingEndType, token.SequenceEndType:
			return g.last.Type == token.MappingValueType || g.flow[n-1].curly && g.flow[n-1].colons == 0
		}
		return false
	}
	column := tk.Position.Column
	switch g.last.Type {
	case token.SequenceEntryType:
		return column <= g.last.Position.Column
	case token.MappingValueType:
		key := g.before
		return key != nil && (column < key.Position.Column ||
			column == key.Position.Column && tk.Type != token.SequenceEntryType)
	}
	return false
}
