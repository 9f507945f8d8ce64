package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/snapshot"
)

// maxResult bounds the result of a call in bytes as sent: structured content, and the same as
// text.
const maxResult = 32_000

// answer is the structured content of a result. All texts of the catalogue are in Data.
type answer struct {
	Revision    int64           `json:"revision"`
	PublishedAt string          `json:"publishedAt"`
	Locale      string          `json:"locale"`
	Notice      string          `json:"notice,omitempty"`
	Total       *int            `json:"total,omitempty"`
	Offset      *int            `json:"offset,omitempty"`
	LeftOut     *leftOut        `json:"left_out,omitempty"`
	Unknown     []unknown       `json:"unknown,omitempty"`
	Data        json.RawMessage `json:"data"`
}

// leftOut describes the omitted parts of an answer, and how to get them.
type leftOut struct {
	Records    int      `json:"records,omitempty"`
	Members    []string `json:"members,omitempty"`
	NextOffset int      `json:"next_offset,omitempty"`
	How        string   `json:"how"`
}

// unknown is an argument without a match, and the nearest known value.
type unknown struct {
	Parameter  string   `json:"parameter"`
	Value      string   `json:"value"`
	Candidates []string `json:"candidates"`
}

// result is the result of a tool: members of views, and how they may be shortened.
type result struct {
	locale locale.ID
	notice string
	data   []member
	// rows is the first member of data, an empty array to which records belong; "" for a
	// result without rows. With it, total and offset count, and the records begin with the
	// record at offset.
	rows          string
	records       [][]member
	total, offset int

	menu    *snapshot.Menu      // menu whose members are data, and whose cards may be left out
	keep    []string            // members that are never left out of data, or of a row
	brief   bool                // rows have only these members
	figures []domain.FigureName // whose dates data gets
	unknown []unknown
	how     string // how to get the omitted parts, unless by an offset
}

// withRows returns a result with rows, all of them.
func withRows[Row any](name string, rows []Row) result {
	r := result{rows: name, total: len(rows), data: []member{{Name: name, Value: []byte("[]")}}}
	for i := range rows {
		r.records = append(r.records, snapshot.EncodeMembers(&rows[i]))
	}
	return r
}

// fit returns the structured content of a result, cut to its bound.
func fit(s *snapshot.Snapshot, tool string, r result) json.RawMessage {
	revision := s.Revision()
	a := answer{
		Revision: revision.Number, PublishedAt: revision.PublishedAt.UTC().Format(time.RFC3339),
		Locale: s.Locales().Name(r.locale), Notice: r.notice, Unknown: r.unknown, Data: json.RawMessage("{}"),
	}
	if r.figures != nil {
		r.data = append(r.data, member{Name: "figures", Value: snapshot.Encode(agesOf(s, r))})
	}
	if r.rows == "" {
		return fitWhole(a, r)
	}
	a.Total, a.Offset = &r.total, &r.offset
	return fitRows(a, tool, r)
}

// room is reserved for the description of omitted parts.
const room = 1200

func budgetBeside(a answer) int { return maxResult - room - cost(encode(a)) }

// fitWhole fits a result without rows: cards go first, then the largest members.
func fitWhole(a answer, r result) json.RawMessage {
	budget, left := budgetBeside(a), leftOut{How: r.how}
	if r.menu != nil && cost(encodeMembers(r.data)) > budget {
		r.data, left.Records = evenly(*r.menu, budget)
	}
	r.data, left.Members = shrink(r.data, r.keep, budget)
	a.Data = encodeMembers(r.data)
	if left.Records > 0 || left.Members != nil {
		a.LeftOut = &left
	}
	return encode(a)
}

// maxCards is more cards than fit into a result.
const maxCards = maxResult / 100

// evenly returns the members of a menu with as many cards of each item as fit, and how many
// are left out. Without any it may still not fit.
func evenly(menu snapshot.Menu, budget int) ([]member, int) {
	most := sort.Search(maxCards, func(n int) bool {
		cut, _ := firstCards(menu, n)
		return cost(snapshot.Encode(&cut)) > budget
	})
	cut, gone := firstCards(menu, max(0, most-1))
	return snapshot.EncodeMembers(&cut), gone
}

// firstCards returns a menu with the first cards of each item, and how many are left out.
func firstCards(menu snapshot.Menu, count int) (snapshot.Menu, int) {
	gone := 0
	cut := func(items []snapshot.MenuItem) []snapshot.MenuItem {
		items = slices.Clone(items)
		for i := range items {
			kept := min(count, len(items[i].Cards))
			gone += len(items[i].Cards) - kept
			items[i].Cards = items[i].Cards[:kept]
		}
		return items
	}
	menu.Groups = slices.Clone(menu.Groups)
	for i := range menu.Groups {
		menu.Groups[i].Items = cut(menu.Groups[i].Items)
	}
	menu.Standalone = cut(menu.Standalone)
	return menu, gone
}

// fitRows shortens a result with rows. The other members, such as facets, may take half of the
// room, or the part that the rows leave; otherwise the largest are left out. Then as many rows
// follow as fit.
func fitRows(a answer, tool string, r result) json.RawMessage {
	rows := make([][]byte, len(r.records))
	for i, record := range r.records {
		if r.brief {
			record = only(record, r.keep)
		}
		rows[i] = encodeMembers(record)
	}
	budget, left := budgetBeside(a), leftOut{}
	beside := budget
	for _, row := range rows {
		beside -= cost(row) + len(",,")
	}
	data, gone := shrink(r.data, []string{r.rows}, max(beside, budget/2))
	left.Members = gone
	budget -= cost(encodeMembers(data))

	count, cut := 0, false
	for count < len(rows) && budget > 0 {
		price := cost(rows[count]) + len(",,")
		if price > budget && count == 0 { // the row alone is too large
			record, names := shrink(r.records[count], r.keep, budget)
			rows[count] = encodeMembers(record)
			left.Members, cut = append(left.Members, names...), true
			price = budget
		}
		if price > budget {
			break
		}
		budget, count = budget-price, count+1
	}
	data[0].Value = slices.Concat([]byte{'['}, bytes.Join(rows[:count], []byte{','}), []byte{']'})
	a.Data = encodeMembers(data)
	if next := r.offset + count; count > 0 && next < r.total {
		left.Records, left.NextOffset = r.total-next, next
		left.How = fmt.Sprintf("call %s again with the same arguments and offset %d", tool, next)
		if count < len(rows) {
			left.How += "; no more fit into one result"
		}
	}
	if left.Members != nil {
		left.How = cmp.Or(left.How, r.how)
		if !cut {
			left.How += "; facets fit with limit 1 and, if need be, more filters"
		}
	}
	if left.Records > 0 || left.Members != nil {
		a.LeftOut = &left
	}
	return encode(a)
}

// only returns the members with some names, in their order.
func only(all []member, keep []string) []member {
	return slices.DeleteFunc(all, func(m member) bool { return !slices.Contains(keep, m.Name) })
}

// shrink removes the largest members of an object until its cost is within the budget. It returns
// their names, nil for none. It never removes the members to keep.
func shrink(all []member, keep []string, budget int) ([]member, []string) {
	var gone []string
	for cost(encodeMembers(all)) > budget {
		largest := -1
		for i, m := range all {
			if !slices.Contains(keep, m.Name) && (largest < 0 || len(m.Value) > len(all[largest].Value)) {
				largest = i
			}
		}
		if largest < 0 {
			break
		}
		gone = append(gone, all[largest].Name)
		all = slices.Delete(all, largest, largest+1)
	}
	return all, gone
}

// agesOf returns the ages of the figures of a result.
func agesOf(s *snapshot.Snapshot, r result) []snapshot.FigureAge {
	ages := slices.Clone(s.MetaView(r.locale).Figures)
	return slices.DeleteFunc(ages, func(age snapshot.FigureAge) bool { return !slices.Contains(r.figures, age.Figure) })
}
