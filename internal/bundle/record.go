package bundle

import (
	"fmt"

	"vitrine/internal/catalog"
)

// RecordYAML returns one record of a catalogue as the directory has it, in
// YAML as [Write] writes it. Index is the record's in the
// catalogue's slice of that kind; it is an error if there is no such record.
func RecordYAML(c *catalog.Catalog, kind catalog.Kind, index int) ([]byte, error) {
	n, err := recordNode(c, kind, index)
	if err != nil {
		return nil, err
	}
	return yamlBytes(n), nil
}

// RecordJSON is [RecordYAML] in JSON, on one line.
func RecordJSON(c *catalog.Catalog, kind catalog.Kind, index int) ([]byte, error) {
	n, err := recordNode(c, kind, index)
	if err != nil {
		return nil, err
	}
	return append(appendJSON(nil, n), '\n'), nil
}

func recordNode(c *catalog.Catalog, kind catalog.Kind, index int) (*node, error) {
	e := encoder{locale: c.DefaultLocale}
	switch kind {
	case catalog.KindCatalog:
		return nodeOf([]catalog.Catalog{*c}, kind, index, e.catalog)
	case catalog.KindGroup:
		return nodeOf(c.Groups, kind, index, e.group)
	case catalog.KindCategory:
		return nodeOf(c.Categories, kind, index, e.category)
	case catalog.KindChain:
		return nodeOf(c.Chains, kind, index, e.chain)
	case catalog.KindAccount:
		return nodeOf(c.Accounts, kind, index, e.account)
	case catalog.KindChannel:
		return nodeOf(c.Channels, kind, index, e.channel)
	case catalog.KindNavGroup:
		return nodeOf(c.NavGroups, kind, index, e.navGroup)
	case catalog.KindMenu:
		return nodeOf(c.Menus, kind, index, e.menu)
	}
	return nil, fmt.Errorf("no record is of the kind %q", kind)
}

func nodeOf[R any](records []R, kind catalog.Kind, index int, encode func(*R) *node) (*node, error) {
	if index < 0 || index >= len(records) {
		return nil, fmt.Errorf("there are %d records of the kind %q, none has the index %d", len(records), kind, index)
	}
	return encode(&records[index]), nil
}
