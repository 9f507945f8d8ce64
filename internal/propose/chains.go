// Package propose compares what a registry says of chains with a catalogue, and proposes changes of
// its directory. What editors wrote stays, unless it is what the registry said before.
//
// It must not know how files are read or written. All functions are pure and safe for concurrent use.
package propose

import (
	"fmt"
	"slices"

	"vitrine/internal/connector"
	"vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

// Proposal is what a registry has to change in a catalogue. All lists are in the order of chain ids.
type Proposal struct {
	New     []domain.Chain // chains that the catalogue does not have
	More    int            // further new ones, beyond the limit
	Changed []Change
	Differs []connector.Loss // facts that differ from what editors wrote, which are not proposed
	Skipped []connector.Loss // records that belong to no single chain
}

// Change sets fields of a chain of the catalogue.
type Change struct {
	Index  int // of the chain
	Chain  domain.Chain
	Fields []string // in the order of the directory
}

// facts are the fields that a registry knows, in the order of the directory.
var facts = []struct {
	name string
	take func(to, from *domain.Chain)
}{
	{"status", func(to, from *domain.Chain) { to.Status = from.Status }},
	{"website", func(to, from *domain.Chain) { to.Website = from.Website }},
	{"links", func(to, from *domain.Chain) { to.Links = from.Links }},
	{"rpc", func(to, from *domain.Chain) { to.RPC = from.RPC }},
	{"native_currency", func(to, from *domain.Chain) { to.Currency = from.Currency }},
}

// Chains compares the records of a registry, as [chainid.Read] returns them, with a catalogue. before
// are its records at an earlier time, nil if they are not known: a fact that changed since then is
// proposed if the catalogue has the former one. Facts that the catalogue does not have are proposed
// for chains that are not retired. At most limit new chains are proposed, and none that is
// deprecated.
func Chains(c *domain.Catalog, now, before []chainid.Record, limit int) Proposal {
	var p Proposal
	byID, former := map[string][]int{}, map[string]domain.Chain{}
	for i := range c.Chains {
		id := domain.ChainIDKey(c.Chains[i].ChainID)
		byID[id] = append(byID[id], i)
	}
	for _, rec := range before {
		if _, twice := former[rec.ID]; !twice {
			former[rec.ID], _ = rec.Facts()
		}
	}
	slugs := chainid.NewSlugs(takenNames(c))
	for i, rec := range now {
		chains := byID[domain.ChainIDKey(rec.ID)]
		switch {
		case i > 0 && now[i-1].ID == rec.ID:
			p.Skipped = append(p.Skipped, rec.Lost(fmt.Sprintf("the registry has the chain id twice, for %q", now[i-1].Name)))
		case len(chains) > 1:
			p.Skipped = append(p.Skipped, rec.Lost("several chains of the catalogue have the id"))
		case len(chains) == 1:
			p.compare(c, chains[0], rec, former)
		case rec.Deprecated():
		case len(p.New) == limit:
			p.More++
		default:
			p.New = append(p.New, newChain(c, rec, slugs.Assign(rec)))
		}
	}
	p.skipFaulty(c)
	return p
}

// skipFaulty skips new chains with which the catalogue would have errors, such as a name that
// another record has.
func (p *Proposal) skipFaulty(c *domain.Catalog) {
	whole := *c
	whole.Chains = slices.Concat(c.Chains, p.New)
	faults := map[int]string{}
	for _, problem := range domain.Check(&whole, domain.Reading{}).Problems {
		if i := problem.At.Index - len(c.Chains); problem.At.Kind == domain.KindChain && i >= 0 && problem.Rule.Severity() == domain.Error {
			faults[i] = problem.Message
		}
	}
	var kept []domain.Chain
	for i, chain := range p.New {
		if fault, ok := faults[i]; ok {
			p.Skipped = append(p.Skipped, connector.Loss{ChainID: chain.ChainID, Name: chain.Slug, Reason: fault})
			continue
		}
		kept = append(kept, chain)
	}
	p.New = kept
}

// compare proposes changes of one chain.
func (p *Proposal) compare(c *domain.Catalog, index int, rec chainid.Record, former map[string]domain.Chain) {
	chain := c.Chains[index]
	if chain.Status.Retired() {
		return
	}
	current, _ := rec.Facts()
	last, known := former[rec.ID]
	change := Change{Index: index, Chain: chain}
	for _, fact := range facts {
		f := domain.Describe(domain.KindChain).Shape.Field(fact.name)
		switch {
		case f.IsEmpty(&current) || f.Equal(&current, &chain):
		case fact.name == "status" && !current.Status.Retired(): // an editor's word on the life of a chain stays
		case f.IsEmpty(&chain) || known && f.Equal(&last, &chain):
			change.Fields = append(change.Fields, fact.name)
			fact.take(&change.Chain, &current)
		default:
			p.Differs = append(p.Differs, connector.Loss{ChainID: chain.ChainID, Name: chain.Slug, Reason: fact.name + " is another one at the registry"})
		}
	}
	if change.Fields != nil {
		p.Changed = append(p.Changed, change)
	}
}

// newChain returns a chain of a record with its facts and its name, in the default locale of the
// catalogue.
func newChain(c *domain.Catalog, rec chainid.Record, slug string) domain.Chain {
	chain, _ := rec.Facts()
	chain.Slug, chain.ChainID = slug, rec.ID
	chain.Name = domain.Text{{Locale: c.DefaultLocale, Value: rec.Name}}
	return chain
}

// takenNames returns the names that new chains must not get, by arbitrary distinct keys.
func takenNames(c *domain.Catalog) map[string]string {
	taken := map[string]string{}
	for i := range c.Chains {
		chain := &c.Chains[i]
		for _, name := range slices.Concat([]string{chain.Slug, chain.ID}, chain.Former) {
			taken[name] = name
		}
	}
	return taken
}
