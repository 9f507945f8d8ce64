package site

import (
	"bytes"
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// view is the data of a template: the page, and what all pages have. Its exported methods
// are the functions of templates.
type view struct {
	site     *Site
	snapshot *snapshot.Snapshot
	locale   locale.ID
	words    *dictionary
	address  address
	route    *route
	segment  string // that follows the path of the route
	query    string // canonical
	values   url.Values
	common   *common

	Lang        string // BCP 47 tag of the texts
	Dir         string // "ltr" or "rtl"
	Title       string
	Description string // for search engines, "" for none
	Image       string // preview in other sites, "" for the default
	JSON        string // path of the same data in the API, "" for none
	Edit        string // address for editing the record of the page, "" if unknown
	Script      string // name of a script of this page, "" for none
	NoIndex     bool   // search engines should not index the page
	Linked      any    // JSON-LD, nil for none
	Main        any    // data of the page's own template
	Nav         []snapshot.NavGroup
	Meta        snapshot.Meta
	raw         []byte // the document if no template renders it, else nil
}

// newView returns the view of a page. The percent-encoding of query is correct.
func (s *Site) newView(of *snapshot.Snapshot, a address, r *route, segment, query string) *view {
	name := of.Locales().Name(a.locale)
	values, _ := url.ParseQuery(query)
	v := &view{
		site: s, snapshot: of, locale: a.locale, words: s.words.of(name), address: a, route: r, segment: segment, query: query, values: values,
		common: s.common.of(of, a.locale, func() *common { return newCommon(of, a.locale) }),
		Lang:   language.Make(name).String(), Dir: direction(name), NoIndex: query != "",
	}
	v.Meta, v.Nav = v.common.meta, v.common.nav
	return v
}

// checkEscapes returns an error for the first value of a canonical query with a wrong
// percent-encoding.
func checkEscapes(raw string) error {
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if _, err := url.QueryUnescape(value); err != nil {
			return &query.Error{Parameter: name, Detail: name + " has an invalid percent-encoding; write % itself as %25"}
		}
	}
	return nil
}

// direction returns the writing direction of a locale.
func direction(name string) string {
	script, _ := language.Make(name).Script()
	if slices.Contains([]string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand"}, script.String()) {
		return "rtl"
	}
	return "ltr"
}

// render returns the document of a loaded view. It fails only if a template of the look
// does.
func (v *view) render() (response.Document, error) {
	var out bytes.Buffer
	name, err := cmp.Or(v.route.template, v.route.name), error(nil)
	switch {
	case v.raw != nil:
		out.Write(v.raw)
	case v.route.file != "":
		err = v.site.templates.text.ExecuteTemplate(&out, name, v)
	case v.address.markdown:
		err = v.site.templates.markdown(&out, name, v)
	default:
		err = v.site.templates.html[name].ExecuteTemplate(&out, layout, v)
	}
	return response.Document{Body: out.Bytes(), Fields: v.fields(), Effort: v.effort()}, err
}

// effort returns how hard to compress: searches, filtered lists and records are too many
// for a better compression.
func (v *view) effort() response.Effort {
	if v.route.file == "" && v.route.name != "docs" && (v.query != "" || v.segment != "") {
		return response.Once
	}
	return response.Often
}

// policy allows the site's own files and https images, and requests to the own server.
// Nothing inline runs (CSP Level 3).
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const cachePage = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"

// fields returns the headers of the document. Search engines index the HTML version of a
// page, so its Markdown version names the canonical address.
func (v *view) fields() response.Fields {
	more := http.Header{"Content-Type": {cmp.Or(v.route.file, "text/html; charset=utf-8")}, "Cache-Control": {cachePage}}
	if !v.route.localed && v.route.file != "" {
		return response.Fields{More: more}
	}
	more["Content-Security-Policy"] = []string{policy}
	more["Referrer-Policy"] = []string{"strict-origin-when-cross-origin"}
	more["Link"] = []string{`</openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel="describedby"; type="text/markdown"`}
	if v.address.markdown {
		more["Content-Type"] = []string{"text/markdown; charset=utf-8"}
		more["Link"] = append(more["Link"], "<"+v.Absolute(v.Here())+`>; rel="canonical"`)
		more["X-Robots-Tag"] = []string{"noindex"}
	}
	return response.Fields{ContentLanguage: []string{v.snapshot.Locales().Name(v.locale)}, More: more}
}

// Name returns the name of the site.
func (v *view) Name() string { return cmp.Or(v.site.look.Name, v.Meta.Title) }

// Footer returns the operator's line, "" for none.
func (v *view) Footer() string { return v.site.look.Footer }

// T returns the words of the interface for a key; see dictionary.text.
func (v *view) T(key string, values ...any) string { return v.words.text(key, values...) }

// Int, Amount, Money and Date format numbers, US dollars and dates for the locale.
func (v *view) Int(n int) string           { return v.words.integer(n) }
func (v *view) Amount(n float64) string    { return v.words.amount(n) }
func (v *view) Money(n float64) string     { return v.T("money", "n", v.words.amount(n)) }
func (v *view) Date(date string) string    { return v.words.date(date) }
func (v *view) Asset(name string) string   { return v.site.assets.names[name] }
func (v *view) Page() string               { return v.route.name }
func (v *view) Absolute(at string) string  { return v.site.publicURL + at }
func (v *view) Query(name string) string   { return v.values.Get(name) }
func (v *view) Themes() []string           { return themes }
func (v *view) localized() query.Localized { return query.Localized{Locale: v.locale} }

// At returns the path of a page in the reader's language.
func (v *view) At(path string) string { return inLocale(v.snapshot.Locales(), v.locale, path) }

func inLocale(locales *locale.Set, id locale.ID, path string) string {
	return "/" + strings.ToLower(locales.Name(id)) + path
}

// Here returns the path of this page in the reader's language.
func (v *view) Here() string { return v.At(v.address.path) }

// Address returns the absolute address of the HTML version of this page.
func (v *view) Address() string { return v.Absolute(withQuery(v.Here(), v.query)) }

// Plain returns the path of this page without a locale.
func (v *view) Plain() string { return v.address.path }

// Picture returns the address of the preview image of this page.
func (v *view) Picture() string {
	if isWeb(v.Image) {
		return v.Image
	}
	if followable(v.Image) {
		return v.Absolute(v.Image)
	}
	return v.Absolute(v.Asset("preview.png"))
}

// Markdown returns the path of the Markdown version of this page, "" for none.
func (v *view) Markdown() string {
	if !v.route.markdown {
		return ""
	}
	path, _ := v.site.markdownOf(v.snapshot, v.Here())
	return path
}

// Doc returns the absolute address of the Markdown version of a page of the site, or of
// the page itself if it has none. The path may have a query string and a fragment.
func (v *view) Doc(path string) string {
	end := strings.IndexAny(path, "?#")
	if end < 0 {
		end = len(path)
	}
	if other, ok := v.site.markdownOf(v.snapshot, path[:end]); ok {
		return v.Absolute(other + path[end:])
	}
	return v.Absolute(path)
}

// translation is this page in a language of the catalogue.
type translation struct {
	Lang, Name, Path string
	Current          bool
}

// Translations returns this page in all languages, without its query string.
func (v *view) Translations() []translation { return v.translations("") }

// Languages returns this page in all languages, with its query string.
func (v *view) Languages() []translation { return v.translations(v.query) }

func (v *view) translations(query string) []translation {
	locales := v.snapshot.Locales()
	var all []translation
	for i, name := range locales.Names() {
		path := withQuery(inLocale(locales, locale.ID(i), v.address.path), query)
		all = append(all, translation{language.Make(name).String(), v.site.words.nameOf(name), path, locale.ID(i) == v.locale})
	}
	return all
}

type parameter struct{ Name, Value string }

// Hidden returns the parameters of this page except some, for the form that sets those.
func (v *view) Hidden(except ...string) []parameter {
	var hidden []parameter
	for _, name := range v.route.known {
		if slices.Contains(except, name) {
			continue
		}
		for _, value := range v.values[name] {
			hidden = append(hidden, parameter{name, value})
		}
	}
	return hidden
}

// With returns the address of the first page of this list with changed parameters, given
// as pairs of name and value; "" removes a parameter.
func (v *view) With(pairs ...string) string {
	values := url.Values{}
	for name, all := range v.values {
		if name != "offset" {
			values[name] = all
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if values.Del(pairs[i]); pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	return withQuery(v.Here(), values.Encode())
}

func withQuery(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// Revision returns the number of the revision.
func (v *view) Revision() int { return int(v.Meta.Revision) }

// Published returns the date of the revision.
func (v *view) Published() string { return v.Date(v.PublishedDay()) }

// PublishedDay returns the date of the revision as YYYY-MM-DD.
func (v *view) PublishedDay() string { return v.Meta.PublishedAt[:len("2006-01-02")] }

// FullTitle returns the title of the page and the name of the site.
func (v *view) FullTitle() string {
	if v.Title == "" || v.Title == v.Name() {
		return v.Name()
	}
	return v.Title + " · " + v.Name()
}

// currency returns the words for a currency.
func (v *view) currency(c *snapshot.Currency) string {
	return v.T("currency", "name", c.Name, "symbol", c.Symbol, "n", int(c.Decimals))
}

// logo is the data of the template "logo".
type logo struct{ Initial, Image string }

// Logo returns the image of a record and its fallback, the first letter of its name.
func (v *view) Logo(name, image string) logo {
	if v.site.look.NoImages || !strings.HasPrefix(image, "https://") {
		image = ""
	}
	for _, c := range name {
		return logo{strings.ToUpper(string(c)), image}
	}
	return logo{"", image}
}

// sourceNames are the names of sources by the keys in figures.
var sourceNames = map[string]string{"defillama": "DefiLlama"}

// Source returns the name of the source of a figure. The source of a bare figure ("",
// "editor" in meta) are the editors.
func (v *view) Source(key string) string {
	if key == "" || key == "editor" {
		return v.T("source.editor")
	}
	return cmp.Or(sourceNames[key], key)
}

// Web reports whether an address is an http or https URL that pages link to.
func (v *view) Web(address string) bool { return isWeb(address) }

// Host returns the host of an address without "www."; the address itself if it has none.
func (v *view) Host(address string) string { return cmp.Or(hostOf(address), address) }

// hostOf returns the host of an address without "www.", "" for none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

func isWeb(address string) bool { return strings.Contains(address, "://") && followable(address) }

// followable reports whether pages link to an address: an http or https URL, or a path of
// this site. Other addresses are shown as text.
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
