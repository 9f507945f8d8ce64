package preview

import (
	"bytes"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// operation is a request that is compared in every locale.
type operation struct {
	name, path string
	compare    func(in inLocale) Changes
}

// lists are the operations for the lists of records, with the member that has the rows.
var lists = []struct {
	name, path string
	kind       query.Kind
	rows       string
}{
	{"listTwitterUsers", "/api/open/twitter/users", query.KindUser, "users"},
	{"listChains", "/api/open/chains", query.KindChain, "chains"},
	{"listYouTubeChannels", "/api/open/youtube/channels", query.KindChannel, "channels"},
	{"listCards", "/api/open/nav/cards", query.KindCard, "cards"},
	{"listApps", "/api/open/apps", query.KindApp, "apps"},
}

// details are the operations for one record.
var details = []struct {
	name, path string
	kind       query.Kind
	of         domain.Kind
}{
	{"getNavGroup", "/api/open/nav/groups/{slug}", query.KindNavGroup, domain.KindNavGroup},
	{"getNavMenu", "/api/open/nav/menus/{pathSlug}", query.KindMenu, domain.KindMenu},
	{"getChain", "/api/open/chains/{chain}", query.KindChain, domain.KindChain},
	{"getTwitterUser", "/api/open/twitter/users/{handle}", query.KindUser, domain.KindAccount},
	{"getYouTubeChannel", "/api/open/youtube/channels/{channelId}", query.KindChannel, domain.KindChannel},
	{"getApp", "/api/open/apps/{app}", query.KindApp, domain.KindApp},
}

// table returns all requests that are compared.
func (c *comparison) table() []operation {
	all := []operation{
		{"getMeta", "/api/open/meta", c.document(func(s *snapshot.Snapshot, id locale.ID) []byte {
			return s.Meta(query.Localized{Locale: id})
		})},
		{"getCategories", "/api/open/categories", c.list("categories", false, func(s *snapshot.Snapshot, id locale.ID) []byte {
			return s.Categories(query.Categories{Locale: id})
		})},
	}
	for _, module := range domain.Modules() {
		all = append(all, operation{"getCategoryGroups", "/api/open/category-groups?module=" + string(module),
			c.list("groups", false, func(s *snapshot.Snapshot, id locale.ID) []byte {
				return s.CategoryGroups(query.CategoryGroups{Locale: id, Module: module})
			})})
	}
	all = append(all, operation{"listNavGroups", "/api/open/nav/groups", c.list("groups", false, func(s *snapshot.Snapshot, id locale.ID) []byte {
		return s.NavGroups(query.Localized{Locale: id})
	})})
	for _, list := range lists {
		for _, parameters := range parametersOf(list.kind) {
			path := strings.TrimSuffix(list.path+"?"+parameters, "?")
			onlyMoved := strings.HasPrefix(parameters, "sort=") // the rows are those of the first request
			all = append(all, operation{list.name, path, c.list(list.rows, onlyMoved, func(s *snapshot.Snapshot, id locale.ID) []byte {
				return listBody(s, list.kind, parameters, id)
			})})
		}
	}
	for _, one := range details {
		all = append(all, operation{one.name, one.path, c.records(one.kind, domain.Describe(one.of))})
	}
	return all
}

// Operations returns the requests that are compared, without changes, in their order.
func Operations() []Operation {
	none := Version{Catalog: &domain.Catalog{}}
	c := comparison{base: none, head: none}
	var all []Operation
	for _, op := range c.table() {
		all = append(all, Operation{Name: op.name, Path: op.path})
	}
	return all
}

// parametersOf returns the query strings of a list that are compared: none, that of retired records, and
// those of the other orders.
func parametersOf(kind query.Kind) []string {
	all := []string{"", "status=" + string(query.StatusRetired)}
	sort := query.ListParameters(kind).Find("sort")
	for _, order := range sort.Allowed {
		if order != sort.Default && order != string(query.SortRelevance) {
			all = append(all, "sort="+order)
		}
	}
	return all
}

// listBody returns the body of a list. The query string is valid.
func listBody(s *snapshot.Snapshot, kind query.Kind, parameters string, id locale.ID) []byte {
	q, err := query.ParseList(kind, parameters, s.Locales())
	must(err)
	q.Locale = id
	return s.List(q).Body()
}

// operations returns the operations with responses that change.
func (c *comparison) operations() []Operation {
	table := c.table()
	found := make([]Changes, len(table)*len(c.locales))
	parallel.Do(len(found), func(i int) {
		found[i] = table[i/len(c.locales)].compare(c.locales[i%len(c.locales)])
	})
	var all []Operation
	for i, op := range table {
		changed := Operation{Name: op.name, Path: op.path}
		for j, in := range c.locales {
			if changes := found[i*len(c.locales)+j]; !changes.isEmpty() {
				changed.add(in.name, changes)
			}
		}
		if len(changed.Changes) > 0 {
			all = append(all, changed)
		}
	}
	return all
}

// body returns the body of a response.
type body func(s *snapshot.Snapshot, id locale.ID) []byte

// document compares responses as a whole.
func (c *comparison) document(of body) func(in inLocale) Changes {
	return func(in inLocale) (changes Changes) {
		before, after := row{body: of(c.base.Snapshot, in.base)}, row{body: of(c.head.Snapshot, in.head)}
		changes.Before, changes.After = 1, 1
		if !bytes.Equal(before.body, after.body) {
			changes.Changed.add(func() Row { return changedRow(before, after) })
		}
		return changes
	}
}

// list compares the rows of responses, which are in the array that is their member with a name.
// onlyMoved leaves out all changes but another order.
func (c *comparison) list(member string, onlyMoved bool, of body) func(in inLocale) Changes {
	return func(in inLocale) Changes {
		base, head := of(c.base.Snapshot, in.base), of(c.head.Snapshot, in.head)
		if bytes.Equal(base, head) {
			return Changes{}
		}
		before, after := rowsIn(base, member), rowsIn(head, member)
		changes := Changes{Before: len(before), After: len(after)}
		old, new := byKey(before), byKey(after)
		if !onlyMoved {
			changes.compare(before, after, old, new)
		}
		changes.Moved = movedRows(before, after, new)
		return changes
	}
}

// compare finds the rows that differ. old and new are the places of rows by key.
func (c *Changes) compare(before, after []row, old, new map[string]int) {
	var changed picker
	for _, r := range after {
		i, known := old[r.key]
		switch {
		case !known:
			c.Added.add(r.titled)
		case !bytes.Equal(before[i].body, r.body):
			changed.add(func() Row { return changedRow(before[i], r) })
		}
	}
	c.Changed = changed.rows()
	for _, r := range before {
		if _, stays := new[r.key]; !stays {
			c.Removed.add(r.titled)
		}
	}
}

// records compares the responses to requests for the address of any record of a kind of either
// catalogue. A former key counts as readers see it: as a response that may change.
func (c *comparison) records(kind query.Kind, d *domain.Description) func(in inLocale) Changes {
	addresses := c.addresses(d)
	return func(in inLocale) (changes Changes) {
		var changed picker
		for _, address := range addresses {
			before, was := c.base.Snapshot.Record(kind, address, query.Localized{Locale: in.base})
			after, is := c.head.Snapshot.Record(kind, address, query.Localized{Locale: in.head})
			old, new := row{address, before}, row{address, after}
			if was {
				changes.Before++
			}
			if is {
				changes.After++
			}
			switch {
			case was && !is:
				changes.Removed.add(old.titled)
			case is && !was:
				changes.Added.add(new.titled)
			case !bytes.Equal(before, after):
				changed.add(func() Row { return changedRow(old, new) })
			}
		}
		changes.Changed = changed.rows()
		return changes
	}
}

// addresses returns the addresses of the records of a kind in either catalogue, sorted.
func (c *comparison) addresses(d *domain.Description) []string {
	var all []string
	for _, catalog := range []*domain.Catalog{c.base.Catalog, c.head.Catalog} {
		for i := range d.Size(catalog) {
			all = append(all, d.Address(d.Record(catalog, i)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// add adds the changes in a locale to those that are the same in other locales.
func (o *Operation) add(name string, changes Changes) {
	for i := range o.Changes {
		if o.Changes[i].isLike(&changes) {
			o.Changes[i].Locales = append(o.Changes[i].Locales, name)
			return
		}
	}
	changes.Locales = []string{name}
	o.Changes = append(o.Changes, changes)
}

func (c *Changes) isEmpty() bool {
	return c.Added.Total+c.Removed.Total+c.Changed.Total+c.Moved.Total == 0
}

// isLike reports whether the same members of the same rows change, as far as the examples tell.
func (c *Changes) isLike(other *Changes) bool {
	return c.Before == other.Before && c.After == other.After && c.Added.isLike(other.Added) && c.Removed.isLike(other.Removed) &&
		c.Changed.isLike(other.Changed) && c.Moved.isLike(other.Moved)
}

func (r Rows) isLike(other Rows) bool {
	return r.Total == other.Total && slices.EqualFunc(r.Examples, other.Examples, func(a, b Row) bool {
		return a.Key == b.Key && a.From == b.From && a.To == b.To && a.Omitted == b.Omitted &&
			slices.EqualFunc(a.Members, b.Members, func(a, b Member) bool { return a.Name == b.Name })
	})
}
