package catalog

import (
	"cmp"
	"strconv"
	"strings"
)

// part is a field of a record or an element of a list in it, as text.
type part struct {
	name    string
	value   string // of a field without parts of its own
	seen    string // what readers see for it, where that may be the same for two values; else ""
	label   string // what an element is called, for people
	element bool
	figure  bool
	parts   []part
	since   int // see date
}

// difference is a FieldChange in the making. Old or new is the element where one
// is gone from a list or new in it, and both are nil for any other difference.
type difference struct {
	FieldChange
	old, new *part
	list     string // path of that list
	name     name
}

// diffParts compares the parts of one field or record. Fields come in a fixed
// order, so that only the order of elements can differ.
func diffParts(path string, old, new []part) []difference {
	var changes []difference
	pairs := match(old, new, func(p part) string { return p.name }, func(p part) string { return p.label })
	for _, p := range pairs {
		changes = append(changes, diffPart(path, p)...)
	}
	if len(pairs) > 0 && cmp.Or(pairs[0].old, pairs[0].new).element {
		changes = append(changes, diffOrder(path, pairs)...)
	}
	return changes
}

func diffPart(path string, p pair[part]) []difference {
	old, new := cmp.Or(p.old, &part{}), cmp.Or(p.new, &part{})
	switch {
	case old.element != new.element:
		return []difference{{
			FieldChange: FieldChange{Path: path + "[" + p.name.String() + "]", Old: old.label, New: new.label},
			old:         p.old, new: p.new, list: path, name: p.name,
		}}
	case old.element:
		path += "[" + p.name.String() + "]"
	case path == "":
		path = p.name.String()
	default:
		path += "." + p.name.String()
	}
	if old.value != new.value && (old.seen == "" || old.seen != new.seen) {
		return []difference{{FieldChange: FieldChange{Path: path, Old: old.value, New: new.value}}}
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
	p := part{name: name, figure: true}
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
		acceptPart(c.Accept),
	}
}

func acceptPart(accept []Acceptance) part {
	list := make([]string, len(accept))
	for i, a := range accept {
		list[i] = a.String()
	}
	return listPart("accept", list)
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
		elementsPart("groups", c.Groups, c.Groups, func(g, _ ModuleGroups) part {
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
	full := m.WithIDs()
	return []part{
		textPart("title", m.Title),
		textPart("description", m.Description),
		stringPart("og_image", m.OGImage),
		listPart("blog_slugs", m.BlogSlugs),
		elementsPart("groups", m.Groups, full.Groups, menuGroupPart),
		elementsPart("standalone", m.Standalone, full.Standalone, itemPart),
	}
}

// The parts of a menu are given a second time with all ids.

func menuGroupPart(g, full MenuGroup) part {
	return elementPart(g.Slug, g.Name,
		idPart(g.ID, full.ID),
		textPart("name", g.Name),
		elementsPart("items", g.Items, full.Items, itemPart),
	)
}

func itemPart(it, full Item) part {
	return elementPart(it.Slug, it.Name,
		idPart(it.ID, full.ID),
		textPart("name", it.Name),
		stringPart("type", string(it.Type)),
		textPart("description", it.Description),
		elementsPart("cards", it.Cards, full.Cards, cardPart),
	)
}

func cardPart(c, full Card) part {
	return elementPart(c.Link, c.Title,
		textPart("title", c.Title),
		idPart(c.ID, full.ID),
		textPart("description", c.Description),
		stringPart("image", c.Image),
	)
}

// idPart is an id that was written, "" for none, and what readers see: that it
// is written down, or no longer, is no difference.
func idPart(written, seen string) part { return part{name: "id", value: written, seen: seen} }

func elementsPart[T any](name string, list, full []T, element func(v, full T) part) part {
	p := part{name: name}
	for i, v := range list {
		p.parts = append(p.parts, element(v, full[i]))
	}
	return p
}
