package site

import (
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// TestReach checks that pages of chains say in all languages which endpoints are up or down.
func TestReach(t *testing.T) {
	locales := []string{"en", "es", "ja", "zh-hans", "zh-hant"}
	endpoint := func(host string, reach domain.Reach) domain.Endpoint {
		return domain.Endpoint{URL: "https://" + host + ".example.org/", Reached: domain.Reached{Reach: reach, Since: "2026-11-20"}}
	}
	of := compile(t, &domain.Catalog{
		Title: domain.Text{{Locale: "en", Value: "Shop"}}, DefaultLocale: "en", Locales: locales,
		Chains: []domain.Chain{{
			Slug: "one", Name: domain.Text{{Locale: "en", Value: "One"}}, ChainID: "1",
			RPC: []domain.Endpoint{endpoint("a", domain.ReachUp), endpoint("b", domain.ReachDown), endpoint("c", domain.ReachWrongChain), endpoint("d", domain.ReachUnknown)},
		}},
	})
	s := siteOf(t, Config{})
	for locale, want := range map[string][]string{
		"en":      {"Up", "Down since 20 November 2026", "Down since 20 November 2026", ""},
		"es":      {"Disponible", "No disponible desde el 20 de noviembre de 2026", "No disponible desde el 20 de noviembre de 2026", ""},
		"ja":      {"利用可", "2026年11月20日から利用不可", "2026年11月20日から利用不可", ""},
		"zh-hans": {"可用", "自2026年11月20日起不可用", "自2026年11月20日起不可用", ""},
		"zh-hant": {"可用", "自2026年11月20日起無法使用", "自2026年11月20日起無法使用", ""},
	} {
		path := "/" + locale + "/chains/one"
		if got := captured(pageAt(t, s, of, path, ""), `<(?:li|p class="endpoint")><code>https://[^<]*</code>.*?(?: <span class="(?:facts|state down)">([^<]*)</span>)?</(?:li|p)>`); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		lines := strings.Split(pageAt(t, s, of, path+".md", ""), "\n")
		for i, host := range []string{"a", "b", "c", "d"} {
			line := "  - `https://" + host + ".example.org/`"
			if want[i] != "" {
				line += " · " + want[i]
			}
			if !slices.Contains(lines, line) {
				t.Errorf("%s.md does not have the line %q", path, line)
			}
		}
	}
}
