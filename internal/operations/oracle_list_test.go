package operations_test

// The oracle's rules of lists: matches, order, pages and facets.

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
)

// record is a row of a list or a search result, with its searched texts.
type record[T any] struct {
	labels, ids, texts []string
	categories         []string
	status             domain.Status
	row                T
	hit                result

	// For the search over everything.
	title                 domain.Text // nil if the name is the same in all locales
	symbol                string      // of a chain's coin
	chainLabels, chainIDs []string    // of the chains of an app or card
	mainLabels, mainIDs   []string    // of the first chain
}

// listed describes a list.
type listed struct {
	name   string
	module domain.Module
	key    func(name string) (key string, ok bool) // of the record that a name means; nil for cards
	path   string                                  // above a record
	whole  func(key string) any                    // the record with all details; nil for cards
}

// list returns the answer of a list whose records are in its order. parameters are those that
// only this list has and that its links repeat.
func list[T any](o oracle, query oracleQuery, of listed, all []record[T], parameters url.Values) answer {
	most, module := 1000, of.module
	if query.full() {
		most = 100
	}
	limit, hasLimit := query.whole("limit", 1, most)
	if query.full() && !hasLimit {
		limit, hasLimit = most, true
	}
	offset, hasOffset := query.whole("offset", 0, len(all))
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	terms := searchTerms(query.value("q"))
	ids, status := of.keys(query.ids()), query.value("status")
	if len(ids) > 0 {
		status = cmp.Or(status, "all")
		parameters.Set("id", strings.Join(ids, ","))
	}
	base := slices.DeleteFunc(all, func(r record[T]) bool {
		return !hasStatus(r.status, status) || r.class(terms) == 0 || len(ids) > 0 && !slices.Contains(ids, r.hit.Key)
	})
	tags := o.presentTags(query)
	selected := []record[T]{}
	for _, r := range base {
		if o.hasTags(r.categories, tags, query.value("match"), module) {
			selected = append(selected, r)
		}
	}
	relevant := query.value("sort") == "relevance" && len(terms) > 0
	if relevant {
		byRelevance(o, selected, terms)
	}
	locale, rows := resolveLocale(o.catalog, query.value("locale")), []any{}
	for _, r := range cut(selected, offset, limit) {
		if query.full() {
			rows = append(rows, o.whole(of.path, of.whole(r.hit.Key), locale))
		} else {
			rows = append(rows, o.whole(of.name, r.row, locale))
		}
	}
	body := members{{of.name, rows}}
	if query.on("facets") {
		body = append(body, member{"facets", facets(o, query, base, tags, module)})
	}
	o.linkParameters(query, parameters, status, relevant)
	return answer{
		status: 200, language: locale, body: encode(body),
		page: &page{hasLimit || hasOffset, offset, limit, len(selected), most, parameters},
	}
}

// keys returns the distinct keys of the records that names mean, sorted. Unknown names are
// unchanged.
func (of listed) keys(names []string) []string {
	var keys []string
	for _, name := range names {
		if of.key != nil {
			if key, ok := of.key(name); ok {
				name = key
			}
		}
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// linkParameters adds the parameters that the links of all lists repeat, in canonical spelling.
func (o oracle) linkParameters(query oracleQuery, to url.Values, status string, relevant bool) {
	set := func(name, value, absent string) {
		if value != "" && value != absent {
			to.Set(name, value)
		}
	}
	tags := query.tags()
	slices.Sort(tags)
	set("locale", resolveLocale(o.catalog, query.value("locale")), o.catalog.DefaultLocale)
	set("q", query.value("q"), "")
	set("tag", strings.Join(slices.Compact(tags), ","), "")
	if len(tags) > 0 {
		set("match", query.value("match"), "any")
	}
	set("status", status, "")
	set("view", query.value("view"), "")
	to.Set("revision", strconv.FormatInt(o.revision, 10))
	if query.on("facets") {
		to.Set("facets", "1")
	}
	if relevant {
		to.Set("sort", "relevance")
	}
}

// cut returns a page. A limit of 0 is no limit.
func cut[T any](records []T, offset, limit int) []T {
	records = records[min(offset, len(records)):]
	if limit > 0 {
		records = records[:min(limit, len(records))]
	}
	return records
}

// hasStatus reports whether a record has a requested status.
func hasStatus(has domain.Status, asked string) bool {
	switch asked {
	case "all":
		return true
	case "":
		return has != domain.StatusRetired
	}
	return cmp.Or(string(has), "live") == asked
}

// presentTags returns the tags of a request, with former keys of categories replaced by current
// ones.
func (o oracle) presentTags(query oracleQuery) []string {
	tags := query.tags()
	for i, tag := range tags {
		for _, c := range o.catalog.Categories {
			if slices.Contains(c.Former, tag) {
				tags[i] = c.Key
			}
		}
	}
	return tags
}

// hasTags reports whether a record with these categories has the tags.
func (o oracle) hasTags(categories, tags []string, match string, module domain.Module) bool {
	has := func(tag string) bool { return slices.Contains(categories, tag) }
	switch {
	case len(tags) == 0:
		return true
	case match == "all":
		return !slices.ContainsFunc(tags, func(tag string) bool { return !has(tag) })
	case match == "groups":
		return o.meetsGroups(categories, tags, module, "")
	}
	return slices.ContainsFunc(tags, has)
}

// meetsGroups reports whether a record has, for each dimension group of tags except one, any of
// the tags of that group. No record meets a tag without a group.
func (o oracle) meetsGroups(categories, tags []string, module domain.Module, but string) bool {
	for _, tag := range tags {
		group := o.firstGroup(tag, module)
		if group == "" {
			return false
		}
		if group == but {
			continue
		}
		if !slices.ContainsFunc(tags, func(other string) bool {
			return o.firstGroup(other, module) == group && slices.Contains(categories, other)
		}) {
			return false
		}
	}
	return true
}

// firstGroup returns the first dimension group of a category in a module, "" for none.
func (o oracle) firstGroup(category string, module domain.Module) string {
	for _, c := range o.catalog.Categories {
		for _, groups := range c.Groups {
			if c.Key == category && groups.Module == module && slices.Contains(c.Scopes, module) {
				return groups.Keys[0]
			}
		}
	}
	return ""
}

type facet struct {
	Group      string       `json:"group"`
	Name       string       `json:"name"`
	Categories []facetCount `json:"categories"`
}

type facetCount struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// facets counts the records of base by the categories of a module.
func facets[T any](o oracle, query oracleQuery, base []record[T], tags []string, module domain.Module) []facet {
	locale := resolveLocale(o.catalog, query.value("locale"))
	all := []facet{}
	for _, group := range o.sortedGroups(module) {
		f := facet{group.Key, inLocale(o.catalog, group.Name, locale), []facetCount{}}
		for _, category := range o.sortedCategories() {
			if o.firstGroup(category.Key, module) != group.Key {
				continue
			}
			count := 0
			for _, r := range base {
				if slices.Contains(r.categories, category.Key) && o.meetsGroups(r.categories, tags, module, group.Key) {
					count++
				}
			}
			if count > 0 {
				f.Categories = append(f.Categories, facetCount{category.Key, inLocale(o.catalog, category.Name, locale), count})
			}
		}
		all = append(all, f)
	}
	return all
}

func (o oracle) sortedGroups(module domain.Module) []domain.Group {
	groups := slices.DeleteFunc(slices.Clone(o.catalog.Groups), func(g domain.Group) bool { return g.Module != module })
	slices.SortFunc(groups, func(a, b domain.Group) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Key, b.Key))
	})
	return groups
}

func (o oracle) sortedCategories() []domain.Category {
	sorted := slices.Clone(o.catalog.Categories)
	slices.SortFunc(sorted, func(a, b domain.Category) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Key, b.Key))
	})
	return sorted
}

// byRelevance sorts records by class. In a class, records that come last follow the others;
// otherwise the order is stable.
func byRelevance[T any](o oracle, records []record[T], terms []string) {
	slices.SortStableFunc(records, func(a, b record[T]) int {
		return cmp.Or(cmp.Compare(a.class(terms), b.class(terms)), cmp.Compare(o.last(a.categories, a.status), o.last(b.categories, b.status)))
	})
}

// last is 1 for a record that comes last in its class, else 0.
func (o oracle) last(categories []string, status domain.Status) int {
	if status == domain.StatusRetired {
		return 1
	}
	for _, category := range categories {
		if o.catalog.Search != nil && slices.Contains(o.catalog.Search.Demote, category) {
			return 1
		}
	}
	return 0
}

// class returns how well a record matches terms: 1 for best, 0 for no match. Without terms, all
// records match in one class.
func (r record[T]) class(terms []string) int {
	class, _ := r.match(terms)
	return class
}

// match returns the class, and the first label that alone has this class.
func (r record[T]) match(terms []string) (int, string) {
	if len(terms) == 0 {
		return 5, ""
	}
	is := func(id, term string) bool { return folded(id) == term }
	found := func(texts, ids []string) bool {
		return every(terms, func(term string) bool {
			return slices.ContainsFunc(texts, func(text string) bool { return matches(term, text) }) ||
				slices.ContainsFunc(ids, func(id string) bool { return is(id, term) })
		})
	}
	if !found(slices.Concat(r.labels, r.texts), r.ids) {
		return 0, ""
	}
	for class, holds := range []func(label string) bool{
		func(label string) bool { return folded(label) == strings.Join(terms, " ") },
		func(label string) bool {
			return every(terms, func(term string) bool { return isWordOf(term, label) })
		},
		func(label string) bool {
			return every(terms, func(term string) bool { return beginsWordOf(term, label) })
		},
		func(label string) bool { return found([]string{label}, nil) },
	} {
		if i := slices.IndexFunc(r.labels, holds); i >= 0 {
			return class + 1, r.labels[i]
		}
		// Ids only match as a whole.
		i := slices.IndexFunc(r.ids, func(id string) bool { return every(terms, func(term string) bool { return is(id, term) }) })
		if i >= 0 && (class == 0 && len(terms) == 1 || class == 3) {
			return class + 1, r.ids[i]
		}
	}
	if found(r.labels, r.ids) {
		return 4, ""
	}
	return 5, ""
}

func every(terms []string, holds func(term string) bool) bool {
	return !slices.ContainsFunc(terms, func(term string) bool { return !holds(term) })
}

// beginsWordOf reports whether a word of a text begins with a term.
func beginsWordOf(term, text string) bool {
	for i := range text {
		if startsWord(text, i) && strings.HasPrefix(folded(text[i:]), term) {
			return true
		}
	}
	return false
}

// isWordOf reports whether a term is a text between a start and a possible end of words.
func isWordOf(term, text string) bool {
	for i := range text {
		if !startsWord(text, i) {
			continue
		}
		for j := range text + "." {
			if j > i && endsWord(text, j) && folded(text[i:j]) == term {
				return true
			}
		}
	}
	return false
}
