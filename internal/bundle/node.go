package bundle

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"unicode/utf8"

	"vitrine/internal/domain"
)

// kind is the type of a node as written.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

// String returns the name of a kind in messages.
func (k kind) String() string {
	return [...]string{"an empty value", "a true/false value", "a number", "text", "a list", "a map"}[k]
}

// A node is one value of a YAML or JSON document with its position. The decoder uses only nodes,
// and so handles both formats alike. Aliases share the node of their anchor: a document is an
// acyclic graph, not a tree.
type node struct {
	kind         kind
	text         string // value of a text, raw token of a number or boolean
	line, column int    // from 1, in code points
	keys         []*node
	items        []*node // elements of a list; values of a map, parallel to keys
	size         int     // number of nodes of the subtree, aliases expanded
	bad          bool    // the decoder has reported this node
	indexed      int32   // number of indexed keys; files have fewer than 2³¹ fields
	index        map[string]int
}

// indexOf returns the index of the first field with a name, -1 for none.
func (n *node) indexOf(name string) int {
	const few = 16
	if len(n.keys) <= few {
		return slices.IndexFunc(n.keys, func(k *node) bool { return k.text == name })
	}
	if n.index == nil { // linear search would be too slow for a million fields
		n.index = make(map[string]int, len(n.keys))
	}
	for ; int(n.indexed) < len(n.keys); n.indexed++ { // the map may have grown since the last call
		k := n.keys[n.indexed].text
		if _, known := n.index[k]; !known {
			n.index[k] = int(n.indexed)
		}
	}
	if i, ok := n.index[name]; ok {
		return i
	}
	return -1
}

// value returns the value of the first field with a name, nil for none. A nil node has none.
func (n *node) value(name string) *node {
	if n == nil {
		return nil
	}
	if i := n.indexOf(name); i >= 0 {
		return n.items[i]
	}
	return nil
}

// follow walks down a path of names and indices (see domain.Ref) while nodes exist. onto is the
// deepest node, and key its key if it is the value of a field.
func (n *node) follow(path []string) (onto, key *node) {
	for _, name := range path {
		next, nextKey := n.child(name)
		if next == nil {
			break
		}
		n, key = next, nextKey
	}
	return n, key
}

func (n *node) child(name string) (value, key *node) {
	switch n.kind {
	case object:
		if i := n.indexOf(name); i >= 0 {
			return n.items[i], n.keys[i]
		}
	case list:
		if i, err := strconv.Atoi(name); err == nil && 0 <= i && i < len(n.items) {
			return n.items[i], nil
		}
	}
	return nil, nil
}

// advance moves a position over text: lines end at a line feed, columns count code points, as
// editors do.
func advance[T []byte | string](line, column int, over T) (int, int) {
	for i := 0; i < len(over); i++ {
		switch b := over[i]; {
		case b == '\n':
			line, column = line+1, 1
		case utf8.RuneStart(b):
			column++
		}
	}
	return line, column
}

// A fault is the reason why a file could not be parsed. A file has at most one, the first.
type fault struct {
	line, column    int
	rule            domain.Rule
	message, remedy string
}

func (f *fault) Error() string { return f.message }

func unreadable(err error) *fault {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err // the problem has the path already
	}
	return &fault{line: 1, column: 1, rule: domain.RuleUnreadableFile,
		message: "the file cannot be read: " + err.Error(), remedy: "make it a readable file, or take it away"}
}

// maxDepth is the maximum nesting of lists and maps. Catalogues need ten; the limit bounds
// recursion.
const maxDepth = 64
