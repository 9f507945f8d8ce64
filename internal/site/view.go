package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"vitrine/internal/domain"
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
	plain    bool // the catalogue has no chains

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
	canonical   string // query string of the canonical address
	Nav         []snapshot.NavGroup
	Meta        snapshot.Meta
	media       string // Content-Type, "" for that of the route
	raw         []byte // the document if no template renders it, else nil
}

// newView returns the view of a page. The percent-encoding of query is correct.
func (s *Site) newView(of *snapshot.Snapshot, a address, r *route, segment, query string) *view {
	name := of.Locales().Name(a.locale)
	values, _ := url.ParseQuery(query)
	v := &view{
		site: s, snapshot: of, locale: a.locale, address: a, route: r, segment: segment, query: query, values: values,
		common: s.common.of(of, a.locale, func() *common { return newCommon(of, a.locale, s.words) }),
		Lang:   language.Make(name).String(), Dir: direction(name), NoIndex: query != "",
	}
	v.words, v.Meta, v.Nav, v.plain = v.common.words, v.common.meta, v.common.nav, !v.Has(chains.name)
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
	body := out.Bytes()
	if v.site.base != "" && v.route.file == "" && !v.address.markdown {
		body = rooted.ReplaceAll(body, []byte("${1}"+v.site.base+"/"))
	}
	return response.Document{Body: body, Fields: v.fields(), Effort: v.effort()}, err
}

// rooted matches the beginning of a path in an attribute of a page. Templates escape quotation marks in
// texts, so these do not match.
var rooted = regexp.MustCompile(`( (?:href|src|action)=")/`)

// effort returns how hard to compress: searches, filtered lists and records are too many
// for a better compression.
func (v *view) effort() response.Effort {
	if v.route.file == "" && v.route.name != "docs" && (v.query != "" || v.segment != "") {
		return response.Once
	}
	return response.Often
}

// themeScript sets the theme of the cookie before the first paint, so that browsers with
// JavaScript need no stylesheet for it.
const themeScript = `{const t=/(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie);if(t)document.documentElement.style.colorScheme=t[1]}`

// policy allows the site's own files, and requests to the own server. Of inline scripts, only
// themeScript runs (CSP Level 3). remotePolicy also allows https images.
var (
	policy = "default-src 'none'; style-src 'self'; script-src 'self' '" + integrity(themeScript) + "'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	remotePolicy = strings.Replace(policy, "img-src 'self'", "img-src 'self' https:", 1)
)

// policy returns the policy of a page.
func (v *view) policy() string {
	of := policy
	if v.site.look.Images == ImagesRemote {
		of = remotePolicy
	}
	if accent := v.Accent(); accent != "" {
		of = strings.Replace(of, "style-src 'self'", "style-src 'self' '"+integrity(string(accent))+"'", 1)
	}
	return of
}

// integrity returns the hash of an inline script or stylesheet as in a policy.
func integrity(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// ThemeScript returns the script that sets the theme of the cookie.
func (v *view) ThemeScript() template.JS { return themeScript }

const cachePage = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"

// fields returns the headers of the document. Search engines index the HTML version of a
// page, so its Markdown version names the canonical address.
func (v *view) fields() response.Fields {
	more := http.Header{"Content-Type": {cmp.Or(v.media, v.route.file, "text/html; charset=utf-8")}, "Cache-Control": {cachePage}}
	if v.route.name == iconRoute {
		more["Content-Security-Policy"] = []string{picturePolicy}
	}
	if !v.route.localed && v.route.file != "" {
		return response.Fields{More: more}
	}
	more["Content-Security-Policy"] = []string{v.policy()}
	more["Referrer-Policy"] = []string{"strict-origin-when-cross-origin"}
	more["Link"] = []string{"<" + v.site.base + `/openapi.json>; rel="service-desc"; type="application/json", <` + v.site.base + `/llms.txt>; rel="describedby"; type="text/markdown"`}
	if v.address.markdown {
		more["Content-Type"] = []string{"text/markdown; charset=utf-8"}
		more["Link"] = append(more["Link"], "<"+v.Canonical()+`>; rel="canonical"`)
		more["X-Robots-Tag"] = []string{"noindex"}
	}
	return response.Fields{ContentLanguage: []string{v.snapshot.Locales().Name(v.locale)}, More: more}
}

// Name returns the name of the site.
func (v *view) Name() string { return cmp.Or(v.site.look.Name, v.Meta.Title) }

// Footer returns the operator's line, "" for none.
func (v *view) Footer() string { return cmp.Or(v.site.look.Footer, v.common.site.Footer) }

// T returns the words of the interface for a key; see dictionary.text. Words that mention chains have
// a plain form for catalogues without chains.
func (v *view) T(key string, values ...any) string {
	if plain := key + ".plain"; v.plain && v.words.has(plain) {
		key = plain
	}
	return v.words.text(key, values...)
}

// Lead and Imprint return how the catalogue presents itself; "" for none.
func (v *view) Lead() string    { return cmp.Or(v.common.site.Lead, v.T("first.lead")) }
func (v *view) Imprint() string { return v.common.site.Imprint }

// Accent returns the rule with the colour of the catalogue, "" for that of the operator or the program. It
// is in the page, so that it needs no request before the first paint.
func (v *view) Accent() template.CSS {
	if !colour.MatchString(v.common.site.Accent) || v.site.look.Accent != "" {
		return ""
	}
	return template.CSS(":root{--brand:" + v.common.site.Accent + "}")
}

// icon is the picture of a browser tab.
type icon struct{ Path, MediaType string } // the type of one of another host is ""

// Icon returns the icon of the catalogue, or of the program.
func (v *view) Icon() icon {
	own := v.Logo("", v.common.site.Icon)
	if own.Image == "" {
		return icon{v.Asset("icon.svg"), svgType}
	}
	picture, _ := v.snapshot.Picture(own.Image)
	return icon{own.Image, picture.MediaType}
}

// MCP reports whether the server has an MCP endpoint.
func (v *view) MCP() bool { return !v.site.noMCP }

// Has reports whether the catalogue has records of a section, menus, categories, news, or a figure.
func (v *view) Has(name string) bool { return v.common.has[name] }

// Int, Amount, Money and Date format numbers, US dollars and dates for the locale.
func (v *view) Int(n int) string          { return v.words.integer(n) }
func (v *view) Amount(n float64) string   { return v.words.amount(n) }
func (v *view) Money(n float64) string    { return v.T("money", "n", v.words.amount(n)) }
func (v *view) Date(date string) string   { return v.words.date(date) }
func (v *view) Asset(name string) string  { return v.site.assets.names[name] }
func (v *view) Page() string              { return v.route.name }
func (v *view) Absolute(at string) string { return v.site.publicURL + at }
func (v *view) Query(name string) string  { return v.values.Get(name) }
func (v *view) Themes() []string          { return themes }

// At returns the path of a page in the reader's language.
func (v *view) At(path string) string { return inLocale(v.snapshot.Locales(), v.locale, path) }

func inLocale(locales *locale.Set, id locale.ID, path string) string {
	return "/" + strings.ToLower(locales.Name(id)) + path
}

// Docs returns the path of a page below /docs, which are in English only.
func (v *view) Docs(path string) string {
	return inLocale(v.snapshot.Locales(), english(v.snapshot.Locales()), "/docs"+path)
}

// Here returns the path of this page in the reader's language.
func (v *view) Here() string { return v.At(v.address.path) }

// Address returns the absolute address of the HTML version of this page.
func (v *view) Address() string { return v.Absolute(withQuery(v.Here(), v.query)) }

// Canonical returns the absolute address that search engines should index instead of this page.
func (v *view) Canonical() string { return v.Absolute(withQuery(v.Here(), v.canonical)) }

// Plain returns the canonical address of this page without a locale.
func (v *view) Plain() string { return withQuery(v.address.path, v.canonical) }

// Picture returns the absolute address of the preview image of this page, "" for none: that of a file of
// this server needs a public address.
func (v *view) Picture() string {
	switch {
	case isWeb(v.Image):
		return v.Image
	case v.site.publicURL == "":
		return ""
	}
	if followable(v.Image) {
		return v.Absolute(v.Image)
	}
	return v.Absolute(v.Asset("preview.png"))
}

// imageAddress returns the address of an image of a record for other sites, "" for none.
func (v *view) imageAddress(image string) string {
	if _, own := v.snapshot.Picture(image); own {
		return v.Absolute(image)
	}
	return image
}

// Markdown returns the address of the Markdown version of this page, "" for none.
func (v *view) Markdown() string {
	if !v.route.markdown {
		return ""
	}
	path, ok := v.site.markdownOf(v.snapshot, v.Here())
	if !ok {
		return ""
	}
	return withQuery(path, v.query)
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

// Leads returns the address that an entry leads to in Markdown.
func (v *view) Leads(e entry) string {
	if e.Out || e.Link == "" {
		return e.Link
	}
	return v.Doc(e.Link)
}

// translation is this page in a language of the catalogue.
type translation struct {
	Lang, Name, Path string
	Current          bool
}

// Translations returns the canonical address of this page in all languages; none for a page in English
// only.
func (v *view) Translations() []translation {
	if v.route.english {
		return nil
	}
	return v.translations(v.address.path, v.canonical)
}

// Languages returns this page in all languages, with its query string; the first page in place of a
// page in English only.
func (v *view) Languages() []translation {
	if v.route.english {
		return v.translations("/", "")
	}
	return v.translations(v.address.path, v.query)
}

func (v *view) translations(path, query string) []translation {
	locales := v.snapshot.Locales()
	var all []translation
	for i, name := range locales.Names() {
		all = append(all, translation{language.Make(name).String(), v.site.words.nameOf(name), withQuery(inLocale(locales, locale.ID(i), path), query), locale.ID(i) == v.locale})
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
type logo struct {
	Initial, Image string
	Width, Height  int // 0 for an image of another host
}

// Logo returns the image of a record and its fallback, the first letter of its name. A picture of the
// catalogue has its size.
func (v *view) Logo(name, image string) logo {
	l := logo{}
	for _, c := range name {
		l.Initial = strings.ToUpper(string(c))
		break
	}
	own, ok := v.snapshot.Picture(image)
	switch images := v.site.look.Images; {
	case ok && images != ImagesNone:
		l.Image, l.Width, l.Height = image, own.Width, own.Height
	case images == ImagesRemote && strings.HasPrefix(image, "https://"):
		l.Image = image
	}
	return l
}

// Source returns the name of the source of a figure, as a link if the catalogue declares its page. The
// source of a bare figure ("", "editor" in meta) are the editors.
func (v *view) Source(key string) value {
	if key == "" || key == "editor" {
		return value{Text: v.T("source.editor")}
	}
	if s, ok := v.snapshot.SourceNamed(key); ok {
		return sourceValue(s)
	}
	return value{Text: key}
}

// sourceValue returns the name of a source, as a link if pages link to its address.
func sourceValue(s domain.Source) value {
	of := value{Text: s.Name}
	if isWeb(s.URL) {
		of.URL = s.URL
	}
	return of
}

// Web reports whether an address is an http or https URL that pages link to.
func (v *view) Web(address string) bool { return isWeb(address) }

// Host returns the host of an address without "www."; the address itself if it has none.
func (v *view) Host(address string) string { return cmp.Or(hostOf(address), address) }

// forges are hosts of code, whose first two path segments name the owner and the project.
var forges = []string{"github.com", "gitlab.com", "codeberg.org"}

// hostOf returns the host of an address without "www.", with the project on a forge, "" for none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	if slices.Contains(forges, host) {
		path := strings.SplitN(strings.Trim(u.EscapedPath(), "/"), "/", 3)
		host = strings.TrimSuffix(host+"/"+strings.Join(path[:min(2, len(path))], "/"), "/")
	}
	return host
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
