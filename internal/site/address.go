package site

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// An address of a page is its locale and its path: /zh-hans/chains/base. Without the
// locale it is the address for everybody, and the reader's browser says which language
// is meant. A path that ends in .md is the page as Markdown, its twin, unless it is the page
// of a record whose own name ends so: that one has its page there, and its twin at .md.md.

// themes are what the query parameter and the cookie `theme` may say.
var themes = []string{"auto", "light", "dark"}

// markdown is what the path of a page's twin ends with.
const markdown = ".md"

// address is a canonical path, taken apart.
type address struct {
	locale   locale.ID
	path     string // without the locale and without ".md"; "/" for the first page
	localed  bool   // false for what is the same in every language
	markdown bool
}

// Canonical returns the one address of what a request asks for; see operations.Pages.
func (s *Site) Canonical(of *snapshot.Snapshot, path, raw string, header http.Header) (string, string, []string) {
	if path == themePath {
		return themed(header), "", []string{"Cookie"}
	}
	if s.assets.has(path) || of == nil {
		return path, "", nil
	}
	r := s.findRoute(path)
	var by []string
	switch {
	case r != nil && !r.localed:
		return path, "", nil
	case r != nil:
		name := of.Locales().Name(preferred(of.Locales(), header["Accept-Language"]))
		path, by = "/"+strings.ToLower(name)+path, []string{"Accept-Language"}
	default:
		spelled := lowerFirst(path)
		if _, r, _ = s.find(of, spelled); r == nil || !r.localed {
			return path, "", nil
		}
		path = spelled
	}
	if other, ok := s.twinOf(of, path); ok {
		by = append(by, "Accept")
		if wantsMarkdown(header["Accept"]) {
			path = other
		}
	}
	return path, r.canonicalQuery(raw, of.Locales()), by
}

// lowerFirst returns a path whose first segment, which may be a language, is in lower case.
func lowerFirst(path string) string {
	first, rest, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if more {
		rest = "/" + rest
	}
	return "/" + strings.ToLower(first) + rest
}

// find takes a canonical path apart and finds the route of what stands there, and what
// is behind it; nil where nothing does. A page has no other address than this one: none
// with a locale where it has none, none as Markdown where it has no twin.
func (s *Site) find(of *snapshot.Snapshot, path string) (address, *route, string) {
	a, ok := s.split(of, path)
	if !ok {
		return address{}, nil, ""
	}
	if a.localed && strings.HasSuffix(a.path, markdown) && !s.isRecord(of, a.path) {
		return address{}, nil, ""
	}
	r, segment := s.routeOf(a.path)
	if r == nil || r.localed != a.localed || a.markdown && !r.twin {
		return address{}, nil, ""
	}
	return a, r, segment
}

// split takes a canonical path apart. It is not ok where the path begins with no locale
// of the catalogue and is not of a file that has none.
func (s *Site) split(of *snapshot.Snapshot, path string) (address, bool) {
	if r := s.findRoute(path); r != nil && !r.localed {
		return address{path: path, locale: of.Locales().Default()}, true
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	rest = "/" + rest
	if cut, ok := strings.CutSuffix(name, markdown); ok && rest == "/" { // /en.md
		name, rest = cut, "/"+markdown
	}
	for i, declared := range of.Locales().Names() {
		if strings.ToLower(declared) != name {
			continue
		}
		a := address{locale: locale.ID(i), path: rest, localed: true}
		if cut, ok := strings.CutSuffix(rest, markdown); ok && !s.isRecord(of, rest) {
			a.path, a.markdown = cmp.Or(cut, "/"), true
		}
		return a, true
	}
	return address{}, false
}

// twinOf returns the canonical path of the twin of what stands at one; it is not ok where
// nothing does, for what has no twin or is one, and where another record has that address.
func (s *Site) twinOf(of *snapshot.Snapshot, path string) (string, bool) {
	a, r, _ := s.find(of, path)
	if r == nil || !r.twin || a.markdown || s.isRecord(of, twin(a.path)) {
		return "", false
	}
	return twin(path), true
}

// twin returns the path of a page as Markdown.
func twin(path string) string { return strings.TrimSuffix(path, "/") + markdown }

// preferred returns the locale that a reader's browser asks for, by the values of
// Accept-Language (RFC 9110, section 12.5.4): the first that the catalogue has, by
// weight; else the default locale.
func preferred(locales *locale.Set, accepted []string) locale.ID {
	asked := strings.Join(accepted, ",")
	if len(asked) > maxAccept {
		return locales.Default()
	}
	tags, _, err := language.ParseAcceptLanguage(asked)
	if err != nil {
		return locales.Default()
	}
	for _, tag := range tags {
		id := locales.Match(tag.String())
		if id != locales.Default() || sameBase(tag, locales.Name(id)) {
			return id
		}
	}
	return locales.Default()
}

// maxAccept bounds the bytes of an Accept-Language that is read.
const maxAccept = 512

func sameBase(tag language.Tag, name string) bool {
	base, _ := tag.Base()
	other, _ := language.Make(name).Base()
	return base == other
}

// wantsMarkdown reports whether a client names Markdown and wants it more than HTML, as
// programs do that read pages.
func wantsMarkdown(accept []string) bool {
	wanted := weight(accept, "text/markdown")
	return wanted > 0 && wanted > weight(accept, "text/html")
}

// weight returns how much a client wants a media type, by the values of Accept that name
// it (RFC 9110, section 12.5.1); 0 for one that it does not name or does not take.
func weight(accept []string, mediaType string) float64 {
	heaviest := 0.0
	for _, value := range accept {
		for item := range strings.SplitSeq(value, ",") {
			name, parameters, _ := strings.Cut(item, ";")
			if strings.TrimSpace(name) == mediaType {
				heaviest = max(heaviest, quality(parameters))
			}
		}
	}
	return heaviest
}

// quality returns the q of the parameters of a media type, 1 where there is none that
// can be read.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		if q, err := strconv.ParseFloat(value, 64); err == nil {
			return q
		}
	}
	return 1
}

// canonicalQuery returns the query string of a page with only the parameters of its route,
// in the order of the route and in canonical spelling. It drops values that the API's
// parser rejects as not part of an enumeration. So neither unknown parameters nor unknown
// values of an enumeration create separate pages. Repeated parameters and otherwise
// invalid values stay, and the page reports them.
func (r *route) canonicalQuery(raw string, locales *locale.Set) string {
	if raw == "" || len(r.known) == 0 {
		return ""
	}
	kept := map[string][]string{}
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || rawValue == "" || !slices.Contains(r.known, name) {
			continue
		}
		if value, ok := r.canonicalValue(name, rawValue, locales); ok {
			kept[name] = append(kept[name], name+"="+value)
		}
	}
	var all []string
	for _, name := range r.known {
		all = append(all, kept[name]...)
	}
	return strings.Join(all, "&")
}

// canonicalValue returns the canonical spelling of a parameter's value; ok is false for a
// value without effect.
func (r *route) canonicalValue(name, raw string, locales *locale.Set) (spelled string, ok bool) {
	value, err := url.QueryUnescape(raw)
	if err != nil { // the page reports it
		return strings.ReplaceAll(raw, ";", "%3B"), true
	}
	spelled = url.QueryEscape(value)
	alone := name + "=" + spelled
	if name != "q" {
		alone = "q=x&" + alone // a search needs words
	}
	var wrong *query.Error
	if errors.As(r.parse(alone, locales), &wrong) && wrong.Allowed != nil {
		return "", false
	}
	switch name {
	case "kind":
		return canonicalKinds(alone, locales)
	case "offset":
		return canonicalOffset(value)
	}
	return spelled, true
}

// canonicalKinds returns the kinds of a search in their order, each once; ok is false for
// all kinds, which is the default.
func canonicalKinds(raw string, locales *locale.Set) (spelled string, ok bool) {
	asked, err := query.ParseSearch(raw, locales)
	if err != nil || len(asked.Kinds) == len(query.Kinds()) {
		return "", false
	}
	names := make([]string, len(asked.Kinds))
	for i, kind := range asked.Kinds {
		names[i] = string(kind)
	}
	return url.QueryEscape(strings.Join(names, ",")), true
}

// canonicalOffset returns an offset without leading zeros; ok is false for 0. Values that
// are not numbers stay.
func canonicalOffset(value string) (spelled string, ok bool) {
	if strings.Trim(value, "0123456789") != "" {
		return url.QueryEscape(value), true
	}
	value = strings.TrimLeft(value, "0")
	return value, value != ""
}

// themeName is the name of the parameter and of the cookie that hold a reader's theme.
const themeName = "theme"

// themed returns the path of the stylesheet of a reader's theme.
func themed(header http.Header) string {
	cookie, err := (&http.Request{Header: header}).Cookie(themeName)
	if err != nil || !slices.Contains(themes, cookie.Value) {
		return themeFile(themes[0])
	}
	return themeFile(cookie.Value)
}

// Personal returns the headers that an address adds to whatever page is there; nil for
// none. A theme that the reader chose, of which the first counts, becomes a cookie. The
// page itself is the same, so that themes make no pages of their own.
func (s *Site) Personal(raw string) http.Header {
	if !strings.Contains(raw, themeName+"=") {
		return nil
	}
	for pair := range strings.SplitSeq(raw, "&") {
		theme, ok := strings.CutPrefix(pair, themeName+"=")
		if !ok || !slices.Contains(themes, theme) {
			continue
		}
		cookie := http.Cookie{
			Name: themeName, Value: theme, Path: "/", MaxAge: 365 * 24 * 3600, SameSite: http.SameSiteLaxMode,
			Secure: strings.HasPrefix(s.publicURL, "https://"),
		}
		return http.Header{"Cache-Control": {"no-store"}, "Set-Cookie": {cookie.String()}, "X-Robots-Tag": {"noindex"}}
	}
	return nil
}
