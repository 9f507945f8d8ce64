package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

func TestConfusableNames(t *testing.T) {
	const remedy = "; write it in a single script, or accept the warning if both names are correct"
	const different = "; write names that tell them apart, or accept the warning if both names are correct"
	cases := []struct {
		name   string
		change func(c *domain.Catalog)
		want   []string
	}{
		{"nothing", func(*domain.Catalog) {}, nil},
		{"a space of no width", func(c *domain.Catalog) { c.Chains[2].Name = en("Ether\u200beum") }, []string{
			`chains[2].name.en confusable-name: name "Ether\u200beum", which holds U+200B, looks like "ethereum" of chain "ethereum"` + remedy,
		}},
		{"a blank symbol", func(c *domain.Catalog) { c.Chains[2].Name = en("Ethereum\u2800") }, []string{
			`chains[2].name.en confusable-name: name "Ethereum\u2800", which holds U+2800, looks like "ethereum" of chain "ethereum"` + remedy,
		}},
		{"a Cyrillic letter", func(c *domain.Catalog) { c.Chains[2].Name = en("Eth\u0435reum") }, []string{
			`chains[2].name.en confusable-name: name "Ethеreum", which holds U+0435, looks like "ethereum" of chain "ethereum"` + remedy,
		}},
		{"before the other", func(c *domain.Catalog) { c.Chains[0].Name = en("C\u0435lo") }, []string{
			`chains[0].name.en confusable-name: name "Cеlo", which holds U+0435, looks like "celo" of chain "celo"` + remedy,
		}},
		{"an alias in another locale", func(c *domain.Catalog) { c.Chains[2].Name = text("en", "Bitcoin", "zh-hans", "\u0441elo") }, []string{
			`chains[2].name.zh-hans confusable-name: name "сelo", which holds U+0441, looks like "celo" of chain "celo"` + remedy,
		}},
		{"of an account", func(c *domain.Catalog) { c.Accounts[1].Name = "Ethereum\u200b" }, []string{
			`twitter[1].name confusable-name: name "Ethereum\u200b", which holds U+200B, looks like "ethereum" of account "ethereum"` + remedy,
		}},
		{"two in another script", func(c *domain.Catalog) {
			c.Chains[0].Aliases, c.Chains[2].Aliases = []string{"\u0441axe"}, []string{"cax\u0435"}
		}, []string{
			`chains[2].aliases.0 confusable-name: aliases "caxе", which holds U+0435, looks like "сaxe" of chain "ethereum"` + remedy,
		}},
		{"the same record", func(c *domain.Catalog) { c.Chains[0].Aliases = []string{"\u0435thereum"} }, nil},
		{"the same name of two", func(c *domain.Catalog) {
			c.Chains[0].Aliases, c.Chains[2].Aliases = []string{"альфа"}, []string{"Альфа"}
		}, nil},
		{"full-width letters", func(c *domain.Catalog) { c.Chains[2].Name = en("Ｅｔｈｅｒｅｕｍ") }, []string{
			`chains[2].name.en confusable-name: name "Ｅｔｈｅｒｅｕｍ", which holds U+FF25, looks like "ethereum" of chain "ethereum"` + remedy,
		}},
		{"an alias in full-width letters", func(c *domain.Catalog) { c.Chains[2].Aliases = []string{"Ｃｅｌｏ"} }, []string{
			`chains[2].aliases.0 confusable-name: aliases "Ｃｅｌｏ", which holds U+FF23, looks like "celo" of chain "celo"` + remedy,
		}},
		{"capitals", func(c *domain.Catalog) { c.Chains[2].Name = en("ETHEREUM") }, []string{
			`chains[2].name.en confusable-name: name "ETHEREUM" reads like the name "Ethereum" of chain "ethereum"` + different,
		}},
		{"the slug of another", func(c *domain.Catalog) { c.Chains[0].Name, c.Chains[2].Name = en("Ether Mainnet"), en("Ethereum") }, []string{
			`chains[2].name.en confusable-name: name "Ethereum" reads like the slug "ethereum" of chain "ethereum"` + different,
		}},
		{"homonyms", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "Some Name", "Some Name" }, nil},
		{"the name of another with accents", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "Sômé  name", "Some Name" }, []string{
			`twitter[1].name confusable-name: name "Some Name" reads like the name "Sômé  name" of account "` + rich().Accounts[0].Handle + `"` + different,
		}},
		{"digits for letters", func(c *domain.Catalog) {
			c.Chains[2].Name = en("Ethereum C1assic")
			c.Chains[0].Name = en("Ethereum Classic")
		}, []string{
			`chains[2].name.en confusable-name: name "Ethereum C1assic" reads like the name "Ethereum Classic" of chain "` + rich().Chains[0].Slug + `"` + different,
		}},
		{"digits for letters in the earlier record", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "Uni0n", "UNION" }, []string{
			`twitter[0].name confusable-name: name "Uni0n" reads like the name "UNION" of account "` + rich().Accounts[1].Handle + `"` + different,
		}},
		{"digits in both", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "Level 10", "Level 1o" }, []string{
			`twitter[0].name confusable-name: name "Level 10" reads like the name "Level 1o" of account "` + rich().Accounts[1].Handle + `"` + different,
		}},
		{"short names with digits", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "SOL", "SO1" }, nil}, // both exist
		{"other digits", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "Layer 1", "Layer 0" }, nil},
		{"its own slug", func(c *domain.Catalog) { c.Chains[2].Name = en(strings.ToUpper(c.Chains[2].Slug)) }, nil},
		{"r and n for m", func(c *domain.Catalog) { c.Accounts[0].Name, c.Accounts[1].Name = "Beam", "Bearn" }, nil}, // both exist
		{"another kind", func(c *domain.Catalog) { c.Chains[2].Aliases = []string{"Cel\u043e_Org"} }, nil},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := rich()
			tc.change(c)
			var got []domain.Problem
			for _, p := range domain.Check(c, domain.Reading{}).Problems {
				if p.Rule == domain.RuleConfusableName {
					got = append(got, p)
				}
			}
			if diff := cmp.Diff(tc.want, lines(got)); diff != "" {
				t.Error(diff)
			}
			for _, p := range domain.CheckAgain(nil, c) {
				if p.Rule == domain.RuleConfusableName {
					t.Error("a catalogue that was published before is compared")
				}
			}
		})
	}
}

// TestManyConfusableNames checks that the cost is linear in the number of confusable names.
func TestManyConfusableNames(t *testing.T) {
	c := rich()
	for i := range 50_000 {
		c.Accounts = append(c.Accounts, &domain.Account{Handle: fmt.Sprintf("a%d", i), Name: "\u0435thereum", Followers: bare(1)})
	}
	n := 0
	for _, p := range domain.Check(c, domain.Reading{}).Problems {
		if p.Rule == domain.RuleConfusableName {
			n++
		}
	}
	if n == 0 || n > 16 {
		t.Errorf("%d warnings", n)
	}
}
