package store

import (
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json"

	"vitrine/internal/catalog"
)

// Row is one record of a catalogue as an engine keeps it.
type Row struct {
	Kind     catalog.Kind
	Key      string // names the record over all revisions; unique within its kind
	Position int    // from 0, the record's place among those of its kind
	Body     []byte // a JSON object; engines treat it as opaque
}

// Kinds returns the kinds of rows in the order in which [Rows] yields them.
func Kinds() []catalog.Kind {
	return []catalog.Kind{
		catalog.KindCatalog, catalog.KindGroup, catalog.KindCategory, catalog.KindChain,
		catalog.KindAccount, catalog.KindChannel, catalog.KindNavGroup, catalog.KindMenu,
	}
}

// Rows yields the rows of a catalogue, by kind, then position. It stops after
// the first error: a text that is not UTF-8 or a number that is not finite,
// neither of which a checked catalogue has. Bodies belong to the caller.
func Rows(c *catalog.Catalog) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		_ = rows(catalog.KindCatalog, []*catalog.Catalog{c}, catalogKey, fromCatalog, yield) &&
			rows(catalog.KindGroup, c.Groups, groupKey, fromGroup, yield) &&
			rows(catalog.KindCategory, c.Categories, categoryKey, fromCategory, yield) &&
			rows(catalog.KindChain, c.Chains, chainKey, fromChain, yield) &&
			rows(catalog.KindAccount, c.Accounts, accountKey, fromAccount, yield) &&
			rows(catalog.KindChannel, c.Channels, channelKey, fromChannel, yield) &&
			rows(catalog.KindNavGroup, c.NavGroups, navGroupKey, fromNavGroup, yield) &&
			rows(catalog.KindMenu, c.Menus, menuKey, fromMenu, yield)
	}
}

func rows[R, B any](
	kind catalog.Kind, records []R, key func(R) string, body func(R) B, yield func(Row, error) bool,
) (more bool) {
	for i, record := range records {
		row := Row{Kind: kind, Key: key(record), Position: i}
		var err error
		if row.Body, err = json.Marshal(body(record)); err != nil {
			yield(Row{}, fmt.Errorf("encode %s %q: %w", kind, row.Key, err))
			return false
		}
		if !yield(row, nil) {
			return false
		}
	}
	return true
}

// A key is what the rules of a catalogue call unique. Handles are compared
// folded, so a handle whose case changes is still the same record.

func catalogKey(*catalog.Catalog) string    { return "catalog" }
func groupKey(g catalog.Group) string       { return string(g.Module) + "/" + g.Key }
func categoryKey(c catalog.Category) string { return c.Key }
func chainKey(c catalog.Chain) string       { return c.Slug }
func accountKey(a catalog.Account) string   { return strings.ToLower(a.Handle) }
func channelKey(c catalog.Channel) string   { return c.ChannelID }
func navGroupKey(g catalog.NavGroup) string { return g.Key }
func menuKey(m catalog.Menu) string         { return m.PathSlug }

// Builder makes a catalogue of rows. The zero value is ready; a Builder is for
// one goroutine.
type Builder struct {
	catalog catalog.Catalog
	headed  bool
}

// Add takes the next row. The rows of a kind come in the order of their
// positions; the order of kinds does not matter. A row of an unknown kind, a
// second catalogue or a body of another shape is an error, which says what a
// damaged or foreign database holds. Row.Body is not kept.
func (b *Builder) Add(row Row) error {
	if err := b.add(row); err != nil {
		return fmt.Errorf("decode %s %q: %w", row.Kind, row.Key, err)
	}
	return nil
}

func (b *Builder) add(row Row) error {
	c := &b.catalog
	switch row.Kind {
	case catalog.KindCatalog:
		return b.head(row.Body)
	case catalog.KindGroup:
		return appendRecord(&c.Groups, row.Body, groupRow.record)
	case catalog.KindCategory:
		return appendRecord(&c.Categories, row.Body, categoryRow.record)
	case catalog.KindChain:
		return appendRecord(&c.Chains, row.Body, chainRow.record)
	case catalog.KindAccount:
		return appendRecord(&c.Accounts, row.Body, accountRow.record)
	case catalog.KindChannel:
		return appendRecord(&c.Channels, row.Body, channelRow.record)
	case catalog.KindNavGroup:
		return appendRecord(&c.NavGroups, row.Body, navGroupRow.record)
	case catalog.KindMenu:
		return appendRecord(&c.Menus, row.Body, menuRow.record)
	}
	return fmt.Errorf("no record is of the kind %q", row.Kind)
}

func (b *Builder) head(body []byte) error {
	if b.headed {
		return fmt.Errorf("there is a second %s row", catalog.KindCatalog)
	}
	var row catalogRow
	if err := unmarshal(body, &row); err != nil {
		return err
	}
	row.setOn(&b.catalog)
	b.headed = true
	return nil
}

func appendRecord[B, R any](to *[]R, body []byte, record func(B) R) error {
	var row B
	if err := unmarshal(body, &row); err != nil {
		return err
	}
	*to = append(*to, record(row))
	return nil
}

// unmarshal refuses members that it does not know: dropping them in silence
// would serve less than was published.
func unmarshal(body []byte, into any) error {
	return json.Unmarshal(body, into, json.RejectUnknownMembers(true))
}

// Catalog returns the catalogue of the rows, which is the caller's from then
// on. Lists without records are nil. It is an error if no row held the
// catalogue's own fields.
func (b *Builder) Catalog() (*catalog.Catalog, error) {
	if !b.headed {
		return nil, fmt.Errorf("there is no %s row", catalog.KindCatalog)
	}
	return &b.catalog, nil
}
