package domain

import (
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/fold"
)

// parameter is one parameter of a query or a fragment. One without "=" has no name.
type parameter struct{ name, value string }

// linkParts has the unescaped parts of a link. Its parameters include those within a segment or a
// value without a name: /v1;apikey=x, ?apikey%3Dx.
type linkParts struct {
	host     string
	segments []string
	params   []parameter
}

// partsOf splits a link. It covers the differences of URL parsers: semicolons, invalid escapes,
// and paths and queries in a fragment.
func partsOf(u *url.URL) linkParts {
	parts := linkParts{host: plainHost(u.Hostname())}
	path, query := u.EscapedPath(), u.RawQuery
	if u.Opaque != "" {
		path = u.Opaque
	}
	inFragment, fragmentQuery, _ := strings.Cut(u.EscapedFragment(), "?")
	parts.addPath(path)
	if strings.Contains(inFragment, "=") {
		fragmentQuery += "&" + inFragment
	} else {
		parts.addPath(inFragment)
	}
	if fragmentQuery != "" {
		query += "&" + fragmentQuery
	}
	for pair := range eachPair(query) {
		if name, value, named := strings.Cut(pair, "="); named {
			parts.params = append(parts.params, parameter{unescaped(name), unescaped(value)})
		} else if value := unescaped(pair); !parts.addPairs(value) {
			parts.params = append(parts.params, parameter{"", value})
		}
	}
	return parts
}

// addPath adds the segments of a path, also if the slash between them is escaped.
func (p *linkParts) addPath(path string) {
	path = unescaped(path)
	p.segments = slices.Grow(p.segments, 1+strings.Count(path, "/"))
	for segment := range strings.SplitSeq(path, "/") {
		p.segments = append(p.segments, segment)
		p.addPairs(segment)
	}
}

// addPairs adds the parameters in a text, and reports whether there are any.
func (p *linkParts) addPairs(s string) (any bool) {
	if !strings.Contains(s, "=") {
		return false
	}
	for pair := range eachPair(s) {
		if name, value, named := strings.Cut(pair, "="); named {
			p.params = append(p.params, parameter{name, value})
			any = true
		}
	}
	return any
}

// eachPair yields the parts of a query between & and ;.
func eachPair(query string) iter.Seq[string] {
	return strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' })
}

// maxEscaped bounds the levels of nested escapes.
const maxEscaped = 3

// unescaped decodes percent-escapes, including nested ones, if all of them are well-formed.
func unescaped(s string) string {
	for range maxEscaped {
		plain, err := url.QueryUnescape(s)
		if err != nil || plain == s {
			break
		}
		s = plain
	}
	return s
}

// plainName returns the name of a parameter in the form of secretNames: its letters, in lower
// case.
func (p parameter) plainName() string {
	if only(p.name, func(c byte) bool { return 'a' <= c && c <= 'z' }) {
		return p.name
	}
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && !isLetter(byte(r)) {
			return -1
		}
		return r
	}, fold.Latin(fold.Text(p.name)))
}
