package quality_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

func linkBars() []bar {
	return []bar{
		{"links are plain", trickyLinks},
		{"one card for a site", repeatedSites},
	}
}

func trickyLinks(c *domain.Catalog) []finding {
	var out []finding
	look := func(record, link string) {
		if trick := trickOf(link); trick != "" {
			out = append(out, finding{record, trick})
		}
	}
	for _, a := range c.Apps {
		look(appRecord(a), a.Link)
		for _, l := range a.Links {
			look(appRecord(a), l.URL)
		}
	}
	for _, m := range menusOf(c) {
		for _, card := range cardsOf(m) {
			look(cardRecord(m, card), card.Link)
		}
	}
	return out
}

// asciiHost is a host name with a dot, in lower case.
var asciiHost = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

// paidPaths are path segments of referral links.
var paidPaths = []string{"affiliate", "invite", "join", "r", "ref", "referral"}

// trickOf returns the unexpected part of a link, or "". Host and path name a page; a
// query or a fragment that is needed is an exception with a reason.
func trickOf(link string) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "no URL"
	case u.Scheme != "https":
		return "not https"
	case u.User != nil:
		return "user information"
	case u.Port() != "":
		return "a port"
	case !asciiHost.MatchString(u.Hostname()):
		return "the host is no name of small ASCII letters"
	case strings.HasPrefix(u.Hostname(), "xn--") || strings.Contains(u.Hostname(), ".xn--"):
		return "the host is punycode: it may look like another one"
	case strings.Contains(link, "?"):
		return "a query"
	case strings.Contains(link, "#"):
		return "a fragment"
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if slices.Contains(paidPaths, strings.ToLower(segment)) {
			return "the path has " + segment + ": it may count or pay for who comes from here"
		}
	}
	return ""
}

// sharedSuffixes are suffixes of two labels below which different owners have their
// sites.
var sharedSuffixes = []string{
	"ac.cy", "ac.jp", "ac.uk", "co.jp", "co.uk", "com.au", "com.br", "com.cn", "com.hk", "com.sg", "com.tw", "edu.cn",
	"github.io", "gitbook.io", "gov.uk", "netlify.app", "notion.site", "or.jp", "org.uk", "pages.dev", "readthedocs.io", "vercel.app",
}

// siteOf returns the registrable part of a host name: the last two labels, or
// three under a shared suffix.
func siteOf(host string) string {
	labels := strings.Split(strings.ToLower(host), ".")
	n := 2
	if len(labels) > 2 && slices.Contains(sharedSuffixes, strings.Join(labels[len(labels)-2:], ".")) {
		n = 3
	}
	return strings.Join(labels[max(0, len(labels)-n):], ".")
}

// repeatedSites finds the later cards of a menu with a site of an earlier card.
func repeatedSites(c *domain.Catalog) []finding {
	var out []finding
	for _, m := range menusOf(c) {
		first := map[string]string{}
		for _, card := range cardsOf(m) {
			u, err := url.Parse(card.Link)
			if err != nil {
				continue // said by "links are plain"
			}
			site := siteOf(u.Hostname())
			if earlier, ok := first[site]; ok {
				out = append(out, finding{cardRecord(m, card), "the same site as " + earlier})
				continue
			}
			first[site] = card.Link
		}
	}
	return out
}

func TestTricksOfLinks(t *testing.T) {
	for link, want := range map[string]string{
		"https://site.example/":               "",
		"https://a.b-c.example/x/y.html":      "",
		"https://site.example:443/":           "a port",
		"https://me@site.example/":            "user information",
		"https://exämple.example/":            "the host is no name of small ASCII letters",
		"https://localhost/":                  "the host is no name of small ASCII letters",
		"/path":                               "not https",
		"https://%zz/":                        "no URL",
		"https://xn--exmple-cua.example/":     "the host is punycode: it may look like another one",
		"https://www.xn--exmple-cua.example/": "the host is punycode: it may look like another one",
		"https://site.example/?chain=1":       "a query",
		"https://site.example/?":              "a query",
		"https://site.example/#/?ref=you":     "a query",
		"https://site.example/#swap":          "a fragment",
		"https://site.example/#":              "a fragment",
		"https://site.example/invite/you":     "the path has invite: it may count or pay for who comes from here",
		"https://site.example/en/Join":        "the path has Join: it may count or pay for who comes from here",
		"https://site.example/r/you":          "the path has r: it may count or pay for who comes from here",
		"https://site.example/reference":      "",
	} {
		if got := trickOf(link); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

func TestSites(t *testing.T) {
	for host, want := range map[string]string{
		"site.example": "site.example", "www.site.example": "site.example", "a.b.Site.example": "site.example",
		"one.github.io": "one.github.io", "www.boj.or.jp": "boj.or.jp", "github.io": "github.io", "localhost": "localhost",
	} {
		if got := siteOf(host); got != want {
			t.Errorf("%s is of %s, want %s", host, got, want)
		}
	}
}
