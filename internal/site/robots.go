package site

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
)

// What search engines are told: which pages there are, and which to leave out.

// robotsPage keeps crawlers out of filtered and searched pages, which have no end. The
// API is allowed with its queries, because llms.txt recommends them and no page links to
// them. The longest rule that matches decides (RFC 9309, section 2.2.2).
func robotsPage(v *view) (response.Document, error) {
	lines := []string{"User-agent: *", "Allow: /", "Allow: /api/", "Disallow: /*?"}
	if v.site.publicURL != "" {
		lines = append(lines, "", "Sitemap: "+v.Absolute("/sitemap.xml"))
	}
	return v.file("text/plain; charset=utf-8", []byte(strings.Join(lines, "\n")+"\n")), nil
}

// iconPage is for browsers that ask for an icon where none was named.
func iconPage(v *view) (response.Document, error) {
	found, _ := v.site.assets.document(v.Asset("icon.svg"))
	icon := v.file("image/svg+xml", found.Body)
	icon.Fields.More["Content-Security-Policy"] = found.Fields.More["Content-Security-Policy"]
	return icon, nil
}

// The limits of one sitemap (sitemaps.org): addresses, and bytes, which are half of what
// is allowed so that no file is unwieldy.
const (
	maxSitemapAddresses = 50_000
	maxSitemapBytes     = 10 << 20
)

// sitemap is one file of addresses.
type sitemap struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	XHTML   string    `xml:"xmlns:xhtml,attr"`
	URLs    []siteURL `xml:"url"`
}

type siteURL struct {
	Address    string      `xml:"loc"`
	Changed    string      `xml:"lastmod"`
	Alternates []alternate `xml:"xhtml:link"`
}

type alternate struct {
	Rel      string `xml:"rel,attr"`
	Language string `xml:"hreflang,attr"`
	Address  string `xml:"href,attr"`
}

// sitemapIndex names the files of a sitemap that is more than one.
type sitemapIndex struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Files   []siteURL `xml:"sitemap"`
}

// sitemapPage is the sitemap, or the index of its files. There is none where the
// address of the server is not known: a sitemap needs absolute ones.
func sitemapPage(v *view) (response.Document, error) {
	if v.site.publicURL == "" {
		return response.Document{}, errUnknown
	}
	parts := v.sitemapParts()
	if len(parts) == 1 {
		return v.sitemapPart(parts[0])
	}
	var index sitemapIndex
	for i := range parts {
		index.Files = append(index.Files, siteURL{Address: v.Absolute("/sitemap-" + strconv.Itoa(i+1) + ".xml"), Changed: v.Meta.PublishedAt})
	}
	return v.xml(index)
}

// sitemapFile is one of several files of a sitemap.
func sitemapFile(v *view) (response.Document, error) {
	n, err := strconv.Atoi(strings.TrimSuffix(v.segment, ".xml"))
	if v.site.publicURL == "" || err != nil || v.segment != strconv.Itoa(n)+".xml" {
		return response.Document{}, errUnknown
	}
	parts := v.sitemapParts()
	if n < 1 || n > len(parts) || len(parts) == 1 {
		return response.Document{}, errUnknown
	}
	return v.sitemapPart(parts[n-1])
}

// sitemapParts returns the paths of all pages, without locales, divided into as many
// files as are needed.
func (v *view) sitemapParts() [][]string {
	return divide(v.allPaths(), v.snapshot.Locales().Len(), len(v.Absolute("")))
}

// divide divides paths, each of which a sitemap has in some languages at addresses that
// begin with so many bytes, into files that keep the limits of sitemaps.
func divide(paths []string, languages, base int) [][]string {
	const markup, prefix = 96, 16 // bytes at most: of an element, and of a locale in a path
	var parts [][]string
	addresses, size := 0, 0
	for _, path := range paths {
		address := base + prefix + len(path) + markup
		entry := languages * address * (languages + 2) // each has all, itself, and the one for everybody
		if len(parts) == 0 || addresses+languages > maxSitemapAddresses || size+entry > maxSitemapBytes {
			parts, addresses, size = append(parts, nil), 0, 0
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], path)
		addresses += languages
		size += entry
	}
	return parts
}

// allPaths returns the paths of all pages that search engines are to know, without
// locales: those of the table that are whole, then those of records.
func (v *view) allPaths() []string {
	var all []string
	for _, r := range v.site.routes {
		if r.localed && !r.hasSegment() && r.name != "search" && r.name != "feed" {
			all = append(all, r.path)
		}
	}
	for _, group := range v.Nav {
		for _, menu := range group.Navs {
			all = append(all, menu.Href)
		}
	}
	for _, guide := range v.site.docs.Guides {
		all = append(all, "/docs/"+guide.Slug)
	}
	return append(all, v.recordPaths()...)
}

func (v *view) sitemapPart(paths []string) (response.Document, error) {
	m := sitemap{XHTML: "http://www.w3.org/1999/xhtml"}
	for _, path := range paths {
		var alternates []alternate
		for id, name := range v.snapshot.Locales().Names() {
			alternates = append(alternates, alternate{"alternate", language.Make(name).String(), v.Absolute(v.in(locale.ID(id), path))})
		}
		alternates = append(alternates, alternate{"alternate", "x-default", v.Absolute(path)})
		for id := range v.snapshot.Locales().Names() {
			m.URLs = append(m.URLs, siteURL{v.Absolute(v.in(locale.ID(id), path)), v.Meta.PublishedAt, alternates})
		}
	}
	return v.xml(m)
}

func (v *view) xml(document any) (response.Document, error) {
	body, err := xml.Marshal(document)
	if err != nil {
		return response.Document{}, err
	}
	return v.file("application/xml; charset=utf-8", append([]byte(xml.Header), body...)), nil
}

// recordPaths returns the paths of the pages of all records that have one.
func (v *view) recordPaths() []string {
	var all []string
	add := func(prefix string, body []byte, list, key string) {
		if v.site.findRoute(prefix+"x") == nil {
			return
		}
		for _, record := range read[map[string][]map[string]json.RawMessage](body)[list] {
			all = append(all, prefix+url.PathEscape(read[string](record[key])))
		}
	}
	list := query.List{Locale: v.locale, Status: query.StatusAll}
	add("/chains/", v.snapshot.Chains(query.Chains{List: list, Sort: query.SortTVL}).Body(), "chains", "slug")
	add("/twitter/", v.snapshot.Users(list).Body(), "users", "handle")
	add("/youtube/", v.snapshot.Channels(list).Body(), "channels", "channelId")
	return all
}
