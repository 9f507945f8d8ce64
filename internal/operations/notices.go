package operations

import (
	"strings"

	"github.com/dunglas/httpsfv"

	"vitrine/internal/query"
)

// maxNotices bounds the members of Catalog-Notice, and maxNoticed the characters of a value
// of the request in it.
const (
	maxNotices = 5
	maxNoticed = 64
)

// notices returns the value of Catalog-Notice for a successful request (docs/api.md#notices),
// nil for none. Pages have no notices. With a nil generation, of an operation without a
// snapshot, values of filters are not checked. moved is the revision that the request names if
// the response is of another one, else 0; its notice comes first.
func (g *generation) notices(op *operation, rawQuery string, moved int64) []string {
	if op.takes == nil || rawQuery == "" {
		return nil
	}
	var list httpsfv.List
	if moved != 0 {
		item := httpsfv.NewItem(httpsfv.Token("moved"))
		item.Params.Add("from", moved)
		item.Params.Add("to", g.snapshot.Revision().Number)
		list = append(list, item)
	}
	for reviewed := range op.takes.Review(rawQuery) {
		if item, ok := g.notice(op, reviewed); ok {
			list = append(list, item)
		}
		if len(list) == maxNotices {
			break
		}
	}
	if list == nil {
		return nil
	}
	value, err := httpsfv.Marshal(list)
	if err != nil {
		return nil // a response needs no notice
	}
	return []string{value}
}

func (g *generation) notice(op *operation, of query.Reviewed) (httpsfv.Item, bool) {
	if of.Ignored {
		item := httpsfv.NewItem(httpsfv.Token("ignored"))
		item.Params.Add("parameter", noticed(of.Parameter))
		if of.Instead != "" {
			item.Params.Add("instead", of.Instead)
		}
		return item, true
	}
	if g == nil {
		return httpsfv.Item{}, false
	}
	known, nearest := g.snapshot.Means(of, op.list)
	if known {
		return httpsfv.Item{}, false
	}
	item := httpsfv.NewItem(httpsfv.Token("unknown"))
	item.Params.Add("parameter", of.Parameter)
	item.Params.Add("value", noticed(of.Value))
	if nearest != "" {
		item.Params.Add("nearest", noticed(nearest))
	}
	return item, true
}

// noticed returns a text as a value of a structured field: a String if it is printable
// ASCII, else a Display String. It is cut to maxNoticed characters.
func noticed(text string) any {
	n := 0
	for i := range text {
		if n++; n > maxNoticed {
			text = text[:i]
			break
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return httpsfv.DisplayString(text)
	}
	return text
}
