package domain

import (
	"fmt"
	"slices"
	"strings"
)

// diffOrder returns the moved parts among those that both lists have.
func diffOrder(path string, pairs []pair[part]) []difference {
	both := slices.DeleteFunc(slices.Clone(pairs), func(p pair[part]) bool { return p.old == nil || p.new == nil })
	positions := make([]int, len(both))
	for i, p := range both {
		positions[i] = p.newIndex
	}
	var all []difference
	for i, stays := range InPlace(positions) {
		if p := both[i]; !stays {
			all = append(all, moved(path+"["+p.name.String()+"]",
				fmt.Sprintf("place %d", p.oldIndex+1), fmt.Sprintf("place %d", p.newIndex+1)))
		}
	}
	return all
}

// nameMoves joins the removal of a part of a menu and its addition elsewhere, also in another
// menu, into one change. Items are joined first: their cards move with them, or have moved
// separately.
func nameMoves(menus []recordChange) {
	for _, lists := range [][]string{{"items", "standalone"}, {"cards"}} {
		gone := movers(menus, lists, func(d difference) *part { return d.old })
		come := movers(menus, lists, func(d difference) *part { return d.new })
		for _, same := range []func(gone, come *mover) bool{
			func(a, b *mover) bool { return a.label == b.label && a.menu == b.menu },
			func(a, b *mover) bool { return a.label == b.label },
			func(a, b *mover) bool { return a.menu == b.menu },
		} {
			pairMoves(gone, come, same)
		}
		for m := range menus {
			menus[m].differences = withMoves(menus, m, gone, come)
		}
	}
}

// mover is a part of a menu that was removed from a list or added to one.
type mover struct {
	part
	menu       int    // index of the menu
	difference int    // index of its difference
	list       string // path of the list
	name       name
	nested     bool // its parent was added or removed, so it is not reported
	other      *mover
}

// movers returns the added or removed parts of some lists. which selects them from a difference.
func movers(menus []recordChange, lists []string, which func(difference) *part) []*mover {
	var found []*mover
	var walk func(at mover, nested bool)
	walk = func(at mover, nested bool) {
		if at.nested = nested; slices.Contains(lists, lastField(at.list)) {
			found = append(found, &at)
			return
		}
		for _, field := range at.parts {
			list := at.path() + "." + field.name
			for i, n := range names(field.parts, func(p part) string { return p.name }) {
				if p := field.parts[i]; p.element {
					walk(mover{part: p, menu: at.menu, difference: at.difference, list: list, name: n}, true)
				}
			}
		}
	}
	for m := range menus {
		for i, d := range menus[m].differences {
			if p := which(d); p != nil {
				walk(mover{part: *p, menu: m, difference: i, list: d.list, name: d.name}, false)
			}
		}
	}
	return found
}

func lastField(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func (m *mover) path() string { return m.list + "[" + m.name.String() + "]" }

// mostCandidates bounds the parts with one key that are compared with a part.
const mostCandidates = 64

// pairMoves pairs the parts of one key that are equal by a rule, in order. A pair is not reported
// if neither part is.
func pairMoves(gone, come []*mover, same func(gone, come *mover) bool) {
	left := map[string][]*mover{}
	for _, g := range gone {
		if g.other == nil {
			left[g.name.text] = append(left[g.name.text], g)
		}
	}
	for _, c := range come {
		if c.other != nil {
			continue
		}
		candidates := left[c.name.text]
		i := slices.IndexFunc(candidates[:min(len(candidates), mostCandidates)], func(g *mover) bool { return !(g.nested && c.nested) && same(g, c) })
		if i >= 0 {
			c.other, candidates[i].other = candidates[i], c
			left[c.name.text] = slices.Delete(candidates, i, i+1)
		}
	}
}

// withMoves returns the differences of a menu, with moves instead of joined removals and additions.
func withMoves(menus []recordChange, menu int, gone, come []*mover) []difference {
	instead := map[int][]difference{}
	for _, g := range gone {
		if g.menu != menu || g.nested || g.other == nil {
			continue
		}
		instead[g.difference] = nil
		if g.other.menu != menu || g.other.nested {
			instead[g.difference] = []difference{moved(g.path(), g.list, g.other.place(menus, menu))}
		}
	}
	for _, c := range come {
		if c.menu == menu && !c.nested && c.other != nil {
			instead[c.difference] = append([]difference{moved(c.path(), c.other.place(menus, menu), c.list)},
				diffParts(c.path(), c.other.parts, c.parts)...)
		}
	}
	if len(instead) == 0 {
		return menus[menu].differences
	}
	var differences []difference
	for i, d := range menus[menu].differences {
		if moves, ok := instead[i]; ok {
			differences = append(differences, moves...)
			continue
		}
		differences = append(differences, d)
	}
	return differences
}

// place returns the list of a part in the notation of differences of the menu.
func (m *mover) place(menus []recordChange, seenFrom int) string {
	if m.menu == seenFrom {
		return m.list
	}
	return "menu " + menus[m.menu].Key + ": " + m.list
}

func moved(path, from, to string) difference {
	return difference{FieldChange: FieldChange{Path: path, Old: from, New: to, Moved: true}}
}
