package bundle

import (
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/spelling"
)

// records returns the elements of a list of maps; nothing is an empty list.
// What is most often written in its place is one of the maps by itself.
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

// wrapIt is the remedy for a record that should stand in a list.
func (d *decoder) wrapIt() string {
	if d.format == ".yaml" {
		return "begin it with `- ` and indent its other lines by two spaces"
	}
	return "wrap it in [ ]"
}

// bareList reports a list that is a whole file where a map with such a list
// belongs, and whether it did.
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

// loneIn reports a map that is a whole file and a record of the list that
// belongs there, beside those of other names, and whether it did.
func (d *decoder) loneIn(m *fields, list *domain.Description, names []string) bool {
	if m.n == nil || slices.ContainsFunc(names, func(name string) bool { return m.n.value(name) != nil }) || known(m.n, list.Shape) == 0 {
		return false
	}
	remedy := "write `" + list.List + ":` in a line above it, " + d.wrapIt()
	if d.format != ".yaml" {
		remedy = `write {"` + list.List + `": [ before it and ]} behind it`
	}
	d.fail(m.n, domain.RuleWrongType, "this file holds one record, a map with a list of "+list.List+" is expected", remedy)
	return true
}

// lone reports a map that is a whole file and a record of the list that belongs
// there, or nothing that is known, and whether it did. A map that may have the
// list under another name is none of that.
func (d *decoder) lone(n *node, of domain.Kind) bool {
	fields, lists := 0, 0
	for i, key := range n.keys {
		switch {
		case key.text == string(of):
			return false
		case strings.HasPrefix(key.text, "$"):
			continue
		case n.items[i].kind == list:
			if spelling.Nearest(key.text, []string{string(of)}) != "" {
				return false
			}
			lists++
		}
		fields++
	}
	if fields == 0 {
		return false
	}
	if known(n, domain.Describe(of).Shape) > 0 {
		d.fail(n, domain.RuleWrongType, "this file holds one record, a list of "+string(of)+" is expected", d.wrapIt())
		return true
	}
	if lists > 0 {
		return false
	}
	d.fail(n, domain.RuleWrongType, "this file holds one map, a list of "+string(of)+" is expected", "if it is a record, "+d.wrapIt()+"; if not, take the file out")
	return true
}

// renamed reports the one list of a map that is a whole file and should have it
// under the name of its kind: to take it out, as other fields that are not known,
// would lose what the file is there for.
func (d *decoder) renamed(n *node, of domain.Kind) {
	var only *node
	for i, key := range n.keys {
		switch {
		case key.text == string(of):
			return
		case n.items[i].kind != list:
		case spelling.Nearest(key.text, []string{string(of)}) != "":
			return // which [meant] says
		case only != nil:
			return // which of them is it?
		default:
			only = key
		}
	}
	if only != nil {
		d.fail(only, domain.RuleUnknownField, "there is no field "+quote(only.text)+" here",
			"if it is the list of "+string(of)+", name it \""+string(of)+"\"; if not, take it out")
	}
}

// known returns how many fields of a map are those of a record.
func known(n *node, s *domain.Shape) int {
	fields := 0
	for _, key := range n.keys {
		if s.Field(key.text) != nil {
			fields++
		}
	}
	return fields
}
