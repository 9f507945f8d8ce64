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

// The address of a page is its locale and path: /zh-hans/chains/base. Without the locale,
// Accept-Language selects it. A path that ends in .md is the Markdown version of a page. If
// the name of a record ends in .md, that path is its page, and its Markdown version is at
// .md.md.

// themes are the values of the query parameter and the cookie `theme`.
var themes = []string{"auto", "light", "dark"}

// markdownSuffix ends the path of a Markdown version.
const markdownSuffix = ".md"

// address is a parsed canonical path.
type address struct {
	locale   locale.ID
	path     string // without the locale and without ".md"; "/" for the first page
	localed  bool   // false for files that are the same in every language
	markdown bool
}

// Canonical returns the canonical address of a request; see operations.Pages.
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
	if r.english {
		a, _ := s.split(of, path)
		path, by = inLocale(of.Locales(), english(of.Locales()), path[len(inLocale(of.Locales(), a.locale, "")):]), nil
	}
	if other, ok := s.markdownOf(of, path); ok {
		by = append(by, "Accept")
		if wantsMarkdown(header["Accept"]) {
			path = other
		}
	}
	asked := r.canonicalQuery(raw)
	if r.canonical != nil {
		asked = r.canonical(of, asked)
	}
	return path, asked, by
}

// english returns the locale of pages in English only: the nearest one to English.
func english(locales *locale.Set) locale.ID { return locales.Match("en") }

// lowerFirst returns a path with its first segment, which may be a locale, in lower case.
func lowerFirst(path string) string {
	first, rest, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if more {
		rest = "/" + rest
	}
	return "/" + strings.ToLower(first) + rest
}

// find parses a canonical path and returns its route and segment; the route is nil if there
// is no page. Each page has one address: files have none with a locale, and pages without a
// Markdown version none that ends in ".md".
func (s *Site) find(of *snapshot.Snapshot, path string) (address, *route, string) {
	a, ok := s.split(of, path)
	if !ok {
		return address{}, nil, ""
	}
	if a.localed && strings.HasSuffix(a.path, markdownSuffix) && !s.isRecord(of, a.path) {
		return address{}, nil, ""
	}
	r, segment := s.routeOf(a.path)
	if r == nil || r.localed != a.localed || a.markdown && !r.markdown {
		return address{}, nil, ""
	}
	return a, r, segment
}

// split parses a canonical path; ok is false unless it begins with a locale of the catalogue
// or is the path of a file without locale.
func (s *Site) split(of *snapshot.Snapshot, path string) (address, bool) {
	if r := s.findRoute(path); r != nil && !r.localed {
		return address{path: path, locale: of.Locales().Default()}, true
	}
	name, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	rest = "/" + rest
	if cut, ok := strings.CutSuffix(name, markdownSuffix); ok && rest == "/" { // /en.md
		name, rest = cut, "/"+markdownSuffix
	}
	for i, declared := range of.Locales().Names() {
		if strings.ToLower(declared) != name {
			continue
		}
		a := address{locale: locale.ID(i), path: rest, localed: true}
		if cut, ok := strings.CutSuffix(rest, markdownSuffix); ok && !s.isRecord(of, rest) {
			a.path, a.markdown = cmp.Or(cut, "/"), true
		}
		return a, true
	}
	return address{}, false
}

// markdownOf returns the path of the Markdown version of the page at a canonical path; ok is
// false if there is no page, it has or is no such version, or a record has that path.
func (s *Site) markdownOf(of *snapshot.Snapshot, path string) (string, bool) {
	a, r, _ := s.find(of, path)
	if r == nil || !r.markdown || a.markdown || s.isRecord(of, withMarkdown(a.path)) {
		return "", false
	}
	return withMarkdown(path), true
}

// withMarkdown returns the path of the Markdown version of a page.
func withMarkdown(path string) string { return strings.TrimSuffix(path, "/") + markdownSuffix }

// preferred returns the locale of the catalogue with the highest weight in Accept-Language
// (RFC 9110, section 12.5.4), else the default locale.
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

// maxAccept bounds the bytes of Accept-Language; longer values are ignored.
const maxAccept = 512

func sameBase(tag language.Tag, name string) bool {
	base, _ := tag.Base()
	other, _ := language.Make(name).Base()
	return base == other
}

// wantsMarkdown reports whether Accept prefers Markdown to HTML, as it does for agents.
func wantsMarkdown(accept []string) bool {
	wanted := weight(accept, "text/markdown")
	return wanted > 0 && wanted > weight(accept, "text/html")
}

// weight returns the highest weight of a media type in Accept (RFC 9110, section 12.5.1),
// without wildcards; 0 if it is missing or not acceptable.
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

// quality returns q of the parameters of a media type, 1 if it is missing or invalid.
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

// canonicalQuery returns the query string with only the parameters of the route, in the
// order of the route and in canonical spelling. It drops unknown values of enumerations, so
// they create no separate pages. Repeated parameters and other invalid values stay, and the
// page reports them.
func (r *route) canonicalQuery(raw string) string {
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
		if value, ok := r.canonicalValue(name, rawValue); ok {
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
func (r *route) canonicalValue(name, raw string) (spelled string, ok bool) {
	value, err := url.QueryUnescape(raw)
	if err != nil { // the page reports it
		return strings.ReplaceAll(raw, ";", "%3B"), true
	}
	spelled = url.QueryEscape(value)
	alone := name + "=" + spelled
	if name != "q" {
		alone = "q=x&since=1&" + alone // a search needs words, and changes a revision
	}
	var wrong *query.Error
	if errors.As(r.takes.Check(alone), &wrong) && wrong.Allowed != nil {
		return "", false
	}
	switch name {
	case "kind":
		return r.canonicalKinds(value)
	case "event":
		return value, slices.Contains(newsEvents, value)
	case "offset":
		return canonicalOffset(value)
	}
	return spelled, true
}

// canonicalKinds returns valid kinds in their order, each once; ok is false for all kinds, which is the
// default.
func (r *route) canonicalKinds(value string) (spelled string, ok bool) {
	all := r.takes.Find("kind").Allowed
	var asked []string
	for kind := range strings.SplitSeq(value, ",") {
		asked = append(asked, strings.TrimSpace(kind))
	}
	some := slices.DeleteFunc(slices.Clone(all), func(kind string) bool { return !slices.Contains(asked, kind) })
	return url.QueryEscape(strings.Join(some, ",")), len(some) > 0 && len(some) < len(all)
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

// themeName is the name of the parameter and the cookie.
const themeName = "theme"

// themed returns the canonical path of the stylesheet of the theme in a cookie.
func themed(header http.Header) string {
	cookie, err := (&http.Request{Header: header}).Cookie(themeName)
	if err != nil || !slices.Contains(themes, cookie.Value) {
		return themeFile(themes[0])
	}
	return themeFile(cookie.Value)
}

// Personal returns the headers that a query string adds to any page; nil for none. The first
// valid theme becomes a cookie. The page stays the same, so themes create no separate pages.
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
