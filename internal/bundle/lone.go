package bundle

import (
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/spelling"
)

// records returns the elements of a list of maps. An empty value is an empty list. The most
// frequent mistake is a single map.
func (d *decoder) records(n *node) []*node {
	if n == nil || n.kind != object {
		return d.list(n)
	}
	if len(n.items) > 0 && !slices.ContainsFunc(n.items, func(v *node) bool { return v.kind != object }) {
		d.wrongType(n, "a list", "write each of these as an item of a list, and its name as a field of it")
		return nil
	}
	d.fail(n, domain.RuleWrongType, "this is one record, a list of them is expected here", d.wrapIt())
	return nil
}

// wrapIt returns the remedy for a record that should be in a list.
func (d *decoder) wrapIt() string {
	if d.format == ".yaml" {
		return "begin it with `- ` and indent its other lines by two spaces"
	}
	return "wrap it in [ ]"
}

// bareList reports a file that is a list instead of a map with the list, and returns whether it
// is.
func (d *decoder) bareList(n *node, what, name string) bool {
	if n.kind != list {
		return false
	}
	remedy := "write the one map alone, without the list"
	switch {
	case name == "":
	case d.format == ".yaml":
		remedy = "write `" + name + ":` in a line above it"
	default:
		remedy = `write {"` + name + `": before it and } behind it`
	}
	d.wrongType(n, what, remedy)
	return true
}

// loneIn reports a file that is a single record of the list that it should have, where names are
// valid, too. It returns whether it is.
func (d *decoder) loneIn(m *node, list *domain.Description, names []string) bool {
	if m == nil || slices.ContainsFunc(names, func(name string) bool { return m.value(name) != nil }) || known(m, list.Shape) == 0 {
		return false
	}
	remedy := "write `" + list.List + ":` in a line above it, " + d.wrapIt()
	if d.format != ".yaml" {
		remedy = `write {"` + list.List + `": [ before it and ]} behind it`
	}
	d.fail(m, domain.RuleWrongType, "this file holds one record, a map with a list of "+list.List+" is expected", remedy)
	return true
}

// named decodes a map that has a long list under its name, except the list. It returns whether it is one.
func (d *decoder) named(n *node, of *domain.Description) bool {
	if d.lone(n, of) {
		return false
	}
	d.document(n, "", "")
	d.renamed(n, of)
	d.onlyFields(n, schemaField, of.List)
	return true
}

// lone reports a file that is a single record instead of a list, or has only unknown fields, and
// returns whether it is. It ignores a map that may have the list under another name.
func (d *decoder) lone(n *node, of *domain.Description) bool {
	fields, lists := 0, 0
	for i, key := range n.keys {
		switch {
		case key.text == of.List:
			return false
		case strings.HasPrefix(key.text, "$"):
			continue
		case n.items[i].kind == list:
			if spelling.Nearest(key.text, []string{of.List}) != "" {
				return false
			}
			lists++
		}
		fields++
	}
	if fields == 0 {
		return false
	}
	if known(n, of.Shape) > 0 {
		d.fail(n, domain.RuleWrongType, "this file holds one record, a list of "+of.List+" is expected", d.wrapIt())
		return true
	}
	if lists > 0 {
		return false
	}
	d.fail(n, domain.RuleWrongType, "this file holds one map, a list of "+of.List+" is expected", "if it is a record, "+d.wrapIt()+"; if not, remove the file")
	return true
}

// renamed reports the only list of a file if it should have the name of its kind. The remedy for
// unknown fields, to remove it, would lose the content of the file.
func (d *decoder) renamed(n *node, of *domain.Description) {
	var only *node
	for i, key := range n.keys {
		switch {
		case key.text == of.List:
			return
		case n.items[i].kind != list:
		case spelling.Nearest(key.text, []string{of.List}) != "":
			return // [meant] reports it
		case only != nil:
			return // ambiguous
		default:
			only = key
		}
	}
	if only != nil {
		d.fail(only, domain.RuleUnknownField, "there is no field "+quote(only.text)+" here",
			"if it is the list of "+of.List+", name it \""+of.List+"\"; if not, remove it")
	}
}

// known returns the number of fields of a map that a record has.
func known(n *node, s *domain.Shape) int {
	fields := 0
	for _, key := range n.keys {
		if s.Field(key.text) != nil {
			fields++
		}
	}
	return fields
}
