package chainid

import (
	"fmt"
	"maps"
	"slices"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// end marks the chains that ended, and counts by status. What was reviewed holds for as long as the chain
// has the name that it was reviewed under: ids are reused.
func (c *conversion) end() {
	for _, id := range slices.Sorted(maps.Keys(c.opts.Endings)) {
		i, ok := c.index[id]
		ending := c.opts.Endings[id]
		if !ok || c.byID[id].Name != ending.Name {
			continue // which is reported
		}
		ch := &c.chains[i]
		ch.Status, ch.StatusSince, ch.StatusNote = domain.StatusRetired, ending.Since, ending.Note
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

// settle gives the chains their parents: the registry's or, where it names none, the
// chain of the category that says what the chain settles on. A chain whose categories
// say that it settles on none has none, save that a shard is a part of its parent.
func (c *conversion) settle() {
	for i := range c.chains {
		rec := c.byID[c.chains[i].ChainID]
		layers := dimensions[byLayer].within(c.chains[i].Categories)
		switch parent := rec.Parent.id(); {
		case rec.Parent.Chain == "":
			c.settleByCategory(i)
		case parent == "":
			c.lose(rec.lost(fmt.Sprintf("parent: %.80q is no EVM chain", rec.Parent.Chain)))
		case c.kinds[parent] != "" && c.kinds[parent] != c.kinds[rec.id]:
			c.lose(rec.lost(fmt.Sprintf("parent: a %s is not built on a %s (%s %q)", c.kinds[rec.id], c.kinds[parent], parent, c.byID[parent].Name)))
		case rec.Parent.settlesOn() && len(layers) > 0 && !settles(layers[0]):
			c.lose(rec.lost(fmt.Sprintf("parent: a %s does not settle on a chain", layers[0])))
		default:
			c.refer(i, parent, "parent", func(ch *domain.Chain) *string { return &ch.Parent })
		}
	}
}

// settleByCategory has chain i settle on what its categories say, which is one chain at
// most.
func (c *conversion) settleByCategory(i int) {
	for id, key := range settlements {
		if slices.Contains(c.chains[i].Categories, key) {
			c.refer(i, id, "parent", func(ch *domain.Chain) *string { return &ch.Parent })
		}
	}
}

// refer has a field of chain i name the chain with an id, unless there is none or it
// would lead back to chain i.
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
