package domain_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// lines formats problems as `kind[index].path rule: message; remedy`.
func lines(problems []domain.Problem) []string {
	var out []string
	for _, p := range problems {
		at := fmt.Sprintf("%s[%d]", p.At.Kind, p.At.Index)
		if len(p.At.Path) > 0 {
			at += "." + strings.Join(p.At.Path, ".")
		}
		out = append(out, fmt.Sprintf("%s %s: %s; %s", at, p.Rule, p.Message, p.Remedy))
	}
	return out
}

type checkCase struct {
	name   string
	change func(c *domain.Catalog)
	want   []string
}

func runCheckCases(t *testing.T, cases []checkCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := rich()
			tc.change(c)
			if diff := cmp.Diff(tc.want, lines(domain.Check(c, domain.Reading{}).Problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckCatalog(t *testing.T) {
	runCheckCases(t, []checkCase{
		{"rich", func(c *domain.Catalog) {}, nil},
		{"no title", func(c *domain.Catalog) { c.Title = nil }, []string{
			`catalog[0].title missing-field: title is missing or empty; write a title`,
		}},
		{"no default locale", func(c *domain.Catalog) { c.DefaultLocale = "" }, []string{
			`catalog[0].default_locale missing-field: default_locale is missing or empty; write a default_locale`,
		}},
		{"no locales", func(c *domain.Catalog) { c.Locales = nil }, []string{
			`catalog[0].locales missing-field: locales is missing or empty; write at least one entry under locales`,
		}},
		{"default not declared", func(c *domain.Catalog) { c.Locales = []string{"zh-hans"} }, []string{
			`catalog[0].default_locale undeclared-locale: default_locale "en" is not among locales; add "en" to locales`,
		}},
		{"default in other case", func(c *domain.Catalog) { c.DefaultLocale, c.Locales = "en", []string{"EN", "zh-hans"} }, []string{
			`catalog[0].default_locale undeclared-locale: default_locale "en" is not among locales; did you mean "EN"? If not, add "en" to locales`,
		}},
		{"malformed locale", func(c *domain.Catalog) { c.Locales = append(c.Locales, "de_DE.UTF-8", "") }, []string{
			`catalog[0].locales.2 malformed-locale: locale "de_DE.UTF-8" is not well-formed; write a BCP 47 tag, as en, pt-br or zh-hans`,
			`catalog[0].locales.3 missing-field: an entry of locales is empty; remove the entry or fill it in`,
		}},
		{"locale with an underscore", func(c *domain.Catalog) { c.Locales = append(c.Locales, "fr_FR") }, []string{
			`catalog[0].locales.2 malformed-locale: locale "fr_FR" has an underscore; write "fr-fr"`,
		}},
		{"repeated locale", func(c *domain.Catalog) { c.Locales = append(c.Locales, "ZH_Hans") }, []string{
			`catalog[0].locales.2 duplicate: locale "ZH_Hans" is declared already, as "zh-hans"; remove one of them`,
		}},
		{"default locale alone", func(c *domain.Catalog) {
			*c = domain.Catalog{Title: text("en", "x"), DefaultLocale: "en", Locales: []string{"en"}}
		}, nil},
		{"too many locales", func(c *domain.Catalog) {
			for i := range 199 {
				c.Locales = append(c.Locales, fmt.Sprintf("en-x-a%d", i))
			}
		}, []string{
			`catalog[0].locales too-long: locales has 201 entries, the limit is 200; declare fewer locales`,
		}},
		{"link schemes", func(c *domain.Catalog) {
			c.LinkSchemes = []string{"celo", "JavaScript", "Celo", "web+ap", "9p", "", "ethereum:"}
		}, []string{
			`catalog[0].link_schemes.1 malformed-scheme: an entry of link_schemes "JavaScript" is not allowed; remove it; such links run code or read what is the reader's own`,
			`catalog[0].link_schemes.2 malformed-scheme: an entry of link_schemes "Celo" is not well-formed; write the scheme alone, as "celo": lower-case letters, digits, "+", "-" and ".", a letter first`,
			`catalog[0].link_schemes.4 malformed-scheme: an entry of link_schemes "9p" is not well-formed; write the scheme alone, as "celo": lower-case letters, digits, "+", "-" and ".", a letter first`,
			`catalog[0].link_schemes.5 missing-field: an entry of link_schemes is empty; remove the entry or fill it in`,
			`catalog[0].link_schemes.6 malformed-scheme: an entry of link_schemes "ethereum:" is not well-formed; write the scheme alone, as "celo": lower-case letters, digits, "+", "-" and ".", a letter first`,
		}},
	})
}

func TestCheckTexts(t *testing.T) {
	runCheckCases(t, []checkCase{
		{"not in the default locale", func(c *domain.Catalog) { c.Chains[0].Name = text("zh-hans", "以太坊") }, []string{
			`chains[0].name missing-text: name has no text in the default locale "en"; add one, which every other locale falls back to`,
		}},
		{"default locale in other case", func(c *domain.Catalog) { c.Chains[0].Name = text("EN", "Ethereum") }, []string{
			`chains[0].name.EN undeclared-locale: name has a text in "EN", which the catalogue does not declare; did you mean "en"? If not, add that locale to locales in catalog.yaml, or remove this text`,
		}},
		{"locales whose readers get a declared one", func(c *domain.Catalog) {
			c.Chains[0].Name = text("en", "a", "zh", "b", "zh_CN", "c")
		}, []string{
			`chains[0].name.zh undeclared-locale: name has a text in "zh", which the catalogue does not declare; did you mean "zh-hans"? If not, add that locale to locales in catalog.yaml, or remove this text`,
			`chains[0].name.zh_CN undeclared-locale: name has a text in "zh_CN", which the catalogue does not declare; did you mean "zh-hans"? If not, add that locale to locales in catalog.yaml, or remove this text`,
			"chains[0].name missing-translation: 1 of 3 texts of chains are not in zh-hans; translate them, or leave it: the default locale's text is shown",
		}},
		{"undeclared", func(c *domain.Catalog) {
			c.Chains[0].Name = text("en", "a", "fr", "b", "zh-hans", "c", "zh_hant", "d")
		}, []string{
			`chains[0].name.fr undeclared-locale: name has a text in "fr", which the catalogue does not declare; add that locale to locales in catalog.yaml, or remove this text`,
			`chains[0].name.zh_hant undeclared-locale: name has a text in "zh_hant", which the catalogue does not declare; did you mean "zh-hans"? If not, add that locale to locales in catalog.yaml, or remove this text`,
		}},
		{"optional text without default", func(c *domain.Catalog) { c.Accounts[0].Description = text("zh-hans", "链") }, []string{
			`twitter[0].description missing-text: description has no text in the default locale "en"; add one, which every other locale falls back to`,
		}},
		{"repeated and empty", func(c *domain.Catalog) { c.Title = text("en", "a", "en", "", "zh-hans", "b") }, []string{
			`catalog[0].title.en duplicate: title has two texts in "en"; remove one of them`,
			`catalog[0].title.en missing-text: title is empty in "en"; write the text or remove the locale`,
		}},
		{"never translated", func(c *domain.Catalog) {
			c.Chains[1].Name, c.Chains[2].Name = text("en", "Celo"), text("en", "Bitcoin")
			c.Menus[1].Groups[0].Items[0].Cards[1].Title = text("en", "Two")
			c.Menus[1].Standalone[0].Name = text("en", "Home")
			c.Title = text("en", "V")
		}, []string{
			`chains[1].name missing-translation: 2 of 3 texts of chains are not in zh-hans; translate them, or leave it: the default locale's text is shown`,
			`menus[1].groups.0.items.0.cards.1.title missing-translation: 2 of 14 texts of menus are not in zh-hans; translate them, or leave it: the default locale's text is shown`,
		}},
		{"forgotten among many that are not translated", func(c *domain.Catalog) {
			c.Locales = []string{"zh-hans", "en", "ja"}
			*c = domain.Catalog{Title: text("en", "T", "zh-hans", "T", "ja", "T"), DefaultLocale: "en", Locales: c.Locales, Chains: c.Chains}
			for i := range c.Chains {
				c.Chains[i].Name, c.Chains[i].Categories = text("en", "X"), nil
			}
			c.Chains[2].Name = text("en", "X", "ja", "X")
		}, []string{
			`chains[0].name missing-translation: 2 of 3 texts of chains are not in ja; translate them, or leave it: the default locale's text is shown`,
			`chains[2].name missing-translation: 3 of 3 texts of chains are not in zh-hans, of which 1 have other translations; translate them, or leave it: the default locale's text is shown`,
		}},
		{"partly translated", func(c *domain.Catalog) {
			c.Locales = []string{"zh-hans", "en", "ja", "fr"}
			c.Chains, c.Menus, c.NavGroups, c.Channels, c.Accounts = nil, nil, nil, nil, nil
			c.Groups, c.Categories = c.Groups[:1], nil
		}, []string{
			`groups[0].name missing-translation: 1 of 1 texts of groups are not in ja; translate them, or leave it: the default locale's text is shown`,
			`groups[0].name missing-translation: 1 of 1 texts of groups are not in fr; translate them, or leave it: the default locale's text is shown`,
		}},
		{"characters", func(c *domain.Catalog) {
			c.Title = text("en", "a\nb", "zh-hans", "\u202Ex")
			c.Accounts[0].Name = "tab\there"
			c.Accounts[0].Description = text("en", "bell\a", "zh-hans", "fine\nlines")
			c.Chains[0].Aliases = []string{"\u202a", "", "\u2067ok\u2069"}
			c.Chains[1].Logo = "/\u2066x"
			c.Chains[0].ID = "\x7f"
			c.Channels[0].Name = "\xff"
		}, []string{
			`catalog[0].title.en forbidden-character: title holds the line feed U+000A; write it on one line; only descriptions may have several lines`,
			`catalog[0].title.zh-hans forbidden-character: title holds the bidi override character U+202E; remove it; it changes how the text is displayed`,
			`chains[0].id forbidden-character: id holds the control character U+007F; remove it`,
			`chains[0].aliases.0 forbidden-character: an entry of aliases holds the bidi override character U+202A; remove it; it changes how the text is displayed`,
			`chains[0].aliases.1 missing-field: an entry of aliases is empty; remove the entry or fill it in`,
			`chains[1].logo malformed-link: logo "/\u2066x" has a bidi isolate character; remove it`,
			`twitter[0].name forbidden-character: name holds the control character U+0009; remove it`,
			`twitter[0].description.en forbidden-character: description holds the control character U+0007; remove it`,
			`youtube[0].name invalid-utf8: name is not valid UTF-8; save the text as UTF-8`,
		}},
		{"nothing to see", func(c *domain.Catalog) {
			c.Title = text("en", "\u200b\u2060", "zh-hans", "\u3164")
			c.Accounts[0].Name = "\u2800"
			c.Accounts[1].Name = "\U000E0041\uFE0F\u0301"
			c.Channels[0].Name = "\u00adx" // something to see, and something not
			c.Chains[0].Aliases = []string{"\u2066\u2069", "Ⓜ️"}
		}, []string{
			`catalog[0].title.en invisible-text: title has no character that can be seen; write the text, or leave it out if there is none`,
			`catalog[0].title.zh-hans invisible-text: title has no character that can be seen; write the text, or leave it out if there is none`,
			`chains[0].aliases.0 invisible-text: an entry of aliases has no character that can be seen; write the text, or leave it out if there is none`,
			`twitter[0].name invisible-text: name has no character that can be seen; write the text, or leave it out if there is none`,
			`twitter[1].name invisible-text: name has no character that can be seen; write the text, or leave it out if there is none`,
			`youtube[0].name forbidden-character: name holds the zero-width character U+00AD; remove it: readers cannot see it, and searches without it miss the text`,
		}},
		{"lengths", func(c *domain.Catalog) {
			c.Accounts[0].Name = strings.Repeat("é", 500)
			c.Accounts[1].Name = strings.Repeat("é", 501)
			c.Accounts[0].Description = text("en", strings.Repeat("x", 10_000), "zh-hans", strings.Repeat("x", 10_001))
		}, []string{
			`twitter[0].description.zh-hans too-long: description has 10001 characters, the limit is 10000; shorten it`,
			`twitter[1].name too-long: name has 501 characters, the limit is 500; shorten it`,
		}},
	})
}

func TestCheckRegistry(t *testing.T) {
	runCheckCases(t, []checkCase{
		{"group keys", func(c *domain.Catalog) {
			c.Groups = append(c.Groups,
				domain.Group{Key: "Layer", Module: domain.ModuleChain, Name: en("L")},
				domain.Group{Module: domain.ModuleItem, Name: en("L")},
				domain.Group{Key: "x", Name: en("L")},
				domain.Group{Key: "x", Module: "chains", Priority: math.NaN()},
			)
		}, []string{
			`groups[4].key malformed-key: key "Layer" is not well-formed; write "layer", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`groups[4].key duplicate: key "chain/Layer" is already that of group "chain/layer"; give one of them another key, or remove it`,
			`groups[5].key missing-field: key is missing or empty; write a key`,
			`groups[6].module missing-field: module is missing or empty; write a module`,
			`groups[7].module unknown-value: module "chains" is not known; write chain; allowed are chain, twitter, youtube, item`,
			`groups[7].name missing-field: name is missing or empty; write a name`,
			`groups[7].priority malformed-figure: priority is not a finite number; write a number, as 10`,
		}},
		{"category keys", func(c *domain.Catalog) {
			c.Categories[1].Key = "E V M!"
			c.Chains[1].Categories = []string{"e-v-m"}
			c.Chains[0].Categories = []string{"E V M!"}
			c.Categories[2].Key = "L1"
			c.Accounts[0].Categories = nil
			c.Channels[0].Categories = nil
		}, []string{
			`categories[1].key malformed-key: key "E V M!" is not well-formed; write "e-v-m", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`categories[2].key malformed-key: key "L1" is not well-formed; write "l1", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`categories[2].key duplicate: key "L1" is already that of category "l1"; give one of them another key, or remove it`,
		}},
		{"scopes", func(c *domain.Catalog) {
			c.Categories[0].Scopes = nil
			c.Categories[1].Scopes = []domain.Module{"chain", "chain", "Chain", "", "twiter"}
			c.Categories[2].Scopes = []domain.Module{domain.ModuleYouTube}
			c.Accounts[0].Categories = []string{"education"}
		}, []string{
			`categories[0].scopes missing-field: scopes is missing or empty; write at least one entry under scopes`,
			`categories[1].scopes.1 duplicate: an entry of scopes "chain" is listed twice; remove one of them`,
			`categories[1].scopes.2 unknown-value: an entry of scopes "Chain" is not known; write chain; allowed are chain, twitter, youtube, item`,
			`categories[1].scopes.3 missing-field: an entry of scopes is empty; remove the entry or fill it in`,
			`categories[1].scopes.4 unknown-value: an entry of scopes "twiter" is not known; write twitter; allowed are chain, twitter, youtube, item`,
			`categories[2].groups.twitter wrong-scope: category "education" has groups for module twitter, which is not among its scopes; add twitter to scopes, or remove these groups`,
			`twitter[0].categories.0 wrong-scope: category "education" does not have the scope twitter; add twitter to the scopes of "education" in categories.yaml, or choose another category`,
		}},
		{"groups of a category", func(c *domain.Catalog) {
			c.Categories[1].Groups = []domain.ModuleGroups{
				{Module: domain.ModuleChain, Keys: []string{"topic", "layer", "layer", "", "lyer", "0-unknown", "no way"}},
				{Module: domain.ModuleItem, Keys: nil},
				{Module: "nothing"},
				{Module: domain.ModuleChain},
			}
			c.Categories[2].Groups = c.Categories[2].Groups[:1]
		}, []string{
			`categories[1].groups.chain.0 wrong-scope: group "topic" is one of module twitter, not of chain; name a group of module chain, or add one with key "topic" and module chain in categories.yaml`,
			`categories[1].groups.chain.2 duplicate: group "layer" is listed twice; remove one of them`,
			`categories[1].groups.chain.3 missing-field: an entry of groups is empty; remove the entry or fill it in`,
			`categories[1].groups.chain.4 unknown-group: group "lyer" of module chain does not exist; did you mean "layer"? If not, add a group of module chain with that key under groups in categories.yaml`,
			`categories[1].groups.chain.5 unknown-group: group "0-unknown" of module chain does not exist; add a group of module chain with key 0-unknown under groups in categories.yaml, or remove it here`,
			`categories[1].groups.chain.6 unknown-group: group "no way" of module chain does not exist; write the key of a group of module chain under groups in categories.yaml`,
			`categories[1].groups.item wrong-scope: category "evm" has groups for module item, which is not among its scopes; add item to scopes, or remove these groups`,
			`categories[1].groups.nothing unknown-value: module "nothing" is not known; write one of chain, twitter, youtube, item`,
			`categories[1].groups.chain duplicate: groups has module "chain" twice; make one list of the two`,
			`categories[2].groups.youtube missing-group: category "education" has no dimension group for its scope youtube; name one under groups, as youtube: [topic], or remove the scope`,
		}},
		{"parents", func(c *domain.Catalog) {
			c.Categories[0].Parent = "l2"
			c.Categories[1].Parent = "education"
			c.Categories[2].Parent = "l1"
		}, []string{
			`categories[0].parent unknown-category: parent "l2" does not exist; did you mean "l1"? If not, add a category with that key in categories.yaml`,
			`categories[1].parent wrong-scope: parent "education" has none of the scopes of "evm"; choose another parent, or give the two a scope in common`,
			`categories[2].parent parent-scope: parent "l1" lacks the scope youtube; add it to the scopes of "l1", or leave it: lists of that scope show "education" without its parent`,
		}},
		{"cycles", func(c *domain.Catalog) {
			c.Categories[0].Parent = "evm"
			c.Categories[2].Parent = "education"
			c.Categories = append(c.Categories, c.Categories[1])
			c.Categories[3].Key, c.Categories[3].Parent = "below", "evm"
		}, []string{
			`categories[0].parent parent-scope: parent "evm" lacks the scope twitter; add it to the scopes of "evm", or leave it: lists of that scope show "l1" without its parent`,
			`categories[0].parent parent-cycle: the parents form a cycle: "l1" → "evm" → "l1"; remove one of these parents`,
			`categories[2].parent parent-cycle: the parents form a cycle: "education" → "education"; remove one of these parents`,
		}},
		{"no group to name", func(c *domain.Catalog) {
			c.Categories[0].Scopes = append(c.Categories[0].Scopes, domain.ModuleItem)
		}, []string{
			`categories[0].groups.item missing-group: category "l1" has no dimension group for its scope item; add a group of module item to categories.yaml and name it here under item, or remove the scope`,
		}},
		{"a long cycle", func(c *domain.Catalog) {
			for i := range 20 {
				cat := c.Categories[1]
				cat.Key, cat.Parent = fmt.Sprint("c", i), fmt.Sprint("c", (i+1)%20)
				c.Categories = append(c.Categories, cat)
			}
		}, []string{
			`categories[3].parent parent-cycle: the parents form a cycle: "c0" → "c1" → "c2" → "c3" → "c4" → "c5" → "c6" → "c7" → "c8" → "c9" → …; remove one of these parents`,
		}},
		{"references", func(c *domain.Catalog) {
			c.Chains[0].Categories = []string{"l1", "l1", "education", "", "EVM", "e-v-m", "nope"}
			c.Channels[0].Categories = []string{"l1", "educaton", "以太坊"}
		}, []string{
			`chains[0].categories.1 duplicate: category "l1" is listed twice; remove one of them`,
			`chains[0].categories.2 wrong-scope: category "education" does not have the scope chain; add chain to the scopes of "education" in categories.yaml, or choose another category`,
			`chains[0].categories.3 missing-field: an entry of categories is empty; remove the entry or fill it in`,
			`chains[0].categories.4 unknown-category: category "EVM" does not exist; write "evm"`,
			`chains[0].categories.5 unknown-category: category "e-v-m" does not exist; add a category of scope chain with key e-v-m in categories.yaml, or remove it here`,
			`chains[0].categories.6 unknown-category: category "nope" does not exist; add a category of scope chain with key nope in categories.yaml, or remove it here`,
			`youtube[0].categories.0 wrong-scope: category "l1" does not have the scope youtube; add youtube to the scopes of "l1" in categories.yaml, or choose another category`,
			`youtube[0].categories.1 unknown-category: category "educaton" does not exist; did you mean "education"? If not, add a category of scope youtube with that key in categories.yaml`,
			`youtube[0].categories.2 unknown-category: category "以太坊" does not exist; write the key of a category of scope youtube in categories.yaml`,
		}},
	})
}

func TestCheckLists(t *testing.T) {
	runCheckCases(t, []checkCase{
		{"chains", func(c *domain.Catalog) {
			c.Chains = append(c.Chains,
				domain.Chain{},
				domain.Chain{Slug: "Ethereum", Name: en("E"), ChainID: "1"},
				domain.Chain{Slug: "x", Name: en("X"), ChainID: "0001", ID: "eth"},
				domain.Chain{Slug: "w", Name: en("W"), ChainID: "w", ID: "ETH"},
				domain.Chain{Slug: "y", Name: en("Y"), ChainID: "a b"},
				domain.Chain{Slug: strings.Repeat("z", 101), Name: en("Y"), ChainID: strings.Repeat("z", 101)},
			)
		}, []string{
			`chains[3].slug missing-field: slug is missing or empty; write a slug`,
			`chains[3].name missing-field: name is missing or empty; write a name`,
			`chains[3].chain_id missing-field: chain_id is missing or empty; write the chain's EVM chain id, else its CAIP-2 id, such as aptos:1`,
			`chains[4].slug malformed-key: slug "Ethereum" is not well-formed; write "ethereum", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`chains[4].slug duplicate: slug "Ethereum" is already that of chain "ethereum"; give one of them another slug, or remove it`,
			`chains[5].chain_id duplicate-chain-id: chain_id "0001" is another spelling of "1", the chain_id of chain "ethereum"; remove one of the chains, or correct the chain_id`,
			`chains[5].id duplicate: id "eth" is already that of chain "ethereum"; give one of them another id`,
			`chains[6].id duplicate: id "ETH" is already that of chain "ethereum"; give one of them another id`,
			`chains[7].chain_id malformed-key: chain_id "a b" is not well-formed; write an id of at most 100 characters without white space or invisible characters`,
			`chains[8].slug malformed-key: slug "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…" is not well-formed; write "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`chains[8].chain_id malformed-key: chain_id "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…" is not well-formed; write an id of at most 100 characters without white space or invisible characters`,
		}},
		{"ids with invisible letters and symbols", func(c *domain.Catalog) { c.Chains[0].ChainID, c.Chains[1].ChainID = "1\u3164", "42220\u2800" }, []string{
			`chains[0].chain_id malformed-key: chain_id "1\u3164" is not well-formed; write an id of at most 100 characters without white space or invisible characters`,
			`chains[1].chain_id malformed-key: chain_id "42220\u2800" is not well-formed; write an id of at most 100 characters without white space or invisible characters`,
		}},
		{"pictures", func(c *domain.Catalog) {
			c.Chains[0].Logo = "assets/lost.svg"
			c.Assets = []domain.Asset{{File: "odd.svg", Content: "no picture"}}
		}, []string{
			`chains[0].logo unknown-asset: logo "assets/lost.svg" does not exist; add the file, or remove it here`,
			`assets[0].content malformed-picture: it has text outside <title> and <desc>; remove it, or convert it to paths`,
		}},
		{"ids of digits are equal by value", func(c *domain.Catalog) { c.Chains[0].ChainID, c.Chains[1].ChainID = "0", "000" }, []string{
			`chains[1].chain_id duplicate-chain-id: chain_id "000" is another spelling of "0", the chain_id of chain "ethereum"; remove one of the chains, or correct the chain_id`,
		}},
		{"an id that is derived elsewhere", func(c *domain.Catalog) {
			c.Chains[0].ID = c.Chains[1].StableID()
		}, []string{
			`chains[0].id duplicate: id "31deb0b2a33978173ae11cef" is already the derived id of chain "celo"; give one of them another id`,
		}},
		{"figures", func(c *domain.Catalog) {
			c.Chains[0].TVL, c.Chains[0].Platforms = bare(math.Inf(1)), bare(1.5)
			c.Chains[1].TVL, c.Chains[1].Platforms = dated(-1, "", "2025-02-29"), dated(1<<54, strings.Repeat("s", 501), "")
			c.Chains[2].TVL, c.Chains[2].Platforms = dated(0.5, "a\tb", "2025-2-3"), dated(0, "👩\u200d🔬 "+strings.Repeat("s", 490), "2025-02-03")
			c.Accounts[0].Followers = bare(math.NaN())
		}, []string{
			`chains[0].llama_tvl.value malformed-figure: llama_tvl +Inf is not a finite number; write a number, as 1200`,
			`chains[0].platforms.value malformed-figure: platforms 1.5 is not a whole number; write a number, as 1200`,
			`chains[1].llama_tvl.value malformed-figure: llama_tvl -1 is below 0; write a number, as 1200`,
			`chains[1].llama_tvl.as_of malformed-figure: as_of "2025-02-29" of llama_tvl is not a date; write the day of the figure as YYYY-MM-DD`,
			`chains[1].llama_tvl.source malformed-figure: llama_tvl has a date and no source; write where the figure is from`,
			`chains[1].platforms.value malformed-figure: platforms 18014398509481984 is too large; write a number, as 1200`,
			`chains[1].platforms.as_of malformed-figure: as_of "" of platforms is not a date; write the day of the figure as YYYY-MM-DD`,
			`chains[1].platforms.source too-long: source has 501 characters, the limit is 500; shorten it`,
			`chains[2].llama_tvl.as_of malformed-figure: as_of "2025-2-3" of llama_tvl is not a date; write the day of the figure as YYYY-MM-DD`,
			`chains[2].llama_tvl.source forbidden-character: source holds the control character U+0009; remove it`,
			`twitter[0].followers_count.value malformed-figure: followers_count NaN is not a finite number; write a number, as 1200`,
		}},
		{"accounts", func(c *domain.Catalog) {
			c.Accounts = append(c.Accounts,
				&domain.Account{Handle: "https://x.com/vitalik/", Name: "V", Followers: bare(1)},
				&domain.Account{Handle: "CELO_org", Followers: bare(1)},
				&domain.Account{Handle: "né", Name: "x", Followers: bare(1)},
				&domain.Account{Name: "x", Followers: bare(1)},
				&domain.Account{Handle: "held", Name: "x"},
			)
		}, []string{
			`twitter[2].handle malformed-handle: handle "https://x.com/vitalik/" is not well-formed; write vitalik`,
			`twitter[3].name missing-field: name is missing or empty; write a name`,
			`twitter[3].handle duplicate: handle "CELO_org" is already that of account "Celo_Org"; give one of them another handle, or remove it`,
			`twitter[4].handle malformed-handle: handle "né" is not well-formed; use ASCII letters, digits and "_", at most 50`,
			`twitter[5].handle missing-field: handle is missing or empty; write a handle`,
			`twitter[6].followers_count held-back: the account has no followers_count and is held back from the list, unless a count was observed; write followers_count, best with its source and date`,
		}},
		{"channels", func(c *domain.Catalog) {
			c.Channels = append(c.Channels,
				domain.Channel{ChannelID: "UCNOfzGXD_C9YMYmnefmPH0g", Name: "again"},
				domain.Channel{ChannelID: "youtube.com/x"},
				domain.Channel{Name: "x"},
			)
		}, []string{
			`youtube[2].channel_id duplicate: channel_id "UCNOfzGXD_C9YMYmnefmPH0g" is already that of another channel; give one of them another channel_id, or remove it`,
			`youtube[3].channel_id malformed-key: channel_id "youtube.com/x" is not well-formed; copy it from the channel's address, as "UCNOfzGXD_C9YMYmnefmPH0g": letters, digits, "_" and "-"`,
			`youtube[3].name missing-field: name is missing or empty; write a name`,
			`youtube[4].channel_id missing-field: channel_id is missing or empty; write a channel_id`,
		}},
		{"a long logo", func(c *domain.Catalog) {
			c.Chains[0].Logo = "/" + strings.Repeat("x", 2047)
			c.Chains[1].Logo = "/" + strings.Repeat("x", 2048)
			c.Chains[2].Logo = "/\u202e"
		}, []string{
			`chains[1].logo too-long: logo has 2049 bytes, the limit is 2048; use a shorter URL`,
			`chains[2].logo forbidden-character: logo holds the bidi override character U+202E; remove it; it changes how the text is displayed`,
		}},
		{"logos", func(c *domain.Catalog) { c.Chains[0].Logo = "javascript:alert(1)" }, []string{
			`chains[0].logo malformed-link: logo "javascript:alert(1)" has the scheme javascript, which no link may have; use an https URL`,
		}},
	})
}

func TestCheckNav(t *testing.T) {
	runCheckCases(t, []checkCase{
		{"nav groups", func(c *domain.Catalog) {
			c.NavGroups = append(c.NavGroups,
				domain.NavGroup{Key: "Web3", Slug: "Web3", Name: en("W")},
				domain.NavGroup{Key: "web3", Slug: "web3", Name: en("W")},
				domain.NavGroup{Key: "other", Slug: "TOOLS", Name: text("en", "O", "zh-hans", "O")},
			)
		}, []string{
			`nav[2].key malformed-key: key "Web3" is not well-formed; write "web3", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`nav[2].key duplicate: key "Web3" is already that of nav group "web3"; give one of them another key, or remove it`,
			`nav[3].key duplicate: key "web3" is already that of another nav group; give one of them another key, or remove it`,
			`nav[4].slug malformed-key: slug "TOOLS" is not well-formed; write "tools", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`nav[4].slug duplicate: slug "TOOLS" is already that of nav group "tools"; give one of them another slug`,
		}},
		{"menus of nav groups", func(c *domain.Catalog) {
			c.NavGroups[0].Menus = []string{"explorers", "explorers", "explorer", "nope", "No way", ""}
			c.NavGroups[1].Menus = []string{"explorers"}
		}, []string{
			`nav[0].menus.1 duplicate: menu "explorers" is listed twice; remove one of them`,
			`nav[0].menus.2 unknown-menu: menu "explorer" does not exist; did you mean "explorers"? If not, write nav/explorer.yaml`,
			`nav[0].menus.3 unknown-menu: menu "nope" does not exist; write nav/nope.yaml, or remove it here`,
			`nav[0].menus.4 unknown-menu: menu "No way" does not exist; write the name of a file in nav/ without its ending`,
			`nav[0].menus.5 missing-field: an entry of menus is empty; remove the entry or fill it in`,
			`nav[1].menus.0 menu-in-two-groups: menu "explorers" is already listed by nav group "web3"; remove it from one of the two`,
			`menus[0] unlisted-menu: no nav group lists menu "design"; add it to the menus of a group in nav.yaml, or leave it: it is reachable by its address only`,
		}},
		{"menus", func(c *domain.Catalog) {
			c.Menus = append(c.Menus,
				domain.Menu{PathSlug: "Design", OGImage: "x"},
				domain.Menu{Title: en("T"), BlogSlugs: []string{""}},
			)
		}, []string{
			`menus[2] malformed-key: the name of the file "Design" is not well-formed; write "design", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`menus[2].title missing-field: title is missing or empty; write a title`,
			`menus[2].og_image malformed-link: og_image "x" has no scheme; write a whole URL, as https://example.org/, or begin a path of this site with /`,
			`menus[2] duplicate: path slug "Design" is already that of menu "design"; rename or remove one of the files`,
			`menus[3] malformed-key: the name of the file "" is not well-formed; use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`menus[3].blog_slugs.0 missing-field: an entry of blog_slugs is empty; remove the entry or fill it in`,
		}},
		{"inside a menu", func(c *domain.Catalog) {
			m := &c.Menus[1]
			m.Groups[1].Slug, m.Groups[1].Name = "Basics", nil
			m.Groups[0].Items[1].Type, m.Groups[0].Items[1].Name = "lnk", nil
			m.Groups[0].Items[0].Slug = ""
			m.Groups[0].Items[0].Cards[1] = domain.Card{Image: "data:x"}
			m.Standalone[0].Cards = nil
			m.Standalone = append(m.Standalone, domain.Item{Slug: "s", Name: en("S")})
		}, []string{
			`menus[1].groups.0.items.0.slug missing-field: slug is missing or empty; write a slug`,
			`menus[1].groups.0.items.0.cards.1.title missing-field: title is missing or empty; write a title`,
			`menus[1].groups.0.items.0.cards.1.link missing-field: link is missing or empty; write a link`,
			`menus[1].groups.0.items.0.cards.1.image malformed-link: image "data:x" has the scheme data, which no link may have; use an https URL`,
			`menus[1].groups.0.items.1.name missing-field: name is missing or empty; write a name`,
			`menus[1].groups.0.items.1.type unknown-value: type "lnk" is not known; write link; allowed are category, link`,
			`menus[1].groups.1.slug malformed-key: slug "Basics" is not well-formed; write "basics", or use lower-case letters a-z, digits, ".", "_" and "-", at most 100, with a letter or digit first`,
			`menus[1].groups.1.name missing-field: name is missing or empty; write a name`,
			`menus[1].groups.1.slug duplicate: slug "Basics" is already that of group "basics" of this menu; give one of them another slug`,
			`menus[1].standalone.0.cards link-item: item "home" is of type link and has 0 cards; give it exactly one card, which carries the link, or make it of type category`,
			`menus[1].standalone.1.type missing-field: type is missing or empty; write a type`,
		}},
		{"one slug in two groups", func(c *domain.Catalog) { c.Menus[1].Groups[1].Slug = "basics" }, []string{
			`menus[1].groups.1.slug duplicate: slug "basics" is already that of another group of this menu; give one of them another slug`,
		}},
		{"ids in a menu tell case", func(c *domain.Catalog) { c.Menus[1].Groups[1].ID = "G1" }, nil},
		{"ids in a menu", func(c *domain.Catalog) {
			m := &c.Menus[1]
			m.Groups[1].ID = "g1"
			m.Groups[0].Items[0].ID = "w2"
			m.Groups[0].Items[0].Cards[0].ID = "w2" // another sort of thing
			m.Standalone[0].ID = m.WithIDs().Groups[0].Items[1].ID
			m.Standalone[0].Cards[0].ID = "two"
		}, []string{
			`menus[1].groups.0.items.1.id duplicate: id "w2" is already in use in this menu; give one of them another id`,
			`menus[1].groups.1.id duplicate: id "g1" is already in use in this menu; give one of them another id`,
			`menus[1].standalone.0.id duplicate: id "w2" is already in use in this menu; give one of them another id`,
			`menus[1].standalone.0.cards.0.id duplicate: id "two" is already in use in this menu; give one of them another id`,
		}},
	})
}
