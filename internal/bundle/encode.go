package bundle

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/catalog"
)

// An encoder turns records into nodes, the inverse of a decoder. What is
// empty is left out.
type encoder struct {
	locale string // texts in it alone are written as strings; "" for none
}

// with adds a field; nil and empty values are left out.
func (n *node) with(name string, value *node) *node {
	if value == nil {
		return n
	}
	n.kind = object
	n.keys = append(n.keys, textNode(name))
	n.items = append(n.items, value)
	return n
}

func textNode(s string) *node { return &node{kind: text, text: s} }

func optional(s string) *node {
	if s == "" {
		return nil
	}
	return textNode(s)
}

func numberNode(v float64) *node {
	return &node{kind: number, text: string(jsontext.AppendFloat(nil, v, 64))}
}

// nonZero is a number that is 0 when it is left out.
func nonZero(v float64) *node {
	if v == 0 {
		return nil
	}
	return numberNode(v)
}

func listNode[T any](items []T, encode func(*T) *node) *node {
	if len(items) == 0 {
		return nil
	}
	n := &node{kind: list}
	for i := range items {
		n.items = append(n.items, encode(&items[i]))
	}
	return n
}

func stringsNode[T ~string](items []T) *node {
	return listNode(items, func(s *T) *node { return textNode(string(*s)) })
}

func (e encoder) text(t catalog.Text) *node {
	if len(t) == 0 {
		return nil
	}
	if len(t) == 1 && t[0].Locale == e.locale {
		return textNode(t[0].Value)
	}
	n := &node{kind: object}
	for _, tr := range t {
		n.with(tr.Locale, textNode(tr.Value))
	}
	return n
}

func figureNode(f *catalog.Figure) *node {
	switch {
	case f == nil:
		return nil
	case f.Bare():
		return numberNode(f.Value)
	}
	return new(node).
		with("value", numberNode(f.Value)).
		with("source", textNode(f.Source)).
		with("as_of", textNode(string(f.AsOf)))
}

func (e encoder) catalog(c *catalog.Catalog) *node {
	return new(node).
		with("title", e.text(c.Title)).
		with("default_locale", optional(c.DefaultLocale)).
		with("locales", stringsNode(c.Locales)).
		with("link_schemes", stringsNode(c.LinkSchemes)).
		with("accept", listNode(c.Accept, e.acceptance))
}

func (e encoder) acceptance(a *catalog.Acceptance) *node {
	return new(node).
		with("rule", optional(string(a.Rule))).
		with("kind", optional(string(a.Kind))).
		with("key", optional(a.Key)).
		with("locale", optional(a.Locale)).
		with("reason", optional(a.Reason))
}

func (e encoder) categories(c *catalog.Catalog) *node {
	return new(node).
		with("groups", listNode(c.Groups, e.group)).
		with("categories", listNode(c.Categories, e.category))
}

func (e encoder) group(g *catalog.Group) *node {
	return new(node).
		with("key", optional(g.Key)).
		with("module", optional(string(g.Module))).
		with("name", e.text(g.Name)).
		with("priority", nonZero(g.Priority))
}

func (e encoder) category(c *catalog.Category) *node {
	var groups *node
	for _, g := range c.Groups {
		if groups == nil {
			groups = new(node)
		}
		keys := stringsNode(g.Keys)
		if keys == nil {
			keys = &node{kind: list} // the module is named, though it has no groups
		}
		groups.with(string(g.Module), keys)
	}
	return new(node).
		with("key", optional(c.Key)).
		with("name", e.text(c.Name)).
		with("description", e.text(c.Description)).
		with("parent", optional(c.Parent)).
		with("priority", nonZero(c.Priority)).
		with("scopes", stringsNode(c.Scopes)).
		with("groups", groups)
}

func (e encoder) chain(c *catalog.Chain) *node {
	return new(node).
		with("slug", optional(c.Slug)).
		with("name", e.text(c.Name)).
		with("chain_id", optional(c.ChainID)).
		with("id", optional(c.ID)).
		with("logo", optional(c.Logo)).
		with("categories", stringsNode(c.Categories)).
		with(string(catalog.FigureTVL), figureNode(c.TVL)).
		with(string(catalog.FigurePlatforms), figureNode(c.Platforms)).
		with("aliases", stringsNode(c.Aliases))
}

func (e encoder) account(a *catalog.Account) *node {
	return new(node).
		with("handle", optional(a.Handle)).
		with("name", optional(a.Name)).
		with("description", e.text(a.Description)).
		with("categories", stringsNode(a.Categories)).
		with(string(catalog.FigureFollowers), figureNode(a.Followers))
}

func (e encoder) channel(c *catalog.Channel) *node {
	return new(node).
		with("channel_id", optional(c.ChannelID)).
		with("name", optional(c.Name)).
		with("description", e.text(c.Description)).
		with("categories", stringsNode(c.Categories))
}

func (e encoder) nav(groups []catalog.NavGroup) *node {
	return new(node).with("groups", listNode(groups, e.navGroup))
}

func (e encoder) navGroup(g *catalog.NavGroup) *node {
	slug := g.Slug
	if slug == g.Key {
		slug = ""
	}
	return new(node).
		with("key", optional(g.Key)).
		with("slug", optional(slug)).
		with("name", e.text(g.Name)).
		with("description", e.text(g.Description)).
		with("menus", stringsNode(g.Menus))
}

func (e encoder) menu(m *catalog.Menu) *node {
	return new(node).
		with("title", e.text(m.Title)).
		with("description", e.text(m.Description)).
		with("og_image", optional(m.OGImage)).
		with("blog_slugs", stringsNode(m.BlogSlugs)).
		with("groups", listNode(m.Groups, func(g *catalog.MenuGroup) *node {
			return new(node).
				with("slug", optional(g.Slug)).
				with("id", optional(g.ID)).
				with("name", e.text(g.Name)).
				with("items", listNode(g.Items, e.item))
		})).
		with("standalone", listNode(m.Standalone, e.item))
}

func (e encoder) item(i *catalog.Item) *node {
	kind := i.Type
	if kind == catalog.ItemCategory {
		kind = ""
	}
	return new(node).
		with("slug", optional(i.Slug)).
		with("id", optional(i.ID)).
		with("name", e.text(i.Name)).
		with("type", optional(string(kind))).
		with("description", e.text(i.Description)).
		with("cards", listNode(i.Cards, func(c *catalog.Card) *node {
			return new(node).
				with("title", e.text(c.Title)).
				with("id", optional(c.ID)).
				with("description", e.text(c.Description)).
				with("link", optional(c.Link)).
				with("image", optional(c.Image))
		}))
}

// appendJSON appends a node as compact JSON.
func appendJSON(b []byte, n *node) []byte {
	switch n.kind {
	case text:
		b, _ = jsontext.AppendQuote(b, n.text) // bytes that are not UTF-8 become U+FFFD
		return b
	case list:
		b = append(b, '[')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, item := range n.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSON(b, n.keys[i]), ':')
			b = appendJSON(b, item)
		}
		return append(b, '}')
	case null:
		return append(b, "{}"...) // a record without any field
	}
	return append(b, n.text...)
}

// yamlBytes returns a map as a YAML file, as an editor would write it.
func yamlBytes(n *node) []byte {
	var b bytes.Buffer
	writeYAML(&b, n, 0)
	return b.Bytes()
}

// writeYAML writes the fields of a map or the elements of a list, each on
// lines of its own.
func writeYAML(b *bytes.Buffer, n *node, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, item := range n.items {
		if n.kind == list {
			b.WriteString(margin + "- ")
			if item.kind == object {
				var fields bytes.Buffer
				writeYAML(&fields, item, indent+2)
				b.Write(fields.Bytes()[indent+2:]) // its first field stands behind the dash
				continue
			}
		} else {
			b.WriteString(margin + plainOrQuoted(n.keys[i].text) + ":")
			if !inline(item) {
				b.WriteByte('\n')
				writeYAML(b, item, indent+2)
				continue
			}
			b.WriteByte(' ')
		}
		writeInline(b, item)
		b.WriteByte('\n')
	}
}

// inline reports whether a value stands behind its key: texts, numbers and
// lists of texts.
func inline(n *node) bool {
	if n.kind == list {
		return len(n.items) == 0 || n.items[0].kind == text
	}
	return n.kind != object
}

func writeInline(b *bytes.Buffer, n *node) {
	switch n.kind {
	case text:
		b.WriteString(plainOrQuoted(n.text))
	case number:
		b.WriteString(n.text)
	case list:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeInline(b, item)
		}
		b.WriteByte(']')
	default:
		b.WriteString("{}")
	}
}

// plainText are texts that mean themselves in YAML without quotes, wherever
// they stand; reserved are the words among them that some readers of YAML take
// for something else.
var (
	plainText = regexp.MustCompile(`^\p{L}[\p{L}\p{M}\p{N}_./-]*( [\p{L}\p{M}\p{N}_./-]+)*$`)
	reserved  = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n|nan|inf)$`)
)

// plainOrQuoted writes a text in YAML. Every escape that Go writes for valid
// UTF-8 is one of YAML too.
func plainOrQuoted(s string) string {
	if plainText.MatchString(s) && !reserved.MatchString(s) && !strings.Contains(s, " -") {
		return s
	}
	return strconv.Quote(s)
}
