package operations_test

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/operations"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// operationCases are the requests that exercise an operation. Targets are relative to
// /api/open/.
type operationCases struct {
	found   []string // 200, and valid by the document
	bad     []string // 400
	missing []string // 404
	gone    []string // 410
}

// exercises returns requests for each operation of the table: for the records of smallCatalog by
// their names, with valid and invalid values of all parameters, and those in unusual.
func exercises(t *testing.T) map[string]operationCases {
	t.Helper()
	all, names := map[string]operationCases{}, namesOfRecords(t)
	for _, op := range operations.Table() {
		path := strings.TrimPrefix(op.Template, "/api/open/")
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		var cases operationCases
		for i, name := range names[op.Record] {
			if i > 0 {
				cases.found = append(cases.found, before+name+after)
				continue
			}
			path = before + name + after
			for _, missing := range []string{"nothing", "x", name[:len(name)-1]} {
				cases.missing = append(cases.missing, before+missing+after)
			}
		}
		cases.found = append(cases.found, unusual[op.Name]...)
		if op.Takes.Find("view") != nil {
			cases.found = append(cases.found, path+"?view=full&facets=1")
		}
		cases.addQueries(names, path, op.Takes)
		if op.Takes.Find("since") != nil {
			cases.gone = []string{path + "?since=2000-01-01"}
		}
		all[op.Name] = cases
	}
	return all
}

// unusual are requests that [exercises] does not derive.
var unusual = map[string][]string{
	"listChains": {
		"chains?sort=relevance&sortDir=asc&q=e&limit=2", "chains?match=groups&tag=layer-1,layer-2,nothing&facets=1&limit=1",
		"chains?view=full&facets=1&id=ended&id=0x1,ended",
	},
	"listTwitterUsers": {"twitter/users?id=held,nobody"},
	"listCards":        {"nav/cards?status=all&menu=design", "nav/cards?sort=relevance&q=wallet", "nav/cards?id=a,nothing"},
	"listApps":         {"apps?status=all&platform=web&chain=ethereum", "apps?limit=1&offset=1", "apps?view=full&facets=1&status=all"},
	"getChain":         {"chains/eip155%3A8453?locale=xx", "chains/ETH"},
	"getTwitterUser":   {"twitter/users/BITCOIN", "twitter/users/@ethereum"},
	"search": {
		"search?q=ethereum", "search?q=etherium", "search?q=8453&kind=chain", "search?q=wallet&kind=card", "search?q=held", "search?q=@",
		"search?q=ethereum+finematics", "search?q=ended&kind=category,chain",
	},
}

// addQueries adds requests to a path: first with the required parameters alone, then with all
// parameters, with each valid value and with each invalid value.
func (c *operationCases) addQueries(names map[query.Kind][]string, path string, takes query.Parameters) {
	pair := func(p query.Parameter) string { return p.Name + "=" + url.QueryEscape(validValues(names, p)[0]) }
	var required, every []string
	for _, p := range takes {
		every = append(every, pair(p))
		if p.Required != "" {
			required = append(required, pair(p))
		}
	}
	target := func(pairs []string, more ...string) string {
		return strings.TrimSuffix(path+"?"+strings.Join(slices.Concat(pairs, more), "&"), "?")
	}
	c.found = append([]string{target(required), target(every)}, c.found...)
	for _, p := range takes {
		others := slices.DeleteFunc(slices.Clone(required), func(pair string) bool { return strings.HasPrefix(pair, p.Name+"=") })
		for _, value := range validValues(names, p) {
			c.found = append(c.found, target(others, p.Name+"="+url.QueryEscape(value)))
		}
		for _, value := range invalidValues(p) {
			c.bad = append(c.bad, target(others, p.Name+"="+value))
		}
		if p.Required != "" {
			c.bad = append(c.bad, target(others), target(others, p.Name+"="))
		}
		if !p.Repeatable {
			c.bad = append(c.bad, target(others, pair(p), pair(p)))
		}
	}
}

// validValues returns values of a parameter, at least one.
func validValues(names map[query.Kind][]string, p query.Parameter) []string {
	switch {
	case p.Type == query.Enum:
		return p.Allowed
	case p.Type == query.Enums:
		return []string{p.Allowed[0], strings.Join(p.Allowed, ",")}
	case p.Type == query.Integer:
		return []string{strconv.Itoa(p.Min), strconv.Itoa(cmp.Or(p.Max, 99))}
	case p.Type == query.Keys:
		return []string{strings.Join(names[p.Names], ",") + ",nothing"}
	case p.Names != "":
		return append(names[p.Names][:2:2], "nothing")
	case p.Type == query.Moment:
		return []string{"1", strconv.Itoa(servedRevision), "999999999999999999", "2025-12-31", "2026-01-02T03:04:05Z"}
	case p.Name == "locale":
		return []string{"zh-hans", "pt-BR", "xx"}
	}
	return []string{"wallet", "e", "nobody"}
}

// invalidValues returns escaped values that a parameter must not have.
func invalidValues(p query.Parameter) []string {
	switch {
	case p.Type == query.Enum || p.Type == query.Enums:
		return []string{"%ff", "x", strings.ToUpper(p.Allowed[0]) + "x"}
	case p.Type == query.Integer && p.Max > 0:
		return []string{"%zz", strconv.Itoa(p.Min - 1), strconv.Itoa(p.Max + 1), "1.5"}
	case p.Type == query.Integer:
		return []string{"%zz", strconv.Itoa(p.Min - 1), "x"}
	case p.Type == query.Moment:
		return []string{"0", "-1", "1.5", "99999999999999999999", "yesterday", "2026-13-01", "%ff"}
	case p.Type == query.Keys && p.Max > 0:
		items := make([]string, p.Max+1)
		for i := range items {
			items[i] = strconv.Itoa(i)
		}
		return []string{"%00", strings.Join(items, ",")}
	case p.Max > 0:
		return []string{"%00", strings.Repeat("a", p.Max+1)}
	}
	return []string{"%ff", "%C2%80"}
}

// namesOfRecords returns names of the records of smallCatalog by kind: all keys, then one name of
// each other class.
func namesOfRecords(t *testing.T) map[query.Kind][]string {
	t.Helper()
	c := smallCatalog()
	snap := compile(t, c, servedRevision)
	all := map[query.Kind][]string{}
	kinds := query.Kinds()
	for _, op := range operations.Table() {
		if op.Record != "" && !slices.Contains(kinds, op.Record) {
			kinds = append(kinds, op.Record)
		}
	}
	for _, kind := range kinds {
		var keys, others []string
		seen := map[domain.NameClass]bool{domain.NameKey: true}
		for _, d := range domain.Descriptions() {
			for i := range d.Size(c) {
				record := d.Record(c, i)
				address := d.Address(record)
				if key, ok := snap.Named(kind, address); !ok || key != address {
					continue // of another kind
				}
				keys = append(keys, address)
				for name := range d.NamesOf(record) {
					if key, _ := snap.Named(kind, name.Value); key == address && !seen[name.Class] {
						seen[name.Class] = true
						others = append(others, name.Value)
					}
				}
			}
		}
		slices.Sort(keys)
		all[kind] = append(slices.Compact(keys), others...)
	}
	return all
}

// TestFacetsAreLast checks that facets are the last member of the body of a list.
func TestFacetsAreLast(t *testing.T) {
	h := serving(t, compile(t, smallCatalog(), servedRevision))
	for _, op := range operations.Table() {
		if op.Takes.Find("facets") == nil {
			continue
		}
		list := op.Template
		without := fetch(t, h, list+"?limit=1").body
		with := fetch(t, h, list+"?limit=1&facets=1").body
		if withoutCategories(list) {
			if want := strings.TrimSuffix(without, "}") + `,"facets":[]}`; with != want {
				t.Errorf("%s with facets:\n%s\nwant\n%s", list, with, want)
			}
			continue
		}
		if start := strings.TrimSuffix(without, "}") + `,"facets":[{"group":`; !strings.HasPrefix(with, start) || !strings.Contains(with, `"count":`) {
			t.Errorf("%s with facets:\n%s\nwant it to begin with\n%s\nand to have counts", list, with, start)
		}
	}
}

// withoutCategories reports whether the records of the list at a path have no categories.
func withoutCategories(list string) bool {
	return slices.ContainsFunc(snapshot.ListedKinds(), func(k snapshot.ListedKind) bool {
		return k.Path == list+"/" && k.Description.Shape.Categories() == nil
	})
}

// TestCandidates checks that the error for a misspelt name has candidates.
func TestCandidates(t *testing.T) {
	h := serving(t, compile(t, smallCatalog(), servedRevision))
	for target, want := range map[string]string{
		"chains/etherium":              `"candidates":["ethereum"]`,
		"twitter/users/etherium":       `"candidates":["ethereum"]`,
		"apps/walet":                   `"candidates":["wallet"]`,
		"youtube/channels/finematicks": `"candidates":["UCh1ob28ceGdqohUnR7vBACA"]`,
	} {
		if got := fetch(t, h, "/api/open/"+target); got.status != 404 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", target, got.status, got.body, want)
		}
	}
}
