package chainid_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"vitrine/catalogtool/chainid"
)

var update = flag.Bool("update", false, "write the measured parts of catalog/chains-import.md")

func TestNetworkOf(t *testing.T) {
	tests := []struct {
		name, title string
		want        chainid.Network
	}{
		{"Ethereum Mainnet", "", chainid.Mainnet},
		{"Ropsten", "Ethereum Testnet Ropsten", chainid.Testnet},
		{"Ropsten", "", chainid.Testnet},
		{"MAPO Makalu", "MAPO Testnet Makalu", chainid.Testnet},
		{"Core Blockchain Testnet2", "", chainid.Testnet},
		{"LemonChainTestnet", "", chainid.Testnet},
		{"LaTestnet", "", chainid.Testnet},
		{"Canto Tesnet", "", chainid.Testnet},
		{"DFK Chain Test", "", chainid.Testnet},
		{"KorthoTest", "", chainid.Testnet},
		{"MainnetZ Testnet", "", chainid.Testnet},
		{"Oort MainnetDev", "", chainid.Testnet},
		{"AxelChain Dev-Net", "", chainid.Testnet},
		{"Qitmeer Network Privnet", "", chainid.Testnet},
		{"Aurora Betanet", "", chainid.Testnet},
		{"TESTNET OF CAPITALS", "", chainid.Testnet},
		// Words that only contain a word of the rule.
		{"Latest Chain", "", chainid.Mainnet},
		{"Contest Network", "", chainid.Mainnet},
		{"Attestation Layer", "", chainid.Mainnet},
		{"Devour Chain", "", chainid.Mainnet},
		{"Alpha Chain Mainnet", "", chainid.Mainnet},
		{"Songbird Canary-Network", "", chainid.Mainnet},
		{"Beta Mainnet", "", chainid.Mainnet},
		{"", "", chainid.Mainnet},
	}
	for _, tt := range tests {
		t.Run(tt.name+"/"+tt.title, func(t *testing.T) {
			if got := chainid.NetworkOf(tt.name, tt.title); got != tt.want {
				t.Errorf("NetworkOf(%q, %q) = %s, want %s", tt.name, tt.title, got, tt.want)
			}
		})
	}
}

// reviewedChain is a record of testdata/kinds.json.
type reviewedChain struct {
	ChainID   json.Number     `json:"chainId"`
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	ShortName string          `json:"shortName"`
	Truth     chainid.Network `json:"truth"`
}

func recordedNetworks(t *testing.T) []reviewedChain {
	t.Helper()
	var chains []reviewedChain
	must(t, json.Unmarshal(readFile(t, "testdata/kinds.json"), &chains))
	return chains
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func reviews(t *testing.T) []chainid.Review {
	t.Helper()
	revs, err := chainid.Reviewed()
	must(t, err)
	return revs
}

func TestReviewed(t *testing.T) {
	byID := map[string]reviewedChain{}
	for _, ch := range recordedNetworks(t) {
		byID[ch.ChainID.String()] = ch
	}
	seen := map[string]bool{}
	for _, rev := range reviews(t) {
		ch, ok := byID[rev.ChainID]
		if !ok {
			t.Errorf("review of chain %s: it is not in the recording", rev.ChainID)
			continue
		}
		if seen[rev.ChainID] {
			t.Errorf("chain %s is reviewed twice", rev.ChainID)
		}
		seen[rev.ChainID] = true
		if name := strings.TrimSpace(ch.Name); rev.Name != name {
			t.Errorf("review of chain %s is of %q, the recording has %q", rev.ChainID, rev.Name, name)
		}
		if rev.Network != ch.Truth || rev.Why == "" {
			t.Errorf("review of chain %s: kind %q, why %q; the recording has %q", rev.ChainID, rev.Network, rev.Why, ch.Truth)
		}
	}
	for id, ch := range byID {
		if chainid.NetworkOf(ch.Name, ch.Title) != ch.Truth && !seen[id] {
			t.Errorf("chain %s %q: the rule is wrong and no review corrects it", id, ch.Name)
		}
	}
}

// confusion compares the results of a rule with the truth.
type confusion struct {
	TestAsTest, TestAsMain, MainAsTest, MainAsMain int
}

func (c confusion) errors() int { return c.TestAsMain + c.MainAsTest }

func measure(chains []reviewedChain, rule func(reviewedChain) chainid.Network) confusion {
	var c confusion
	for _, ch := range chains {
		switch got := rule(ch); {
		case ch.Truth == chainid.Testnet && got == chainid.Testnet:
			c.TestAsTest++
		case ch.Truth == chainid.Testnet:
			c.TestAsMain++
		case got == chainid.Testnet:
			c.MainAsTest++
		default:
			c.MainAsMain++
		}
	}
	return c
}

// TestDocumentedFigures compares the figures in catalog/chains-import.md. Run it with -update
// after a change of the rule, and review the differences.
func TestDocumentedFigures(t *testing.T) {
	documented(t, "<!-- measured -->\n", "<!-- end of measured -->", figures(recordedNetworks(t), reviews(t)))
}

func figures(chains []reviewedChain, revs []chainid.Review) string {
	byID := map[string]chainid.Review{}
	for _, rev := range revs {
		byID[rev.ChainID] = rev
	}
	rule := func(ch reviewedChain) chainid.Network { return chainid.NetworkOf(ch.Name, ch.Title) }
	variants := []struct {
		name string
		rule func(reviewedChain) chainid.Network
	}{
		{"name", func(ch reviewedChain) chainid.Network { return chainid.NetworkOf(ch.Name, "") }},
		{"**name or title (the rule)**", rule},
		{"name, title or short name", func(ch reviewedChain) chainid.Network {
			return chainid.NetworkOf(ch.Name+" "+ch.ShortName, ch.Title)
		}},
		{"the rule, then reviews", func(ch reviewedChain) chainid.Network {
			if rev, ok := byID[ch.ChainID.String()]; ok {
				return rev.Network
			}
			return rule(ch)
		}},
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d records, %d of them doubtful and reviewed, %d without a clear answer.\n\n", len(chains), len(revs), unclear(revs))
	b.WriteString("| | Testnets found | Testnets missed | Mainnets as testnets | Mainnets found | Errors |\n|---|---|---|---|---|---|\n")
	for _, v := range variants {
		c := measure(chains, v.rule)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", v.name, c.TestAsTest, c.TestAsMain, c.MainAsTest, c.MainAsMain, c.errors())
	}
	return b.String()
}

// unclear counts the reviews marked as unclear in their reason. They keep the rule's result.
func unclear(revs []chainid.Review) (n int) {
	for _, rev := range revs {
		if strings.HasPrefix(rev.Why, "unclear") || strings.Contains(rev.Why, "; unclear") {
			n++
		}
	}
	return n
}

func TestReviewsAreSorted(t *testing.T) {
	sorted := slices.IsSortedFunc(recordedNetworks(t), func(a, b reviewedChain) int {
		x, _ := a.ChainID.Int64()
		y, _ := b.ChainID.Int64()
		return int(min(1, max(-1, x-y)))
	})
	if !sorted {
		t.Error("testdata/kinds.json is not in order of chain id")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
