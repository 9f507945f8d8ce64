package chainid

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"vitrine/internal/domain"
)

// borrowed lists symbols that say nothing of the chain whose gas they pay: hundreds
// of rollups are paid in ether, and `q=eth` must not find them all.
var borrowed = []string{"ETH", "WETH", "BTC", "WBTC", "USD", "USDC", "USDT", "DAI", "GAS", "SFUEL", "FREE"}

// owned lists symbols of one chain that others are paid in, too: that chain has its symbol
// by review, or is not of the registry. For others they are no short name either.
var owned = []string{"BNB", "CKB", "DOGE", "DOT", "KSM", "TIA", "TON", "XPR", "XRP", "XTZ"}

// maxTitle is the length in code points up to which a title is another name of
// the chain. Longer ones are slogans.
const maxTitle = 60

// aliases are further names that people type: the short name of EIP-3770
// (`arb1`), the symbol of the chain's own coin, the title, the reviewed
// ones, and the names without their word for a mainnet, in this order. One that adds
// nothing to the name, the slug or an earlier alias is not repeated. No chain has a
// symbol that another one has by review, and no test network one that a mainnet has.
func (c *conversion) aliases(rec record, slug string, name domain.Text) []string {
	var candidates []string
	if !slices.Contains(owned, strings.ToUpper(rec.ShortName)) {
		candidates = append(candidates, rec.ShortName)
	}
	symbol := clean(rec.Currency.Symbol)
	owner, reviewed := c.owners[strings.ToLower(symbol)]
	if !slices.Contains(slices.Concat(borrowed, owned), strings.ToUpper(symbol)) && (!reviewed || owner == rec.id) &&
		(c.kinds[rec.id] == Mainnet || !c.coins[strings.ToLower(symbol)]) {
		candidates = append(candidates, symbol)
	}
	if utf8.RuneCountInString(rec.Title) <= maxTitle {
		candidates = append(candidates, rec.Title)
	}
	if more := c.opts.Aliases[rec.id]; more.Name == rec.Name {
		candidates = append(candidates, more.Aliases...)
	}
	for _, translation := range name {
		if brand := brandOf(translation.Value); c.kinds[rec.id] == Mainnet && c.brands[strings.ToLower(brand)] == 1 {
			candidates = append(candidates, brand)
		}
	}
	known := []string{strings.ToLower(rec.Name), slug}
	var aliases []string
	for _, alias := range candidates {
		if folded := strings.ToLower(alias); alias == "" || slices.Contains(known, folded) {
			continue
		} else if !printable(alias) {
			c.lose(rec.lost(fmt.Sprintf("alias %.40q is over 500 characters or holds control characters", alias)))
		} else {
			known = append(known, folded)
			aliases = append(aliases, alias)
		}
	}
	return aliases
}

// mainnetWords are the words for a mainnet that names end with, in the languages of
// the side files.
var mainnetWords = []string{"mainnet", "主网", "主網", "メインネット"}

// brandOf returns a name without its word for a mainnet, which people leave out: "" for
// a name without one.
func brandOf(name string) string {
	for _, word := range mainnetWords {
		if len(name) > len(word) && strings.EqualFold(name[len(name)-len(word):], word) {
			return strings.TrimRight(name[:len(name)-len(word)], " -")
		}
	}
	return ""
}

// mainnetBrands counts the mainnets by what people call them, in lower case: their
// names, with and without their word for a mainnet.
func (c *conversion) mainnetBrands(kinds kinds) map[string]int {
	brands := map[string]int{}
	for _, rec := range c.records {
		if kinds.kindOf(rec) != Mainnet || rec.deprecated() {
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

// coinOwners returns the chain that has a symbol by review, by the symbol in lower case.
func (c *conversion) coinOwners() map[string]string {
	owners := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(c.opts.Aliases)) {
		for _, alias := range c.opts.Aliases[id].Aliases {
			owners[strings.ToLower(alias)] = id
		}
	}
	return owners
}

// mainnetCoins returns what people call the coins of mainnets, in lower case: symbols
// and reviewed aliases.
func (c *conversion) mainnetCoins(kinds kinds) map[string]bool {
	coins := map[string]bool{}
	for _, rec := range c.records {
		if kinds.kindOf(rec) != Mainnet || rec.deprecated() {
			continue
		}
		coins[strings.ToLower(clean(rec.Currency.Symbol))] = true
		for _, alias := range c.opts.Aliases[rec.id].Aliases {
			coins[strings.ToLower(alias)] = true
		}
	}
	return coins
}
