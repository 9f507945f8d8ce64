package catalog

import (
	"reflect"
	"slices"
	"strings"
)

// Op says what happened to a record.
type Op string

// The operations. Reordered is of a list as a whole, not of a record.
const (
	Added     Op = "added"
	Removed   Op = "removed"
	Changed   Op = "changed"
	Reordered Op = "reordered"
)

// Change is what happened to one record. Key is the record's key, slug, handle
// or channel id, `module/key` for dimension groups and "" for the catalogue's
// own fields. Fields has what differs, in the order of the record's fields,
// when Op is Changed; it is nil when a record is Added or Removed. Reordered
// has Key "" and one field, with an empty Path: the keys that both catalogues
// have, in the order of each.
type Change struct {
	Kind   Kind
	Key    string
	Op     Op
	Fields []FieldChange
}

// FieldChange is one difference within a record. Path has the names that the
// editors write: `name.zh-hans`, `llama_tvl.value`, `categories`,
// `groups[basics].items[wallets].cards[https://example.org].title.en`; parts
// of a menu that bear the same name are told apart by number, `items[wallets#2]`.
// Old and New are the values as text, "" where there is none. A part of a
// menu that is new or gone is one change, whose value is what it is called; a
// list of parts in another order is one change, whose values are the names of
// the parts that both have.
type FieldChange struct {
	Path     string
	Old, New string
}

// Diff returns what makes new of old, ordered by kind and then by key; nil
// when nothing does. A nil catalogue is an empty one.
//
// Every field counts, and so does every order in which something is served or
// written: of locales, of nav groups, of the lists within a record. The order
// of dimension groups, categories, chains, accounts, channels and menus is no
// difference, because responses sort them by rules of their own. A record is
// known by its key, byte for byte: another key is another record.
func Diff(old, new *Catalog) []Change {
	old, new = orEmpty(old), orEmpty(new)
	return slices.Concat(
		diffRecords(KindCatalog, []Catalog{*old}, []Catalog{*new}, func(Catalog) string { return "" }, catalogParts),
		diffRecords(KindGroup, old.Groups, new.Groups, groupKey, groupParts),
		diffRecords(KindCategory, old.Categories, new.Categories, func(c Category) string { return c.Key }, categoryParts),
		diffRecords(KindChain, old.Chains, new.Chains, func(c Chain) string { return c.Slug }, chainParts),
		diffRecords(KindAccount, old.Accounts, new.Accounts, func(a Account) string { return a.Handle }, accountParts),
		diffRecords(KindChannel, old.Channels, new.Channels, func(c Channel) string { return c.ChannelID }, channelParts),
		diffNavOrder(old.NavGroups, new.NavGroups),
		diffRecords(KindNavGroup, old.NavGroups, new.NavGroups, navGroupKey, navGroupParts),
		diffRecords(KindMenu, old.Menus, new.Menus, func(m Menu) string { return m.PathSlug }, menuParts),
	)
}

func orEmpty(c *Catalog) *Catalog {
	if c == nil {
		return &Catalog{}
	}
	return c
}

func groupKey(g Group) string       { return string(g.Module) + "/" + g.Key }
func navGroupKey(g NavGroup) string { return g.Key }

// diffRecords compares two lists of records without regard to their order.
func diffRecords[R any](kind Kind, old, new []R, key func(R) string, parts func(R) []part) []Change {
	var changes []Change
	for _, p := range match(old, new, key) {
		c := Change{Kind: kind, Key: p.name.String()}
		switch {
		case p.old == nil:
			c.Op = Added
		case p.new == nil:
			c.Op = Removed
		case equal(p.old, p.new): // nearly always, and much cheaper
			continue
		default:
			c.Op, c.Fields = Changed, diffParts("", parts(*p.old), parts(*p.new))
			if c.Fields == nil {
				continue
			}
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return strings.Compare(a.Key, b.Key) })
	return changes
}

// equal reports whether two records are the same.
func equal[R any](a, b *R) bool {
	if a, ok := any(a).(interface{ Equal(*R) bool }); ok {
		return a.Equal(b)
	}
	return reflect.DeepEqual(a, b)
}

func diffNavOrder(old, new []NavGroup) []Change {
	f, moved := diffOrder("", match(old, new, navGroupKey))
	if !moved {
		return nil
	}
	return []Change{{Kind: KindNavGroup, Op: Reordered, Fields: []FieldChange{f}}}
}
