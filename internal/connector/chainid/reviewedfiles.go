package chainid

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"vitrine/internal/connector"
)

// Fact is what was settled about a chain by somebody who knows it, and why. It
// holds for as long as the chain has the name that it was reviewed under.
type Fact struct {
	Name       string
	Categories []string // of [dimensions], but no network type; at least one, each once
	Why        string
}

// ReadFacts reads reviewed categories by chain id:
// [{"chain_id": "1", "name": "Ethereum Mainnet", "categories": ["layer-1"], "why": "…"}].
// Whatever cannot be taken is an error: unknown categories, two that exclude
// each other, a fact without its reason.
func ReadFacts(r io.Reader) (map[string]Fact, error) {
	type entry struct {
		ChainID    json.RawMessage `json:"chain_id"`
		Name       string          `json:"name"`
		Categories []string        `json:"categories"`
		Why        string          `json:"why"`
	}
	return byChain(r, "categories", func(e entry) (json.RawMessage, Fact, error) {
		f := Fact{Name: clean(e.Name), Categories: e.Categories, Why: clean(e.Why)}
		return e.ChainID, f, f.check()
	})
}

func (f Fact) check() error {
	if f.Name == "" || f.Why == "" || len(f.Categories) == 0 {
		return fmt.Errorf("name, why or categories is missing")
	}
	for i, key := range f.Categories {
		d, ok := dimensionOf(key)
		if !ok {
			return fmt.Errorf("%q: chains have no category %q", f.Name, key)
		}
		if d == byNetwork {
			return fmt.Errorf("%q: %s is a kind; settle it in a file for --kinds", f.Name, key)
		}
		if slices.Contains(f.Categories[:i], key) {
			return fmt.Errorf("%q: %s stands there twice", f.Name, key)
		}
	}
	if err := contradiction(f.Categories); err != nil {
		return fmt.Errorf("%q: %w", f.Name, err)
	}
	return nil
}

// Aliases are further names that people type for a chain. They hold for as long
// as the chain has the name that they were written under.
type Aliases struct {
	Name    string
	Aliases []string
}

// ReadAliases reads aliases by chain id:
// [{"chain_id": "56", "name": "BNB Smart Chain Mainnet", "aliases": ["BSC"]}].
// Whatever cannot be taken is an error.
func ReadAliases(r io.Reader) (map[string]Aliases, error) {
	type entry struct {
		ChainID json.RawMessage `json:"chain_id"`
		Name    string          `json:"name"`
		Aliases []string        `json:"aliases"`
	}
	return byChain(r, "aliases", func(e entry) (json.RawMessage, Aliases, error) {
		a := Aliases{Name: clean(e.Name)}
		if a.Name == "" || len(e.Aliases) == 0 {
			return nil, a, fmt.Errorf("name or aliases is missing")
		}
		for _, alias := range e.Aliases {
			alias = clean(alias)
			if alias == "" || !printable(alias) {
				return nil, a, fmt.Errorf("%q: alias %.40q is empty, over 500 characters or holds control characters", a.Name, alias)
			}
			a.Aliases = append(a.Aliases, alias)
		}
		return e.ChainID, a, nil
	})
}

// SuperchainChain is a chain of the registry of the Superchain.
type SuperchainChain struct {
	ChainID string // canonical
	Name    string // the registry's
	Kind    Kind   // whether it settles on Ethereum or on Ethereum's test network
}

// superchainKinds are the registry's superchains: each is the network that its
// chains settle on. Its devnets come and go and are not taken.
var superchainKinds = map[string]Kind{"mainnet": Mainnet, "sepolia": Testnet}

// ReadSuperchain reads the chains of ethereum-optimism/superchain-registry as one
// array: [{"chain_id": 10, "name": "OP Mainnet", "superchain": "mainnet"}]. Rows
// without a chain id, or of another superchain than these two, are losses.
func ReadSuperchain(r io.Reader) ([]SuperchainChain, []connector.Loss, error) {
	type entry struct {
		ChainID    json.RawMessage `json:"chain_id"`
		Name       string          `json:"name"`
		Superchain string          `json:"superchain"`
	}
	rows, lost, err := connector.Rows(r, func(e entry) (SuperchainChain, *connector.Loss) {
		name := clean(e.Name)
		id, err := connector.ParseChainID(e.ChainID)
		kind, known := superchainKinds[e.Superchain]
		switch {
		case err != nil:
		case id == "":
			err = fmt.Errorf("no chain id")
		case !known:
			err = fmt.Errorf("superchain %.40q is neither mainnet nor sepolia", e.Superchain)
		}
		if err != nil {
			return SuperchainChain{}, &connector.Loss{ChainID: id, Name: name, Reason: err.Error()}
		}
		return SuperchainChain{ChainID: id, Name: name, Kind: kind}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("superchain registry: %w", err)
	}
	return rows, lost, nil
}
