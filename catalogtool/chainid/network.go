package chainid

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Network is mainnet for production networks and testnet for all others.
type Network string

// The networks. Test, development, staging, private and local networks are all
// Testnet: their coins have no value.
const (
	Mainnet Network = "mainnet"
	Testnet Network = "testnet"
)

// Review is the reviewed network of a chain, with the reason. It applies while the chain has the
// reviewed name.
type Review struct {
	ChainID string  `json:"chain_id"`
	Name    string  `json:"name"`
	Network Network `json:"kind"`
	Why     string  `json:"why"`
}

//go:embed reviewed.json
var reviewed []byte

// Reviewed returns the built-in reviews of all doubtful records of the registry of 2026-08-20, sorted
// by chain id (catalog/chains-import.md). The caller owns the slice.
func Reviewed() ([]Review, error) {
	var reviews []Review
	dec := json.NewDecoder(bytes.NewReader(reviewed))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&reviews); err != nil {
		return nil, fmt.Errorf("reviewed.json: %w", err)
	}
	return reviews, nil
}

// A chain is a test network if a word of its name or title is in testWords or contains one of
// testParts. The registry has no field for it. Short names are not used, because they make two
// mainnets testnets. catalog/chains-import.md has the measurements.
var (
	// testParts match anywhere in a word: Testnet2, LemonChainTestnet.
	testParts = []string{"testnet", "tesnet", "devnet", "stagenet", "privnet", "localnet", "alphanet", "betanet", "previewnet"}

	// testWords match whole words only: not Latest, not Devour.
	testWords = []string{
		"test", "dev", "develop", "staging", "sandbox",
		"ropsten", "rinkeby", "goerli", "kovan", "sepolia", "holesky", "hoodi", // Ethereum's
		"mumbai", "amoy", // Polygon's
		"fuji",    // Avalanche's
		"chiado",  // Gnosis'
		"apothem", // XDC's
		"galileo", // Web3Q's, 0G's
	}
)

// NetworkOf returns the network of a chain by the words of its name and title.
func NetworkOf(name, title string) Network {
	for _, text := range []string{name, title} {
		for _, word := range words(text) {
			if slices.Contains(testWords, word) || slices.ContainsFunc(testParts, func(part string) bool { return strings.Contains(word, part) }) {
				return Testnet
			}
		}
	}
	return Mainnet
}

// words returns the words of a text in lower case. A word is a run of letters; an upper-case letter
// after a lower-case one starts a new word (KorthoTest).
func words(text string) []string {
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	previous := ' '
	for _, r := range text {
		if !unicode.IsLetter(r) || unicode.IsUpper(r) && unicode.IsLower(previous) {
			flush()
		}
		if unicode.IsLetter(r) {
			word.WriteRune(unicode.ToLower(r))
		}
		previous = r
	}
	flush()
	return out
}

// networks determines the network of a record: by the operator, else a review, else the rule.
type networks struct {
	operator map[string]Network
	reviews  map[string]Review
}

func networksOf(opts Options) networks {
	n := networks{operator: opts.Networks, reviews: make(map[string]Review, len(opts.Reviews))}
	for _, rev := range opts.Reviews {
		n.reviews[rev.ChainID] = rev
	}
	return n
}

func (n networks) networkOf(rec record) Network {
	if network, ok := n.operator[rec.ID]; ok {
		return network
	}
	if rev, ok := n.reviews[rec.ID]; ok && rev.Name == rec.Name {
		return rev.Network
	}
	return NetworkOf(rec.Name, rec.Title)
}
