package preview

import (
	"slices"
	"strings"
)

// maxPicked bounds the changed rows from which examples are picked.
const maxPicked = 2000

// picker picks examples of changed rows: of rows in which different members change rather than of many
// that change alike, because one rename may change hundreds.
type picker struct {
	total int
	seen  map[string]bool // members of a row
	first []picked        // rows with members of their own
	rest  []picked
}

type picked struct {
	place int
	row   Row
}

// add counts a row.
func (p *picker) add(row func() Row) {
	p.total++
	if p.total > maxPicked || len(p.first) == maxExamples {
		return
	}
	r := picked{p.total, row()}
	members := r.row.memberNames()
	switch {
	case !p.seen[members]:
		if p.seen == nil {
			p.seen = map[string]bool{}
		}
		p.seen[members] = true
		p.first = append(p.first, r)
	case len(p.rest) < maxExamples:
		p.rest = append(p.rest, r)
	}
}

// rows returns the picked rows in the order in which they were added.
func (p *picker) rows() Rows {
	all := append(p.first, p.rest...)
	all = all[:min(len(all), maxExamples)]
	slices.SortFunc(all, func(a, b picked) int { return a.place - b.place })
	rows := Rows{Total: p.total}
	for _, r := range all {
		rows.Examples = append(rows.Examples, r.row)
	}
	return rows
}

// memberNames returns the names of the members that change, without elements of lists.
func (r Row) memberNames() string {
	var names []string
	for _, m := range r.Members {
		name, _, _ := strings.Cut(m.Name, "[")
		names = append(names, name)
	}
	return strings.Join(slices.Compact(names), " ")
}
