package site

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/snapshot"
)

// A catalogue has its own lead, imprint, colour and words, also in a language that the program lacks. The
// look of the operator overrides it.
func TestLookOfTheCatalogue(t *testing.T) {
	s, of := siteOf(t, Config{PublicURL: public}), snapshotOf(t, os.DirFS("testdata/lists"))
	for path, parts := range map[string][]string{
		"/en/":            {"Curated lists of links", `<a href="/en/apps">Lists</a>`, "<style>:root{--brand:#8a2be2}</style>", `<link rel="icon" href="/assets/icon.`, `href="https://github.com/sindresorhus/awesome"`, ">Legal notice</a>", "2 January 2026"},
		"/de/":            {"Kuratierte Linklisten", ">Listen</a>", ">Suchen</button>", `placeholder="Name oder Alias"`, ">11 Listen</a>", ">Impressum</a>", "2. Januar 2026", ">API</a>"},
		"/de/nav/editors": {">3 Einträge<"},
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
	if strings.Contains(page, "#8a2be2") || !strings.Contains(page, "Of the operator") {
		t.Error("the look of the operator does not override that of the catalogue")
	}
	document, err := s.Page(of, "/en/", "")
	if err != nil {
		t.Fatal(err)
	}
	if policy := document.Fields.More.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'self' '"+integrity(":root{--brand:#8a2be2}")+"'") {
		t.Errorf("the policy does not allow the colour: %s", policy)
	}
}

// The icon is a picture of the catalogue, if it has one. One of another host is the icon only if pages load such
// pictures.
func TestIconOfTheCatalogue(t *testing.T) {
	catalogue := func(icon string) fstest.MapFS {
		return fstest.MapFS{
			"catalog.yaml":    {Data: []byte("title: {en: Shop}\ndefault_locale: en\nlocales: [en]\nsite: {icon: \"" + icon + "\"}\n")},
			"assets/shop.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="red" d="M0 0h16v16z"/></svg>`)},
		}
	}
	of := snapshotOf(t, catalogue("assets/shop.svg"))
	far := snapshotOf(t, catalogue("https://pictures.example/shop.svg"))
	own := of.SiteView(0).Icon
	for name, test := range map[string]struct {
		of     *snapshot.Snapshot
		images Images
		link   string
		file   string // a part of it
	}{
		"own":                {of, ImagesOwn, `<link rel="icon" href="` + own + `" type="image/svg&#43;xml">`, `fill="red"`},
		"own, pictures off":  {of, ImagesNone, `<link rel="icon" href="/assets/icon.`, "<svg"},
		"of another host":    {far, ImagesOwn, `<link rel="icon" href="/assets/icon.`, "<svg"},
		"of another, loaded": {far, ImagesRemote, `<link rel="icon" href="https://pictures.example/shop.svg">`, "<svg"},
	} {
		s := siteOf(t, Config{Look: Look{Images: test.images}})
		if page := pageAt(t, s, test.of, "/en/", ""); !strings.Contains(page, test.link) {
			t.Errorf("%s: the page lacks %s", name, test.link)
		}
		document, err := s.Page(test.of, "/favicon.ico", "")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(document.Body), test.file) || strings.Contains(string(document.Body), `fill="red"`) != (test.file == `fill="red"`) {
			t.Errorf("%s: /favicon.ico is %.80q", name, document.Body)
		}
		if got := document.Fields.More; got.Get("Content-Type") != svgType || got.Get("Content-Security-Policy") != picturePolicy {
			t.Errorf("%s: /favicon.ico has %v", name, got)
		}
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
