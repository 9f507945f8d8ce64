package site

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// All languages have the same words with the same values.
func TestWordsOfAllLanguages(t *testing.T) {
	all, err := readDictionaries()
	if err != nil {
		t.Fatal(err)
	}
	english := all.byName[fallbackWords]
	value := regexp.MustCompile(`\{[a-z]+\}`)
	valuesOf := func(f forms) []string {
		found := value.FindAllString(f["other"], -1)
		slices.Sort(found)
		return found
	}
	for name, d := range all.byName {
		for key, texts := range english.Texts {
			if d.Texts[key]["other"] == "" {
				t.Errorf("%s has no text %q", name, key)
				continue
			}
			if got, want := valuesOf(d.Texts[key]), valuesOf(texts); !slices.Equal(got, want) {
				t.Errorf("%s, %q: values %v; want %v", name, key, got, want)
			}
		}
		for key := range d.Texts {
			if english.Texts[key] == nil {
				t.Errorf("%s has a text %q that English has not", name, key)
			}
		}
		if len(d.Months) != 12 || len(d.Compact) == 0 || !slices.IsSortedFunc(d.Compact, func(a, b compact) int { return int(b.At/a.At) - 1 }) {
			t.Errorf("%s: months or compact numbers are not as they should be", name)
		}
	}
}

// English has exactly the words that templates and code use.
func TestWordsAreUsed(t *testing.T) {
	all, err := readDictionaries()
	if err != nil {
		t.Fatal(err)
	}
	asked, begun := map[string]bool{}, []string{}
	texts := all.byName[fallbackWords].Texts
	named := regexp.MustCompile(`"([a-zA-Z_]+\.[a-zA-Z_.]+)"`) // in code that passes keys
	quoted := regexp.MustCompile(`\bT(?:\(| )"([a-zA-Z_.]+)"|\(print "([a-zA-Z_.]+\.)"|"([a-zA-Z_]+\.)"\s*\+`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	templates, err := filepath.Glob("templates/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, templates...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(source), -1) {
			if strings.HasSuffix(file, ".go") && texts[match[1]] != nil {
				asked[match[1]] = true
			}
		}
		for _, match := range quoted.FindAllStringSubmatch(string(source), -1) {
			switch {
			case strings.HasSuffix(match[1], "."):
				begun = append(begun, match[1])
			case match[1] != "":
				asked[match[1]] = true
			default:
				begun = append(begun, match[2]+match[3])
			}
		}
	}
	for key := range asked {
		if texts[key] == nil {
			t.Errorf("no words for %q", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if !asked[strings.TrimSuffix(key, ".plain")] && !slices.ContainsFunc(begun, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
			t.Errorf("the words for %q are unused", key)
		}
	}
}

func TestNumbersAndDates(t *testing.T) {
	all, err := readDictionaries()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ locale, date, month, amount, count string }{
		{"en", "29 May 2026", "May 2026", "4.9 bn", "2,638 chains"},
		{"de", "29 May 2026", "May 2026", "4.9 bn", "2,638 chains"}, // no file of words: those of the fallback
		{"es-MX", "29 de mayo de 2026", "mayo de 2026", "4,9 mil M", "2.638 cadenas"},
		{"zh-TW", "2026年5月29日", "2026年5月", "48.8 億", "2,638 條公鏈"},
		{"zh-hans", "2026年5月29日", "2026年5月", "48.8 亿", "2,638 条公链"},
		{"ja", "2026年5月29日", "2026年5月", "48.8億", "2,638チェーン"},
	} {
		d := all.of(tt.locale)
		count := d.text("count.chains", "n", 2638)
		for _, pair := range [][2]string{{d.date("2026-05-29"), tt.date}, {d.date("2026-05"), tt.month}, {d.amount(4.88e9), tt.amount}, {count, tt.count}} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %q; want %q", tt.locale, pair[0], pair[1])
			}
		}
	}
	if one := all.of("en").text("count.chains", "n", 1); one != "1 chain" {
		t.Errorf("%q", one)
	}
}

// A missing word is an error that names the locale or the template, and the word.
func TestMissingWords(t *testing.T) {
	all, err := readDictionaries()
	if err != nil {
		t.Fatal(err)
	}
	english, japanese := all.byName["en"], all.byName["ja"]
	delete(japanese.Texts, "skip")
	if err := japanese.check(english); err == nil || !strings.Contains(err.Error(), `"skip"`) {
		t.Errorf("ja without skip: %v", err)
	}
	delete(english.Texts, "platform.cli")
	if err := english.check(english); err == nil || !strings.Contains(err.Error(), `"platform.cli"`) {
		t.Errorf("en without platform.cli: %v", err)
	}
	for _, source := range []string{`{{.T "nothing"}}`, `{{$.T (print "nothing." .X)}}`, `{{with .X}}{{$.T "nothing" "n" 1}}{{end}}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "news.html"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New(Config{Look: Look{Templates: dir}}); err == nil || !strings.Contains(err.Error(), "news.html") || !strings.Contains(err.Error(), `"nothing`) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
