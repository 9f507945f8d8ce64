package site

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html"

	"vitrine/internal/snapshot"
)

// leftOutFile is the file that links to other pages and forms lead to.
const leftOutFile = "left-out.html"

// changesFile is the file with what changes as text, to which the index links.
const changesFile = "changes.txt"

// Static returns the pages at canonical paths of a snapshot, and the assets that they use, as files
// for any static server or for a browser without one, by slash path. index.html lists the
// pages by kind and links to changes, the text of what changes. Links
// between the pages are relative; links to other pages, and forms, lead to a page that explains this.
// The error is that of a page.
func (s *Site) Static(of *snapshot.Snapshot, pages []string, changes []byte) (map[string][]byte, error) {
	t := static{site: s, snapshot: of, pages: map[string]bool{}, files: map[string][]byte{}}
	for _, page := range pages {
		t.pages[page] = true
	}
	var written []string
	for _, page := range pages {
		document, err := s.Page(of, page, "")
		if errors.Is(err, errUnknown) { // an overview of records that the catalogue lacks
			delete(t.pages, page)
			continue
		}
		written = append(written, page)
		if err != nil {
			return nil, fmt.Errorf("the page %s: %w", page, err)
		}
		name := pageFile(page)
		if t.files[name], err = t.relative(name, document.Body); err != nil {
			return nil, fmt.Errorf("the page %s: %w", page, err)
		}
	}
	t.files["index.html"], t.files[changesFile] = indexOf(written), changes
	t.files[leftOutFile] = []byte("<!doctype html><meta charset=\"utf-8\"><title>Left out</title>\n" +
		"<p>This page is not part of the preview, which has overviews and the pages of changed records. <a href=\"index.html\">All pages</a></p>\n")
	return t.files, nil
}

// sectionNames returns the headings of the index, by the first segment of paths below the locale.
func sectionNames() map[string]string {
	names := map[string]string{}
	for _, of := range append(sections(), menus) {
		if of.records != "" {
			names[of.records[1:]] = strings.ToUpper(of.nav[:1]) + of.nav[1:]
		}
	}
	return names
}

// overviewName is the heading of all other pages.
const overviewName = "Overviews"

// indexOf returns a page with links to pages: a heading for each kind, and a line for each record with its
// languages.
func indexOf(pages []string) []byte {
	var headings, lines []string
	names := sectionNames()
	below, links := map[string][]string{}, map[string]*bytes.Buffer{}
	for _, page := range pages {
		language, rest, _ := strings.Cut(page[1:], "/")
		section, _, isRecord := strings.Cut(rest, "/")
		heading := names[section]
		if !isRecord || heading == "" {
			heading = overviewName
		}
		if below[heading] == nil {
			headings = append(headings, heading)
		}
		if links[rest] == nil {
			links[rest] = &bytes.Buffer{}
			below[heading] = append(below[heading], rest)
		}
		fmt.Fprintf(links[rest], " <a href=\"%s\">%s</a>", template.HTMLEscapeString(escapedPath(pageFile(page))), template.HTMLEscapeString(language))
	}
	lines = append(lines, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Preview</title><h1>Preview</h1>",
		"<p><a href=\""+changesFile+"\">What changes: values before and after</a></p>")
	for _, heading := range headings {
		lines = append(lines, "<h2>"+heading+"</h2>", "<ul>")
		for _, rest := range below[heading] {
			lines = append(lines, "<li>"+template.HTMLEscapeString("/"+rest)+":"+links[rest].String()+"</li>")
		}
		lines = append(lines, "</ul>")
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// static collects files.
type static struct {
	site     *Site
	snapshot *snapshot.Snapshot
	pages    map[string]bool // by canonical path
	files    map[string][]byte
}

// pageFile returns the file of a page.
func pageFile(page string) string {
	if strings.HasSuffix(page, "/") {
		return page[1:] + "index.html"
	}
	return page[1:] + ".html"
}

// relative returns HTML whose addresses of this site are those of files relative to the file with a name.
func (t *static) relative(name string, page []byte) ([]byte, error) {
	var out bytes.Buffer
	inNoscript := false // whose content is text to the tokenizer
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return out.Bytes(), nil
		}
		raw := bytes.Clone(tokens.Raw())
		if kind == html.TextToken && inNoscript {
			inner, err := t.relative(name, raw)
			if err != nil {
				return nil, err
			}
			raw = inner
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		token := tokens.Token()
		inNoscript = token.Data == "noscript"
		if !t.relate(name, token.Attr) {
			out.Write(raw)
			continue
		}
		out.WriteString(token.String())
	}
}

// relate makes the addresses in attributes relative. It returns whether there are any.
func (t *static) relate(name string, attributes []html.Attribute) bool {
	changed := false
	for i, a := range attributes {
		local := strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//")
		if !local || a.Key != "href" && a.Key != "src" && a.Key != "action" {
			continue
		}
		attributes[i].Val = t.link(name, a.Val)
		changed = true
	}
	return changed
}

// link returns the address of a file relative to another one, for an address of this site.
func (t *static) link(from, address string) string {
	address, fragment, _ := strings.Cut(address, "#")
	at, _, _ := strings.Cut(address, "?")
	canonical, _, _ := t.site.Canonical(t.snapshot, at, "", nil)
	to := leftOutFile
	if document, ok := t.site.assets.files[canonical]; ok {
		to = canonical[1:]
		t.files[to] = document.Body
	} else if own, ok := t.snapshot.Picture(at); ok {
		to = at[1:]
		t.files[to] = own.Bytes()
	} else if t.pages[canonical] {
		to = pageFile(canonical)
	}
	link := strings.Repeat("../", strings.Count(path.Clean(from), "/")) + escapedPath(to)
	if fragment != "" && to != leftOutFile {
		link += "#" + fragment
	}
	return link
}

// escapedPath escapes a file name for an address: a page may have a percent-escape in its name.
func escapedPath(name string) string { return strings.ReplaceAll(name, "%", "%25") }
