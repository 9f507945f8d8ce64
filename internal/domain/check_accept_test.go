package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// doubtful returns a catalogue with a warning of every rule that can be accepted.
func doubtful() *domain.Catalog {
	c := rich()
	c.Locales = append(c.Locales, "ja")
	c.Chains = append(c.Chains, domain.Chain{Slug: "other", Name: text("en", "O", "zh-hans", "O"), ChainID: c.Chains[0].ChainID})
	c.Chains[3].Aliases = []string{"\u0435thereum"}
	c.NavGroups[1].Menus = nil
	c.Chains[0].RPC = []domain.Endpoint{{URL: "https://rpc.example.org/v3/9aa3d95b3bc440fa88ea12eaa4456161"}}
	c.Chains[0].Links = []domain.Link{{Type: "docs", URL: "https://example.org/<name>"}, {Type: "docs", URL: "http://docs.internal/"}}
	c.Apps = append(c.Apps, domain.App{Key: "idle", Title: en("I"), Link: "https://example.org/"})
	c.Accounts[0].Followers, c.Accounts[1].Followers = nil, nil
	c.MaxAge = &domain.MaxAges{Platforms: &domain.AgeLimit{Days: 1}}
	c.Expect = []domain.Expectation{{Kind: domain.KindChain, Max: 1}}
	c.Chains[0].Platforms, c.Chains[1].Platforms = dated(1, "s", "2025-01-01"), dated(1, "s", "2024-01-01")
	c.Categories = append(c.Categories, domain.Category{
		Key: "idle", Name: en("I"), Parent: "evm", Scopes: []domain.Module{"chain", "twitter"},
		Groups: []domain.ModuleGroups{{Module: "chain", Keys: []string{"layer"}}, {Module: "twitter", Keys: []string{"topic"}}},
	})
	c.Assets = []domain.Asset{{File: "idle.svg", Content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`}}
	c.Chains[2].Launched, c.Chains[2].Status = "2026-01-01", domain.StatusUpcoming
	return c
}

// marked formats problems like lines, without messages, and with kind and key of accepted ones.
func marked(problems []domain.Problem) []string {
	var out []string
	for _, p := range problems {
		line := fmt.Sprintf("%s %s[%d]", p.Rule, p.At.Kind, p.At.Index)
		if p.Rule == domain.RuleMissingTranslation {
			line += p.Message[strings.LastIndex(p.Message, " in "):]
		}
		if p.Accepted {
			line += " accepted"
		}
		out = append(out, line)
	}
	return out
}

func TestAcceptances(t *testing.T) {
	check := func(c *domain.Catalog, accept ...domain.Acceptance) domain.Findings {
		c.Accept = accept
		return domain.Check(c, domain.Reading{Today: "2026-11-22"})
	}
	bare := check(doubtful())
	rules := map[domain.Rule]bool{}
	for _, p := range bare.Problems {
		rules[p.Rule] = true
	}
	for _, rule := range domain.AcceptableRules() {
		if !rules[rule] {
			t.Errorf("no warning of rule %s", rule)
		}
	}
	if len(rules) != len(domain.AcceptableRules()) || bare.Found.Of(domain.Error) > 0 {
		t.Fatalf("want one warning of each rule, got: %q", lines(bare.Problems))
	}
	var all []domain.Acceptance
	for _, r := range domain.AcceptableRules() {
		all = append(all, domain.Acceptance{Rule: r, Reason: "a test"})
	}
	accepted := check(doubtful(), all...)
	if len(accepted.Found) > 0 || accepted.Accepted.Of(domain.Warning) != bare.Found.Of(domain.Warning) {
		t.Errorf("with all accepted: %v, %v", accepted.Found, accepted.Accepted)
	}
	for _, tt := range []struct {
		name   string
		accept domain.Acceptance
		want   []string // the accepted warnings, and the problems of the acceptance
	}{
		{"by key", domain.Acceptance{Rule: domain.RuleHeldBack, Key: "CELO_org"}, []string{"held-back twitter[1] accepted"}},
		{"of another kind", domain.Acceptance{Rule: domain.RuleHeldBack, Kind: domain.KindChain}, []string{"unused-acceptance catalog[0]"}},
		{"of another key", domain.Acceptance{Rule: domain.RuleHeldBack, Key: "nobody"}, []string{"unused-acceptance catalog[0]"}},
		{"by the key of the other of two records", domain.Acceptance{Rule: domain.RuleDuplicateChainID, Key: doubtful().Chains[0].Slug},
			[]string{fmt.Sprintf("duplicate-chain-id chains[%d] accepted", len(doubtful().Chains)-1)}},
		{"by kind", domain.Acceptance{Rule: domain.RuleUnlistedMenu, Kind: domain.KindMenu}, []string{"unlisted-menu menus[0] accepted"}},
		{"by locale, kind and key", domain.Acceptance{Rule: domain.RuleMissingTranslation, Locale: "ja", Kind: domain.KindGroup, Key: "chain/layer"},
			[]string{"missing-translation groups[0] in ja accepted"}},
		{"of a locale that nothing lacks", domain.Acceptance{Rule: domain.RuleMissingTranslation, Locale: "zh-hans", Kind: domain.KindMenu}, []string{"unused-acceptance catalog[0]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := check(doubtful(), tt.accept)
			var got []string
			for i, line := range marked(found.Problems) {
				if p := found.Problems[i]; p.Accepted || p.Rule == domain.RuleUnusedAcceptance {
					got = append(got, line)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("accepted (-want +got):\n%s\n%s", diff, strings.Join(lines(found.Problems), "\n"))
			}
		})
	}
}

func TestWrongAcceptances(t *testing.T) {
	runCheckCases(t, []checkCase{{"all of them", func(c *domain.Catalog) {
		c.Accept = []domain.Acceptance{
			{}, {Rule: "held_back"}, {Rule: domain.RuleSyntax}, {Rule: domain.RuleUnusedAcceptance}, {Rule: domain.RuleHeldBack, Kind: "chain", Key: "\a"},
			{Rule: domain.RuleHeldBack, Locale: "en"}, {Rule: domain.RuleMissingTranslation, Locale: "fr"}, {Rule: domain.RuleHeldBack, Reason: "a"}, {Rule: domain.RuleHeldBack, Reason: "b"},
		}
	}, []string{
		`catalog[0].accept.0.rule missing-field: rule is missing or empty; write a rule`,
		`catalog[0].accept.4.key forbidden-character: key holds the control character U+0007; remove it`,
		`catalog[0].accept.1.rule unknown-value: rule "held_back" is not known; write held-back; allowed are duplicate-chain-id, confusable-name, missing-translation, unlisted-menu, held-back, old-figure, overdue-launch, parent-scope, unused-category, unused-app, unused-asset, possible-key, placeholder-in-link, private-host, too-many`,
		`catalog[0].accept.2.rule unknown-value: rule "syntax" is an error, which cannot be accepted; write one of duplicate-chain-id, confusable-name, missing-translation, unlisted-menu, held-back, old-figure, overdue-launch, parent-scope, unused-category, unused-app, unused-asset, possible-key, placeholder-in-link, private-host, too-many`,
		`catalog[0].accept.3.rule unknown-value: rule "unused-acceptance" is not known; write one of duplicate-chain-id, confusable-name, missing-translation, unlisted-menu, held-back, old-figure, overdue-launch, parent-scope, unused-category, unused-app, unused-asset, possible-key, placeholder-in-link, private-host, too-many`,
		`catalog[0].accept.4.kind unknown-value: kind "chain" is not known; write chains; allowed are ` + kindNames(),
		`catalog[0].accept.5.locale unknown-value: warnings of held-back have no locale; remove it`,
		`catalog[0].accept.6.locale undeclared-locale: locale "fr" is not declared; write one of locales, as it stands there`,
		`catalog[0].accept.8 duplicate: this is accepted twice; remove one of them`,
	}}})
}

// TestUnusedCategories checks that unused records are reported only without errors.
func TestUnusedCategories(t *testing.T) {
	c := rich()
	c.Chains, c.Accounts, c.Channels = nil, nil, nil
	want := []string{
		`categories[1].key unused-category: no record has category "evm", and no other category is below it; give it to a record, or remove it`,
		`categories[2].key unused-category: no record has category "education", and no other category is below it; give it to a record, or remove it`,
	}
	of := func(c *domain.Catalog, r domain.Reading) []string {
		var out []string
		for _, p := range domain.Check(c, r).Problems {
			if p.Rule == domain.RuleUnusedCategory {
				out = append(out, lines([]domain.Problem{p})...)
			}
		}
		return out
	}
	if diff := cmp.Diff(want, of(c, domain.Reading{})); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
	for name, got := range map[string][]string{
		"errors in reading": of(c, domain.Reading{Broken: true}),
		"an unread menu":    of(c, domain.Reading{Unread: domain.Unread{Menus: map[string]bool{"x": true}}}),
		"what is stored":    lines(domain.CheckAgain(nil, c)),
	} {
		for _, line := range got {
			if strings.Contains(line, "unused") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	item := domain.ModuleItem
	c.Categories[2].Scopes = append(c.Categories[2].Scopes, item)
	c.Categories[2].Groups = append(c.Categories[2].Groups, domain.ModuleGroups{Module: item, Keys: []string{"purpose"}})
	c.Groups = append(c.Groups, domain.Group{Key: "purpose", Module: item, Name: en("P")})
	c.Menus[1].Groups[0].Items[0].Slug = "education"
	if got := of(c, domain.Reading{}); len(got) != 1 {
		t.Errorf("with an item of that slug: %q", got)
	}
}

// TestEveryGap checks that each missing translation is reported with EveryGap.
func TestEveryGap(t *testing.T) {
	c := rich()
	c.Locales = []string{"zh-hans", "en", "ja"}
	c.Accept = []domain.Acceptance{{Rule: domain.RuleMissingTranslation, Locale: "zh-hans", Key: "celo"}}
	c.Chains[1].Name, c.Chains[2].Name = text("en", "Celo"), text("en", "Bitcoin")
	var got []string
	for _, p := range domain.Check(c, domain.Reading{EveryGap: true}).Problems {
		if p.At.Kind == domain.KindChain {
			got = append(got, fmt.Sprintf("%d %v %s", p.At.Index, p.Accepted, p.Message))
		}
	}
	want := []string{"0 false no name in ja", "1 false no name in ja", "1 true no name in zh-hans", "2 false no name in zh-hans, ja"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

func kindNames() string {
	var names []string
	for _, k := range domain.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
