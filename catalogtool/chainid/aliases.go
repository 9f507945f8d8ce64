package chainid

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	registry "vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

// borrowed lists symbols that pay the gas of many chains. `q=eth` must not find hundreds of rollups.
var borrowed = []string{"ETH", "WETH", "BTC", "WBTC", "USD", "USDC", "USDT", "DAI", "GAS", "SFUEL", "FREE"}

// owned lists symbols of one chain that also pay the gas of others. That chain has its symbol by
// review or is not in the registry. Other chains do not get them as short names either.
var owned = []string{"BNB", "CKB", "DOGE", "DOT", "KSM", "TIA", "TON", "XPR", "XRP", "XTZ"}

// maxTitle is the maximum length of a title, in code points, that is an alias. Longer ones are slogans.
const maxTitle = 60

// aliases returns the aliases of a chain: the short name of EIP-3770 (`arb1`), the symbol of its
// coin, the title, the reviewed ones, and its names without the word for a mainnet, in this order
// and without duplicates of the name, the slug or an earlier alias. No chain gets a symbol that is a
// reviewed alias of another one, and no test network the symbol of a mainnet.
func (c *conversion) aliases(rec record, slug string, name domain.Text) []string {
	var candidates []string
	if !slices.Contains(owned, strings.ToUpper(rec.ShortName)) {
		candidates = append(candidates, rec.ShortName)
	}
	symbol := registry.Clean(rec.Currency.Symbol)
	owner, reviewed := c.owners[strings.ToLower(symbol)]
	if !slices.Contains(slices.Concat(borrowed, owned), strings.ToUpper(symbol)) && (!reviewed || owner == rec.ID) &&
		(c.networks[rec.ID] == Mainnet || !c.coins[strings.ToLower(symbol)]) {
		candidates = append(candidates, symbol)
	}
	if utf8.RuneCountInString(rec.Title) <= maxTitle {
		candidates = append(candidates, rec.Title)
	}
	if more := c.opts.Aliases[rec.ID]; more.Name == rec.Name {
		candidates = append(candidates, more.Aliases...)
	}
	for _, translation := range name {
		if brand := brandOf(translation.Value); c.networks[rec.ID] == Mainnet && c.brands[strings.ToLower(brand)] == 1 {
			candidates = append(candidates, brand)
		}
	}
	known := []string{strings.ToLower(rec.Name), slug}
	var aliases []string
	for _, alias := range candidates {
		if folded := strings.ToLower(alias); alias == "" || slices.Contains(known, folded) {
			continue
		} else if !registry.Printable(alias) {
			c.lose(rec.Lost(fmt.Sprintf("alias %.40q is over 500 characters or holds control characters", alias)))
		} else {
			known = append(known, folded)
			aliases = append(aliases, alias)
		}
	}
	return aliases
}

// mainnetWords are the words for a mainnet at the end of names, in the languages of the side files.
var mainnetWords = []string{"mainnet", "主网", "主網", "メインネット"}

// brandOf returns a name without its word for a mainnet, "" if it has none.
func brandOf(name string) string {
	for _, word := range mainnetWords {
		if len(name) > len(word) && strings.EqualFold(name[len(name)-len(word):], word) {
			return strings.TrimRight(name[:len(name)-len(word)], " -")
		}
	}
	return ""
}

// mainnetBrands counts the mainnets by name in lower case, with and without the word for a mainnet.
func (c *conversion) mainnetBrands(networks networks) map[string]int {
	brands := map[string]int{}
	for _, rec := range c.records {
		if networks.networkOf(rec) != Mainnet || rec.Deprecated() {
			continue
		}
		called := map[string]bool{}
		for _, name := range c.name(rec) {
			called[strings.ToLower(name.Value)] = true
			called[strings.ToLower(brandOf(name.Value))] = true
		}
		for name := range called {
			brands[name]++
		}
	}
	return brands
}

// coinOwners returns the chain of each reviewed alias, by the alias in lower case.
func (c *conversion) coinOwners() map[string]string {
	owners := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(c.opts.Aliases)) {
		for _, alias := range c.opts.Aliases[id].Aliases {
			owners[strings.ToLower(alias)] = id
		}
	}
	return owners
}

// mainnetCoins returns the symbols and reviewed aliases of mainnets, in lower case.
func (c *conversion) mainnetCoins(networks networks) map[string]bool {
	coins := map[string]bool{}
	for _, rec := range c.records {
		if networks.networkOf(rec) != Mainnet || rec.Deprecated() {
			continue
		}
		coins[strings.ToLower(registry.Clean(rec.Currency.Symbol))] = true
		for _, alias := range c.opts.Aliases[rec.ID].Aliases {
			coins[strings.ToLower(alias)] = true
		}
	}
	return coins
}
