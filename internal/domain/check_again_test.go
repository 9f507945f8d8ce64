package domain_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
)

func inEnglish(value string) domain.Text { return domain.Text{{Locale: "en", Value: value}} }

// sound returns a catalogue without errors.
func sound() *domain.Catalog {
	return &domain.Catalog{
		Title: inEnglish("Title"), DefaultLocale: "en", Locales: []string{"en"},
		Groups: []domain.Group{
			{Key: "layer", Module: domain.ModuleChain, Name: inEnglish("Layer")},
			{Key: "topic", Module: domain.ModuleTwitter, Name: inEnglish("Topic")},
			{Key: "topic", Module: domain.ModuleYouTube, Name: inEnglish("Topic")},
		},
		Categories: []domain.Category{{
			Key: "l1", Name: inEnglish("Layer 1"), Scopes: []domain.Module{domain.ModuleChain, domain.ModuleTwitter, domain.ModuleYouTube},
			Groups: []domain.ModuleGroups{
				{Module: domain.ModuleChain, Keys: []string{"layer"}}, {Module: domain.ModuleTwitter, Keys: []string{"topic"}},
				{Module: domain.ModuleYouTube, Keys: []string{"topic"}},
			},
		}},
		Chains: []domain.Chain{
			{Slug: "a", Name: inEnglish("A"), ChainID: "1", Categories: []string{"l1"}, Logo: "assets/a.svg"},
			{Slug: "b", Name: inEnglish("B"), ChainID: "2", Logo: "web3://b/logo"},
		},
		Assets: []domain.Asset{{
			File:    "a.svg",
			Content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>`,
		}},
		LinkSchemes: []string{"web3"},
		Accounts: []*domain.Account{
			{Handle: "a", Name: "A", Categories: []string{"l1"}, Followers: &domain.Figure{Value: 1}},
			{Handle: "b", Name: "B", Followers: &domain.Figure{Value: 2}},
		},
		Channels: []domain.Channel{{ChannelID: "a", Name: "A", Categories: []string{"l1"}}, {ChannelID: "b", Name: "B"}},
	}
}

// TestCheckAgainFindsTheErrorsOfCheck compares the errors of CheckAgain with those of Check for
// random edits.
func TestCheckAgainFindsTheErrorsOfCheck(t *testing.T) {
	tests := []struct {
		name string
		edit func(c *domain.Catalog)
	}{
		{"nothing", func(*domain.Catalog) {}},
		{"a chain", func(c *domain.Catalog) { c.Chains[1].Slug = "B!" }},
		{"a category that is not there", func(c *domain.Catalog) { c.Accounts[1].Categories = []string{"l2"} }},
		{"a second slug", func(c *domain.Catalog) { c.Chains = append(c.Chains, c.Chains[0]) }},
		{"a second slug before the first", func(c *domain.Catalog) { c.Chains = slices.Concat(c.Chains[1:], c.Chains) }},
		{"an id that is another's derived one", func(c *domain.Catalog) { c.Chains[1].ID = c.Chains[0].StableID() }},
		{"a second handle in capitals", func(c *domain.Catalog) {
			c.Accounts = append(c.Accounts, &domain.Account{Handle: "A", Name: "A", Followers: &domain.Figure{}})
		}},
		{"a second channel", func(c *domain.Catalog) { c.Channels = append(c.Channels, c.Channels[1]) }},
		{"a figure", func(c *domain.Catalog) { c.Accounts[0].Followers = &domain.Figure{Value: -1} }},
		{"a channel without a name", func(c *domain.Catalog) { c.Channels[0].Name = "" }},
		{"the category is gone", func(c *domain.Catalog) { c.Categories = nil }},
		{"its scope is gone", func(c *domain.Catalog) {
			c.Categories[0].Scopes = []domain.Module{domain.ModuleChain}
			c.Categories[0].Groups = c.Categories[0].Groups[:1]
		}},
		{"the default locale", func(c *domain.Catalog) { c.DefaultLocale, c.Locales = "ja", []string{"ja", "en"} }},
		{"a locale is gone", func(c *domain.Catalog) { c.DefaultLocale, c.Locales = "ja", []string{"ja"} }},
		{"the scheme is gone", func(c *domain.Catalog) { c.LinkSchemes = nil }},
		{"the picture of a chain is gone", func(c *domain.Catalog) { c.Assets = nil }},
		{"all accounts", func(c *domain.Catalog) { c.Accounts = slices.Repeat([]*domain.Account{{}}, 300) }},
		{"the order", func(c *domain.Catalog) { slices.Reverse(c.Chains); slices.Reverse(c.Accounts) }},
	}
	errors := func(problems []domain.Problem) []domain.Problem {
		return slices.DeleteFunc(problems, func(p domain.Problem) bool { return p.Rule.Severity() != domain.Error })
	}
	if got := errors(domain.Check(sound(), domain.Reading{}).Problems); len(got) > 0 {
		t.Fatalf("the catalogue to start from has errors: %v", got)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := sound()
			tt.edit(c)
			sharing := sound()
			for _, d := range domain.Descriptions() {
				if delta := domain.DeltaOf(sharing, c); slices.Equal(d.Keys(sharing), d.Keys(c)) && unchangedIn(delta, d) {
					d.Take(sharing, c)
				}
			}
			want := errors(domain.Check(c, domain.Reading{}).Problems)
			for what, before := range map[string]*domain.Catalog{"sound": sound(), "one with the same lists": sharing, "nil": nil, "empty": {}} {
				if diff := cmp.Diff(want, errors(domain.CheckAgain(before, c))); diff != "" {
					t.Errorf("after %s (-Check +CheckAgain):\n%s", what, diff)
				}
			}
		})
	}
}

func unchangedIn(delta *domain.Delta, d *domain.Description) bool {
	old, new := delta.Indices(d.Kind)
	return len(old)+len(new) == 0
}

// TestCheckAgainOfSharedLists compares the errors of CheckAgain with those of a whole check for any
// change of any record, if both catalogues share the lists without a change.
func TestCheckAgainOfSharedLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := domaintest.Valid(4).Draw(t, "catalogue")
		c := deepCopy(before)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			mutate(t, c)
		}
		delta := domain.DeltaOf(before, c)
		for _, d := range domain.Descriptions() {
			if slices.Equal(d.Keys(before), d.Keys(c)) && unchangedIn(delta, d) {
				d.Take(c, before)
			}
		}
		errors := func(problems []domain.Problem) []domain.Problem {
			return slices.DeleteFunc(problems, func(p domain.Problem) bool { return p.Rule.Severity() != domain.Error })
		}
		if diff := cmp.Diff(errors(domain.CheckAgain(nil, c)), errors(domain.CheckAgain(before, c))); diff != "" {
			t.Fatalf("errors (-of the whole +since before):\n%s", diff)
		}
	})
}
