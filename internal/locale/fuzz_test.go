package locale

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// isWellFormed is a second implementation of RFC 5646, section 2.1, subtag by subtag.
func isWellFormed(tag string) bool {
	for _, irregular := range strings.Fields(`en-gb-oed sgn-be-fr sgn-be-nl sgn-ch-de i-ami i-bnn i-default i-enochian
		i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu`) {
		if tag == irregular {
			return true
		}
	}
	subtags := strings.Split(tag, "-")
	next := func(min, max int, kind string) bool {
		if len(subtags) == 0 || len(subtags[0]) < min || len(subtags[0]) > max || strings.Trim(subtags[0], kind) != "" {
			return false
		}
		subtags = subtags[1:]
		return true
	}
	const alpha, digit = "abcdefghijklmnopqrstuvwxyz", "0123456789"
	if next(2, 3, alpha) {
		for range 3 {
			next(3, 3, alpha)
		}
	} else if !next(4, 8, alpha) {
		return false
	}
	next(4, 4, alpha)
	if !next(2, 2, alpha) {
		next(3, 3, digit)
	}
	for len(subtags) > 0 && (next(5, 8, alpha+digit) || strings.Trim(subtags[0][:min(1, len(subtags[0]))], digit) == "" && next(4, 4, alpha+digit)) {
	}
	for len(subtags) > 0 && subtags[0] != "x" && next(1, 1, alpha+digit) {
		if !next(2, 8, alpha+digit) {
			return false
		}
		for next(2, 8, alpha+digit) {
		}
	}
	if len(subtags) > 1 && subtags[0] == "x" {
		subtags = subtags[1:]
		for next(1, 8, alpha+digit) {
		}
	}
	return len(subtags) == 0
}

func FuzzMatch(f *testing.F) {
	for _, value := range []string{
		"", "en", "zh-CN", "zh_TW", "es-AR", "de-", "de_DE.UTF-8", "und-Hans", "x-foo", "ja-x-foo", "i-klingon", "zh-min-nan", "iw", "no",
		"de-1996-u-co-phonebk-t-ja-x-a", "en-a-foo-a-bar", "en-aaa-bbb-ccc", "de-1901-1901", "sgn-BE-FR", "en-GB-oed", "\u212ao", "de\x00",
		"de-1996-a000", "mis", "tlh-Zzzz-ZZ", "zh-Zzzz-HK", "art-lojban", "root", "en-840", "en-999", "sr-YU",
	} {
		f.Add(value)
	}
	s := mustSet(f, "fr", "en", "zh-Hans", "fr", "es-MX", "es-419", "de", "de-u-co-phonebk", "iw", "sr_Latn", "yue", "ko", "pt-PT")
	f.Fuzz(func(t *testing.T, value string) {
		got := s.Match(value)
		if got < 0 || int(got) >= s.Len() {
			t.Fatalf("Match(%q) = %d of %d", value, got, s.Len())
		}
		for _, same := range []string{asciiUpper(value), asciiLower(value), strings.ReplaceAll(value, "_", "-"), strings.ReplaceAll(value, "-", "_")} {
			if other := s.Match(same); other != got {
				t.Errorf("Match(%q) = %s, but Match(%q) = %s", value, s.Name(got), same, s.Name(other))
			}
		}
		if again := s.Match(s.Name(got)); again != got {
			t.Errorf("Match(%q) = %s, which matches %s", value, s.Name(got), s.Name(again))
		}
		tag := strings.ReplaceAll(asciiLower(value), "_", "-")
		if len(value) <= maxBytes && wellFormed.MatchString(tag) != isWellFormed(tag) {
			t.Errorf("%q: well-formed is %t", tag, !isWellFormed(tag))
		}
		if got != s.Default() && (len(value) > maxBytes || !isWellFormed(tag)) {
			t.Errorf("Match(%q) = %s, want the default locale: malformed", value, s.Name(got))
		}
	})
}

// FuzzNewSet checks that a valid set matches each of its names, and that each fallback begins with
// the locale, has the default locale and has no repeats.
func FuzzNewSet(f *testing.F) {
	f.Add("en", "de", "zh-Hans")
	f.Add("en_GB", "en-001", "en")
	f.Add("iw", "he", "he-IL")
	f.Add("ja-Latn-hepburn-heploc", "ja-Latn", "ja-Latn-hepburn")
	f.Add("de-u-co-phonebk", "de-x-a", "de-1996")
	f.Add("tlh-Zzzz", "en-Zzzz", "zh-Zzzz-HK")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		s, err := NewSet(a, []string{a, b, c})
		if err != nil {
			return
		}
		for id := range ID(s.Len()) {
			if got := s.Match(s.Name(id)); got != id {
				t.Errorf("Match(%q) = %s", s.Name(id), s.Name(got))
			}
			chain := s.Fallback(id)
			if chain[0] != s.Name(id) {
				t.Errorf("Fallback(%s) = %q does not begin with it", s.Name(id), chain)
			}
			if !hasOnly(s, chain) || !slices.Contains(chain, s.Name(s.Default())) {
				t.Errorf("Fallback(%s) = %q", s.Name(id), chain)
			}
			s.Collator(id).CompareString("a", "b")
		}
		again, _ := NewSet(a, []string{a, b, c})
		if diff := cmp.Diff(s.Names(), again.Names()); diff != "" {
			t.Error(diff)
		}
	})
}

// hasOnly reports whether all names are declared and distinct.
func hasOnly(s *Set, names []string) bool {
	seen := make(map[string]bool)
	for _, name := range s.Names() {
		seen[name] = false
	}
	for _, name := range names {
		if again, declared := seen[name]; again || !declared {
			return false
		}
		seen[name] = true
	}
	return true
}

func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, s)
}
