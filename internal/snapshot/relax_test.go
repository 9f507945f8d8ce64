package snapshot_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// TestRelaxedQueries checks that relaxation keeps names, then topics, then chains, and never only
// function words. A question about a label is a search for it. No word is left out if a record
// has all words.
func TestRelaxedQueries(t *testing.T) {
	app := func(key, title, description string, chains ...string) domain.App {
		return domain.App{Key: key, Title: english(title), Description: english(description), Link: "https://" + key + ".example/", Chains: chains}
	}
	s, err := snapshot.Compile(nil, &domain.Catalog{
		DefaultLocale: "en", Locales: []string{"en"},
		Chains: []domain.Chain{
			{Slug: "base", Name: english("Base"), ChainID: "8453"},
			{Slug: "base-sepolia", Name: english("Base Sepolia"), ChainID: "84532"},
			{Slug: "pulse", Name: english("Pulse Testnet v3"), ChainID: "943"},
		},
		Apps: []domain.App{
			app("uniswap", "Uniswap", "Swaps tokens."),
			app("merkl", "Merkl", "What is paid on Base is shown, fees too."),
			app("saver", "Saver", "Moves loans from Uniswap."),
			app("phantom", "Phantom", "A wallet.", "base"),
		},
		Categories: []domain.Category{
			{Key: "lending", Name: english("Lending"), Aliases: []string{"Loans", "贷款"}},
			{Key: "wallet", Name: english("Wallets"), Aliases: []string{"Wallet", "钱包", "ウォレット"}},
		},
	}, snapshot.Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	type found struct {
		Results   []struct{ Kind, Key string }
		Relaxed   []string
		Corrected string
	}
	search := func(q string) found {
		asked, err := query.ParseSearch(url.Values{"q": {q}}.Encode(), s.Locales())
		if err != nil {
			t.Fatal(err)
		}
		body, _ := s.Search(asked)
		var f found
		if err := json.Unmarshal(body, &f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	for q, corrected := range map[string]string{"uniswpa v9": "Uniswap v9", "錢包": "钱包", "うぉれっと": "ウォレット", "uniswap v9": ""} {
		if got := search(q).Corrected; got != corrected {
			t.Errorf("%q: corrected is %q, want %q", q, got, corrected)
		}
	}
	for _, tt := range []struct {
		q, first string
		relaxed  []string
	}{
		{"uniswap v3", "app uniswap", []string{"v3"}},                      // v3 is rarer
		{"v3 uniswap", "app uniswap", []string{"v3"}},                      //
		{"uniswap loans xyzzy", "app uniswap", []string{"loans", "xyzzy"}}, // Saver has both in its description
		{"lending on base", "category lending", []string{"on", "base"}},    // a topic comes before a chain
		{"base sepolia loans", "chain base-sepolia", []string{"loans"}},    // but not before a chain named by several words
		{"wallet base xyzzy", "app phantom", []string{"xyzzy"}},            // labels of chains count
		{"loans fees", "category lending", []string{"fees"}},               //
		{"the on is xyzzy", "", nil},                                       // only function words are known
		{"what is base", "app merkl", nil},                                 // Merkl has all words in its description
		{"what is uniswap?", "app uniswap", []string{"what", "is"}},        //
		{"what is paid", "app merkl", nil},                                 // not a label
		{"uniswap loans", "app saver", nil},                                // Saver has both in its description
		{"贷款 uniswap", "app uniswap", []string{"贷款"}},                      //
		{"swaps tokens", "app uniswap", nil},                               // not a label
		{"moves loans", "app saver", nil},                                  //
		{"贷款是什么", "category lending", []string{"是什么"}},                     //
		{"ウオレットー", "category wallet", nil},                                 //
		{"うぉれっと", "category wallet", nil},                                  //
		{"錢包", "category wallet", nil},                                     //
		{"貸款 v3", "category lending", []string{"v3"}},                      //
		{"贷款未知", "category lending", []string{"未知"}},                       //
	} {
		found := search(tt.q)
		first := ""
		if len(found.Results) > 0 {
			first = found.Results[0].Kind + " " + found.Results[0].Key
		}
		if first != tt.first {
			t.Errorf("%q: first is %q, want %q", tt.q, first, tt.first)
		}
		if diff := cmp.Diff(tt.relaxed, found.Relaxed); diff != "" {
			t.Errorf("%q: relaxed (-want +got):\n%s", tt.q, diff)
		}
	}
}
