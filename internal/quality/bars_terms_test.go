package quality_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
)

// glossaryFile has the terms in the languages of the catalogue.
var glossaryFile = filepath.FromSlash("../../catalog/.quality/glossary.json")

// A term has its form in each language, and the words to avoid.
type term struct {
	Forms map[string]string   `json:"forms"` // by locale
	Avoid map[string][]string `json:"avoid"` // by locale
	Why   string              `json:"why"`   // if necessary
}

func termBars(glossary []term) []bar {
	return []bar{
		{"texts keep to the glossary", func(c *domain.Catalog) []finding { return avoided(c, glossary) }},
		{"names are those of the glossary", func(c *domain.Catalog) []finding { return misnamed(c, glossary) }},
	}
}

// misnamed finds names and titles that are a term in English, singular or plural, but
// not the term's form in another language.
func misnamed(c *domain.Catalog, glossary []term) []finding {
	byName := map[string]term{}
	for _, t := range glossary {
		name := strings.ToLower(t.Forms["en"])
		byName[name], byName[name+"s"] = t, t
	}
	var out []finding
	for _, e := range texts(c) {
		name, _ := e.text.In("en")
		t, ok := byName[strings.ToLower(name)]
		if !ok || e.field == "description" {
			continue
		}
		for _, tr := range e.text {
			if form := t.Forms[tr.Locale]; form != "" && !formPattern(form).MatchString(fold.Text(tr.Value)) {
				out = append(out, finding{e.record, fmt.Sprintf("the %s in %s is %q, the glossary's %q", e.field, tr.Locale, tr.Value, form)})
			}
		}
	}
	return out
}

// formPattern matches a folded text that contains the form of a term, each word in
// singular or plural.
func formPattern(form string) *regexp.Regexp {
	words := strings.Fields(regexp.QuoteMeta(fold.Text(form)))
	return regexp.MustCompile(strings.Join(words, "(?:e?s)? "))
}

// avoided also checks names of chains and titles of apps and cards. It reports the first
// avoided word of a text.
func avoided(c *domain.Catalog, glossary []term) []finding {
	var out []finding
	all := allTexts(c)
	for _, locale := range c.Locales {
		better := map[string]string{} // by the avoided word in small letters
		for _, t := range glossary {
			for _, word := range t.Avoid[locale] {
				better[strings.ToLower(word)] = t.Forms[locale]
			}
		}
		if len(better) == 0 {
			continue
		}
		pattern := wordPattern(locale, slices.Sorted(maps.Keys(better))...)
		for _, e := range all {
			text, _ := e.text.In(locale)
			if m := pattern.FindStringSubmatch(text); m != nil {
				out = append(out, finding{e.record, fmt.Sprintf("the %s in %s says %q, the glossary %q",
					e.field, locale, m[1], better[strings.ToLower(m[1])])})
			}
		}
	}
	return out
}

// wordPattern matches and captures one of the words, in any case. In languages with
// spaces it matches whole words, also in the plural. In the others it matches
// anywhere, except before the mark of a long vowel, which makes another word.
func wordPattern(locale string, words ...string) *regexp.Regexp {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	oneOf := "(?i)(" + strings.Join(quoted, "|") + ")"
	if wide(locale) {
		return regexp.MustCompile(oneOf + `(?:[^ー]|$)`)
	}
	return regexp.MustCompile(`(?:^|[^\pL\pN])` + oneOf + `s?(?:[^\pL\pN]|$)`)
}

func TestGlossary(t *testing.T) {
	var glossary []term
	decodeFile(t, glossaryFile, &glossary)
	locales := readBundled(t).Catalog.Locales
	avoidedBy := map[[2]string]string{}
	for i, term := range glossary {
		name := term.Forms["en"]
		if i > 0 && strings.ToLower(glossary[i-1].Forms["en"]) >= strings.ToLower(name) {
			t.Errorf("%s is not in the order of the English terms", name)
		}
		for _, locale := range locales {
			if term.Forms[locale] == "" {
				t.Errorf("%s has no form in %s", name, locale)
			}
		}
		for locale, words := range term.Avoid {
			if !slices.Contains(locales, locale) {
				t.Errorf("%s avoids words in %q, which the catalogue is not in", name, locale)
			}
			for _, word := range words {
				if other, twice := avoidedBy[[2]string{locale, word}]; twice {
					t.Errorf("%s and %s both avoid %s in %s", other, name, word, locale)
				}
				avoidedBy[[2]string{locale, word}] = name
			}
		}
	}
	for key, name := range avoidedBy {
		pattern := wordPattern(key[0], key[1])
		for _, term := range glossary {
			if form := term.Forms[key[0]]; pattern.MatchString(form) {
				t.Errorf("%s avoids %s in %s, where %s is called %s", name, key[1], key[0], term.Forms["en"], form)
			}
		}
	}
}

func TestWordPattern(t *testing.T) {
	for _, tt := range []struct {
		locale, word, text string
		want               bool
	}{
		{"es", "coste", "El coste, explicado.", true},
		{"es", "coste", "Costes de la red", true},
		{"es", "coste", "Costero", false},
		{"es", "runa", "las runas.", true},
		{"es", "vídeo", "Vídeo y voz", true},
		{"en", "tokenized", "Tokenized", true},
		{"ja", "ブラウザ", "ブラウザの拡張", true},
		{"ja", "ブラウザ", "使いやすいブラウザ", true},
		{"ja", "ブラウザ", "ブラウザーの拡張", false},
		{"zh-hant", "NFT 市場", "買賣 nft 市場", true},
	} {
		if got := wordPattern(tt.locale, tt.word).MatchString(tt.text); got != tt.want {
			t.Errorf("%s: %q in %q: %t, want %t", tt.locale, tt.word, tt.text, got, tt.want)
		}
	}
}
