package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// maxResult bounds the result of a call, in bytes as it is sent: structured content and
// the same as text.
const maxResult = 32_000

// answer is the structured content of a result. All that the catalogue says is in Data.
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

// leftOut says what an answer has not, and how to get it.
type leftOut struct {
	Records    int      `json:"records,omitempty"`
	Members    []string `json:"members,omitempty"`
	NextOffset int      `json:"next_offset,omitempty"`
	How        string   `json:"how"`
}

// unknown is an argument that names nothing, and what was perhaps meant.
type unknown struct {
	Parameter  string   `json:"parameter"`
	Value      string   `json:"value"`
	Candidates []string `json:"candidates"`
}

// found is what a tool found: a body of the API, and how it may be cut.
type found struct {
	locale locale.ID
	notice string
	body   []byte
	// rows is the member with the records, "" for none. With it, total and offset count,
	// and the body begins with the record at offset.
	rows          string
	total, offset int
	cards         bool     // the body is a menu, of which cards may be left out
	keep          []string // members that are never left out of a body, or of a row
	brief         bool     // rows have nothing but those
	figures       []string // names of the figures whose dates are to be told
	unknown       []unknown
	how           string // to get what is left out, unless that is said by an offset
}

// counted returns what tells of a list that a query found.
func counted(rows string, result snapshot.Result, q query.List) found {
	return found{locale: q.Locale, body: result.Body(), rows: rows, total: result.Total, offset: q.Page.Offset}
}

// fit makes of what was found the structured content of a result that is within its
// bound.
func fit(s *snapshot.Snapshot, tool string, f found) json.RawMessage {
	revision := s.Revision()
	a := answer{
		Revision: revision.Number, PublishedAt: revision.PublishedAt.UTC().Format(time.RFC3339),
		Locale: s.Locales().Name(f.locale), Notice: f.notice, Unknown: f.unknown, Data: json.RawMessage("{}"),
	}
	data := members(f.body)
	if figures := datesOf(s, f); figures != nil {
		data = append(data, member{"figures", encodeElements(figures)})
	}
	if f.rows == "" {
		return fitWhole(a, data, f)
	}
	a.Total, a.Offset = &f.total, &f.offset
	return fitRows(a, data, tool, f)
}

// room is kept for what says that something is left out.
const room = 1200

func budgetBeside(a answer) int { return maxResult - room - cost(encode(a)) }

// fitWhole fits an answer without records: cards go first, then the largest members.
func fitWhole(a answer, data []member, f found) json.RawMessage {
	budget, left := budgetBeside(a), leftOut{How: f.how}
	body := encodeMembers(data)
	if f.cards && cost(body) > budget {
		body, left.Records = evenly(body, budget)
	}
	a.Data, left.Members = shrink(body, f.keep, budget)
	if left.Records > 0 || left.Members != nil {
		a.LeftOut = &left
	}
	return encode(a)
}

// maxCards is more cards than fit into a result.
const maxCards = maxResult / 100

// evenly returns a menu with as many cards of each item as fit, and how many are left
// out. Without any it may still not fit.
func evenly(menu json.RawMessage, budget int) (json.RawMessage, int) {
	menu, gone := first(menu, "cards", maxCards)
	most := sort.Search(maxCards, func(n int) bool {
		cut, _ := first(menu, "cards", n)
		return cost(cut) > budget
	})
	menu, more := first(menu, "cards", max(0, most-1))
	return menu, gone + more
}

// fitRows fits an answer with a list. What stands beside the list, such as facets, may take
// half of the room, or what the records leave of it; else its largest members are left out.
// Then come as many records as fit.
func fitRows(a answer, data []member, tool string, f found) json.RawMessage {
	at := slices.IndexFunc(data, func(m member) bool { return m.name == f.rows })
	rows := elements(data[at].value)
	if f.brief {
		for i, row := range rows {
			rows[i] = only(row, f.keep)
		}
	}
	data[at].value = json.RawMessage("[]")
	budget, left := budgetBeside(a), leftOut{}
	beside := budget
	for _, row := range rows {
		beside -= cost(row) + len(",,")
	}
	rest, gone := shrink(encodeMembers(data), []string{f.rows}, max(beside, budget/2))
	data, left.Members = members(rest), gone
	at = slices.IndexFunc(data, func(m member) bool { return m.name == f.rows })
	budget -= cost(rest)

	count, cut := 0, false
	for count < len(rows) && budget > 0 {
		price := cost(rows[count]) + len(",,")
		if price > budget && count == 0 { // one that is too large alone
			var names []string
			rows[count], names = shrink(rows[count], f.keep, budget)
			left.Members, cut = append(left.Members, names...), true
			price = budget
		}
		if price > budget {
			break
		}
		budget, count = budget-price, count+1
	}
	data[at].value = encodeElements(rows[:count])
	a.Data = encodeMembers(data)
	if next := f.offset + count; count > 0 && next < f.total {
		left.Records, left.NextOffset = f.total-next, next
		left.How = fmt.Sprintf("call %s again with the same arguments and offset %d", tool, next)
		if count < len(rows) {
			left.How += "; no more fit into one result"
		}
	}
	if left.Members != nil {
		left.How = cmp.Or(left.How, f.how)
		if !cut {
			left.How += "; facets fit with limit 1 and, if need be, more filters"
		}
	}
	if left.Records > 0 || left.Members != nil {
		a.LeftOut = &left
	}
	return encode(a)
}

// only returns an object with nothing but some members, in its own order.
func only(object json.RawMessage, keep []string) json.RawMessage {
	return encodeMembers(slices.DeleteFunc(members(object), func(m member) bool { return !slices.Contains(keep, m.name) }))
}

// shrink leaves out the largest members of an object until it costs no more than the
// budget, and returns their names, nil for none. What is kept is never left out.
func shrink(object json.RawMessage, keep []string, budget int) (json.RawMessage, []string) {
	var gone []string
	all := members(object)
	for cost(object) > budget {
		largest := -1
		for i, m := range all {
			if !slices.Contains(keep, m.name) && (largest < 0 || len(m.value) > len(all[largest].value)) {
				largest = i
			}
		}
		if largest < 0 {
			break
		}
		gone = append(gone, all[largest].name)
		all = slices.Delete(all, largest, largest+1)
		object = encodeMembers(all)
	}
	return object, gone
}

// datesOf returns what meta says of the figures that an answer has.
func datesOf(s *snapshot.Snapshot, f found) []json.RawMessage {
	if f.figures == nil {
		return nil
	}
	var meta struct{ Figures []json.RawMessage }
	decode(s.Meta(query.Localized{Locale: f.locale}), &meta)
	return slices.DeleteFunc(meta.Figures, func(figure json.RawMessage) bool {
		var named struct{ Figure string }
		decode(figure, &named)
		return !slices.Contains(f.figures, named.Figure)
	})
}
