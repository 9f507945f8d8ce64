package domain_test

import (
	"strings"
	"testing"

	"vitrine/internal/domain"
)

func TestEditURL(t *testing.T) {
	for template, want := range map[string]string{
		"https://github.com/o/r/edit/main/{file}#L{line}":  "",
		"https://github.com/o/r/edit/main/{file}":          "",
		"https://git.example.org:8443/e?f={file}&l={line}": "",
		"":                                       "",
		"http://github.com/o/r/edit/main/{file}": "is not an https URL without a user name",
		"javascript:alert({file})":               "is not an https URL without a user name",
		"/edit/{file}":                           "is not an https URL without a user name",
		"https://ann:secret@git.example.org/{file}":                       "is not an https URL without a user name",
		"https://git.example.org/a b/{file}":                              "has a character that URLs do not have",
		"https://git.example.org/\u200b{file}":                            "has a character that URLs do not have",
		"https://git.example.org/%zz/{file}":                              "is not an https URL without a user name",
		"https://git.example.org/{line}":                                  "has no {file}",
		"https://git.example.org/{file}/{key}":                            "has an unknown placeholder",
		"https://git.example.org/{file}/{":                                "has an unknown placeholder",
		"https://{file}.example.org/{file}":                               "has a placeholder in its host",
		"https://{file}/":                                                 "has a placeholder in its host",
		"https:///{file}":                                                 "has no host",
		"https://git.example.org/" + strings.Repeat("x", 3000) + "{file}": "is too long",
	} {
		c := &domain.Catalog{
			Title: domain.Text{{Locale: "en", Value: "Shop"}}, DefaultLocale: "en", Locales: []string{"en"}, EditURL: template,
		}
		found := domain.Check(c, domain.Reading{}).Problems
		switch {
		case want == "" && len(found) > 0:
			t.Errorf("%s: %s", template, found[0].Message)
		case want != "" && (len(found) != 1 || found[0].Rule != domain.RuleMalformedLink || !strings.HasSuffix(found[0].Message, want) || strings.Contains(found[0].Message, "secret")):
			t.Errorf("%.60s: %+v, want %s", template, found, want)
		}
	}
}

func TestEditLink(t *testing.T) {
	got := domain.EditLink("https://example.org/{file}?at={file}#L{line}", "nav/a b?#.yaml", 12)
	if want := "https://example.org/nav/a%20b%3F%23.yaml?at=nav/a%20b%3F%23.yaml#L12"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
