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

// Kind tells production networks from all others.
type Kind string

// The kinds. Test, development, staging, private and local networks are all
// Testnet: their coins have no value.
const (
	Mainnet Kind = "mainnet"
	Testnet Kind = "testnet"
)

// Review is a kind that was settled by looking at the record beyond its name,
// and why. It holds for as long as the chain has the name that it was reviewed
// under.
type Review struct {
	ChainID string `json:"chain_id"`
	Name    string `json:"name"`
	Kind    Kind   `json:"kind"`
	Why     string `json:"why"`
}

//go:embed reviewed.json
var reviewed []byte

// Reviewed returns the reviews that come with the program: every record of the
// registry of 2026-08-20 that was doubtful, in order of chain id.
// catalog/chains-import.md says how they were made. The slice is the caller's.
func Reviewed() ([]Review, error) {
	var reviews []Review
	dec := json.NewDecoder(bytes.NewReader(reviewed))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&reviews); err != nil {
		return nil, fmt.Errorf("reviewed.json: %w", err)
	}
	return reviews, nil
}

// The rule. A chain is a test network if a word of its name or of its title is
// in testWords, or holds one of testParts. The registry has no field that says
// so (slip44 1 and faucets are set for either kind), only words; short names
// would find six more and get two wrong. catalog/chains-import.md has the figures.
var (
	// testParts stand anywhere within a word: Testnet2, LemonChainTestnet.
	testParts = []string{"testnet", "tesnet", "devnet", "stagenet", "privnet", "localnet", "alphanet", "betanet", "previewnet"}

	// testWords are whole words, so that neither Latest nor Devour is one.
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

// KindOf applies the rule.
func KindOf(name, title string) Kind {
	for _, text := range []string{name, title} {
		for _, word := range words(text) {
			if slices.Contains(testWords, word) || slices.ContainsFunc(testParts, func(part string) bool { return strings.Contains(word, part) }) {
				return Testnet
			}
		}
	}
	return Mainnet
}

// words returns the words of a text in lower case. A word is a run of letters;
// an upper-case letter after a lower-case one begins another (KorthoTest).
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

// kinds has what decides on the kind of a record: the operator, else a review, else
// the rule.
type kinds struct {
	operator map[string]Kind
	reviews  map[string]Review
}

func kindsOf(opts Options) kinds {
	k := kinds{operator: opts.Kinds, reviews: make(map[string]Review, len(opts.Reviews))}
	for _, rev := range opts.Reviews {
		k.reviews[rev.ChainID] = rev
	}
	return k
}

func (k kinds) kindOf(rec record) Kind {
	if kind, ok := k.operator[rec.id]; ok {
		return kind
	}
	if rev, ok := k.reviews[rec.id]; ok && rev.Name == rec.Name {
		return rev.Kind
	}
	return KindOf(rec.Name, rec.Title)
}
