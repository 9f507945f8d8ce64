package locale

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

func mustSet(t testing.TB, defaultLocale string, declared ...string) *Set {
	t.Helper()
	s, err := NewSet(defaultLocale, declared)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name     string
		declared string // the first is the default
		want     map[string]string
	}{
		{
			name:     "spellings of one locale",
			declared: "en zh-hans pt-BR",
			want: map[string]string{
				"zh-hans": "zh-hans", "ZH-HANS": "zh-hans", "zh_Hans": "zh-hans", "Zh_hAnS": "zh-hans",
				"pt-br": "pt-BR", "PT_br": "pt-BR", "en": "en", "eN": "en",
			},
		},
		{
			name:     "likely subtags choose the Chinese script",
			declared: "en zh-hans zh-hant",
			want: map[string]string{
				"zh": "zh-hans", "zh-CN": "zh-hans", "zh-SG": "zh-hans", "zh-Hans-TW": "zh-hans",
				"zh-TW": "zh-hant", "zh-HK": "zh-hant", "zh-MO": "zh-hant", "zh-Hant-CN": "zh-hant", "zh_tw": "zh-hant",
				"cmn": "zh-hans", "cmn-TW": "zh-hant", "zh-cmn-Hans-CN": "zh-hans", "zho": "zh-hans", "zh-guoyu": "zh-hans",
			},
		},
		{
			name:     "Chinese falls back to its other script",
			declared: "en zh-hans",
			want:     map[string]string{"zh-TW": "zh-hans", "zh-Hant-HK": "zh-hans", "zh-Latn": "en", "zh-Latn-pinyin": "en", "zh-Bopo": "en"},
		},
		{
			name:     "Chinese falls back to its other script, reversed",
			declared: "en zh-TW",
			want:     map[string]string{"zh": "zh-TW", "zh-CN": "zh-TW", "zh-HK": "zh-TW"},
		},
		{
			name:     "other languages keep their script",
			declared: "en sr uz-Cyrl pa-Arab mn",
			want: map[string]string{
				"sr-Latn": "en", "sr-ME": "en", "sr-Cyrl-ME": "sr", "sr-RS": "sr", "sh": "en", "sh-Cyrl": "sr",
				"uz": "en", "uz-Cyrl-UZ": "uz-Cyrl", "pa": "en", "pa-PK": "pa-Arab", "mn-CN": "en", "mn-Cyrl-CN": "mn",
			},
		},
		{
			name:     "an explicit script is kept",
			declared: "en kk kk-Arab",
			want:     map[string]string{"kk-CN": "kk-Arab", "kk-Cyrl-CN": "kk", "kk-Zzzz": "kk", "kk-Zzzz-CN": "kk-Arab"},
		},
		{
			name:     "CLDR parents, the nearest first",
			declared: "en en-001 en-GB es es-419 es-MX pt pt-PT de fr-CA",
			want: map[string]string{
				"en-AU": "en-001", "en-US": "en", "en-GB-oxendict": "en-GB", "en-GB-oed": "en-GB", "en-UK": "en-GB", "en-DE": "en-001",
				"en-Latn-AU": "en-001", "en-Latn": "en",
				"es-AR": "es-419", "es-MX": "es-MX", "es-ES": "es", "es-Latn-AR": "es-419", "es-US": "es-419",
				"pt-AO": "pt-PT", "pt-BR": "pt", "de-AT": "de", "de-1996": "de", "de-CH-1901": "de",
				"fr": "fr-CA", "fr-FR": "fr-CA",
			},
		},
		{
			name:     "no parent is declared: the first candidate",
			declared: "en es-MX es-AR pt-BR",
			want:     map[string]string{"es": "es-MX", "es-ES": "es-MX", "es-CL": "es-MX", "es-AR": "es-AR", "pt-PT": "pt-BR", "pt": "pt-BR"},
		},
		{
			name:     "a parent without its script",
			declared: "en zh-CN zh-HK",
			want:     map[string]string{"zh-MO": "zh-HK", "zh-Hant-MO": "zh-HK", "zh-Hant-HK": "zh-HK", "zh-TW": "zh-HK", "zh-Hans": "zh-CN"},
		},
		{
			name:     "with and without script, both declared",
			declared: "en zh zh-Hans zh-Hans-SG",
			want:     map[string]string{"zh": "zh", "zh-Hans": "zh-Hans", "zh-CN": "zh", "zh-Hans-CN": "zh-Hans", "zh-SG": "zh-Hans-SG"},
		},
		{
			name:     "deprecated and predominant codes",
			declared: "en he id no fil yi jv ro",
			want: map[string]string{
				"iw": "he", "iw-IL": "he", "in": "id", "in-ID": "id", "nb": "no", "nb-NO": "no", "no-NO": "no", "no-bok": "no",
				"tl": "fil", "ji": "yi", "jw": "jv", "mo": "ro", "heb": "he", "eng": "en",
				"nn": "en", "da": "en",
			},
		},
		{
			name:     "deprecated codes, declared",
			declared: "en iw in nb cmn",
			want:     map[string]string{"he": "iw", "he-IL": "iw", "id": "in", "no": "nb", "zh-CN": "cmn", "zh-TW": "cmn"},
		},
		{
			name:     "related languages never match",
			declared: "en es id ru zh-Hans pt fr",
			want: map[string]string{
				"gl": "en", "ca": "en", "ms": "en", "uk": "en", "be": "en", "br": "en", "eu": "en",
				"yue": "en", "zh-yue": "en", "zh-hak": "en", "zh-min-nan": "en", "i-hak": "en", "wuu": "en", "lzh": "en",
				"i-klingon": "en", "art-lojban": "en", "mul": "en", "zxx": "en", "mis": "en", "qaa": "en",
			},
		},
		{
			name:     "grandfathered, extended and rare tags, declared",
			declared: "en yue tlh jbo nan cnr",
			want: map[string]string{
				"zh-yue": "yue", "zh-yue-HK": "yue", "yue-Hant-HK": "yue", "i-klingon": "tlh", "tlh-US": "tlh", "art-lojban": "jbo",
				"zh-min-nan": "nan", "cnr-ME": "cnr", "zh": "en",
			},
		},
		{
			name:     "extensions and private use",
			declared: "en ja de de-u-co-phonebk ca-valencia ca",
			want: map[string]string{
				"ja-x-foo": "ja", "ja-JP-u-ca-japanese": "ja", "ja-JP-u-ca-japanese-x-lvariant-jp": "ja", "en-u-ca-buddhist": "en",
				"ja-Latn-hepburn": "en", "de-t-ja": "de", "de-u-co-standard": "de", "de-AT-u-co-phonebk": "de",
				"DE_u_co_phonebk": "de-u-co-phonebk", "deu-u-co-phonebk": "de-u-co-phonebk",
				"ca-ES-valencia": "ca", "ca-valencia-u-ca-gregory": "ca-valencia", "ca-valencia-x-y": "ca-valencia",
			},
		},
		{
			name:     "unknown subtags are ignored, an unknown language is the default",
			declared: "en de zh-hant",
			want: map[string]string{
				"de-QQ": "de", "de-XX": "de", "de-1abc": "de", "de-foobar": "de", "de-Abcd": "de", "de-999": "de", "zh-hanz": "zh-hant",
				"qq": "en", "xx-DE": "en",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			declared := strings.Fields(tt.declared)
			s := mustSet(t, declared[0], declared...)
			got := make(map[string]string, len(tt.want))
			for value := range tt.want {
				got[value] = s.Name(s.Match(value))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Match among %v (-want +got):\n%s", declared, diff)
			}
		})
	}
}

// TestMatchIsTheDefaultLocale checks malformed values, also with a declared prefix.
func TestMatchIsTheDefaultLocale(t *testing.T) {
	s := mustSet(t, "fr", "en", "de", "zh-hans", "fr", "yue", "ko")
	tests := map[string][]string{
		"malformed": {
			"", " ", "de ", " de", "de-", "-de", "de--DE", "de_", "_", "-", "--", "de_DE.UTF-8", "de_DE@euro", "de.UTF-8", "de,en", "de;q=1",
			"a", "d", "i-", "x", "x-", "de-1996-a000", "de-u", "de-x", "de-a", "de-DE-DE", "de-1", "de-12", "deutsch", "C", "POSIX", "*", "de-*",
			"de\x00", "\x00", "de\n", "de-D\u00c9", "d\xff", "\xff\xfe", "🇩🇪", "de🇩🇪", "中文", "\u212ao", "ｄｅ", "de\u2010DE", "de%2DDE",
		},
		"undetermined":     {"und", "UND", "und-Hans", "und-CN", "und-yue", "und_Latn_DE", "und-x-de", "und-u-ca-buddhist", "root"},
		"private use only": {"x-de", "x-foo", "X-FOO", "i-enochian"},
		"too long":         {"de-x-" + strings.Repeat("a-", 29) + "aa", strings.Repeat("de", 40), "de" + strings.Repeat("-1996", 1000), "en\x00" + strings.Repeat("x", 1<<16)},
	}
	for name, values := range tests {
		t.Run(name, func(t *testing.T) {
			for _, value := range values {
				if got := s.Name(s.Match(value)); got != "fr" {
					t.Errorf("Match(%q) = %q, want the default locale", value, got)
				}
			}
		})
	}
}

func TestMatchLength(t *testing.T) {
	s := mustSet(t, "fr", "fr", "de")
	longest := "de-x" + strings.Repeat("-aaaaa", 10)
	if len(longest) != 64 {
		t.Fatalf("the longest tag has %d bytes", len(longest))
	}
	if got := s.Name(s.Match(longest)); got != "de" {
		t.Errorf("64 bytes: got %q, want de", got)
	}
	if got := s.Name(s.Match(longest + "a")); got != "fr" {
		t.Errorf("65 bytes: got %q, want fr", got)
	}
}

func TestFallback(t *testing.T) {
	tests := []struct {
		name, declared, of string
		want               string
	}{
		{"the default locale", "en de", "en", "en"},
		{"no parents", "en de", "de", "de en"},
		{"parent, then default", "fr de de-AT", "de-AT", "de-AT de fr"},
		{"parents from near to far", "fr en en-001 en-AU", "en-AU", "en-AU en-001 en fr"},
		{"Spanish of America", "en es es-MX es-419 es-AR", "es-AR", "es-AR es-419 es en"},
		{"Portuguese of Africa", "en pt pt-BR pt-PT pt-AO", "pt-AO", "pt-AO pt-PT pt en"},
		{"a parent that is not declared is skipped", "en es es-AR", "es-AR", "es-AR es en"},
		{"the default locale is a parent", "es en es-AR", "es-AR", "es-AR es"},
		{"siblings are not parents", "en es-MX es-AR", "es-AR", "es-AR en"},
		{"Chinese scripts do not fall back to each other", "en zh-hans zh-hant", "zh-hant", "zh-hant en"},
		{"Macau falls back to Hong Kong", "en zh-HK zh-Hant zh-MO zh", "zh-MO", "zh-MO zh-HK zh-Hant en"},
		{"the likely script is not a parent", "de zh zh-Hans", "zh", "zh de"},
		{"with and without script", "en zh zh-Hans zh-Hans-SG", "zh-Hans-SG", "zh-Hans-SG zh-Hans zh en"},
		{"a script other than the language's", "en sr sr-Latn sr-ME", "sr-ME", "sr-ME sr-Latn en"},
		{"variants one by one", "en ja ja-Latn ja-Latn-hepburn ja-Latn-hepburn-heploc", "ja-Latn-hepburn-heploc", "ja-Latn-hepburn-heploc ja-Latn-hepburn ja-Latn en"},
		{"extensions", "en de de-u-co-phonebk", "de-u-co-phonebk", "de-u-co-phonebk de en"},
		{"two codes of one language", "en iw he", "he", "he iw en"},
		{"as the catalogue spells them", "EN pt_br PT", "pt_br", "pt_br PT EN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			declared := strings.Fields(tt.declared)
			s := mustSet(t, declared[0], declared...)
			got := s.Fallback(s.Match(tt.of))
			if diff := cmp.Diff(strings.Fields(tt.want), got); diff != "" {
				t.Errorf("Fallback(%s) (-want +got):\n%s", tt.of, diff)
			}
		})
	}
}

func TestNewSet(t *testing.T) {
	tests := []struct {
		name, defaultLocale string
		declared            []string
		want                string // part of the error; "" for none
	}{
		{"one", "en", []string{"en"}, ""},
		{"the default may be anywhere", "en", []string{"zh-hans", "en"}, ""},
		{"the default may be spelled differently", "ZH_hans", []string{"en", "zh-Hans"}, ""},
		{"two codes of one language", "iw", []string{"iw", "he"}, ""},
		{"none", "en", nil, `default locale "en" is not declared`},
		{"no default", "", []string{"en"}, `default locale "" is not declared`},
		{"default not declared", "de", []string{"en"}, `default locale "de" is not declared`},
		{"a related locale is not the default", "en", []string{"en-US"}, `default locale "en" is not declared`},
		{"duplicate", "en", []string{"en", "de", "de"}, `locale "de" is declared twice, first as "de"`},
		{"duplicate except for case", "en", []string{"en", "zh-hans", "zh-Hans"}, `locale "zh-Hans" is declared twice, first as "zh-hans"`},
		{"duplicate except for _", "en", []string{"en", "pt-BR", "pt_BR"}, `locale "pt_BR" is declared twice, first as "pt-BR"`},
		{"malformed", "en", []string{"en", "de_DE.UTF-8"}, `locale "de_DE.UTF-8": not a well-formed language tag`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := NewSet(tt.defaultLocale, tt.declared)
			if tt.want != "" {
				if s != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("NewSet = %v, %v; want an error with %q", s, err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.declared, s.Names()); diff != "" {
				t.Errorf("Names (-want +got):\n%s", diff)
			}
			if got := spelling(s.Name(s.Default())); got != spelling(tt.defaultLocale) {
				t.Errorf("the default locale is %q, want %q", got, tt.defaultLocale)
			}
			if s.Len() != len(tt.declared) {
				t.Errorf("Len = %d, want %d", s.Len(), len(tt.declared))
			}
		})
	}
}

func TestNewSetReportsAllProblems(t *testing.T) {
	_, err := NewSet("fr", []string{"en", "e", "EN", "und"})
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		`locale "e": not a well-formed language tag`,
		`locale "EN" is declared twice, first as "en"`,
		`locale "und": names no language`,
		`default locale "fr" is not declared`,
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestValid(t *testing.T) {
	valid := []string{"en", "zh-hans", "zh-Hant-HK", "pt_BR", "es-419", "sr-Latn-RS", "yue", "cnr", "tlh", "qaa", "en-XA",
		"de-1996", "ca-valencia", "ja-x-foo", "de-u-co-phonebk", "i-klingon", "zh-min-nan", "nb", "iw", "DE"}
	for _, name := range valid {
		if err := Valid(name); err != nil {
			t.Errorf("Valid(%q) = %v, want nil", name, err)
		}
	}
	invalid := []string{"", "e", "de-", "-de", "de--DE", "de_DE.UTF-8", "und", "und-Hans", "und-yue", "root", "x-foo", "i-enochian",
		"en ", "中文", "de\x00", "qq", "zh-hanz", "de-foobar", "en-english", "de-x-" + strings.Repeat("a-", 29) + "aa"}
	for _, name := range invalid {
		if err := Valid(name); err == nil {
			t.Errorf("Valid(%q) = nil, want an error", name)
		}
	}
}

func TestReturnedSlicesAreTheCallers(t *testing.T) {
	declared := []string{"en", "de-AT", "de"}
	s := mustSet(t, "en", declared...)
	declared[0] = "fr"
	s.Names()[1] = "fr"
	s.Fallback(1)[0] = "fr"
	if diff := cmp.Diff([]string{"en", "de-AT", "de"}, s.Names()); diff != "" {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"de-AT", "de", "en"}, s.Fallback(1)); diff != "" {
		t.Errorf("Fallback (-want +got):\n%s", diff)
	}
}

func TestCollator(t *testing.T) {
	names := []string{"Zebra", "Ähre", "Ofen", "Öfen", "Ångström", "apfel", "北京", "上海", "Abc"}
	s := mustSet(t, "en", "en", "de", "sv", "zh_hans", "de-u-co-phonebk", "no", "nb")
	for id, name := range s.Names() {
		got := slices.Clone(names)
		s.Collator(ID(id)).SortStrings(got)
		want := slices.Clone(names)
		collate.New(language.Make(name)).SortStrings(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	german, swedish := s.Collator(1), s.Collator(2)
	if german.CompareString("Ähre", "Zebra") >= 0 || swedish.CompareString("Ähre", "Zebra") <= 0 {
		t.Error("Ä sorts as A in German and after Z in Swedish")
	}
}

func BenchmarkMatch(b *testing.B) {
	s := mustSet(b, "en", "en", "zh-hans", "zh-hant", "es", "es-419", "pt", "pt-BR", "de", "fr", "ja", "ko", "ru")
	for _, value := range []string{"", "zh-hans", "zh-CN", "es-AR", "de-AT-1901-u-co-phonebk", "de_DE.UTF-8"} {
		b.Run(value, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Match(value)
			}
		})
	}
}
