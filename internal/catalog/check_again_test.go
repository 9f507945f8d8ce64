package catalog_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/catalog"
)

func inEnglish(value string) catalog.Text { return catalog.Text{{Locale: "en", Value: value}} }

// sound returns a catalogue without an error.
func sound() *catalog.Catalog {
	return &catalog.Catalog{
		Title: inEnglish("Title"), DefaultLocale: "en", Locales: []string{"en"},
		Groups: []catalog.Group{
			{Key: "layer", Module: catalog.ModuleChain, Name: inEnglish("Layer")},
			{Key: "topic", Module: catalog.ModuleTwitter, Name: inEnglish("Topic")},
			{Key: "topic", Module: catalog.ModuleYouTube, Name: inEnglish("Topic")},
		},
		Categories: []catalog.Category{{
			Key: "l1", Name: inEnglish("Layer 1"), Scopes: []catalog.Module{catalog.ModuleChain, catalog.ModuleTwitter, catalog.ModuleYouTube},
			Groups: []catalog.ModuleGroups{
				{Module: catalog.ModuleChain, Keys: []string{"layer"}}, {Module: catalog.ModuleTwitter, Keys: []string{"topic"}},
				{Module: catalog.ModuleYouTube, Keys: []string{"topic"}},
			},
		}},
		Chains: []catalog.Chain{
			{Slug: "a", Name: inEnglish("A"), ChainID: "1", Categories: []string{"l1"}},
			{Slug: "b", Name: inEnglish("B"), ChainID: "2", Logo: "web3://b/logo"},
		},
		LinkSchemes: []string{"web3"},
		Accounts: []catalog.Account{
			{Handle: "a", Name: "A", Categories: []string{"l1"}, Followers: &catalog.Figure{Value: 1}},
			{Handle: "b", Name: "B", Followers: &catalog.Figure{Value: 2}},
		},
		Channels: []catalog.Channel{{ChannelID: "a", Name: "A", Categories: []string{"l1"}}, {ChannelID: "b", Name: "B"}},
	}
}

// Whatever was edited since, checking again finds the errors that checking
// everything does.
func TestCheckAgainFindsTheErrorsOfCheck(t *testing.T) {
	tests := []struct {
		name string
		edit func(c *catalog.Catalog)
	}{
		{"nothing", func(*catalog.Catalog) {}},
		{"a chain", func(c *catalog.Catalog) { c.Chains[1].Slug = "B!" }},
		{"a category that is not there", func(c *catalog.Catalog) { c.Accounts[1].Categories = []string{"l2"} }},
		{"a second slug", func(c *catalog.Catalog) { c.Chains = append(c.Chains, c.Chains[0]) }},
		{"a second slug before the first", func(c *catalog.Catalog) { c.Chains = slices.Concat(c.Chains[1:], c.Chains) }},
		{"an id that is another's derived one", func(c *catalog.Catalog) { c.Chains[1].ID = c.Chains[0].StableID() }},
		{"a second handle in capitals", func(c *catalog.Catalog) {
			c.Accounts = append(c.Accounts, catalog.Account{Handle: "A", Name: "A", Followers: &catalog.Figure{}})
		}},
		{"a second channel", func(c *catalog.Catalog) { c.Channels = append(c.Channels, c.Channels[1]) }},
		{"a figure", func(c *catalog.Catalog) { c.Accounts[0].Followers = &catalog.Figure{Value: -1} }},
		{"a channel without a name", func(c *catalog.Catalog) { c.Channels[0].Name = "" }},
		{"the category is gone", func(c *catalog.Catalog) { c.Categories = nil }},
		{"its scope is gone", func(c *catalog.Catalog) {
			c.Categories[0].Scopes = []catalog.Module{catalog.ModuleChain}
			c.Categories[0].Groups = c.Categories[0].Groups[:1]
		}},
		{"the default locale", func(c *catalog.Catalog) { c.DefaultLocale, c.Locales = "ja", []string{"ja", "en"} }},
		{"a locale is gone", func(c *catalog.Catalog) { c.DefaultLocale, c.Locales = "ja", []string{"ja"} }},
		{"the scheme is gone", func(c *catalog.Catalog) { c.LinkSchemes = nil }},
		{"all accounts", func(c *catalog.Catalog) { c.Accounts = make([]catalog.Account, 300) }},
		{"the order", func(c *catalog.Catalog) { slices.Reverse(c.Chains); slices.Reverse(c.Accounts) }},
	}
	errors := func(problems []catalog.Problem) []catalog.Problem {
		return slices.DeleteFunc(problems, func(p catalog.Problem) bool { return p.Rule.Severity() != catalog.Error })
	}
	if got := errors(catalog.Check(sound(), catalog.Reading{}).Problems); len(got) > 0 {
		t.Fatalf("the catalogue to start from has errors: %v", got)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := sound()
			tt.edit(c)
			want := errors(catalog.Check(c, catalog.Reading{}).Problems)
			for what, before := range map[string]*catalog.Catalog{"sound": sound(), "nil": nil, "empty": {}} {
				if diff := cmp.Diff(want, errors(catalog.CheckAgain(before, c))); diff != "" {
					t.Errorf("after %s (-Check +CheckAgain):\n%s", what, diff)
				}
			}
		})
	}
}
