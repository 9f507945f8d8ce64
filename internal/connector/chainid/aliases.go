package chainid

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// borrowed lists symbols that say nothing of the chain whose gas they pay:
// hundreds of rollups are paid in ether, and `q=eth` must not find them all.
var borrowed = []string{"ETH", "WETH", "BTC", "WBTC", "USD", "USDC", "USDT", "DAI", "GAS", "SFUEL", "FREE"}

// maxTitle is the length in code points up to which a title is another name of
// the chain. Longer ones are slogans.
const maxTitle = 60

// aliases are further names that people type: the short name of EIP-3770
// (`arb1`), the symbol of the chain's own coin, the title, and the reviewed
// ones, in this order. One that adds nothing to the name, the slug or an
// earlier alias is not repeated.
func (c *conversion) aliases(rec record, slug string) []string {
	candidates := []string{rec.ShortName}
	if symbol := clean(rec.Currency.Symbol); !slices.Contains(borrowed, strings.ToUpper(symbol)) {
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
