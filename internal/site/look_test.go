package site

import (
	"os"
	"strings"
	"testing"
)

// A catalogue has its own lead, imprint, colour and words, also in a language that the program lacks. The
// look of the operator overrides it.
func TestLookOfTheCatalogue(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), snapshotOf(t, os.DirFS("testdata/lists"))
	for path, parts := range map[string][]string{
		"/en/":            {"Curated lists of links", ">Lists</a>", `<link rel="stylesheet" href="/accent.css">`, `href="https://github.com/sindresorhus/awesome"`, ">Legal notice</a>", "2 January 2026"},
		"/de/":            {"Kuratierte Linklisten", ">Listen</a>", ">Suchen</button>", `placeholder="Name oder Alias"`, ">11 Einträge</a>", ">Impressum</a>", "2. Januar 2026", ">API</a>"},
		"/de/nav/editors": {">3 Einträge<"},
		"/accent.css":     {":root{--brand:#8a2be2}"},
	} {
		page := pageAt(t, s, of, path, "")
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("%s lacks %s", path, part)
			}
		}
	}
	own := siteOf(t, Config{Look: Look{Accent: "#000000", Footer: "Of the operator"}})
	page := pageAt(t, own, of, "/en/", "")
	if strings.Contains(page, accentPath) || !strings.Contains(page, "Of the operator") {
		t.Error("the look of the operator does not override that of the catalogue")
	}
	if _, err := own.Page(of, accentPath, ""); err == nil {
		t.Error("the colour of the catalogue is served")
	}
}

// Numbers, plurals and dates of a language that only the catalogue has are its own.
func TestWordsOfTheCatalogue(t *testing.T) {
	all, err := readDictionaries()
	if err != nil {
		t.Fatal(err)
	}
	polish := all.of("pl").with("pl", map[string]string{
		"count.chains": "{n} sieci", "count.chains#one": "{n} sieć", "count.chains#few": "{n} sieci", "count.chains#many": "{n} sieci!",
		"date": "{day} {month} {year}", "months": "stycznia,lutego,marca,kwietnia,maja,czerwca,lipca,sierpnia,września,października,listopada,grudnia",
	})
	for n, want := range map[int]string{1: "1 sieć", 3: "3 sieci", 5: "5 sieci!", 12345: "12\u00a0345 sieci!"} {
		if got := polish.text("count.chains", "n", n); got != want {
			t.Errorf("%d: %q; want %q", n, got, want)
		}
	}
	if got := polish.date("2026-05-29"); got != "29 maja 2026" {
		t.Error(got)
	}
	if got := all.of("pl").text("count.chains", "n", 1); got != "1 chain" {
		t.Errorf("the words of the program changed: %q", got)
	}
	if japanese := all.of("ja").with("ja", map[string]string{"first.search": "検索"}); japanese.has("first.search.plain") || japanese.text("nav.apps") != "アプリ" {
		t.Error("own words do not replace the plain ones, or replace others")
	}
}
