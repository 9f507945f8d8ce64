package operations_test

// Kinds that the oracle has no structs for. It derives their lists and records from the descriptions,
// with the members in the order of the document.

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// plainKind is a kind without structs in the oracle. Its schemas are named after it: ConferenceRow and
// ConferenceDetails.
type plainKind struct{ snapshot.ListedKind }

var plainKinds = func() []plainKind {
	var all []plainKind
	for _, of := range snapshot.ListedKinds() {
		if !slices.ContainsFunc(describedViews, func(v describedView) bool { return v.kind == of.Description.Kind }) {
			all = append(all, plainKind{of})
		}
	}
	return all
}()

// path is the path above the records.
func (k plainKind) path() string { return strings.TrimPrefix(k.Path, "/api/open/") }

func (k plainKind) schema() string { return strings.ToUpper(string(k.Kind[:1])) + string(k.Kind[1:]) }

// view returns the members of a record that a schema has.
func (k plainKind) view(o oracle, schema string, record any, locale string) members {
	var all members
	for _, property := range propertiesOf(schema) {
		f := k.Description.Shape.Categories()
		if property != "categorySlugs" {
			f = fieldNamed(k.Description.Kind, property)
		}
		if !f.IsEmpty(record) {
			all = append(all, member{property, o.valueOf(f, record, locale)})
		}
	}
	return all
}

// records returns all records in the order of the list.
func (k plainKind) records(o oracle, locale string) []record[members] {
	var all []record[members]
	for i := range k.Description.Size(o.catalog) {
		all = append(all, k.record(o, k.Description.Record(o.catalog, i), locale))
	}
	collator := collate.New(language.Make(locale))
	slices.SortFunc(all, func(a, b record[members]) int {
		return cmp.Or(collator.CompareString(a.hit.Title, b.hit.Title), cmp.Compare(a.hit.Key, b.hit.Key))
	})
	return all
}

func (k plainKind) record(o oracle, of any, locale string) record[members] {
	key := k.Description.Key(of)
	r := record[members]{row: k.view(o, k.schema()+"Row", of, locale), hit: result{Kind: string(k.Kind), Key: key, Href: k.Path + key}}
	for _, f := range k.Description.Shape.Fields {
		var texts []string
		switch {
		case f.Text != nil:
			texts = values(*f.Text(of))
		case f.Lines != nil:
			texts = f.Lines(of)
		case f.IsLine() && *f.Line(of) != "":
			texts = []string{*f.Line(of)}
		}
		switch {
		case f.Names:
			r.labels = append(r.labels, texts...)
		case f.Searched:
			r.texts = append(r.texts, texts...)
		}
		switch {
		case f.Name == "name" || f.Name == "title":
			if f.Text == nil {
				r.hit.Title = *f.Line(of)
				break
			}
			r.title, r.hit.Title = *f.Text(of), inLocale(o.catalog, *f.Text(of), locale)
		case f.Name == "description":
			r.hit.Description = inLocale(o.catalog, *f.Text(of), locale)
		case f.Name == "status":
			r.status = domain.Status(*f.Line(of))
		case f == k.Description.Shape.Categories():
			r.categories = f.Lines(of)
		case f.IsImage():
			r.hit.Image = cmp.Or(r.hit.Image, *f.Line(of))
		case f.Type == domain.TypeLink:
			r.hit.URL = cmp.Or(r.hit.URL, *f.Line(of))
		}
	}
	return r
}

func (k plainKind) names(o oracle) []nameable {
	var all []nameable
	for _, r := range k.records(o, o.catalog.DefaultLocale) {
		all = append(all, nameable{key: r.hit.Key, own: [][]string{{r.hit.Key}}, labels: r.labels, status: r.status})
	}
	return all
}

func (k plainKind) key(o oracle) func(name string) (string, bool) {
	return func(name string) (string, bool) { return resolve(k.names(o), name) }
}

// whole returns a function that returns the record with a key.
func (k plainKind) whole(o oracle, locale string) func(key string) any {
	return func(key string) any {
		i := slices.Index(k.Description.Keys(o.catalog), key)
		return k.view(o, k.schema()+"Details", k.Description.Record(o.catalog, i), locale)
	}
}

func (k plainKind) list(o oracle, query oracleQuery) answer {
	query.oneOf("sort", "relevance")
	locale := resolveLocale(o.catalog, query.value("locale"))
	of := listed{name: k.Name, key: k.key(o), path: k.path(), whole: k.whole(o, locale)}
	if f := k.Description.Shape.Categories(); f != nil {
		of.module = f.Scope
	}
	return list(o, query, of, k.records(o, locale), url.Values{})
}

func (k plainKind) named(o oracle, name string, query oracleQuery) answer {
	if len(*query.bad) > 0 {
		return badRequest(query)
	}
	key, ok := k.key(o)(name)
	if !ok {
		return answer{status: 404, keys: keysOf(k.names(o))}
	}
	locale := resolveLocale(o.catalog, query.value("locale"))
	return o.found(k.path(), name, key, query, func() any { return k.whole(o, locale)(key) })
}

// addPlain adds records of these kinds.
func (g generator) addPlain(c *domain.Catalog) {
	for _, k := range plainKinds {
		for i := range g.IntN(25) {
			r := g.random(c)
			r.Own = fmt.Sprintf("p%d", i)
			r.Record(k.Description.Shape, k.Description.Grow(c))
		}
	}
}

// plainPaths returns paths of lists and records of these kinds.
func (g generator) plainPaths(c *domain.Catalog) []string {
	var all []string
	for _, k := range plainKinds {
		all = append(all, strings.TrimSuffix(k.path(), "/"), k.path()+pick(g, append(k.Description.Keys(c), "nothing")))
	}
	return all
}
