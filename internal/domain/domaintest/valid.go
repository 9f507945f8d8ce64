package domaintest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/site/words"
)

// Locales are the locales of the catalogues of [Valid], the default one first.
var Locales = []string{"en", "sv", "zh-hans"}

// Valid generates catalogues in which [domain.Check] finds no errors, with up to size records of
// each kind. Their keys are chain_0, chain_1 and so on, account_0, menu_0; former keys begin with
// was_. Records share values and have references to each other.
func Valid(size int) *rapid.Generator[*domain.Catalog] {
	return rapid.Custom(func(t *rapid.T) *domain.Catalog {
		c := new(domain.Catalog)
		g := &generator{t: t, c: c, sizes: map[domain.Kind]int{}}
		for _, d := range domain.Descriptions() {
			g.sizes[d.Kind] = rapid.IntRange(0, size).Draw(t, d.Plural)
		}
		g.sizes[domain.KindGroup] = 6
		g.sizes[domain.KindCategory] = min(size, 8)
		for _, d := range domain.Descriptions()[1:] {
			for i := range g.sizes[d.Kind] {
				g.record(d, d.Grow(c), i)
			}
		}
		own := domain.Describe(domain.KindCatalog)
		g.record(own, own.Record(c, 0), 0)
		return repair(c)
	})
}

// Edited generates catalogues that differ from a valid one in a few added, removed, changed or
// moved records. The catalogues share records; c is not modified.
func Edited(c *domain.Catalog) *rapid.Generator[*domain.Catalog] {
	return rapid.Custom(func(t *rapid.T) *domain.Catalog {
		edited := *c
		g := &generator{t: t, c: &edited, sizes: map[domain.Kind]int{}}
		for _, d := range domain.Descriptions() {
			g.sizes[d.Kind] = d.Size(c) + 2
		}
		for _, d := range domain.Descriptions()[1:] {
			g.edit(d)
		}
		return repair(&edited)
	})
}

// EachField calls see for each field of each kind, including fields of parts.
func EachField(see func(d *domain.Description, f *domain.Field)) {
	for _, d := range domain.Descriptions() {
		seen := map[*domain.Shape]bool{}
		var walk func(s *domain.Shape)
		walk = func(s *domain.Shape) {
			if seen[s] {
				return
			}
			seen[s] = true
			for _, f := range s.Fields {
				see(d, f)
				if f.Parts != nil && f.Type != domain.TypeTable {
					walk(f.Parts)
				}
			}
		}
		walk(d.Shape)
	}
}

// WithField returns a catalogue that differs from a valid one in a field of some records of a
// kind: every sixth one, beginning with the record at index seed. c is not modified.
func WithField(c *domain.Catalog, d *domain.Description, f *domain.Field, seed int) *domain.Catalog {
	edited := *c
	g := &generator{c: &edited, sizes: map[domain.Kind]int{}}
	for _, d := range domain.Descriptions() {
		g.sizes[d.Kind] = d.Size(c)
	}
	var records []any
	for i := range d.Size(c) {
		record := d.Record(c, i)
		if i%6 == seed%6 {
			record = clone(d, record)
			r := g.seeded(d, i, uint64(seed))
			redraw(r, d.Shape, record, f)
			g.fit(r, record, i)
		}
		records = append(records, record)
	}
	fill(d, &edited, records)
	return repair(&edited)
}

// redraw changes a field of a record, or of all parts with it.
func redraw(r *domain.Random, s *domain.Shape, record any, field *domain.Field) {
	for _, f := range s.Fields {
		switch {
		case f == field:
			r.Redraw(s, f, record)
		case f.Parts != nil && f.Type != domain.TypeTable:
			for i := range f.Size(record) {
				redraw(r, f.Parts, f.Part(record, i), field)
			}
		}
	}
}

// generator generates records.
type generator struct {
	t     *rapid.T
	c     *domain.Catalog
	sizes map[domain.Kind]int // upper bounds
}

// assetExt is the extension of the files of assets.
const assetExt = ".svg"

func keyOf(d *domain.Description, i int) string {
	key := strings.ReplaceAll(d.Names[0], "-", "_") + "_" + strconv.Itoa(i)
	if d.Kind == domain.KindAsset {
		key += assetExt
	}
	return key
}

// record sets the fields of the i-th record of a kind.
func (g *generator) record(d *domain.Description, record any, i int) {
	r := g.random(d, i)
	r.Record(d.Shape, record)
	g.fit(r, record, i)
}

// random returns the source of values for the i-th record of a kind. It draws one number for all
// of them, which makes large catalogues fast.
func (g *generator) random(d *domain.Description, i int) *domain.Random {
	return g.seeded(d, i, rapid.Uint64().Draw(g.t, keyOf(d, i)))
}

func (g *generator) seeded(d *domain.Description, i int, seed uint64) *domain.Random {
	source := rand.New(rand.NewPCG(seed, uint64(i)))
	r := &domain.Random{Int: source.IntN, Own: keyOf(d, i), Locales: Locales}
	r.Key = func(kind domain.Kind, scope domain.Module) string { return g.key(r, kind, scope) }
	return r
}

// fit makes dependent fields of a record consistent.
func (g *generator) fit(r *domain.Random, record any, i int) {
	switch record := record.(type) {
	case *domain.Catalog:
		record.DefaultLocale, record.Locales = Locales[0], slices.Clone(Locales)
		if record.Site != nil {
			record.Site.Words = fitWords(record.Site.Words)
		}
		for i := range record.Expect {
			fitExpectation(&record.Expect[i])
		}
	case *domain.Group:
		record.Module = domain.Modules()[i%len(domain.Modules())]
	case *domain.Category:
		var groups []domain.ModuleGroups
		for _, module := range record.Scopes {
			groups = append(groups, domain.ModuleGroups{Module: module, Keys: []string{g.key(r, domain.KindGroup, module)}})
		}
		record.Groups = groups
	case *domain.Menu:
		for i := range record.Groups {
			trimLinks(record.Groups[i].Items)
		}
		trimLinks(record.Standalone)
	}
}

// fitWords returns the words with distinct keys and declared locales, and months of twelve.
func fitWords(all []domain.Word) []domain.Word {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(w domain.Word) bool {
		again := seen[w.Locale+w.Key]
		seen[w.Locale+w.Key] = true
		return again || w.Key == words.Months || !slices.Contains(Locales, w.Locale) || !slices.Contains(words.Keys(), w.Key)
	})
}

// fitExpectation sets a field of the kind, and a locale only for texts.
func fitExpectation(e *domain.Expectation) {
	if e.Kind == domain.KindCatalog {
		e.Kind = domain.KindChain
	}
	field := domain.Describe(e.Kind).Shape.Field(e.Field)
	if field == nil {
		e.Field, e.Fill = "", 0
	}
	if field == nil || field.Type != domain.TypeText {
		e.Locale = ""
	}
	if e.Min == 0 && e.Fill == 0 {
		e.Max = max(e.Max, 1)
	}
}

// trimLinks gives items of type link one card.
func trimLinks(items []domain.Item) {
	for i := range items {
		if it := &items[i]; it.Type == domain.ItemLink && len(it.Cards) == 0 {
			it.Type = domain.ItemCategory
		} else if it.Type == domain.ItemLink {
			it.Cards = it.Cards[:1]
		}
	}
}

// key returns the key of any record of a kind, of a group or category with a scope.
func (g *generator) key(r *domain.Random, kind domain.Kind, scope domain.Module) string {
	var keys []string
	switch kind {
	case domain.KindGroup:
		for _, group := range g.c.Groups {
			if group.Module == scope {
				keys = append(keys, group.Key)
			}
		}
	case domain.KindCategory:
		for _, category := range g.c.Categories {
			if scope == "" || slices.Contains(category.Scopes, scope) {
				keys = append(keys, category.Key)
			}
		}
	default:
		if n := g.sizes[kind]; n > 0 {
			return keyOf(domain.Describe(kind), r.Int(n))
		}
	}
	if len(keys) == 0 {
		return ""
	}
	return keys[r.Int(len(keys))]
}

// edit changes a field of some records of a kind, removes some, adds some and may change their
// order.
func (g *generator) edit(d *domain.Description) {
	var records []any
	for i := range d.Size(g.c) {
		records = append(records, d.Record(g.c, i))
	}
	edits := rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(g.t, "edits of "+string(d.Kind))
	for range edits {
		i := rapid.IntRange(0, len(records)).Draw(g.t, "which")
		switch {
		case i == len(records):
			records = append(records, d.New())
			g.record(d, records[i], g.unused(d, records[:i]))
		case rapid.IntRange(0, 4).Draw(g.t, "remove") == 4:
			records = slices.Delete(records, i, i+1)
		default:
			key := d.Key(records[i])
			nth, _ := strconv.Atoi(strings.TrimSuffix(key[strings.LastIndexByte(key, '_')+1:], assetExt))
			records[i] = clone(d, records[i])
			r := g.random(d, nth)
			r.Edit(d.Shape, records[i])
			g.fit(r, records[i], nth)
		}
	}
	if edits > 0 && len(records) > 1 && rapid.Bool().Draw(g.t, "reorder") {
		i := rapid.IntRange(0, len(records)-2).Draw(g.t, "place")
		records[i], records[i+1] = records[i+1], records[i]
	}
	fill(d, g.c, records)
}

// unused returns the number of the first unused key.
func (g *generator) unused(d *domain.Description, records []any) int {
	for i := 0; ; i++ {
		if !slices.ContainsFunc(records, func(r any) bool { return strings.HasSuffix(d.Identity(d.Key(r)), keyOf(d, i)) }) {
			return i
		}
	}
}

func fill(d *domain.Description, c *domain.Catalog, records []any) {
	d.Fill(c, len(records), func(i int) any { return records[i] })
}

// repair clears the fields in which [domain.Check] finds errors, or removes their records, and
// returns c. It changes copies of the records.
func repair(c *domain.Catalog) *domain.Catalog {
	for range 50 {
		broken := brokenIn(c)
		if len(broken) == 0 {
			return c
		}
		for _, d := range domain.Descriptions() {
			if d.Kind == domain.KindCatalog {
				for _, p := range broken[place{d.Kind, 0}] {
					d.Shape.Field(p.At.Path[0]).Clear(c)
				}
				continue
			}
			var records []any
			for i := range d.Size(c) {
				record := d.Record(c, i)
				if problems := broken[place{d.Kind, i}]; problems != nil {
					if record = clone(d, record); !clearAll(d.Shape, record, problems) {
						continue
					}
				}
				records = append(records, record)
			}
			fill(d, c, records)
		}
	}
	panic(fmt.Sprintf("the catalogue cannot be repaired: %v", brokenIn(c)))
}

// place is that of a record in a catalogue.
type place struct {
	kind  domain.Kind
	index int
}

// brokenIn returns the errors by record.
func brokenIn(c *domain.Catalog) map[place][]domain.Problem {
	broken := map[place][]domain.Problem{}
	for _, p := range domain.Check(c, domain.Reading{}).Problems {
		if p.Rule.Severity() == domain.Error {
			at := place{p.At.Kind, p.At.Index}
			broken[at] = append(broken[at], p)
		}
	}
	return broken
}

// clone returns a deep copy.
func clone(d *domain.Description, record any) any {
	body, err := d.Shape.AppendJSON(nil, record, "")
	if err != nil {
		panic(err)
	}
	copied := d.New()
	for _, f := range d.Shape.Fields {
		if f.InFileName {
			*f.Line(copied) = *f.Line(record)
		}
	}
	var decoder domain.Decoder
	if err := decoder.Decode(body, d.Shape, copied); err != nil {
		panic(err)
	}
	return copied
}

// clearAll clears the innermost optional value at each problem, and reports whether every problem
// had one.
func clearAll(s *domain.Shape, record any, problems []domain.Problem) bool {
	for _, p := range problems {
		shape, at := s, record
		var optional *domain.Field
		var owner any
		for path := p.At.Path; len(path) > 0; {
			f := shape.Field(path[0])
			if f == nil {
				break
			}
			if !shape.Requires(f, at) && !f.IsEmpty(at) {
				optional, owner = f, at
			}
			if path = path[1:]; f.Parts == nil || f.Type == domain.TypeTable {
				break
			}
			i := 0
			if f.Type == domain.TypeParts {
				if len(path) == 0 {
					break
				}
				i, _ = strconv.Atoi(path[0])
				path = path[1:]
			}
			if i >= f.Size(at) { // cleared for another problem
				break
			}
			shape, at = f.Parts, f.Part(at, i)
		}
		if optional == nil {
			return false
		}
		optional.Clear(owner)
	}
	return true
}
