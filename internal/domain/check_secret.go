package domain

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// endpoint checks the address of an endpoint that programs call: a link that may be
// a WebSocket's, too, and holds nothing secret.
func (ck *checker) endpoint(at Ref, field, link string) {
	if scheme, _, ok := strings.Cut(link, "://"); !ok || !slices.Contains(endpointSchemes, scheme) {
		ck.report(at.in(field), RuleMalformedLink, fmt.Sprintf("%s %s is no address of an endpoint", field, quote(link)),
			"write a whole URL that begins with https, http, wss or ws")
		return
	}
	before := ck.reports
	ck.linkTo(at, field, link, endpointSchemes)
	if ck.reports == before {
		ck.secret(at, field, link)
	}
}

// placeholder is where whoever uses an address puts a key of their own.
var placeholder = regexp.MustCompile(`(?i)\$?\{[^}]*\}|<[^>]*>|\[[^\]]*\]|your[-_]|insert[-_]|:api[-_]?key`)

// secretNames are parameters whose values are keys, without dashes and underscores.
var secretNames = []string{
	"accesskey", "accesstoken", "apikey", "apitoken", "auth", "authtoken", "clientsecret", "dkey", "key",
	"passwd", "password", "privatekey", "pwd", "secret", "token", "xapikey",
}

// secret checks that a link publishes no key or password.
func (ck *checker) secret(at Ref, field, link string) {
	at = at.in(field)
	u, err := url.Parse(link)
	if err != nil { // which is reported
		return
	}
	if u.User != nil && u.User.String() != "" {
		ck.report(at, RuleSecretInLink, field+" holds a user name or a password, which would be published", "take it out, or name an address that needs none")
		return
	}
	if placeholder.MatchString(unescaped(u.Path + "?" + u.RawQuery + "#" + u.Fragment)) {
		ck.report(at, RuleMalformedLink, fmt.Sprintf("%s %s has a place for a key", field, quote(link)), "name an address that needs none")
		return
	}
	if name := secretParameter(u.RawQuery + "&" + u.Fragment); name != "" {
		ck.report(at, RuleSecretInLink, fmt.Sprintf("%s has the parameter %s, whose value would be published", field, quote(name)),
			"take it out, or name an address that needs none")
		return
	}
	if HasKey(u) {
		ck.report(at, RulePossibleKey, fmt.Sprintf("%s has a path that may hold somebody's key", field),
			"name an address that needs none, or leave it: it is meant for everybody")
	}
}

// secretParameter returns the name of the first parameter whose value is a key, ""
// for none. It reads what readers of URLs differ about: semicolons, and escapes that
// are none.
func secretParameter(query string) string {
	plain := strings.NewReplacer("-", "", "_", "")
	for pair := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, _, _ := strings.Cut(pair, "=")
		if name = unescaped(name); slices.Contains(secretNames, plain.Replace(strings.ToLower(name))) {
			return name
		}
	}
	return ""
}

// unescaped undoes percent-escapes, if all of them are well-formed.
func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// HasKey reports whether a segment of the path of a URL reads as a key that was
// handed out to one user: long, of letters and digits without a word in it.
func HasKey(u *url.URL) bool {
	for segment := range strings.SplitSeq(u.Path, "/") {
		if readsAsKey(segment) {
			return true
		}
	}
	return false
}

func readsAsKey(s string) bool {
	const shortest, fewest = 20, 3
	digits, letters := 0, 0
	for _, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			letters++
		case c != '-' && c != '_':
			return false
		}
	}
	return len(s) >= shortest && digits >= fewest && letters >= fewest && !strings.HasPrefix(s, "0x")
}
