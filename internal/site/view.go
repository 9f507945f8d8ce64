package site

import (
	"bytes"
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

// view is what the template of a page sees: the page itself and what every page has.
// Its methods are the functions of templates.
type view struct {
	site     *Site
	snapshot *snapshot.Snapshot
	locale   locale.ID
	words    *dictionary
	address  address
	route    *route
	segment  string // of the path, behind the route's
	query    string // canonical
	common   *common

	Lang        string // of the texts, as HTML names it (BCP 47)
	Dir         string // "ltr" or "rtl"
	Title       string // of the page
	Description string // for search engines, "" for none
	Image       string // that stands for the page elsewhere, "" for none
	JSON        string // path of what the API has of this page, "" for nothing
	Script      string // name of a file of its own, "" for none
	NoIndex     bool   // search engines should leave it out
	Linked      any    // JSON-LD, nil for none
	Main        any    // what the template of the page shows
	Nav         []navGroup
	Meta        metaBody
}

func (s *Site) newView(of *snapshot.Snapshot, a address, r *route, segment, raw string) (*view, error) {
	name := of.Locales().Name(a.locale)
	v := &view{
		site: s, snapshot: of, locale: a.locale, words: s.words.of(name), address: a, route: r, segment: segment,
		query: raw, Lang: language.Make(name).String(), Dir: direction(name),
	}
	if err := checkEscapes(v.query); err != nil {
		return nil, err
	}
	v.NoIndex = v.query != ""
	var err error
	v.common, err = s.common.of(of, a.locale, func() (*common, error) { return readCommon(of, a.locale), nil })
	if err != nil {
		return nil, err
	}
	v.Meta, v.Nav = v.common.meta, v.common.nav
	return v, nil
}

// checkEscapes finds a value of a canonical query whose percent-encoding is wrong. A page
// reads its own query in many places, also where the API does not.
func checkEscapes(raw string) error {
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if _, err := url.QueryUnescape(value); err != nil {
			return &query.Error{Parameter: name, Detail: name + " has an invalid percent-encoding; write % itself as %25"}
		}
	}
	return nil
}

// direction returns the direction in which a locale is written.
func direction(name string) string {
	script, _ := language.Make(name).Script()
	if slices.Contains([]string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand"}, script.String()) {
		return "rtl"
	}
	return "ltr"
}

// render makes the document of a page from the template of its name.
func (v *view) render(name string, main any) (response.Document, error) {
	v.Main = main
	var out bytes.Buffer
	if err := v.site.templates[name].ExecuteTemplate(&out, layout, v); err != nil {
		return response.Document{}, err
	}
	return response.Document{Body: out.Bytes(), Fields: v.fields("text/html; charset=utf-8"), Effort: v.effort()}, nil
}

// show makes the document of a page in the form that was asked for: of the template of
// its name, or as Markdown.
func (v *view) show(name string, main any, twin func(*page) error) (response.Document, error) {
	if v.address.markdown {
		return v.markdown(twin)
	}
	return v.render(name, main)
}

// effort is how hard to compress a page: of searches and filters there is no end, and of
// records there are many.
func (v *view) effort() response.Effort {
	if v.query != "" || v.segment != "" {
		return response.Once
	}
	return response.Often
}

// policy is what a page may do: load its own files, pictures of cards from their hosts,
// ask its own server. Nothing that stands in its text runs (CSP Level 3).
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const cachePage = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"

// fields returns the headers of a page.
func (v *view) fields(contentType string) response.Fields {
	more := http.Header{
		"Content-Type":            {contentType},
		"Cache-Control":           {cachePage},
		"Content-Security-Policy": {policy},
		"Referrer-Policy":         {"strict-origin-when-cross-origin"},
		"Link":                    {`</openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel="describedby"; type="text/markdown"`},
	}
	return response.Fields{ContentLanguage: []string{v.snapshot.Locales().Name(v.locale)}, More: more}
}

// Name returns what the site is called.
func (v *view) Name() string {
	if v.site.look.Name != "" {
		return v.site.look.Name
	}
	return v.Meta.Title
}

// Footer returns the operator's line, "" for none.
func (v *view) Footer() string { return v.site.look.Footer }

// T returns a text of the interface; see dictionary.text.
func (v *view) T(key string, values ...any) (string, error) { return v.words.text(key, values...) }

// Int, Amount and Date write numbers and dates as the language does.
func (v *view) Int(n int) string          { return v.words.integer(n) }
func (v *view) Amount(n float64) string   { return v.words.amount(n) }
func (v *view) Date(date string) string   { return v.words.date(date) }
func (v *view) Asset(name string) string  { return v.site.assets.names[name] }
func (v *view) Page() string              { return v.route.name }
func (v *view) Absolute(at string) string { return v.site.publicURL + at }

// At returns the path of a page in the reader's language.
func (v *view) At(path string) string { return v.in(v.locale, path) }

func (v *view) in(id locale.ID, path string) string {
	prefix := "/" + strings.ToLower(v.snapshot.Locales().Name(id))
	if path == "/" {
		return prefix + "/"
	}
	return prefix + path
}

// Here returns the path of this page in the reader's language.
func (v *view) Here() string { return v.At(v.address.path) }

// Plain returns the path of this page for everybody, whatever their language.
func (v *view) Plain() string { return v.address.path }

// Twin returns the path of this page as Markdown, "" where there is none.
func (v *view) Twin() string {
	if !v.route.twin {
		return ""
	}
	path, _ := v.site.twinOf(v.snapshot, v.Here())
	return path
}

// edition is a page in one language.
type edition struct {
	Lang, Name, Path string
	Current          bool
}

// Editions returns this page in all languages of the catalogue.
func (v *view) Editions() []edition { return v.editions("") }

// Languages is [view.Editions] with what was asked for.
func (v *view) Languages() []edition { return v.editions(v.query) }

func (v *view) editions(query string) []edition {
	var all []edition
	for i, name := range v.snapshot.Locales().Names() {
		id := locale.ID(i)
		path := v.in(id, v.address.path)
		all = append(all, edition{Lang: language.Make(name).String(), Name: v.site.words.nameOf(name), Path: withQuery(path, query), Current: id == v.locale})
	}
	return all
}

// Themes returns the names of all themes.
func (v *view) Themes() []string { return themes }

// Hidden returns the parameters of this page, for the form that changes one of them:
// those that are not named.
func (v *view) Hidden(but ...string) ([]parameter, error) {
	values, err := url.ParseQuery(v.query)
	if err != nil {
		return nil, err
	}
	var hidden []parameter
	for _, name := range v.route.known {
		if slices.Contains(but, name) {
			continue
		}
		for _, value := range values[name] {
			hidden = append(hidden, parameter{name, value})
		}
	}
	return hidden, nil
}

type parameter struct{ Name, Value string }

// With returns this page's address with a parameter changed, and from its first row on:
// names each followed by a value, "" to leave it out.
func (v *view) With(pairs ...string) (string, error) {
	values, err := url.ParseQuery(v.query)
	if err != nil {
		return "", err
	}
	values.Del("offset")
	for i := 0; i+1 < len(pairs); i += 2 {
		if values.Del(pairs[i]); pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	return withQuery(v.Here(), values.Encode()), nil
}

func withQuery(path, query string) string {
	if query == "" {
		return path
	}
	return path + "?" + query
}

// Money writes an amount of US dollars.
func (v *view) Money(n *float64) (string, error) { return v.T("money", "n", v.words.amount(*n)) }

// Published returns the day on which the revision was published.
func (v *view) Published() string { return v.words.date(v.Meta.PublishedAt[:len("2006-01-02")]) }

// logo is what the template "logo" shows.
type logo struct{ Initial, Image string }

// Logo returns the picture of a record, and what stands where there is none.
func (v *view) Logo(name, image string) logo {
	if v.site.look.NoImages || !strings.HasPrefix(image, "https://") {
		image = ""
	}
	return logo{initial(name), image}
}

// initial returns the first letter of a name.
func initial(name string) string {
	for _, c := range name {
		return strings.ToUpper(string(c))
	}
	return ""
}

// FullTitle returns the title of the page and of the site.
func (v *view) FullTitle() string {
	if v.Title == "" || v.Title == v.Name() {
		return v.Name()
	}
	return v.Title + " · " + v.Name()
}

// Query returns the parameter that a form shows, as it was asked.
func (v *view) Query(name string) string {
	values, err := url.ParseQuery(v.query)
	if err != nil {
		return ""
	}
	return values.Get(name)
}
