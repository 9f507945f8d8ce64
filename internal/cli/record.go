package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

// kindNames are the names of each kind, the directory's own first.
var kindNames = []struct {
	kind  catalog.Kind
	names []string
}{
	{catalog.KindCatalog, []string{"catalog", "catalogue"}},
	{catalog.KindGroup, []string{"groups", "group"}},
	{catalog.KindCategory, []string{"categories", "category"}},
	{catalog.KindChain, []string{"chains", "chain"}},
	{catalog.KindAccount, []string{"twitter", "account", "accounts", "user", "users"}},
	{catalog.KindChannel, []string{"youtube", "channel", "channels"}},
	{catalog.KindNavGroup, []string{"nav", "nav-group", "nav-groups"}},
	{catalog.KindMenu, []string{"menus", "menu"}},
}

// parseKind finds a kind by one of its names, in any case.
func parseKind(s string) (catalog.Kind, error) {
	var own, all []string
	for _, k := range kindNames {
		if slices.Contains(k.names, strings.ToLower(s)) {
			return k.kind, nil
		}
		own, all = append(own, k.names[0]), append(all, k.names...)
	}
	meant := ""
	if near := bundle.Nearest(s, all); near != "" {
		meant = fmt.Sprintf("did you mean %q? ", near)
	}
	return "", could{fmt.Errorf("there is no kind %q; %sthe kinds are: %s", s, meant, strings.Join(own, ", "))}
}

// recordArgs name a record and, optionally, the revision that it is of.
type recordArgs struct {
	Kind string `arg:"" help:"catalog, groups, categories, chains, twitter, youtube, nav or menus."`
	Key  string `arg:"" optional:"" name:"key[@rev]" help:"The record's key, slug, handle, channel id or path slug; groups are module/key; the catalogue has none. @REV is a revision's number (default: what is served now)."`
}

// selector is what recordArgs mean; revision 0 is the head.
type selector struct {
	kind     catalog.Kind
	key      string
	revision int64
}

func (a recordArgs) parse() (selector, error) {
	kind, err := parseKind(a.Kind)
	if err != nil {
		return selector{}, err
	}
	sel := selector{kind: kind, key: a.Key}
	if kind == catalog.KindAccount {
		sel.key = strings.TrimPrefix(sel.key, "@")
	}
	key, number, found := strings.Cut(sel.key, "@")
	if found {
		if sel.revision, err = parseRevision(number); err != nil {
			return selector{}, err
		}
		sel.key = key
	}
	switch {
	case kind != catalog.KindCatalog && sel.key == "":
		return selector{}, could{fmt.Errorf("name the record: vitrine ... %s KEY", kind)}
	case kind == catalog.KindCatalog && sel.key != "" && sel.key != string(catalog.KindCatalog):
		return selector{}, could{fmt.Errorf("the catalogue's own fields have no key: leave %q out", sel.key)}
	case kind == catalog.KindCatalog:
		sel.key = string(catalog.KindCatalog)
	}
	return sel, nil
}

// parseRevision reads a revision's number.
func parseRevision(s string) (int64, error) {
	number, err := strconv.ParseInt(s, 10, 64)
	if err != nil || number < 1 {
		return 0, could{fmt.Errorf("%q is not the number of a revision; vitrine history lists them", s)}
	}
	return number, nil
}

// find returns the index of the record in the catalogue of a revision.
func (sel selector) find(c *catalog.Catalog, of store.Revision) (int, error) {
	keys := keysOf(c, sel.kind)
	want := store.RecordKey(sel.kind, sel.key)
	folded := -1
	for i, key := range keys {
		switch key = store.RecordKey(sel.kind, key); {
		case key == want:
			return i, nil
		case strings.EqualFold(key, want):
			folded = i
		}
	}
	if folded >= 0 {
		return folded, nil
	}
	return 0, fmt.Errorf("%s has no record %q in revision %d%s", sel.kind, sel.key, of.Number, suggest(sel.key, keys))
}

// suggest names the keys that one may have been meant to be.
func suggest(key string, keys []string) string {
	const few = 5
	var near []string
	if nearest := bundle.Nearest(key, keys); nearest != "" {
		near = append(near, nearest)
	}
	for _, k := range keys {
		if len(near) < few && !slices.Contains(near, k) && strings.Contains(strings.ToLower(k), strings.ToLower(key)) {
			near = append(near, k)
		}
	}
	switch {
	case len(near) > 0:
		return "; did you mean " + strings.Join(near, ", ") + "?"
	case len(keys) == 0:
		return "; it has none"
	case len(keys) <= few:
		return "; it has " + strings.Join(keys, ", ")
	}
	return fmt.Sprintf("; it has %s others", grouped(len(keys)))
}

// keysOf returns the keys of the records of a kind, in the catalogue's order,
// as differences name them; the catalogue itself is called by its kind.
func keysOf(c *catalog.Catalog, kind catalog.Kind) []string {
	switch kind {
	case catalog.KindGroup:
		return names(c.Groups, func(g catalog.Group) string { return string(g.Module) + "/" + g.Key })
	case catalog.KindCategory:
		return names(c.Categories, func(c catalog.Category) string { return c.Key })
	case catalog.KindChain:
		return names(c.Chains, func(c catalog.Chain) string { return c.Slug })
	case catalog.KindAccount:
		return names(c.Accounts, func(a catalog.Account) string { return a.Handle })
	case catalog.KindChannel:
		return names(c.Channels, func(c catalog.Channel) string { return c.ChannelID })
	case catalog.KindNavGroup:
		return names(c.NavGroups, func(g catalog.NavGroup) string { return g.Key })
	case catalog.KindMenu:
		return names(c.Menus, func(m catalog.Menu) string { return m.PathSlug })
	}
	return []string{string(catalog.KindCatalog)}
}

func names[R any](records []R, name func(R) string) []string {
	out := make([]string, len(records))
	for i, r := range records {
		out[i] = name(r)
	}
	return out
}
