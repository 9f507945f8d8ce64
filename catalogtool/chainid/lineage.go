package chainid

import (
	"fmt"
	"maps"
	"slices"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// end applies the endings, and counts the chains by status. An ending applies while the chain has the
// reviewed name, because ids are reused.
func (c *conversion) end() {
	for _, id := range slices.Sorted(maps.Keys(c.opts.Endings)) {
		i, ok := c.index[id]
		ending := c.opts.Endings[id]
		if !ok || c.byID[id].Name != ending.Name {
			continue // unused reports it
		}
		ch := &c.chains[i]
		ch.Status, ch.StatusSince, ch.StatusNote = domain.StatusRetired, ending.Since, ending.Note
		c.cite(id, "status", ending.Source)
		if ending.Successor != "" {
			c.refer(i, ending.Successor, "successor", func(ch *domain.Chain) *string { return &ch.Successor })
		}
	}
	for _, ch := range c.chains {
		switch ch.Status {
		case domain.StatusUpcoming:
			c.report.Upcoming++
		case domain.StatusRetired:
			c.report.Retired++
		}
	}
}

// settle sets the parents of chains: the reviewed one, else the registry's, else the chain of the settlement
// category. A chain of a layer that does not settle gets no parent, unless it is a shard.
func (c *conversion) settle() {
	for i := range c.chains {
		rec := c.byID[c.chains[i].ChainID]
		layers := dimensions[byLayer].within(c.chains[i].Categories)
		parent := rec.Parent.ID()
		fact := c.opts.Facts[rec.ID]
		if fact.Name == rec.Name && fact.Parent != "" {
			parent = fact.Parent
		}
		switch {
		case rec.Parent.Chain == "" && parent == "":
			c.settleByCategory(i)
		case parent == "":
			c.lose(rec.Lost(fmt.Sprintf("parent: %.80q is no EVM chain", rec.Parent.Chain)))
		case c.networks[parent] != "" && c.networks[parent] != c.networks[rec.ID]:
			c.lose(rec.Lost(fmt.Sprintf("parent: a %s is not built on a %s (%s %q)", c.networks[rec.ID], c.networks[parent], parent, c.byID[parent].Name)))
		case rec.Parent.SettlesOn() && len(layers) > 0 && !settles(layers[0]):
			c.lose(rec.Lost(fmt.Sprintf("parent: a %s does not settle on a chain", layers[0])))
		default:
			c.refer(i, parent, "parent", func(ch *domain.Chain) *string { return &ch.Parent })
		}
	}
}

// settleByCategory sets the parent of chain i by its settlement category, of which it has at most one.
func (c *conversion) settleByCategory(i int) {
	for id, key := range settlements {
		if slices.Contains(c.chains[i].Categories, key) {
			c.refer(i, id, "parent", func(ch *domain.Chain) *string { return &ch.Parent })
		}
	}
}

// refer sets a field of chain i to the slug of the chain with the id. It reports a loss if that chain
// does not exist or leads back to chain i.
func (c *conversion) refer(i int, id, what string, field func(*domain.Chain) *string) {
	refuse := func(reason string) {
		c.lose(connector.Loss{ChainID: c.chains[i].ChainID, Name: c.byID[c.chains[i].ChainID].Name, Reason: what + ": " + reason})
	}
	to, ok := c.index[id]
	if !ok {
		refuse(c.absent(id) + " " + id)
		return
	}
	for at := to; ; at = c.bySlug[*field(&c.chains[at])] {
		if at == i {
			refuse(fmt.Sprintf("%s leads back to it", id))
			return
		}
		if *field(&c.chains[at]) == "" {
			break
		}
	}
	*field(&c.chains[i]) = c.chains[to].Slug
}
