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

// parseKind finds a kind by one of its names, in any case.
func parseKind(s string) (catalog.Kind, error) {
	var own, all []string
	for _, d := range catalog.Descriptions() {
		names := append([]string{string(d.Kind)}, d.Names...) // the directory's own first
		if slices.Contains(names, strings.ToLower(s)) {
			return d.Kind, nil
		}
		own, all = append(own, names[0]), append(all, names...)
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
	if kind == catalog.KindCatalog {
		return []string{string(kind)}
	}
	return catalog.Describe(kind).Keys(c)
}
