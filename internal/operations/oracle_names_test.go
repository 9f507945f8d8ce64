package operations_test

// The oracle's rules of names (docs/api.md#names).

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// nameable is a record with all its names.
type nameable struct {
	key    string
	own    [][]string // the key, then the names of each rank
	labels []string
	status domain.Status
	exact  bool   // own names are case-sensitive
	id     string // the id of a chain
}

func keysOf(all []nameable) []string {
	var keys []string
	for _, n := range all {
		keys = append(keys, n.key)
	}
	return keys
}

// resolve returns the key of the record that a name means. If several records have it as their
// own name, the first one wins.
func resolve(all []nameable, name string) (string, bool) {
	for rank := range 4 {
		for _, n := range all {
			if rank >= len(n.own) {
				continue
			}
			for _, own := range n.own[rank] {
				if own == name || !n.exact && folded(own) == folded(name) {
					return n.key, true
				}
			}
		}
	}
	for _, n := range all {
		if number := comparable(name); isDecimal(number) && comparable(n.id) == number {
			return n.key, true
		}
	}
	for _, form := range []func(string) string{folded, inPath} {
		var keys []string
		for _, n := range all {
			if n.status != domain.StatusRetired && slices.ContainsFunc(n.labels, func(label string) bool { return form(label) == folded(name) }) {
				keys = append(keys, n.key)
			}
		}
		if len(keys) > 0 {
			return keys[0], len(keys) == 1
		}
	}
	return "", false
}

// inPath returns a label as paths write it, "" for a label that paths cannot have.
func inPath(label string) string {
	if label = folded(label); isASCII(label) {
		return strings.ReplaceAll(label, " ", "-")
	}
	return "\x00"
}

// chainNames returns the names of all chains in the default order, retired chains last.
func (o oracle) chainNames() []nameable {
	var all []nameable
	for _, c := range o.sortedChains(o.catalog.DefaultLocale, "tvl", "desc") {
		all = append(all, nameable{
			key: c.Slug, own: [][]string{{c.Slug}, {c.ID}, chainIDs(c.ChainID), c.Former},
			labels: append(values(c.Name), c.Aliases...), status: c.Status, id: c.ChainID,
		})
	}
	slices.SortStableFunc(all, func(a, b nameable) int {
		return cmp.Compare(o.last(nil, a.status), o.last(nil, b.status))
	})
	return all
}

// chainIDs returns the spellings of a chain id that paths accept.
func chainIDs(id string) []string {
	if number := comparable(id); number != folded(id) || !strings.Contains(id, ":") && isDecimal(id) {
		n, _ := decimal(number)
		return []string{id, number, "0x" + n.Text(16), "eip155:" + number}
	}
	return []string{id}
}

func isDecimal(s string) bool {
	_, ok := decimal(s)
	return ok
}

// comparable returns a canonical form of an id: the number for a numeric id or one of the eip155
// namespace.
func comparable(id string) string {
	if n, ok := decimal(strings.TrimPrefix(folded(id), "eip155:")); ok {
		return n.String()
	}
	if digits, ok := strings.CutPrefix(folded(id), "0x"); ok && strings.Trim(digits, "0123456789abcdef") == "" {
		if n, ok := new(big.Int).SetString(digits, 16); ok {
			return n.String()
		}
	}
	return folded(id)
}

func (o oracle) accountNames() []nameable {
	var all []nameable
	for _, a := range o.catalog.Accounts {
		all = append(all, nameable{key: a.Handle, own: [][]string{{a.Handle}, a.Former}, labels: []string{a.Name}})
	}
	return all
}

func (o oracle) channelNames() []nameable {
	var all []nameable
	for _, c := range o.catalog.Channels {
		all = append(all, nameable{key: c.ChannelID, own: [][]string{{c.ChannelID}}, labels: []string{c.Name}, exact: true})
	}
	return all
}
