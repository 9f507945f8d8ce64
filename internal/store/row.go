package store

import (
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json"

	"vitrine/internal/catalog"
)

// Row is one record of the editors' layer as an engine keeps it.
type Row struct {
	Kind catalog.Kind
	Key  string // names the record over all revisions; unique within its kind

	// Position is the record's place among those of its kind, from 0, where
	// their order is served or exported, which is that of nav groups. It is 0 for
	// all others, so that one record more is one version more.
	Position int

	Body   []byte // a JSON object, opaque to engines; nil where the record is gone
	Origin string // where editors wrote it, as `file:line`, "" when not known
}

// Kinds returns the kinds of rows in the order in which [Rows] yields them.
func Kinds() []catalog.Kind {
	return []catalog.Kind{
		catalog.KindCatalog, catalog.KindGroup, catalog.KindCategory, catalog.KindChain,
		catalog.KindAccount, catalog.KindChannel, catalog.KindNavGroup, catalog.KindMenu,
	}
}

// Rows yields the rows of a catalogue, by kind, then in the catalogue's order.
// Origin, which may be nil, is as in [Draft]. It stops after the first error: a
// text that is not UTF-8 or a number that is not finite, neither of which a
// checked catalogue has. Bodies belong to the caller.
func Rows(c *catalog.Catalog, origin func(kind catalog.Kind, index int) string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		w := rowWriter{origin: origin, yield: yield}
		_ = rows(w, catalog.KindCatalog, []*catalog.Catalog{c}, catalogKey, fromCatalog) &&
			rows(w, catalog.KindGroup, c.Groups, groupKey, fromGroup) &&
			rows(w, catalog.KindCategory, c.Categories, categoryKey, fromCategory) &&
			rows(w, catalog.KindChain, c.Chains, chainKey, fromChain) &&
			rows(w, catalog.KindAccount, c.Accounts, accountKey, fromAccount) &&
			rows(w, catalog.KindChannel, c.Channels, channelKey, fromChannel) &&
			rows(w, catalog.KindNavGroup, c.NavGroups, navGroupKey, fromNavGroup) &&
			rows(w, catalog.KindMenu, c.Menus, menuKey, fromMenu)
	}
}

type rowWriter struct {
	origin func(kind catalog.Kind, index int) string
	yield  func(Row, error) bool
}

func rows[R, B any](w rowWriter, kind catalog.Kind, records []R, key func(R) string, body func(R) B) (more bool) {
	for i, record := range records {
		row := Row{Kind: kind, Key: key(record)}
		if kind == catalog.KindNavGroup {
			row.Position = i
		}
		if w.origin != nil {
			row.Origin = w.origin(kind, i)
		}
		var err error
		if row.Body, err = json.Marshal(body(record)); err != nil {
			w.yield(Row{}, fmt.Errorf("encode %s %q: %w", kind, row.Key, err))
			return false
		}
		if !w.yield(row, nil) {
			return false
		}
	}
	return true
}

// A key is what the rules of a catalogue call unique. Handles are compared
// folded, so a handle whose case changes is still the same record.

func catalogKey(*catalog.Catalog) string    { return string(catalog.KindCatalog) }
func groupKey(g catalog.Group) string       { return string(g.Module) + "/" + g.Key }
func categoryKey(c catalog.Category) string { return c.Key }
func chainKey(c catalog.Chain) string       { return c.Slug }
func accountKey(a catalog.Account) string   { return strings.ToLower(a.Handle) }
func channelKey(c catalog.Channel) string   { return c.ChannelID }
func navGroupKey(g catalog.NavGroup) string { return g.Key }
func menuKey(m catalog.Menu) string         { return m.PathSlug }

// RecordKey returns the key of the row of a record that is called key: handles
// in any case name the same account.
func RecordKey(kind catalog.Kind, key string) string {
	if kind == catalog.KindAccount {
		return accountKey(catalog.Account{Handle: key})
	}
	return key
}

// decode reads a body. It refuses members that it does not know: dropping them
// in silence would serve less than was published.
func decode[B any](body []byte) (B, error) {
	var row B
	err := json.Unmarshal(body, &row, json.RejectUnknownMembers(true))
	return row, err
}
