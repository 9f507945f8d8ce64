package site

import (
	"fmt"
	"regexp"
	"strings"

	"vitrine/internal/response"
)

// The twin of a page as Markdown says what the page says, for programs that read pages.
// Texts of the catalogue are made inline text by [plain], which escapes whatever
// Markdown (CommonMark and its tables of GitHub) would take for more than text.

// inline is Markdown that stands within a line: text of the catalogue that is escaped,
// or made of such text.
type inline string

// page is the text of a twin in the making.
type page struct {
	view *view
	text strings.Builder
}

// markdown makes the twin of a page: its title and description, what write adds, and
// where the same is to be had.
func (v *view) markdown(write func(*page) error) (response.Document, error) {
	p := &page{view: v}
	p.heading(1, plain(v.Title))
	if v.Description != "" {
		p.paragraph(plain(v.Description))
	}
	if err := write(p); err != nil {
		return response.Document{}, err
	}
	revision, err := v.T("revision", "n", v.Meta.Revision)
	if err != nil {
		return response.Document{}, err
	}
	p.paragraph("---")
	foot := plain(revision) + " · " + plain(v.Published()) + " · " + link("HTML", v.Absolute(withQuery(v.Here(), v.query)))
	if v.JSON != "" {
		foot += " · " + link("JSON", v.Absolute(v.JSON))
	}
	p.paragraph(foot)
	return response.Document{Body: []byte(p.text.String()), Fields: v.fieldsOfTwin(), Effort: v.effort()}, nil
}

// fieldsOfTwin returns the headers of a twin: it is the same thing in another form, so
// that search engines are told which of the two is meant.
func (v *view) fieldsOfTwin() response.Fields {
	fields := v.fields("text/markdown; charset=utf-8")
	fields.More["Link"] = append(fields.More["Link"], "<"+v.Absolute(v.Here())+`>; rel="canonical"`)
	fields.More["X-Robots-Tag"] = []string{"noindex"}
	return fields
}

// heading adds a heading.
func (p *page) heading(level int, title inline) {
	p.block(strings.Repeat("#", level) + " " + string(title))
}

// paragraph adds a paragraph.
func (p *page) paragraph(text inline) { p.block(string(text)) }

// text of nothing adds nothing.
func (p *page) block(text string) {
	if text == "" {
		return
	}
	if p.text.Len() > 0 {
		p.text.WriteString("\n")
	}
	p.text.WriteString(text + "\n")
}

// list adds a list; items that are empty are left out.
func (p *page) list(items ...inline) {
	var lines []string
	for _, item := range items {
		if item != "" {
			lines = append(lines, "- "+string(item))
		}
	}
	p.block(strings.Join(lines, "\n"))
}

// table adds a table; without rows it adds nothing.
func (p *page) table(head []inline, rows [][]inline) {
	if len(rows) == 0 {
		return
	}
	line := func(cells []inline) string {
		all := make([]string, len(cells))
		for i, cell := range cells {
			all[i] = string(cell)
		}
		return "| " + strings.Join(all, " | ") + " |"
	}
	lines := []string{line(head), "|" + strings.Repeat(" --- |", len(head))}
	for _, row := range rows {
		lines = append(lines, line(row))
	}
	p.block(strings.Join(lines, "\n"))
}

// pageLink is a link to a page of the site, to its twin. Path may have a query string.
func (p *page) pageLink(text, path string) inline {
	path, query, _ := strings.Cut(path, "?")
	return link(text, p.view.Absolute(withQuery(p.twin(p.view.At(path)), query)))
}

// twin returns the path of the twin of a page of the site, or of the page itself where it
// has none.
func (p *page) twin(path string) string {
	if other, ok := p.view.site.twinOf(p.view.snapshot, path); ok {
		return other
	}
	return path
}

// fact is an item of a list that says one thing: **Layer:** 2. It is empty without a
// value.
func fact(label string, value inline) inline {
	if value == "" {
		return ""
	}
	return "**" + plain(label) + ":** " + value
}

// special is what means something in Markdown wherever it stands; beginning and numbered
// are what means something at the beginning of a line alone.
var (
	special   = regexp.MustCompile("[\\\\`*_\\[\\]<>|~]|&[#0-9A-Za-z]+;")
	beginning = regexp.MustCompile(`^[-+=:#]`)
	numbered  = regexp.MustCompile(`^([0-9]+)([.)])( |$)`)
)

// plain makes inline text of any text, on one line.
func plain(text string) inline {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	text = special.ReplaceAllStringFunc(text, func(s string) string { return `\` + s })
	text = numbered.ReplaceAllString(text, `$1\$2$3`)
	return inline(beginning.ReplaceAllString(text, `\$0`))
}

// code is text that is shown as it is written.
func code(text string) inline {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	if strings.ContainsAny(text, "`|") {
		return plain(text)
	}
	return inline("`" + text + "`")
}

// link is a link, or the text alone where browsers should not follow the address.
func link(text, address string) inline {
	if !followable(address) {
		return plain(text)
	}
	if strings.ContainsAny(address, " <>()\\|\"'`*_[]") {
		address = "<" + strings.NewReplacer("<", "%3C", ">", "%3E", `\`, "%5C", " ", "%20", "|", "%7C").Replace(address) + ">"
	}
	return inline(fmt.Sprintf("[%s](%s)", plain(text), address))
}

// followable reports whether an address is one that pages link to: of the web, or a
// path of this site. What else a catalogue allows is shown as text.
func followable(address string) bool {
	if strings.ContainsFunc(address, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return false
	}
	lower := strings.ToLower(address)
	if strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://") {
		return true
	}
	return strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && !strings.HasPrefix(address, `/\`)
}

// texts returns texts of the interface.
func (p *page) texts(keys ...string) ([]inline, error) {
	var all []inline
	for _, key := range keys {
		text, err := p.view.T(key)
		if err != nil {
			return nil, err
		}
		all = append(all, plain(text))
	}
	return all, nil
}

// listing adds the rows of a list, where its other rows are, and how it is filtered.
func (p *page) listing(l listing, columns []inline, rows [][]inline) error {
	if len(rows) == 0 {
		return p.nothing(l)
	}
	said, err := p.view.T("pager.range", "total", l.Total, "from", l.First, "to", l.Last)
	if err != nil {
		return err
	}
	p.paragraph(plain(said))
	p.table(columns, rows)
	if err := p.pages(l.pager); err != nil {
		return err
	}
	words, err := p.texts("filters.label")
	if err != nil {
		return err
	}
	return p.filters(words[0], l.Facets)
}

// pages adds the ways to the pages before and behind.
func (p *page) pages(l pager) error {
	if l.Beyond {
		return p.beyond(l)
	}
	words, err := p.texts("pager.prev", "pager.next")
	if err != nil {
		return err
	}
	var pages []inline
	for i, at := range []string{l.Prev, l.Next} {
		if at != "" {
			pages = append(pages, p.here(words[i], at))
		}
	}
	p.list(pages...)
	return nil
}

// beyond returns the note that the page is beyond the end of a list, with a link to the
// last page.
func (p *page) beyond(l pager) error {
	said, err := p.view.T("beyond.title", "n", l.Total)
	if err != nil {
		return err
	}
	words, err := p.texts("beyond.last")
	if err != nil {
		return err
	}
	p.paragraph(plain(said))
	p.list(p.here(words[0], l.Prev))
	return nil
}

// nothing returns why a list has no rows: the page is beyond its end, or nothing matches.
// In the second case it has suggestions.
func (p *page) nothing(l listing) error {
	if l.Beyond {
		return p.beyond(l.pager)
	}
	words, err := p.texts("empty.title", "empty.meant")
	if err != nil {
		return err
	}
	p.paragraph(words[0])
	var all []inline
	for _, suggestion := range l.Suggestions {
		at, err := p.view.With("q", suggestion)
		if err != nil {
			return err
		}
		all = append(all, p.here(plain(suggestion), at))
	}
	if len(all) > 0 {
		p.paragraph(words[1])
	}
	p.list(all...)
	return nil
}

// filters adds the categories that a list may be filtered by, one line a dimension.
func (p *page) filters(title inline, facets []choice) error {
	var lines []inline
	for _, f := range facets {
		var options []string
		for _, o := range f.Options {
			at, err := p.view.With("tag", o.Key)
			if err != nil {
				return err
			}
			options = append(options, fmt.Sprintf("%s (%s)", p.here(plain(o.Name), at), p.view.Int(o.Count)))
		}
		lines = append(lines, fact(f.Name, inline(strings.Join(options, ", "))))
	}
	if len(lines) > 0 {
		p.heading(2, title)
	}
	p.list(lines...)
	return nil
}

// here is a link to this page with other parameters, to its twin. Address is one of
// [view.With].
func (p *page) here(text inline, address string) inline {
	path, query, _ := strings.Cut(address, "?")
	return inline("["+string(text)+"](") + inline(p.view.Absolute(withQuery(twin(path), query))) + ")"
}

// lines adds lines that are a list already.
func (p *page) lines(all []inline) {
	lines := make([]string, len(all))
	for i, line := range all {
		lines[i] = string(line)
	}
	p.block(strings.Join(lines, "\n"))
}
