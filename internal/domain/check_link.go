package domain

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxURL    = 2048 // bytes
	maxScheme = 32   // bytes
)

// refusedSchemes may not be declared: such links run code, or read the files of
// whoever follows them.
var refusedSchemes = []string{"about", "blob", "data", "file", "javascript", "vbscript", "view-source"}

// webSchemes are those of pages, endpointSchemes those of what programs call. Behind
// each stands a host.
var (
	webSchemes      = []string{"http", "https"}
	endpointSchemes = []string{"https", "http", "wss", "ws"}
)

// link checks a URL that is not empty: http(s), `/`-relative or of a declared
// scheme (docs/directory.md#malformed-link).
func (ck *checker) link(at Ref, field, link string) { ck.linkTo(at, field, link, webSchemes) }

// linkTo is link for other schemes with a host than those of the web.
func (ck *checker) linkTo(at Ref, field, link string, hosted []string) {
	if len(link) > maxURL {
		ck.report(at.in(field), RuleTooLong,
			fmt.Sprintf("%s has %d bytes, the limit is %d", field, len(link), maxURL), "use a shorter URL")
		return
	}
	if !ck.plain(at.in(field), field, link, maxURL, false) {
		return
	}
	if fault, remedy := ck.linkFault(link, hosted); fault != "" {
		ck.report(at.in(field), RuleMalformedLink, fmt.Sprintf("%s %s %s", field, quote(link), fault), remedy)
	}
}

// linkFault says what is wrong with a link and what to do about it. Both are "" for
// a link that is fine.
func (ck *checker) linkFault(link string, hosted []string) (fault, remedy string) {
	if strings.ContainsFunc(link, unicode.IsSpace) {
		return "has white space", "remove it, or write %20"
	}
	if strings.ContainsFunc(link, isBidiIsolate) {
		return "has a character that isolates the direction of text", "remove it"
	}
	if strings.Contains(link, `\`) {
		return "has a backslash", "write /"
	}
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "is not a URL", "check its scheme, host, port and percent-escapes"
	case strings.HasPrefix(link, "//"):
		return "has no scheme", "write https: before the two slashes"
	case strings.HasPrefix(link, "/"):
		return "", ""
	case u.Scheme == "":
		return "has no scheme", schemeRemedy(link)
	case slices.Contains(hosted, u.Scheme):
		return hostFault(u)
	}
	return ck.schemeFault(u)
}

// hostFault is linkFault for what stands between the scheme and the path.
func hostFault(u *url.URL) (fault, remedy string) {
	if u.Hostname() == "" {
		return "has no host", fmt.Sprintf("write %s://host/path", u.Scheme)
	}
	if u.User != nil && u.User.String() == "" {
		return "has an @ without a user before it", "take the @ out"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "has a port that there is not", "write one from 1 to 65535, or none"
		}
	}
	return "", ""
}

// schemeRemedy says what a link without a scheme should be: a URL if it begins
// with the name of a host.
func schemeRemedy(link string) string {
	host, _, _ := strings.Cut(link, "/")
	switch {
	case isPlaceholder(link):
		return "write a whole URL, as https://example.org/, or leave the field out if there is none"
	case isHost(host) && len(link) <= maxQuoted:
		return fmt.Sprintf("write %s, or begin a path of this site with /", quote("https://"+link))
	case isHost(host):
		return "write https:// before it, or begin a path of this site with /"
	}
	return "write a whole URL, as https://example.org/, or begin a path of this site with /"
}

// isHost reports whether s reads as the name of a host in the Internet: labels
// with dots between, the last without digits.
func isHost(s string) bool {
	labels := strings.Split(s, ".")
	for _, l := range labels {
		if l == "" || !utf8.ValidString(l) || strings.ContainsFunc(l, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && len(last) > 1 && !strings.ContainsFunc(last, unicode.IsDigit)
}

// placeholders are what programs and people write where there is nothing.
var placeholders = []string{"null", "nil", "none", "n/a", "na", "nan", "undefined", "unknown", "tbd", "tba", "todo", "-", "--", "?", ".", "false", "true", "0", "empty"}

func isPlaceholder(s string) bool {
	return slices.Contains(placeholders, strings.ToLower(strings.TrimSpace(s)))
}

func (ck *checker) schemeFault(u *url.URL) (fault, remedy string) {
	switch {
	case slices.Contains(refusedSchemes, u.Scheme):
		return fmt.Sprintf("has the scheme %s, which no link may have", u.Scheme), "use an https URL"
	case u.Opaque == "" && u.Host == "" && u.Path == "" && u.RawQuery == "":
		return "has nothing after its scheme", "write the whole URL"
	case ck.unread.Catalog, ck.schemes[u.Scheme]:
		return "", ""
	}
	return fmt.Sprintf("has the scheme %s, which the catalogue does not declare", quote(u.Scheme)),
		fmt.Sprintf("use an https URL, or add %s to link_schemes in %s", quote(u.Scheme), ck.files.Catalog)
}

func (ck *checker) linkSchemes(at Ref) {
	seen := make(firsts)
	for i, s := range ck.cat.LinkSchemes {
		here := at.in("link_schemes").at(i)
		if first, repeated := seen.repeats(s, i); repeated {
			ck.repeats(here, at.in("link_schemes").at(first), RuleDuplicate, fmt.Sprintf("link scheme %s is listed twice", quote(s)), "remove one of them")
			continue
		}
		switch {
		case s == "":
			ck.emptyEntry(here, "link_schemes")
		case slices.Contains(refusedSchemes, strings.ToLower(s)):
			ck.report(here, RuleMalformedScheme, fmt.Sprintf("link scheme %s is not allowed", quote(s)),
				"remove it; such links run code or read what is the reader's own")
		case !validScheme(s):
			ck.report(here, RuleMalformedScheme, fmt.Sprintf("link scheme %s is not well-formed", quote(s)),
				`write the scheme alone, as "celo": lower-case letters, digits, "+", "-" and ".", a letter first`)
		}
	}
}

// validScheme reports whether s is a scheme of RFC 3986 in lower case.
func validScheme(s string) bool {
	return s != "" && len(s) <= maxScheme && 'a' <= s[0] && s[0] <= 'z' && only(s, func(b byte) bool {
		return 'a' <= b && b <= 'z' || isDigit(b) || b == '+' || b == '-' || b == '.'
	})
}
