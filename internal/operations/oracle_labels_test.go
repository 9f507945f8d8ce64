package operations_test

import (
	"net/url"
	"strings"
	"testing"

	"vitrine/internal/domain"
)

// TestWordsOfLabelsAndDescriptionsEqualTheOracle searches few records for all sequences of two or
// three words: words of labels, words of descriptions and unknown words. Random requests rarely
// name a word that only a description has.
func TestWordsOfLabelsAndDescriptionsEqualTheOracle(t *testing.T) {
	app := func(key, title, description string, chains ...string) domain.App {
		return domain.App{Key: key, Title: text("en", title), Description: text("en", description), Link: "https://" + key + ".example/", Chains: chains}
	}
	c := &domain.Catalog{
		DefaultLocale: "en", Locales: []string{"en"}, Title: text("en", "All"),
		Chains: []domain.Chain{{Slug: "base", Name: text("en", "Base"), ChainID: "8453"}},
		Apps: []domain.App{
			app("uniswap", "Uniswap", "Swaps tokens."),
			app("merkl", "Merkl", "What is paid on Base is shown, fees too. 贷款工具"),
			app("saver", "Saver", "Moves loans from Uniswap."),
			app("phantom", "Phantom", "A wallet.", "base"),
		},
		Categories: []domain.Category{
			{Key: "lending", Name: text("en", "Lending"), Aliases: []string{"Loans", "贷款", "ローン"}},
			{Key: "wallet", Name: text("en", "Wallets"), Aliases: []string{"Wallet", "钱包", "钱包工具"}},
		},
	}
	handler := serveCatalog(t, c)
	o := oracle{catalog: c, revision: servedRevision, publishedAt: servedSince}
	words := []string{"uniswap", "loans", "贷款", "工具", "钱包", "base", "fees", "swaps", "how", "xyzzy", "貸款", "ろーん"}
	for _, a := range words {
		for _, b := range words {
			for _, d := range []string{"", "fees", "贷款"} {
				for _, between := range []string{" ", ""} {
					q := strings.TrimSpace(strings.Join([]string{a, b, d}, between))
					if !equalsOracle(t, handler, o, "/api/open/search", "q="+url.QueryEscape(q)) {
						t.Fatalf("q = %q", q)
					}
				}
			}
		}
	}
}
