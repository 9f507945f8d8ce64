package bundle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
)

// Figures has the figures of a chain by name.
type Figures map[domain.FigureName]domain.Figure

// Replaced counts the replaced figures of one name and one source.
type Replaced struct {
	Before, After int         // numbers of figures
	Newest        domain.Date // of the previous ones, "" for none
}

// SetFigures replaces the figures of one source in a hand-written YAML file of chains. It removes
// the existing figures of the source, and writes the new ones, by chain id, below the chain's
// categories, one per line. All other text is unchanged, including comments, bare figures and
// figures of other sources.
//
// Only figures of the given names are replaced. Chains are found by [domain.ChainIDKey]. Replaced
// has the previous and the new figures of the source for each name. It is an error if the file is
// not YAML, or not written as such files are: one field per line, a figure on the line of its
// name.
func SetFigures(data []byte, source string, names []domain.FigureName, figures map[string]Figures) (_ []byte, replaced map[domain.FigureName]Replaced, err error) {
	if err := Foreign(data); err != nil {
		return nil, nil, err
	}
	doc, err := parseYAML(data)
	if err != nil {
		return nil, nil, err
	}
	chains := cmp.Or(doc.value("chains"), doc) // a list may be bare
	if chains.kind != list {
		return nil, nil, errors.New("the file has no list of chains")
	}
	byKey := make(map[string]Figures, len(figures))
	for id, f := range figures {
		byKey[domain.ChainIDKey(id)] = f
	}
	e := figureEdit{
		lines: bytes.SplitAfter(data, []byte("\n")), source: source, names: names, replaced: map[domain.FigureName]Replaced{},
	}
	for _, chain := range chains.items {
		if err := e.chain(chain, byKey); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", chain.line, err)
		}
	}
	slices.SortStableFunc(e.edits, func(a, b Edit) int { return a.Line - b.Line })
	return ApplyEdits(data, e.edits), e.replaced, nil
}

// figureEdit collects the changes of a file. Lines count from 1.
type figureEdit struct {
	lines  [][]byte
	source string
	names  []domain.FigureName
	edits  []Edit

	replaced map[domain.FigureName]Replaced
}

func (e *figureEdit) chain(chain *node, figures map[string]Figures) error {
	id, categories := chain.value("chain_id"), chain.value("categories")
	if id == nil {
		return errors.New("the chain has no chain_id")
	}
	after := chain.keys[chain.indexOf("chain_id")]
	if categories != nil {
		after = chain.keys[chain.indexOf("categories")]
	}
	margin := string(e.lines[after.line-1][:after.column-1])
	if strings.Trim(margin, " ") != "" {
		return errors.New("the fields of the chain are not on lines of their own")
	}
	mine := figures[domain.ChainIDKey(id.text)]
	kept := map[domain.FigureName]bool{}
	for _, name := range e.names {
		i := chain.indexOf(string(name))
		if i < 0 {
			continue
		}
		if of := chain.items[i].value("source"); of == nil || of.text != e.source {
			kept[name] = true
			continue
		}
		if line := chain.keys[i].line; lastLine(chain.items[i]) != line {
			return fmt.Errorf("%s is not on one line", name)
		}
		e.edits = append(e.edits, Edit{Line: chain.keys[i].line, Gone: 1})
		was := e.replaced[name]
		was.Before++
		if asOf := chain.items[i].value("as_of"); asOf != nil {
			was.Newest = max(was.Newest, domain.Date(asOf.text))
		}
		e.replaced[name] = was
	}
	below := Edit{Line: 1 + lastLine(chain.items[chain.indexOf(after.text)])}
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		if f := mine[name]; !kept[name] && slices.Contains(e.names, name) {
			below.Added = append(below.Added, fmt.Sprintf("%s%s: {value: %s, source: %s, as_of: %s}\n", margin, name,
				strconv.FormatFloat(f.Value, 'f', -1, 64), plainOrQuoted(f.Source), f.AsOf))
			now := e.replaced[name]
			now.After++
			e.replaced[name] = now
		}
	}
	if len(below.Added) > 0 {
		e.edits = append(e.edits, below)
	}
	return nil
}

// lastLine returns the last line on which a node or a part of it begins.
func lastLine(n *node) int {
	last := n.line
	for _, part := range slices.Concat(n.keys, n.items) {
		last = max(last, lastLine(part))
	}
	return last
}
