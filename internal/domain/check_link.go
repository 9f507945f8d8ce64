package domain

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
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

// refusedSchemes may not be declared: such links run code, or read files of the reader.
var refusedSchemes = []string{"about", "blob", "data", "file", "javascript", "vbscript", "view-source"}

// webSchemes are those of pages and images, endpointSchemes those of endpoints. A host follows
// each.
var (
	webSchemes      = []string{"http", "https"}
	endpointSchemes = []string{"https", "http", "wss", "ws"}
)

// userInfoPart matches the part between // and @ of a link.
var userInfoPart = regexp.MustCompile(`//[^/?#]+@`)

// withoutUserInfo returns a link for messages, without user name and password. It keeps
// backslashes and a host before one, because browsers open that host.
func withoutUserInfo(link string) string {
	return userInfoPart.ReplaceAllStringFunc(link, func(part string) string {
		pieces := strings.Split(part[len("//"):len(part)-len("@")], `\`)
		for i, piece := range pieces {
			if piece != "" && !(i == 0 && len(pieces) > 1 && isHost(piece)) {
				pieces[i] = "…"
			}
		}
		return "//" + strings.Join(pieces, `\`) + "@"
	})
}

// linkField checks a non-empty link: its syntax, then what it discloses and its target (see
// linkPolicy).
func (ck *checker) linkField(at Ref, f *Field, link string) {
	if file := AssetFile(link); file != "" && f.use == imageUse {
		ck.asset(at.in(f.Name), f.Name, file)
		return
	}
	if len(link) > maxURL {
		ck.report(at.in(f.Name), RuleTooLong,
			fmt.Sprintf("%s has %d bytes, the limit is %d", f.Name, len(link), maxURL), "use a shorter URL")
		return
	}
	if fault := ck.plainFault(f.Name, link, maxURL, false); fault != nil {
		ck.reportFault(at.in(f.Name), fault)
		return
	}
	u, fault, remedy := ck.parseLink(link, f.use)
	if fault != "" {
		ck.malformedLink(at, f, link, fault, remedy)
		return
	}
	if ck.stored { // published links stay valid
		return
	}
	if isHosted(u.Scheme) {
		if fault, remedy := hostNameFault(u.Hostname()); fault != "" {
			ck.malformedLink(at, f, link, fault, remedy)
			return
		}
	}
	ck.linkTraits(at, f.Name, link, u, f.use)
}

func (ck *checker) malformedLink(at Ref, f *Field, link, fault, remedy string) {
	ck.report(at.in(f.Name), RuleMalformedLink, fmt.Sprintf("%s %s %s", f.Name, quote(withoutUserInfo(link)), fault), remedy)
}

// parseLink parses a link, and returns its fault and remedy, both "" for a valid link: http(s),
// `/`-relative or of a declared scheme (docs/check.md#links-and-secrets). Endpoints have a host
// and may be WebSockets.
func (ck *checker) parseLink(link string, use linkUse) (u *url.URL, fault, remedy string) {
	plain := isPlainASCII(link)
	if strings.Contains(link, " ") || !plain && strings.ContainsFunc(link, unicode.IsSpace) {
		return nil, "has white space", "remove it, or write %20"
	}
	if !plain && strings.ContainsFunc(link, isBidiIsolate) {
		return nil, "has a bidi isolate character", "remove it"
	}
	if strings.Contains(link, `\`) {
		return nil, "has a backslash", "write /"
	}
	u, err := url.Parse(link)
	if err != nil {
		return nil, "is not a URL", "check its scheme, host, port and percent-escapes"
	}
	if use == endpointUse {
		if u.Opaque != "" || !slices.Contains(endpointSchemes, u.Scheme) {
			return nil, "is not an endpoint URL", "write a complete URL that begins with https, http, wss or ws"
		}
		fault, remedy = hostFault(u)
		return u, fault, remedy
	}
	switch {
	case strings.HasPrefix(link, "//"):
		fault, remedy = "has no scheme", "write https: before the two slashes"
	case strings.HasPrefix(link, "/"):
	case u.Scheme == "":
		fault, remedy = "has no scheme", schemeRemedy(link, use)
	case slices.Contains(webSchemes, u.Scheme):
		fault, remedy = hostFault(u)
	default:
		fault, remedy = ck.linkSchemeFault(u)
	}
	return u, fault, remedy
}

// hostFault returns the fault between the scheme and the path, like parseLink.
func hostFault(u *url.URL) (fault, remedy string) {
	host := plainHost(u.Hostname())
	if host == "" {
		return "has no host", fmt.Sprintf("write %s://host/path", u.Scheme)
	}
	if u.User != nil && u.User.String() == "" {
		return "has an @ without a user before it", "remove the @"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "has an invalid port", "write one from 1 to 65535, or none"
		}
	}
	if i := strings.IndexAny(host, "{}<>[]$*|^`\"' ,;()!&=+~@"); i >= 0 {
		return fmt.Sprintf("has a host with the character %q", host[i]), "write the name of the host"
	}
	if _, _, ok := hostAddress(host); !ok && endsInNumber(host) {
		return "has a host that ends in a number but is not an IPv4 address", "write the name or the address of the host"
	}
	return "", ""
}

// schemeRemedy returns the remedy for a link without a scheme: a URL if it begins
// with the name of a host, an asset if an image is the name of a file.
func schemeRemedy(link string, use linkUse) string {
	host, _, hasPath := strings.Cut(link, "/")
	file := strings.ToLower(path.Base(link))
	switch {
	case use == imageUse && assetFault("", file) == nil && !(hasPath && isHost(host)):
		return "put the file into assets/ and write " + quote(assetFolder+file)
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

func (ck *checker) linkSchemeFault(u *url.URL) (fault, remedy string) {
	switch {
	case slices.Contains(refusedSchemes, u.Scheme):
		return fmt.Sprintf("has the scheme %s, which no link may have", u.Scheme), "use an https URL"
	case u.Opaque == "" && u.Host == "" && u.Path == "" && u.RawQuery == "":
		return "has nothing after its scheme", "write the whole URL"
	case ck.unread.Kinds[KindCatalog], ck.schemes[u.Scheme]:
		return "", ""
	}
	return fmt.Sprintf("has the scheme %s, which the catalogue does not declare", quote(u.Scheme)),
		fmt.Sprintf("use an https URL, or add %s to link_schemes in %s", quote(u.Scheme), ck.files.Catalog)
}

// schemeFault is the rule of declared schemes.
func schemeFault(what, scheme string) *fault {
	switch {
	case slices.Contains(refusedSchemes, strings.ToLower(scheme)):
		return &fault{RuleMalformedScheme, fmt.Sprintf("%s %s is not allowed", what, quote(scheme)),
			"remove it; such links run code or read what is the reader's own"}
	case !validScheme(scheme):
		return &fault{RuleMalformedScheme, fmt.Sprintf("%s %s is not well-formed", what, quote(scheme)),
			`write the scheme alone, as "celo": lower-case letters, digits, "+", "-" and ".", a letter first`}
	}
	return nil
}

// validScheme reports whether s is a scheme of RFC 3986 in lower case.
func validScheme(s string) bool {
	return s != "" && len(s) <= maxScheme && 'a' <= s[0] && s[0] <= 'z' && only(s, func(b byte) bool {
		return 'a' <= b && b <= 'z' || isDigit(b) || b == '+' || b == '-' || b == '.'
	})
}
