package site

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// The paths of discovery files.
const (
	llmsPath       = "/llms.txt"                // https://llmstxt.org
	apiCatalogPath = "/.well-known/api-catalog" // a linkset (RFC 9264) as of RFC 9727
	openSearchPath = "/opensearch.xml"          // OpenSearch 1.1, draft 6
)

// loadNothing is for files whose template needs only the common data of pages.
func loadNothing(*view) error { return nil }

// llmsMain is the data of llms.txt.
type llmsMain struct {
	Locales     string
	Contents    string // the numbers of records
	Kinds       string // of the search, separated by commas
	Scopes      string // of categories, separated by "|"
	Tags, Menus []keysOf
}

// keysOf is a group with its keys, separated by commas.
type keysOf struct{ Name, Keys string }

// Bounds of llms.txt.
const (
	maxListedMenus = 40
	maxListedTags  = 6 // of a dimension group
)

func loadLLMs(v *view) error {
	m := llmsMain{Locales: strings.Join(v.snapshot.Locales().Names(), ", ")}
	m.Contents, m.Kinds, m.Scopes = v.contents()
	for _, f := range v.snapshot.Facets(v.one(query.KindChain, "")) {
		slices.SortStableFunc(f.Categories, func(a, b snapshot.FacetCount) int { return cmp.Compare(b.Count, a.Count) })
		var keys []string
		for _, c := range f.Categories[:min(maxListedTags, len(f.Categories))] {
			keys = append(keys, c.Key)
		}
		if len(keys) > 0 {
			m.Tags = append(m.Tags, keysOf{f.Name, strings.Join(keys, ", ")})
		}
	}
	listed := 0
	for _, group := range v.Nav {
		var menus []string
		for _, menu := range group.Navs[:min(len(group.Navs), maxListedMenus-listed)] {
			menus = append(menus, slugOf(menu))
		}
		listed += len(menus)
		if len(menus) > 0 {
			m.Menus = append(m.Menus, keysOf{group.Name, strings.Join(menus, ", ")})
		}
	}
	v.Main = m
	return nil
}

// contents returns the numbers of records, the kinds that a search finds and the scopes of categories, of
// what the catalogue has.
func (v *view) contents() (numbers, kinds, scopes string) {
	var said, found, classified []string
	n := v.Meta.Counts
	type part struct {
		count             int
		what, kind, scope string
	}
	parts := []part{
		{n.Chains, "chains", "chain", "chain"}, {n.Apps, "apps", "app", "item"}, {n.Users, "accounts on X/Twitter", "user", "twitter"},
		{n.Channels, "YouTube channels", "channel", "youtube"}, {n.Categories, "categories", "category", ""}, {n.Menus, "menus of app cards", "card,menu", ""},
	}
	for _, of := range plainSections {
		parts = append(parts, part{v.count(of), of.name, string(of.kind), string(of.module)})
	}
	for _, part := range parts {
		if part.count == 0 {
			continue
		}
		said, found = append(said, fmt.Sprintf("%s (%d)", part.what, part.count)), append(found, part.kind)
		if part.scope != "" {
			classified = append(classified, part.scope)
		}
	}
	return cmp.Or(strings.Join(said, ", "), "records, of which it has none yet"), strings.Join(found, ","), strings.Join(classified, "|")
}

// loadOpenSearch loads the description of the search, which needs a public address.
func loadOpenSearch(v *view) error {
	if v.site.publicURL == "" {
		return errUnknown
	}
	v.Main = map[string]string{"ShortName": shortened(v.Name(), 16), "Description": shortened(v.Name(), 1024)}
	return nil
}

// shortened returns at most n characters.
func shortened(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// The limits of a sitemap (sitemaps.org). Half of the allowed bytes keeps files handy.
const (
	maxSitemapAddresses = 50_000
	maxSitemapBytes     = 10 << 20
)

// loadSitemap loads the sitemap, or the index of its files. A sitemap needs a public
// address.
func loadSitemap(v *view) error {
	if v.site.publicURL == "" {
		return errUnknown
	}
	parts := v.sitemapParts()
	if len(parts) == 1 {
		v.raw = v.sitemap(parts[0], v.docsPaths())
		return nil
	}
	out := bytes.NewBufferString(xml.Header + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range parts {
		fmt.Fprintf(out, "<sitemap><loc>%s</loc><lastmod>%s</lastmod></sitemap>", v.xmlAddress("/sitemap-"+strconv.Itoa(i+1)+".xml"), v.Meta.PublishedAt)
	}
	out.WriteString("</sitemapindex>")
	v.raw = out.Bytes()
	return nil
}

// loadSitemapPart loads one of several files of a sitemap.
func loadSitemapPart(v *view) error {
	n, err := strconv.Atoi(strings.TrimSuffix(v.segment, ".xml"))
	if v.site.publicURL == "" || err != nil || v.segment != strconv.Itoa(n)+".xml" {
		return errUnknown
	}
	parts := v.sitemapParts()
	if n < 1 || n > len(parts) || len(parts) == 1 {
		return errUnknown
	}
	var more []string
	if n == 1 {
		more = v.docsPaths()
	}
	v.raw = v.sitemap(parts[n-1], more)
	return nil
}

// sitemapParts returns the paths of all pages, without locales, by file of the sitemap.
func (v *view) sitemapParts() [][]string {
	return divide(v.allPaths(), v.snapshot.Locales().Len(), len(v.Absolute("")))
}

// divide divides paths into files within the limits of sitemaps. Each path has an address in
// each language, with a prefix of base bytes.
func divide(paths []string, languages, base int) [][]string {
	const markup, prefix = 96, 16 // at most, in bytes: of an element, and of a locale in a path
	var parts [][]string
	addresses, size := 0, 0
	for _, path := range paths {
		address := base + prefix + len(path) + markup
		entry := languages * address * (languages + 2) // all languages, itself, and x-default
		if len(parts) == 0 || addresses+languages > maxSitemapAddresses || size+entry > maxSitemapBytes {
			parts, addresses, size = append(parts, nil), 0, 0
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], path)
		addresses += languages
		size += entry
	}
	return parts
}

// allPaths returns the paths of all pages to index, without locales.
func (v *view) allPaths() []string {
	var all []string
	for _, r := range v.site.routes {
		if r.localed && !r.hasSegment() && r.file == "" && r.name != "search" && r.name != "compare" && !r.english && v.lists(r) {
			all = append(all, r.path)
		}
	}
	for _, group := range v.Nav {
		for _, menu := range group.Navs {
			all = append(all, menu.Href)
		}
	}
	for _, module := range domain.Modules() {
		for _, category := range v.snapshot.FullCategoriesView(module) {
			all = append(all, withQuery(v.listOf(module, category.Key).path, url.Values{"tag": {category.Key}}.Encode()))
		}
	}
	for _, of := range sections() {
		if of.records == "" {
			continue
		}
		for _, key := range v.snapshot.Keys(query.List{Kind: of.kind, Locale: v.locale, Status: query.StatusAll}) {
			all = append(all, of.records+"/"+url.PathEscape(key))
		}
	}
	return all
}

// lists reports whether the page of a route has content in this catalogue.
func (v *view) lists(r route) bool {
	name := r.name
	if name == cards.name {
		name = menus.name
	}
	has, known := v.common.has[name]
	return has || !known
}

// hasRecords reports whether the catalogue has anything to list.
func (v *view) hasRecords() bool {
	return slices.Contains(slices.Collect(maps.Values(v.common.has)), true)
}

// docsPaths returns the paths of the pages in English only.
func (v *view) docsPaths() []string {
	all := []string{v.Docs("")}
	for _, guide := range v.site.docs().Guides {
		all = append(all, v.Docs("/"+guide.Slug))
	}
	return all
}

// sitemap returns a sitemap of paths in all languages, and of more paths as they are.
func (v *view) sitemap(paths, more []string) []byte {
	out := bytes.NewBufferString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`)
	locales := v.snapshot.Locales()
	var tags []string
	for _, name := range locales.Names() {
		tags = append(tags, language.Make(name).String())
	}
	var alternates bytes.Buffer
	for _, path := range paths {
		alternates.Reset()
		addresses := make([]string, len(tags))
		for id, tag := range tags {
			addresses[id] = v.xmlAddress(inLocale(locales, locale.ID(id), path))
			fmt.Fprintf(&alternates, `<xhtml:link rel="alternate" hreflang="%s" href="%s"></xhtml:link>`, tag, addresses[id])
		}
		fmt.Fprintf(&alternates, `<xhtml:link rel="alternate" hreflang="x-default" href="%s"></xhtml:link>`, v.xmlAddress(path))
		for _, address := range addresses {
			fmt.Fprintf(out, "<url><loc>%s</loc><lastmod>%s</lastmod>%s</url>", address, v.Meta.PublishedAt, alternates.Bytes())
		}
	}
	for _, path := range more {
		fmt.Fprintf(out, "<url><loc>%s</loc><lastmod>%s</lastmod></url>", v.xmlAddress(path), v.Meta.PublishedAt)
	}
	out.WriteString("</urlset>")
	return out.Bytes()
}

// xmlAddress returns the absolute address of a path, escaped for XML.
func (v *view) xmlAddress(path string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(v.Absolute(path))) // a builder accepts all writes
	return out.String()
}
