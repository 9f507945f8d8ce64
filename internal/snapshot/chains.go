package snapshot

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/catalog"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// chains is the list of chains and its orders. Records are numbered by slug,
// which is also what breaks ties in every order and both directions (contract,
// "chains"); so all sorts below are stable sorts of the numbers.
type chains struct {
	list
	byID, byPlatforms, byTVL directions
	byName                   []directions // by locale.ID
}

// directions is one order, both ways. Descending is not the reverse of
// ascending: ties stay ascending, and records without a value stay last.
type directions struct{ ascending, descending []uint32 }

func (d directions) order(ascending bool) []uint32 {
	if ascending {
		return d.ascending
	}
	return d.descending
}

func (c *chains) order(q query.Chains) []uint32 {
	switch q.Sort {
	case query.SortName:
		return c.byName[q.Locale].order(q.Ascending)
	case query.SortChainID:
		return c.byID.order(q.Ascending)
	case query.SortPlatforms:
		return c.byPlatforms.order(q.Ascending)
	default:
		return c.byTVL.order(q.Ascending)
	}
}

func (c *compiler) chains() (chains, error) {
	sorted := slices.SortedFunc(slices.Values(c.catalog.Chains), func(a, b catalog.Chain) int {
		return cmp.Compare(a.Slug, b.Slug)
	})
	l, err := c.list("chains", len(sorted), func(number int) record {
		chain := sorted[number]
		return record{
			categories: chain.Categories,
			texts:      slices.Concat(values(chain.Name), []string{chain.Slug, chain.ChainID}, chain.Aliases),
			encode: func(w *writer, resolve func(catalog.Text) string) {
				encodeChain(w, chain, resolve)
			},
		}
	})
	if err != nil {
		return chains{}, err
	}
	result := chains{
		list:        l,
		byID:        byID(sorted),
		byPlatforms: byFigure(sorted, func(c catalog.Chain) *catalog.Figure { return c.Platforms }),
		byTVL:       byFigure(sorted, func(c catalog.Chain) *catalog.Figure { return c.TVL }),
	}
	for id, fallback := range c.fallbacks {
		keys := c.collationKeys(locale.ID(id), len(sorted), func(number int) string {
			return sorted[number].Name.Resolve(fallback)
		})
		result.byName = append(result.byName, both(len(sorted), func(a, b uint32) int {
			return bytes.Compare(keys[a], keys[b])
		}))
	}
	return result, nil
}

// encodeChain encodes the slim form (specification, ChainSlim).
func encodeChain(w *writer, chain catalog.Chain, resolve func(catalog.Text) string) {
	w.open('{')
	w.text("_id", chain.StableID())
	w.text("slug", chain.Slug)
	w.text("name", resolve(chain.Name))
	w.optional("logo", chain.Logo)
	w.text("chain_id", chain.ChainID)
	if len(chain.Categories) > 0 {
		w.strings("categorySlugs", chain.Categories)
	}
	w.figure("llama_tvl", chain.TVL)
	w.close('}')
}

// both sorts the numbers below size in both directions.
func both(size int, compare func(a, b uint32) int) directions {
	d := directions{ascending: ascending(size), descending: ascending(size)}
	slices.SortStableFunc(d.ascending, compare)
	slices.SortStableFunc(d.descending, func(a, b uint32) int { return compare(b, a) })
	return d
}

// byFigure orders by a figure, records without it last in both directions.
func byFigure(sorted []catalog.Chain, figure func(catalog.Chain) *catalog.Figure) directions {
	var with, without []uint32
	for number, chain := range sorted {
		if figure(chain) != nil {
			with = append(with, uint32(number))
		} else {
			without = append(without, uint32(number))
		}
	}
	value := func(i uint32) float64 { return figure(sorted[with[i]]).Value }
	d := both(len(with), func(a, b uint32) int { return cmp.Compare(value(a), value(b)) })
	numbered := func(order []uint32) []uint32 {
		numbers := make([]uint32, 0, len(sorted))
		for _, i := range order {
			numbers = append(numbers, with[i])
		}
		return append(numbers, without...)
	}
	return directions{numbered(d.ascending), numbered(d.descending)}
}

// byID orders by chain id: those of ASCII digits only by value, whatever their
// length, then the others by code point.
func byID(sorted []catalog.Chain) directions {
	return both(len(sorted), func(a, b uint32) int {
		return compareChainIDs(sorted[a].ChainID, sorted[b].ChainID)
	})
}

func compareChainIDs(a, b string) int {
	aDigits, bDigits := digitsOnly(a), digitsOnly(b)
	switch {
	case aDigits && bDigits:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	case aDigits:
		return -1
	case bDigits:
		return 1
	}
	return cmp.Compare(a, b) // UTF-8 orders as code points do
}

func digitsOnly(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
