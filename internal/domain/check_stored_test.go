package domain_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// TestFiguresOfTheFuture checks that a figure may be of the next day, which has begun in eastern
// time zones, but not of a later one. Without a current day, any day is valid.
func TestFiguresOfTheFuture(t *testing.T) {
	c := rich()
	c.Chains[0].TVL = dated(1, "s", "2026-03-01")
	for today, want := range map[domain.Date][]string{
		"2026-02-27": {`chains[0].llama_tvl.as_of future-date: as_of 2026-03-01 of llama_tvl is in the future, today is 2026-02-27; write the day on which the figure was true`},
		"2026-02-28": nil, "2026-03-01": nil, "": nil,
	} {
		if diff := cmp.Diff(want, lines(domain.Check(c, domain.Reading{Today: today}).Problems)); diff != "" {
			t.Errorf("on %q (-want +got):\n%s", today, diff)
		}
	}
}

// TestPublishedValuesStayValid checks that published values are valid on later days and in
// later versions.
func TestPublishedValuesStayValid(t *testing.T) {
	c := rich()
	c.Accounts[0].Name = "\u200b"
	c.Chains[1].ChainID = "1\u3164"
	c.Chains[0].TVL = dated(1, "s", "9999-12-31")
	c.Accept = []domain.Acceptance{{Rule: "a-rule-that-is-gone"}}
	if found := domain.CheckAgain(nil, c); len(found) > 0 {
		t.Errorf("%q", lines(found))
	}
	if found := domain.Check(c, domain.Reading{Today: "2026-01-01"}).Problems; len(found) != 4 {
		t.Errorf("problems of the editors' catalogue: %q", lines(found))
	}
	c = &domain.Catalog{Title: text("en", "Shop", "fr_FR", "Magasin"), DefaultLocale: "en", Locales: []string{"en", "fr_FR"}}
	if found := domain.CheckAgain(nil, c); len(found) > 0 {
		t.Errorf("a locale with an underscore: %q", lines(found))
	}
}

// TestRemediesMakeSense checks that remedies do not repeat invalid values.
func TestRemediesMakeSense(t *testing.T) {
	for link, want := range map[string]string{
		"null":                  "write a whole URL, as https://example.org/, or leave the field out if there is none",
		"N/A":                   "write a whole URL, as https://example.org/, or leave the field out if there is none",
		"img/x.png":             `put the file into assets/ and write "assets/x.png"`,
		"Logo.svg":              `put the file into assets/ and write "assets/logo.svg"`,
		"example.org/logo.svg":  `write "https://example.org/logo.svg", or begin a path of this site with /`,
		"img/x":                 "write a whole URL, as https://example.org/, or begin a path of this site with /",
		"42":                    "write a whole URL, as https://example.org/, or begin a path of this site with /",
		"1.5":                   "write a whole URL, as https://example.org/, or begin a path of this site with /",
		"example.org/app":       `write "https://example.org/app", or begin a path of this site with /`,
		"例え.jp":                 `write "https://例え.jp", or begin a path of this site with /`,
		"etherscan.io?a=b&c=d#": "write a whole URL, as https://example.org/, or begin a path of this site with /",
	} {
		c := rich()
		c.Chains[0].Logo = link
		if got := domain.Check(c, domain.Reading{}).Problems; len(got) != 1 || got[0].Remedy != want {
			t.Errorf("%q: %q, want %q", link, lines(got), want)
		}
	}
	const rule = `use ASCII letters, digits and "_", at most 50`
	for handle, want := range map[string]string{
		"https://x.com/ethereum": "write ethereum", "twitter.com/@ethereum?lang=en": "write ethereum", "@@ethereum": "write ethereum",
		"https://x.com/ethereum/status/123": "write ethereum", "https://x.com/": rule, "https://x.com": rule, "n/a": rule, "ether eum": rule,
	} {
		c := rich()
		c.Accounts[0].Handle = handle
		if got := domain.Check(c, domain.Reading{}).Problems; len(got) != 1 || got[0].Remedy != want {
			t.Errorf("%q: %q, want %q", handle, lines(got), want)
		}
	}
	c := rich()
	c.Chains[0].Slug, c.Chains[1].Name = "N/A", text("en", "Celo", "value", "x")
	const rest = `use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`
	want := []string{
		`chains[0].slug malformed-key: slug "N/A" is not well-formed; ` + rest,
		`chains[1].name.value undeclared-locale: name has a text in "value", which the catalogue does not declare; it is no locale: write the texts as a map from locale, as en or zh-hans, to text`,
	}
	got := lines(domain.Check(c, domain.Reading{}).Problems)
	if diff := cmp.Diff(want, got[:2]); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
