package chainid

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// Fact has the reviewed categories of a chain, with the reason. It applies while the chain has the
// reviewed name.
type Fact struct {
	Name       string
	Categories []string // at least one, without duplicates, of [dimensions] except the network type
	Why        string
}

// ReadFacts reads reviewed categories by chain id:
// [{"chain_id": "1", "name": "Ethereum Mainnet", "categories": ["layer-1"], "why": "…"}].
// An unknown category, two exclusive ones or a missing reason is an error.
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

// Aliases are further names of a chain. They apply while the chain has the reviewed name.
type Aliases struct {
	Name    string
	Aliases []string
}

// ReadAliases reads aliases by chain id:
// [{"chain_id": "56", "name": "BNB Smart Chain Mainnet", "aliases": ["BSC"]}].
// An invalid entry is an error.
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

// Ending describes the end of a chain. It applies while the chain has the reviewed name.
type Ending struct {
	Name      string
	Since     domain.Date // "" if no source has the date
	Note      domain.Text
	Successor string // chain id of the successor, "" for none
}

// ReadEndings reads retired chains by chain id: [{"chain_id": "3", "name": "Ropsten", "since":
// "2022-12-15", "note": {"en": "…"}, "successor": "11155111", "sources": ["…"]}]. An invalid entry
// is an error, also one without a note or a source.
func ReadEndings(r io.Reader) (map[string]Ending, error) {
	type entry struct {
		ChainID   json.RawMessage `json:"chain_id"`
		Name      string          `json:"name"`
		Since     string          `json:"since"`
		Note      NameTexts       `json:"note"`
		Successor json.RawMessage `json:"successor"`
		Sources   []string        `json:"sources"`
	}
	return byChain(r, "endings", func(e entry) (json.RawMessage, Ending, error) {
		ending := Ending{Name: clean(e.Name), Since: domain.Date(e.Since), Note: e.Note.text()}
		if ending.Name == "" || e.Note[NameLocale] == "" || len(e.Sources) == 0 {
			return nil, ending, fmt.Errorf("name, note in %s or sources is missing", NameLocale)
		}
		if _, err := time.Parse(time.DateOnly, e.Since); e.Since != "" && err != nil {
			return nil, ending, fmt.Errorf("%q: since %.40q is not a date like 2022-12-15", ending.Name, e.Since)
		}
		var err error
		if ending.Successor, err = connector.ParseChainID(e.Successor); err != nil {
			return nil, ending, fmt.Errorf("%q: successor: %w", ending.Name, err)
		}
		return e.ChainID, ending, nil
	})
}

// Launch is the launch date of a chain. It applies while the chain has the reviewed name.
type Launch struct {
	Name string
	Day  domain.Date
}

// ReadLaunches reads launch dates by chain id: [{"chain_id": "1", "name": "Ethereum Mainnet",
// "launched": "2015-07-30", "source": "…"}]. An invalid entry is an error, also one without a source.
func ReadLaunches(r io.Reader) (map[string]Launch, error) {
	type entry struct {
		ChainID  json.RawMessage `json:"chain_id"`
		Name     string          `json:"name"`
		Launched string          `json:"launched"`
		Source   string          `json:"source"`
	}
	return byChain(r, "launches", func(e entry) (json.RawMessage, Launch, error) {
		launch := Launch{Name: clean(e.Name), Day: domain.Date(e.Launched)}
		if launch.Name == "" || clean(e.Source) == "" {
			return nil, launch, fmt.Errorf("name or source is missing")
		}
		if _, err := time.Parse(time.DateOnly, e.Launched); err != nil {
			return nil, launch, fmt.Errorf("%q: launched %.40q is not a date like 2015-07-30", launch.Name, e.Launched)
		}
		return e.ChainID, launch, nil
	})
}

// Description is the description of a chain. It applies while the chain has the reviewed name.
type Description struct {
	Name string
	Text domain.Text
}

// ReadDescriptions reads descriptions by chain id: [{"chain_id": "8453", "name": "Base",
// "description": {"en": "…", "ja": "…"}}]. The name is the registry's. An invalid entry is an error,
// also one without a text in [NameLocale].
func ReadDescriptions(r io.Reader) (map[string]Description, error) {
	type entry struct {
		ChainID     json.RawMessage `json:"chain_id"`
		Name        string          `json:"name"`
		Description NameTexts       `json:"description"`
	}
	return byChain(r, "descriptions", func(e entry) (json.RawMessage, Description, error) {
		description := Description{Name: clean(e.Name), Text: e.Description.text()}
		if description.Name == "" || e.Description[NameLocale] == "" {
			return nil, description, fmt.Errorf("name or description in %s is missing", NameLocale)
		}
		if err := e.Description.check(); err != nil {
			return nil, description, fmt.Errorf("%q: %w", description.Name, err)
		}
		return e.ChainID, description, nil
	})
}

// Unfit is a record to omit, with the reason. It applies while the record has the reviewed name.
type Unfit struct {
	Name string
	Why  string
}

// ReadLeaveOut reads records to omit by chain id: [{"chain_id": "8086", "name": "Bitcoin Chain",
// "why": "…"}]. An invalid entry is an error, also one without a reason.
func ReadLeaveOut(r io.Reader) (map[string]Unfit, error) {
	type entry struct {
		ChainID json.RawMessage `json:"chain_id"`
		Name    string          `json:"name"`
		Why     string          `json:"why"`
	}
	return byChain(r, "leave out", func(e entry) (json.RawMessage, Unfit, error) {
		unfit := Unfit{Name: clean(e.Name), Why: clean(e.Why)}
		if unfit.Name == "" || unfit.Why == "" {
			return nil, unfit, fmt.Errorf("name or why is missing")
		}
		return e.ChainID, unfit, nil
	})
}

// SuperchainChain is a chain of the registry of the Superchain.
type SuperchainChain struct {
	ChainID string // canonical
	Name    string // the registry's
	Kind    Kind   // whether it settles on Ethereum or on Ethereum's test network
}

// superchainKinds are the kinds of the registry's superchains, each named after the network that its
// chains settle on. Devnets are omitted.
var superchainKinds = map[string]Kind{"mainnet": Mainnet, "sepolia": Testnet}

// ReadSuperchain reads the chains of ethereum-optimism/superchain-registry as one array:
// [{"chain_id": 10, "name": "OP Mainnet", "superchain": "mainnet"}]. Rows without a chain id, or of a
// superchain that is not in superchainKinds, are losses.
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
