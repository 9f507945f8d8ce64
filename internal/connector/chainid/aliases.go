package chainid

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// borrowed lists symbols that say nothing of the chain whose gas they pay: hundreds
// of rollups are paid in ether, and `q=eth` must not find them all. Those of the
// second line are coins of one chain that others are paid in, too: that chain has
// its symbol by review, or is not of the registry.
var borrowed = []string{"ETH", "WETH", "BTC", "WBTC", "USD", "USDC", "USDT", "DAI", "GAS", "SFUEL", "FREE",
	"BNB", "CKB", "DOGE", "DOT", "TIA", "TON", "XPR", "XRP", "XTZ"}

// maxTitle is the length in code points up to which a title is another name of
// the chain. Longer ones are slogans.
const maxTitle = 60

// aliases are further names that people type: the short name of EIP-3770
// (`arb1`), the symbol of the chain's own coin, the title, and the reviewed
// ones, in this order. One that adds nothing to the name, the slug or an
// earlier alias is not repeated. A test network has no symbol that a mainnet has.
func (c *conversion) aliases(rec record, slug string) []string {
	candidates := []string{rec.ShortName}
	if symbol := clean(rec.Currency.Symbol); !slices.Contains(borrowed, strings.ToUpper(symbol)) &&
		(c.kinds[rec.id] == Mainnet || !c.coins[strings.ToLower(symbol)]) {
		candidates = append(candidates, symbol)
	}
	if utf8.RuneCountInString(rec.Title) <= maxTitle {
		candidates = append(candidates, rec.Title)
	}
	if more := c.opts.Aliases[rec.id]; more.Name == rec.Name {
		candidates = append(candidates, more.Aliases...)
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
