package domain_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestCheckNil(t *testing.T) {
	want := []string{
		"catalog[0].title missing-field: title is missing or empty; write a title",
		"catalog[0].default_locale missing-field: default_locale is missing or empty; write a default_locale",
		"catalog[0].locales missing-field: locales is missing or empty; write at least one entry under locales",
	}
	if diff := cmp.Diff(want, lines(domain.Check(nil, domain.Reading{}).Problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestCheckUnread checks that Check does not report consequences of unreadable files, which the
// reader reports.
func TestCheckUnread(t *testing.T) {
	cases := []struct {
		name   string
		change func(c *domain.Catalog)
		unread domain.Unread
		want   []string
	}{
		{
			"catalog",
			func(c *domain.Catalog) {
				c.Title, c.DefaultLocale, c.Locales, c.LinkSchemes = nil, "", nil, nil
				c.Chains[0].Logo = "data:x"
			},
			domain.Unread{Kinds: map[domain.Kind]bool{domain.KindCatalog: true}},
			[]string{`chains[0].logo malformed-link: logo "data:x" has the scheme data, which no link may have; use an https URL`},
		},
		{
			"categories",
			func(c *domain.Catalog) { c.Groups, c.Categories = nil, nil },
			domain.Unread{Kinds: map[domain.Kind]bool{domain.KindCategory: true}},
			nil,
		},
		{
			"groups only, categories were readable",
			func(c *domain.Catalog) { c.Groups, c.Categories = nil, c.Categories[1:] },
			domain.Unread{Kinds: map[domain.Kind]bool{domain.KindCategory: true}},
			nil,
		},
		{
			"nav",
			func(c *domain.Catalog) { c.NavGroups = nil },
			domain.Unread{Kinds: map[domain.Kind]bool{domain.KindNavGroup: true}},
			nil,
		},
		{
			"one menu",
			func(c *domain.Catalog) { c.Menus = c.Menus[1:]; c.NavGroups[1].Menus = []string{"design", "desing"} },
			domain.Unread{Menus: map[string]bool{"design": true}},
			[]string{`nav[1].menus.1 unknown-menu: menu "desing" does not exist; write nav/desing.yaml, or remove it here`},
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := rich()
			tc.change(c)
			if diff := cmp.Diff(tc.want, lines(domain.Check(c, domain.Reading{Unread: tc.unread}).Problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckLinks(t *testing.T) {
	cases := []struct {
		link  string
		valid bool
	}{
		{"https://example.org", true},
		{"HTTPS://example.org/a?b=c#d", true},
		{"http://[2606:4700::1]:8080/", true},
		{"https://例え.jp/路", true},
		{"/", true},
		{"/nav/tools?x=1#top", true},
		{"celo:wallet", true},
		{"CELO://wallet/send?to=1", true},
		{"//example.org/", false},
		{`/\example.org`, false},
		{`\\example.org`, false},
		{"example.org", false},
		{"example.org:80/x", false},
		{"?q=1", false},
		{"#top", false},
		{"../up", false},
		{"https:", false},
		{"https:///path", false},
		{"https:example.org", false},
		{"https://:443/", false},
		{"https://exa mple.org/", false},
		{"https://example.org/\u00a0", false},
		{"https://example.org/%zz", false},
		{"https://example.org:port/", false},
		{"http://[::1/", false},
		{"celo:", false},
		{"mailto:a@example.org", false},
		{"javascript:alert(1)", false},
		{"JavaScript:alert(1)", false},
		{" javascript:alert(1)", false},
		{"java\tscript:alert(1)", false},
		{"data:text/html,x", false},
		{"view-source:https://example.org", false},
	}
	for _, tc := range cases {
		t.Run(tc.link, func(t *testing.T) {
			c := rich()
			c.Menus[1].Standalone[0].Cards[0].Link = tc.link
			problems := domain.Check(c, domain.Reading{}).Problems
			if (len(problems) == 0) != tc.valid || len(problems) > 1 {
				t.Errorf("valid is %t, problems: %q", tc.valid, lines(problems))
			}
		})
	}
}

// TestCheckRefusedSchemeDeclared checks that declaring a scheme that runs code has no effect.
func TestCheckRefusedSchemeDeclared(t *testing.T) {
	for _, scheme := range []string{"about", "blob", "data", "file", "javascript", "vbscript", "view-source"} {
		c := rich()
		c.LinkSchemes = append(c.LinkSchemes, scheme)
		c.Chains[0].Logo = scheme + ":x"
		var got []domain.Rule
		for _, p := range domain.Check(c, domain.Reading{}).Problems {
			got = append(got, p.Rule)
		}
		if want := []domain.Rule{domain.RuleMalformedScheme, domain.RuleMalformedLink}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", scheme, got, want)
		}
	}
}

// FuzzCheckLink checks valid links with an independent parser: they have allowed targets.
func FuzzCheckLink(f *testing.F) {
	for _, s := range []string{"https://example.org/a?b#c", "/x", "//x", "celo:x", "javascript:x", "https:", "\\", "\u202e", "\xff", "http://[::1"} {
		f.Add(s)
	}
	allowed := regexp.MustCompile(`^(?i:https?://[^/?#]|/($|[^/\\])|celo:.)`)
	f.Fuzz(func(t *testing.T, link string) {
		c := rich()
		c.Menus[1].Standalone[0].Cards[0].Link = link
		problems := domain.Check(c, domain.Reading{}).Problems
		for _, p := range problems {
			if !fit(p.Message) || !fit(p.Remedy) {
				t.Errorf("not fit for people: %+v", p)
			}
		}
		if len(problems) == 0 && (!allowed.MatchString(link) || len(link) > 2048 || strings.ContainsFunc(link, unicode.IsSpace)) {
			t.Errorf("%q is accepted", link)
		}
	})
}

// FuzzCheckKey checks that keys in remedies are valid.
func FuzzCheckKey(f *testing.F) {
	for _, s := range []string{"DeFi", "Layer 2", "以太坊", "-", "..", "ß", "\xff", strings.Repeat("A", 300), "é\u0301_x", "İ"} {
		f.Add(s)
	}
	remedy := regexp.MustCompile(`^write "([^"]*)", or use`)
	check := func(key string) []domain.Problem {
		c := rich()
		c.Groups = append(c.Groups, domain.Group{Key: key, Module: domain.ModuleItem, Name: en("x")})
		return domain.Check(c, domain.Reading{}).Problems
	}
	valid := regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)
	f.Fuzz(func(t *testing.T, key string) {
		problems := check(key)
		if valid.MatchString(key) != (len(problems) == 0) {
			t.Fatalf("%q: %q", key, lines(problems))
		}
		for _, p := range problems {
			if m := remedy.FindStringSubmatch(p.Remedy); m != nil && len(check(m[1])) > 0 {
				t.Errorf("%q: the remedy %q does not help", key, m[1])
			}
		}
	})
}
