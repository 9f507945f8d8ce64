package chainid

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/connector"
)

// classifier determines the categories of chains, by the rules of catalog/chains-import.md. It
// needs all records, because the categories of a chain depend on its parent.
//
// In a dimension with one category (layer, virtual machine, stack, settlement), a reviewed fact
// overrides all other sources. Without one, the sources must agree; a contradiction is an error.
// Ecosystems are the union of all sources.
type classifier struct {
	facts      map[string]Fact
	superchain map[string]SuperchainChain
	records    map[string]record
	networks   map[string]Network // of the same records
}

// standing has the categories of a chain except its ecosystems.
type standing struct {
	layer, vm, stack, settlement string // "" if unknown
	parentSettlement             string // the settlement category of the record's parent, "" for none
}

// classify returns the categories of a record in the order of the taxonomy, and the claims that
// were omitted. The error names two exclusive categories and their sources.
func (c *classifier) classify(rec record) ([]string, []connector.Loss, error) {
	st, lost, err := c.stand(rec)
	if err != nil {
		return nil, nil, fmt.Errorf("chain %s %q: %w", rec.ID, rec.Name, err)
	}
	one := []string{string(c.networks[rec.ID]), st.layer, st.vm, st.stack, st.settlement}
	many := c.ecosystems(rec, map[string]bool{})
	var out []string
	for _, d := range dimensions {
		keys := one
		if d.several {
			keys = many
		}
		out = append(out, d.within(keys)...)
	}
	return out, lost, nil
}

// stand determines virtual machine, stack, layer and settlement, in this order, because each may
// depend on the previous ones.
func (c *classifier) stand(rec record) (st standing, lost []connector.Loss, err error) {
	claims := slices.Concat(registryClaims(), hostClaims(rec), shortNameClaims(rec), c.superchainClaims(rec))
	parent, lost := c.parentClaims(rec)
	for _, cl := range parent {
		if d, _ := dimensionOf(cl.key); d == bySettlement {
			st.parentSettlement = cl.key
		}
	}
	claims = append(claims, parent...)
	if st.vm, err = c.decide(rec, byVM, claims); err != nil {
		return st, lost, err
	}
	if st.stack, err = c.decide(rec, byStack, claims); err != nil {
		return st, lost, err
	}
	if st.stack == avalancheL1 {
		claims = append(claims, claim{layer1, "an Avalanche L1 has validators of its own"})
	}
	if st.layer, err = c.decide(rec, byLayer, claims); err != nil {
		return st, lost, err
	}
	if !settles(st.layer) {
		return st, lost, nil
	}
	if st.settlement, err = c.decide(rec, bySettlement, claims); err != nil {
		return st, lost, err
	}
	if st.settlement != "" {
		lost = nil // a better source than the parent knows it
	}
	if network := c.networks[rec.ID]; st.settlement != "" && (st.settlement == onTestnet) != (network == Testnet) {
		err = fmt.Errorf("a %s has %s; one of the two is wrong", network, st.settlement)
	}
	return st, lost, err
}

// decide returns the category of a record in a dimension with one category: the reviewed one, else
// the one that all claims agree on, else "".
func (c *classifier) decide(rec record, dim int, claims []claim) (string, error) {
	if keys := dimensions[dim].within(c.fact(rec)); len(keys) > 0 {
		return keys[0], nil
	}
	var first claim
	for _, cl := range claims {
		if d, _ := dimensionOf(cl.key); d != dim || cl.key == first.key {
			continue
		}
		if first.key != "" {
			return "", fmt.Errorf("%s (%s) and %s (%s) exclude each other; settle it with a reviewed fact",
				first.key, first.because, cl.key, cl.because)
		}
		first = cl
	}
	return first.key, nil
}

// fact returns the reviewed categories of a record, nil for none. A fact applies while the chain has
// the reviewed name, because ids are reused.
func (c *classifier) fact(rec record) []string {
	if f, ok := c.facts[rec.ID]; ok && f.Name == rec.Name {
		return f.Categories
	}
	return nil
}

// parentClaims returns the claims that follow from the parent in the registry.
func (c *classifier) parentClaims(rec record) ([]claim, []connector.Loss) {
	if !rec.Parent.SettlesOn() {
		return nil, nil
	}
	parent, ok := c.records[rec.Parent.ID()]
	if !ok || parent.ID == rec.ID {
		return []claim{{layer2, "parent.type L2"}}, []connector.Loss{rec.Lost(fmt.Sprintf("settlement: the registry has no other chain %.80q", rec.Parent.Chain))}
	}
	layer := claim{layer2, "parent.type L2"}
	if c.settlesItself(parent) {
		layer = claim{layer3, fmt.Sprintf("parent.type L2, and the parent %q is a layer 2", parent.Name)}
	}
	network, below := c.networks[rec.ID], c.networks[parent.ID]
	if network != below {
		return []claim{layer}, []connector.Loss{rec.Lost(fmt.Sprintf("settlement: a %s does not settle on a %s (%s %q)", network, below, parent.ID, parent.Name))}
	}
	settlement := onOther
	if known, ok := settlements[parent.ID]; ok {
		settlement = known
	}
	if below == Testnet {
		settlement = onTestnet
	}
	return []claim{layer, {settlement, fmt.Sprintf("parent.chain %s", rec.Parent.Chain)}}, nil
}

// settlesItself reports whether a chain is a layer 2 or 3, without looking at its parent.
func (c *classifier) settlesItself(rec record) bool {
	if layers := dimensions[byLayer].within(c.fact(rec)); len(layers) > 0 {
		return settles(layers[0])
	}
	_, member := c.superchain[rec.ID]
	return member || rec.Parent.SettlesOn()
}

// superchainClaims returns the claims of the registry of the Superchain.
func (c *classifier) superchainClaims(rec record) []claim {
	member, ok := c.superchain[rec.ID]
	if !ok {
		return nil
	}
	because := "the registry of the Superchain"
	settlement := onEthereum
	if member.Network == Testnet {
		settlement = onTestnet
	}
	return []claim{{opStack, because}, {layer2, because}, {settlement, because}}
}

// ecosystems returns the ecosystems of a record, unordered and with duplicates: those of its stack,
// its settlement, the registry of the Superchain, its reviewed fact and its settlement chain, also
// for test networks. The Superchain is not inherited. visited stops cycles of parents.
func (c *classifier) ecosystems(rec record, visited map[string]bool) []string {
	visited[rec.ID] = true
	out := slices.Clone(dimensions[byEcosystem].within(c.fact(rec)))
	if _, member := c.superchain[rec.ID]; member {
		out = append(out, ethereumEcosystem, superchain)
	}
	st, _, err := c.stand(rec)
	if err != nil {
		return out // said when the record itself is classified
	}
	out = append(out, ecosystemsOfStack[st.stack]...)
	out = append(out, ecosystemsOfSettlement[st.settlement]...)
	parent, ok := c.records[rec.Parent.ID()]
	if !ok || visited[parent.ID] || !rec.Parent.SettlesOn() || !settles(st.layer) || st.settlement != st.parentSettlement {
		return out
	}
	for _, key := range c.ecosystems(parent, visited) {
		if key != superchain {
			out = append(out, key)
		}
	}
	return out
}

// contradiction returns an error for a set of categories that contradict each other, else nil.
func contradiction(keys []string) error {
	for _, d := range dimensions {
		if had := d.within(keys); !d.several && len(had) > 1 {
			return fmt.Errorf("%s exclude each other", strings.Join(had, " and "))
		}
	}
	layers, settlement := dimensions[byLayer].within(keys), dimensions[bySettlement].within(keys)
	if len(settlement) > 0 && (len(layers) == 0 || !settles(layers[0])) {
		return fmt.Errorf("%s is for chains with layer-2 or layer-3", settlement[0])
	}
	return nil
}
