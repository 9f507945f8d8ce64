package snapshot

import (
	"bytes"
	"cmp"
	"strings"

	"golang.org/x/text/collate"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
)

// chains is the list of chains and its orders. The slug breaks ties in every
// order and both directions (docs/api.md#chains).
type chains struct {
	*list[domain.Chain]
	byID, byPlatforms, byTVL directions
	byName                   []directions // by locale.ID

	children map[string][]string      // slugs of the chains whose parent a chain is, ascending, by slug
	held     map[string]*domain.Chain // those with figures that the list does not have, as they are, by slug
}

func (c *chains) order(q query.Chains) *order {
	switch q.Sort {
	case query.SortName:
		return c.byName[q.Locale].in(q.Ascending)
	case query.SortChainID:
		return c.byID.in(q.Ascending)
	case query.SortPlatforms:
		return c.byPlatforms.in(q.Ascending)
	default:
		return c.byTVL.in(q.Ascending)
	}
}

// chains compiles the chains, from those of an earlier snapshot if it is not
// nil.
func (c *compiler) chains(previous *chains) chains {
	if previous == nil {
		previous = &chains{byName: make([]directions, len(c.fallbacks))}
	}
	var e edit
	result := chains{byName: make([]directions, len(c.fallbacks)), children: map[string][]string{}}
	result.list, e = compileList(c, chainSource(), previous.list, pointers(c.catalog.Chains, every, compareSlugs))

	chain := func(number uint32) *domain.Chain { return result.records[number] }
	bySlug := func(a, b uint32) int { return compareSlugs(chain(a), chain(b)) }
	both := func(d, before *directions, compare func(ascending bool) comparison) {
		d.ascending = result.list.updatedOrder(&before.ascending, e, compare(true))
		d.descending = result.list.updatedOrder(&before.descending, e, compare(false))
	}
	figure := func(figure func(*domain.Chain) *domain.Figure, without comparison) func(bool) comparison {
		return func(ascending bool) comparison {
			return byValue(ascending, func(number uint32) (float64, bool) {
				if f := figure(chain(number)); f != nil {
					return f.Value, true
				}
				return 0, false
			}, bySlug, without)
		}
	}
	byPlatforms := figure(func(c *domain.Chain) *domain.Figure { return c.Platforms }, bySlug)
	byTVL := figure(func(c *domain.Chain) *domain.Figure { return c.TVL }, byPlatforms(false))
	work := []func(){
		func() { both(&result.byID, &previous.byID, directed(byID(chain), bySlug)) },
		func() { both(&result.byTVL, &previous.byTVL, byTVL) },
		func() { both(&result.byPlatforms, &previous.byPlatforms, byPlatforms) },
	}
	for id, fallback := range c.fallbacks {
		work = append(work, func() {
			byName := c.collated(locale.ID(id), e.size, func(number uint32) string { return chain(number).Name.Resolve(fallback) })
			both(&result.byName[id], &previous.byName[id], directed(byName, bySlug))
		})
	}
	parallel.Do(len(work), func(i int) { work[i]() })
	for _, number := range result.byKey { // in the order of slugs
		chain := result.records[number]
		if chain.Parent != "" {
			result.children[chain.Parent] = append(result.children[chain.Parent], chain.Slug)
		}
	}
	result.held = heldRecords(c.catalog.Chains, c.whole.Chains, chainShape, func(ch *domain.Chain) string { return ch.Slug })
	return result
}

func chainSource() source[domain.Chain] {
	return source[domain.Chain]{
		name:       "chains",
		compare:    compareSlugs,
		kind:       domain.Describe(domain.KindChain),
		compareKey: func(c *domain.Chain, slug string) int { return strings.Compare(c.Slug, slug) },
		equal:      func(a, b *domain.Chain) bool { return chainShape.Equal(a, b) },
		finding:    func(c *domain.Chain) domain.Finding { return chainShape.Finding(c) },
		module:     domain.ModuleChain,
		status:     func(c *domain.Chain) domain.Status { return c.Status },
		encode:     encodeChain,
		categories: func(c *domain.Chain) []string { return c.Categories },
	}
}

var chainShape = domain.Describe(domain.KindChain).Shape

func compareSlugs(a, b *domain.Chain) int { return strings.Compare(a.Slug, b.Slug) }

// encodeChain encodes the slim form (docs/api.md#chains).
func encodeChain(chain *domain.Chain, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	encodeChainFields(chain, w, resolve)
	w.close('}')
}

func encodeChainFields(chain *domain.Chain, w *writer, resolve func(domain.Text) string) {
	w.text("_id", chain.StableID())
	w.text("slug", chain.Slug)
	w.text("name", resolve(chain.Name))
	w.optional("logo", chain.Logo)
	w.text("chain_id", chain.ChainID)
	if len(chain.Categories) > 0 {
		w.strings("categorySlugs", chain.Categories)
	}
	w.figure("llama_tvl", chain.TVL)
}

// directed returns compare, or its opposite where ascending is false. Ties are
// ordered by tie both ways.
func directed(compare, tie comparison) func(ascending bool) comparison {
	return func(ascending bool) comparison {
		if ascending {
			return func(a, b uint32) int { return cmp.Or(compare(a, b), tie(a, b)) }
		}
		return func(a, b uint32) int { return cmp.Or(compare(b, a), tie(a, b)) }
	}
}

// byID orders by chain id: first those that are decimal numbers, by value, then
// the others, by code point.
func byID(chain func(uint32) *domain.Chain) comparison {
	return func(a, b uint32) int { return compareChainIDs(chain(a).ChainID, chain(b).ChainID) }
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

// collated compares by names in the collation of a locale. The collation key of a
// name is made when it is first needed, so that a few comparisons cost few keys.
func (c *compiler) collated(id locale.ID, size int, name func(number uint32) string) comparison {
	collator := c.locales.Collator(id)
	var buf collate.Buffer
	keys := make([][]byte, size)
	key := func(number uint32) []byte {
		if keys[number] == nil {
			keys[number] = bytes.Clone(collator.KeyFromString(&buf, name(number)))
			buf.Reset()
		}
		return keys[number]
	}
	return func(a, b uint32) int { return bytes.Compare(key(a), key(b)) }
}
