package quality_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// chainDimensions are the dimensions with at most one category per chain.
// chain_ecosystem is not one of them: a chain may serve several.
var chainDimensions = []string{"chain_network", "chain_layer", "chain_vm", "chain_stack", "chain_settlement"}

// settling are the layers that settle on another chain.
var settling = []string{"layer-2", "layer-3"}

func chainBars(min atLeast) []bar {
	return []bar{
		{"sizes of chains", func(c *domain.Catalog) []finding { return chainSizes(c, min) }},
		{"one network type", oneNetworkType},
		{"one answer to a question", oneAnswer},
		{"settlement is of layers above", settlementOfLayers},
		{"what settles on a chain has it as its parent", parentsOfSettlements},
		{"chain names are in all locales or in one", chainNames},
		{"chain names are names", registryNames},
		{"chains that ended say why", unexplainedEnds},
		{"an end is not the day of an archive", archivedEnds},
		{"large mainnets say what they are", func(c *domain.Catalog) []finding { return undescribedMainnets(c, min) }},
		{"logos are content addresses", foreignLogos},
	}
}

// bareNumber matches an EVM chain id.
var bareNumber = regexp.MustCompile(`^[0-9]+$`)

func chainSizes(c *domain.Catalog, min atLeast) []finding {
	evm := 0
	for _, ch := range c.Chains {
		if bareNumber.MatchString(ch.ChainID) {
			evm++
		}
	}
	return append(tooFew(evm, min.evmChains, "EVM chains"),
		tooFew(len(c.Chains)-evm, min.otherChains, "chains with a textual id")...)
}

// answersOf returns the categories of a chain by dimension group. A category in
// two groups answers both.
func answersOf(ch domain.Chain, groups map[string][]string) map[string][]string {
	out := map[string][]string{}
	for _, key := range ch.Categories {
		for _, group := range groups[key] {
			out[group] = append(out[group], key)
		}
	}
	return out
}

// groupsOf returns the dimension groups of each category in one module.
func groupsOf(c *domain.Catalog, module domain.Module) map[string][]string {
	out := map[string][]string{}
	for _, cat := range c.Categories {
		for _, g := range cat.Groups {
			if g.Module == module {
				out[cat.Key] = g.Keys
			}
		}
	}
	return out
}

func oneNetworkType(c *domain.Catalog) []finding {
	var out []finding
	groups := groupsOf(c, domain.ModuleChain)
	for _, ch := range c.Chains {
		if answersOf(ch, groups)["chain_network"] == nil {
			out = append(out, finding{"chain " + ch.Slug, "neither mainnet nor testnet"})
		}
	}
	return out
}

func oneAnswer(c *domain.Catalog) []finding {
	var out []finding
	groups := groupsOf(c, domain.ModuleChain)
	for _, ch := range c.Chains {
		answers := answersOf(ch, groups)
		for _, group := range chainDimensions {
			if len(answers[group]) > 1 {
				out = append(out, finding{"chain " + ch.Slug, group + " is " + strings.Join(answers[group], " and ")})
			}
		}
	}
	return out
}

func settlementOfLayers(c *domain.Catalog) []finding {
	var out []finding
	groups := groupsOf(c, domain.ModuleChain)
	for _, ch := range c.Chains {
		answers := answersOf(ch, groups)
		above := slices.ContainsFunc(answers["chain_layer"], func(key string) bool { return slices.Contains(settling, key) })
		if answers["chain_settlement"] != nil && !above {
			out = append(out, finding{"chain " + ch.Slug, "settles on another chain and is neither layer-2 nor layer-3"})
		}
	}
	return out
}

// settlements maps a settlement category to the id of the chain.
var settlements = map[string]string{
	"settles-on-ethereum": "1", "settles-on-arbitrum": "42161", "settles-on-base": "8453", "settles-on-bnb": "56", "settles-on-gnosis": "100",
}

// The settlement category and the parent of a chain name the same chain.
func parentsOfSettlements(c *domain.Catalog) []finding {
	var out []finding
	ids := map[string]string{}
	for _, ch := range c.Chains {
		ids[ch.Slug] = ch.ChainID
	}
	for _, ch := range c.Chains {
		for _, key := range ch.Categories {
			if id := settlements[key]; id != "" && ids[ch.Parent] != id {
				out = append(out, finding{"chain " + ch.Slug, key + ", and its parent is " + ch.Parent})
			}
		}
	}
	return out
}

// The name of a chain may be the same in every language; then only the default locale
// has it. A name that is established in one other language is written out in all, so
// no text is partly translated.
func chainNames(c *domain.Catalog) []finding {
	var out []finding
	for _, ch := range c.Chains {
		if missing := missingLocales(c, ch.Name); len(ch.Name) > 1 && missing != "" {
			out = append(out, finding{"chain " + ch.Slug, "no name in " + missing})
		}
	}
	return out
}

// registryNoise matches what registries add to names: a dash before the network type, a network type in other
// letters than Mainnet and Testnet, a chain id or a network type in parentheses, and no space before these.
var registryNoise = regexp.MustCompile(` - (?i:main|test|dev)net|\b(mainnet|MAINNET|testnet|TESTNET|TestNet|devnet)\b|\S\(|\(\w+-[0-9]+\)|\((?i:(main|test|dev)net)\)|(?i:^\(?deprecated)|Deprecated|DEPRECATED`)

func registryNames(c *domain.Catalog) []finding {
	var out []finding
	for _, ch := range c.Chains {
		name, _ := ch.Name.In(c.DefaultLocale)
		if noise := registryNoise.FindString(name); noise != "" {
			out = append(out, finding{"chain " + ch.Slug, fmt.Sprintf("the name %q has %q", name, noise)})
		}
	}
	return out
}

// unexplainedEnds finds chains whose status has a day or a successor but no reason. The
// mark `deprecated` of the registry needs none.
func unexplainedEnds(c *domain.Catalog) []finding {
	var out []finding
	for _, ch := range c.Chains {
		if ch.StatusNote == nil && (ch.StatusSince != "" || ch.Successor != "") {
			out = append(out, finding{"chain " + ch.Slug, "its status has a day or a successor and no note"})
		}
	}
	return out
}

// archived matches a note that only says since when a directory lists the chain as archived.
var archived = regexp.MustCompile(`listed it as archived since [^,;]*\.$`)

// archivedEnds finds chains whose end has the day on which a directory archived them.
func archivedEnds(c *domain.Catalog) []finding {
	var out []finding
	for _, ch := range c.Chains {
		if note, _ := ch.StatusNote.In(c.DefaultLocale); ch.StatusSince != "" && archived.MatchString(note) {
			out = append(out, finding{"chain " + ch.Slug, "its end is the day of an archive: " + note})
		}
	}
	return out
}

// undescribedMainnets finds live mainnets with a high TVL and no description.
func undescribedMainnets(c *domain.Catalog, min atLeast) []finding {
	var out []finding
	for _, ch := range c.Chains {
		live := ch.Status.String() == string(domain.StatusLive) && !slices.Contains(ch.Categories, "testnet")
		if live && ch.TVL != nil && ch.TVL.Value > min.describedAbove && ch.Description == nil {
			out = append(out, finding{"chain " + ch.Slug, fmt.Sprintf("a TVL of %.0f USD and no description", ch.TVL.Value)})
		}
	}
	return out
}

// logoGateway serves logos that are no pictures of the catalogue. The path is the hash of the picture, so
// it cannot be replaced.
const logoGateway = "https://ipfs.io/ipfs/"

func foreignLogos(c *domain.Catalog) []finding {
	var out []finding
	for _, ch := range c.Chains {
		if ch.Logo != "" && domain.AssetFile(ch.Logo) == "" && !strings.HasPrefix(ch.Logo, logoGateway) {
			out = append(out, finding{"chain " + ch.Slug, "the logo is no picture of the catalogue, and does not begin with " + logoGateway})
		}
	}
	return out
}
