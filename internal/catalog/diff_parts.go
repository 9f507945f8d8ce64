package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// part is a field of a record or an element of a list in it, as text.
type part struct {
	name    string
	value   string // of a field without parts of its own
	label   string // what an element is called, for people
	element bool
	parts   []part
}

// name tells the parts of a list apart: nth counts those of the same text.
type name struct {
	text string
	nth  int
}

func (n name) String() string {
	if n.nth == 0 {
		return n.text
	}
	return n.text + "#" + strconv.Itoa(n.nth+1)
}

// pair is a part as it was and as it is, nil where there is none, with the
// positions of the two in their lists.
type pair[T any] struct {
	name               name
	old, new           *T
	oldIndex, newIndex int
}

// match pairs what bears the same name: all of old in its order, then what is
// only in new.
func match[T any](old, new []T, text func(T) string) []pair[T] {
	pairs := make([]pair[T], 0, len(old))
	at := make(map[name]int, len(old))
	for i, n := range names(old, text) {
		at[n] = i
		pairs = append(pairs, pair[T]{name: n, old: &old[i], oldIndex: i})
	}
	for i, n := range names(new, text) {
		j, ok := at[n]
		if !ok {
			pairs = append(pairs, pair[T]{name: n, new: &new[i], newIndex: i})
			continue
		}
		pairs[j].new, pairs[j].newIndex = &new[i], i
	}
	return pairs
}

func names[T any](list []T, text func(T) string) []name {
	out := make([]name, len(list))
	seen := make(map[string]int, len(list))
	for i, v := range list {
		t := text(v)
		out[i] = name{t, seen[t]}
		seen[t]++
	}
	return out
}

// diffOrder reports whether what both lists have stands in another order.
func diffOrder[T any](path string, pairs []pair[T]) (FieldChange, bool) {
	both := slices.DeleteFunc(slices.Clone(pairs), func(p pair[T]) bool { return p.old == nil || p.new == nil })
	if slices.IsSortedFunc(both, func(a, b pair[T]) int { return cmp.Compare(a.newIndex, b.newIndex) }) {
		return FieldChange{}, false
	}
	before := joinNames(both)
	slices.SortFunc(both, func(a, b pair[T]) int { return cmp.Compare(a.newIndex, b.newIndex) })
	return FieldChange{Path: path, Old: before, New: joinNames(both)}, true
}

func joinNames[T any](pairs []pair[T]) string {
	out := make([]string, len(pairs))
	for i, p := range pairs {
		out[i] = p.name.String()
	}
	return joinList(out)
}

// diffParts compares the parts of one field or record. Fields come in a fixed
// order, so that only the order of elements can differ.
func diffParts(path string, old, new []part) []FieldChange {
	var changes []FieldChange
	pairs := match(old, new, func(p part) string { return p.name })
	for _, p := range pairs {
		changes = append(changes, diffPart(path, p)...)
	}
	if len(pairs) > 0 && cmp.Or(pairs[0].old, pairs[0].new).element {
		if f, moved := diffOrder(path, pairs); moved {
			changes = append(changes, f)
		}
	}
	return changes
}

func diffPart(path string, p pair[part]) []FieldChange {
	old, new := cmp.Or(p.old, &part{}), cmp.Or(p.new, &part{})
	switch {
	case old.element != new.element:
		return []FieldChange{{path + "[" + p.name.String() + "]", old.label, new.label}}
	case old.element:
		path += "[" + p.name.String() + "]"
	case path == "":
		path = p.name.String()
	default:
		path += "." + p.name.String()
	}
	if old.value != new.value {
		return []FieldChange{{path, old.value, new.value}}
	}
	return diffParts(path, old.parts, new.parts)
}

// Constructors of parts, one for each sort of field.

func stringPart(name, value string) part { return part{name: name, value: value} }

func listPart[S ~string](name string, list []S) part { return stringPart(name, joinList(list)) }

func numberPart(name string, v float64) part { return stringPart(name, formatNumber(v)) }

func textPart(name string, t Text) part {
	p := part{name: name}
	for _, tr := range t {
		p.parts = append(p.parts, stringPart(tr.Locale, tr.Value))
	}
	return p
}

func figurePart(name string, f *Figure) part {
	p := part{name: name}
	if f != nil {
		p.parts = []part{numberPart("value", f.Value), stringPart("source", f.Source), stringPart("as_of", string(f.AsOf))}
	}
	return p
}

// elementPart is an element of a list that is known by key.
func elementPart(key string, label Text, parts ...part) part {
	p := part{name: key, label: key, element: true, parts: parts}
	if len(label) > 0 {
		p.label = label[0].Value
	}
	return p
}

func elementsPart[T any](name string, list []T, element func(T) part) part {
	p := part{name: name}
	for _, v := range list {
		p.parts = append(p.parts, element(v))
	}
	return p
}

// formatNumber writes v without an exponent, the way editors write numbers.
func formatNumber(v float64) string {
	return strconv.FormatFloat(v+0, 'f', -1, 64) // -0 + 0 is 0
}

// joinList writes a list so that different lists are different texts: an
// element that could be mistaken for another is quoted.
func joinList[S ~string](list []S) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
		if s == "" || strings.ContainsAny(out[i], `,"`) || strings.TrimSpace(out[i]) != out[i] {
			out[i] = strconv.Quote(out[i])
		}
	}
	return strings.Join(out, ", ")
}

// The fields of the records, in the order in which they are documented.

func catalogParts(c Catalog) []part {
	return []part{
		textPart("title", c.Title),
		stringPart("default_locale", c.DefaultLocale),
		listPart("locales", c.Locales),
		listPart("link_schemes", c.LinkSchemes),
	}
}

func groupParts(g Group) []part {
	return []part{textPart("name", g.Name), numberPart("priority", g.Priority)}
}

func categoryParts(c Category) []part {
	return []part{
		textPart("name", c.Name),
		textPart("description", c.Description),
		stringPart("parent", c.Parent),
		numberPart("priority", c.Priority),
		listPart("scopes", c.Scopes),
		elementsPart("groups", c.Groups, func(g ModuleGroups) part {
			keys := joinList(g.Keys)
			return part{name: string(g.Module), value: keys, label: keys, element: true}
		}),
	}
}

func chainParts(c Chain) []part {
	return []part{
		textPart("name", c.Name),
		stringPart("chain_id", c.ChainID),
		stringPart("id", c.ID),
		stringPart("logo", c.Logo),
		listPart("categories", c.Categories),
		figurePart(string(FigureTVL), c.TVL),
		figurePart(string(FigurePlatforms), c.Platforms),
		listPart("aliases", c.Aliases),
	}
}

func accountParts(a Account) []part {
	return []part{
		stringPart("name", a.Name),
		textPart("description", a.Description),
		listPart("categories", a.Categories),
		figurePart(string(FigureFollowers), a.Followers),
	}
}

func channelParts(c Channel) []part {
	return []part{
		stringPart("name", c.Name),
		textPart("description", c.Description),
		listPart("categories", c.Categories),
	}
}

func navGroupParts(g NavGroup) []part {
	return []part{
		stringPart("slug", g.Slug),
		textPart("name", g.Name),
		textPart("description", g.Description),
		listPart("menus", g.Menus),
	}
}

func menuParts(m Menu) []part {
	return []part{
		textPart("title", m.Title),
		textPart("description", m.Description),
		stringPart("og_image", m.OGImage),
		listPart("blog_slugs", m.BlogSlugs),
		elementsPart("groups", m.Groups, menuGroupPart),
		elementsPart("standalone", m.Standalone, itemPart),
	}
}

func menuGroupPart(g MenuGroup) part {
	return elementPart(g.Slug, g.Name,
		stringPart("id", g.ID),
		textPart("name", g.Name),
		elementsPart("items", g.Items, itemPart),
	)
}

func itemPart(it Item) part {
	return elementPart(it.Slug, it.Name,
		stringPart("id", it.ID),
		textPart("name", it.Name),
		stringPart("type", string(it.Type)),
		textPart("description", it.Description),
		elementsPart("cards", it.Cards, cardPart),
	)
}

func cardPart(c Card) part {
	return elementPart(c.Link, c.Title,
		textPart("title", c.Title),
		stringPart("id", c.ID),
		textPart("description", c.Description),
		stringPart("image", c.Image),
	)
}
