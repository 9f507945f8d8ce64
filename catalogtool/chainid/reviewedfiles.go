package chainid

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"vitrine/internal/connector"
	registry "vitrine/internal/connector/chainid"
	"vitrine/internal/domain"
)

// entry is an entry of any of the files of reviews, each of which has some of the fields. Its name
// is the name of the chain when it was reviewed.
type entry struct {
	ChainID     json.RawMessage `json:"chain_id"`
	Name        string          `json:"name"`
	Why         string          `json:"why"`
	Source      string          `json:"source"`
	Sources     []string        `json:"sources"`
	Categories  []string        `json:"categories"`
	Aliases     []string        `json:"aliases"`
	Launched    string          `json:"launched"`
	Since       string          `json:"since"`
	Note        NameTexts       `json:"note"`
	Successor   json.RawMessage `json:"successor"`
	Parent      json.RawMessage `json:"parent"`
	Description NameTexts       `json:"description"`
	Website     string          `json:"website"`
	Explorer    string          `json:"explorer"`
}

// byReview reads an array of entries into a map by chain id. An invalid entry is an error, also one
// without a name.
func byReview[V any](r io.Reader, what string, value func(entry) (V, error)) (map[string]V, error) {
	return byChain(r, what, func(e entry) (json.RawMessage, V, error) {
		e.Name, e.Why, e.Source = registry.Clean(e.Name), registry.Clean(e.Why), registry.Clean(e.Source)
		v, err := value(e)
		if e.Name == "" {
			err = errors.New("name is missing")
		}
		if err != nil {
			return nil, v, fmt.Errorf("%q: %w", e.Name, err)
		}
		return e.ChainID, v, nil
	})
}

// required returns an error if a field is missing.
func required(present bool, field string) error {
	if present {
		return nil
	}
	return fmt.Errorf("%s is missing", field)
}

// day parses an optional date.
func day(field, s string) (domain.Date, error) {
	if _, err := time.Parse(time.DateOnly, s); s != "" && err != nil {
		return "", fmt.Errorf("%s %.40q is not a date like 2022-12-15", field, s)
	}
	return domain.Date(s), nil
}

// Fact has the reviewed categories and the reviewed parent of a chain, with the reason. It applies while the
// chain has the reviewed name.
type Fact struct {
	Name       string
	Categories []string // without duplicates, of [dimensions] except the network type; at least one if Parent is ""
	Parent     string   // chain id of the parent, which overrides the registry's; "" for none
	Why        string
}

// ReadFacts reads reviewed categories by chain id:
// [{"chain_id": "1", "name": "Ethereum Mainnet", "categories": ["layer-1"], "why": "…"}].
// An entry may have a parent, `"parent": "11155111"`, beside categories or without. An unknown category, two
// exclusive ones, a malformed parent or a missing reason is an error.
func ReadFacts(r io.Reader) (map[string]Fact, error) {
	return byReview(r, "categories", func(e entry) (Fact, error) {
		parent, malformed := connector.ParseChainID(e.Parent)
		if malformed != nil {
			malformed = fmt.Errorf("parent: %w", malformed)
		}
		err := cmp.Or(required(e.Why != "", "why"), required(len(e.Categories) > 0 || parent != "", "categories"), checkCategories(e.Categories), malformed)
		return Fact{Name: e.Name, Categories: e.Categories, Parent: parent, Why: e.Why}, err
	})
}

func checkCategories(keys []string) error {
	for i, key := range keys {
		d, ok := dimensionOf(key)
		switch {
		case !ok:
			return fmt.Errorf("chains have no category %q", key)
		case d == byNetwork:
			return fmt.Errorf("%s is a kind; settle it in a file for --kinds", key)
		case slices.Contains(keys[:i], key):
			return fmt.Errorf("%s stands there twice", key)
		}
	}
	return contradiction(keys)
}

// Aliases are further names of a chain. They apply while the chain has the reviewed name.
type Aliases struct {
	Name    string
	Aliases []string
}

// ReadAliases reads aliases by chain id:
// [{"chain_id": "56", "name": "BNB Smart Chain Mainnet", "aliases": ["BSC"]}].
func ReadAliases(r io.Reader) (map[string]Aliases, error) {
	return byReview(r, "aliases", func(e entry) (Aliases, error) {
		a := Aliases{Name: e.Name}
		for _, alias := range e.Aliases {
			if alias = registry.Clean(alias); alias == "" || !registry.Printable(alias) {
				return a, fmt.Errorf("alias %.40q is empty, over 500 characters or holds control characters", alias)
			}
			a.Aliases = append(a.Aliases, alias)
		}
		return a, required(len(a.Aliases) > 0, "aliases")
	})
}

// Ending describes the end of a chain. It applies while the chain has the reviewed name.
type Ending struct {
	Name      string
	Since     domain.Date // "" if no source has the date
	Note      domain.Text
	Successor string // chain id of the successor, "" for none
	Source    string // the first source with a link, as that link, else the first one
}

// ReadEndings reads retired chains by chain id: [{"chain_id": "3", "name": "Ropsten", "since":
// "2022-12-15", "note": {"en": "…"}, "successor": "11155111", "sources": ["…"]}]. An entry without
// a note or a source is an error.
func ReadEndings(r io.Reader) (map[string]Ending, error) {
	return byReview(r, "endings", func(e entry) (Ending, error) {
		since, malformed := day("since", e.Since)
		successor, unknown := connector.ParseChainID(e.Successor)
		if unknown != nil {
			unknown = fmt.Errorf("successor: %w", unknown)
		}
		err := cmp.Or(required(e.Note[NameLocale] != "", "note in "+NameLocale), required(len(e.Sources) > 0, "sources"), malformed, unknown)
		return Ending{Name: e.Name, Since: since, Note: e.Note.text(), Successor: successor, Source: mainSource(e.Sources...)}, err
	})
}

// Launch is the launch date of a chain. It applies while the chain has the reviewed name.
type Launch struct {
	Name   string
	Day    domain.Date
	Source string // a link, or plain text for a source without one
}

// ReadLaunches reads launch dates by chain id: [{"chain_id": "1", "name": "Ethereum Mainnet",
// "launched": "2015-07-30", "source": "…"}]. An entry without a source is an error.
func ReadLaunches(r io.Reader) (map[string]Launch, error) {
	return byReview(r, "launches", func(e entry) (Launch, error) {
		launched, malformed := day("launched", e.Launched)
		err := cmp.Or(required(e.Source != "", "source"), required(e.Launched != "", "launched"), malformed)
		return Launch{Name: e.Name, Day: launched, Source: mainSource(e.Source)}, err
	})
}

// Description is the description of a chain. It applies while the chain has the reviewed name.
type Description struct {
	Name   string
	Text   domain.Text
	Source string // a URL or plain text; "" for a description without a recorded source
}

// ReadDescriptions reads descriptions by chain id: [{"chain_id": "8453", "name": "Base",
// "description": {"en": "…", "ja": "…"}, "source": "https://…"}]. The name is the registry's. The
// source is optional. An entry without a text in [NameLocale] is an error.
func ReadDescriptions(r io.Reader) (map[string]Description, error) {
	return byReview(r, "descriptions", func(e entry) (Description, error) {
		err := cmp.Or(required(e.Description[NameLocale] != "", "description in "+NameLocale), e.Description.check())
		return Description{Name: e.Name, Text: e.Description.text(), Source: e.Source}, err
	})
}

// Unfit is a record to omit, with the reason. It applies while the record has the reviewed name.
type Unfit struct {
	Name string
	Why  string
}

// ReadLeaveOut reads records to omit by chain id: [{"chain_id": "8086", "name": "Bitcoin Chain",
// "why": "…"}]. An entry without a reason is an error.
func ReadLeaveOut(r io.Reader) (map[string]Unfit, error) {
	return byReview(r, "leave out", func(e entry) (Unfit, error) {
		return Unfit{Name: e.Name, Why: e.Why}, required(e.Why != "", "why")
	})
}

// SuperchainChain is a chain of the registry of the Superchain.
type SuperchainChain struct {
	ChainID string  // canonical
	Name    string  // the registry's
	Network Network // whether it settles on Ethereum or on Ethereum's test network
}

// superchainNetworks are the networks of the registry's superchains, each named after the network that its
// chains settle on. Devnets are omitted.
var superchainNetworks = map[string]Network{"mainnet": Mainnet, "sepolia": Testnet}

// ReadSuperchain reads the chains of ethereum-optimism/superchain-registry as one array:
// [{"chain_id": 10, "name": "OP Mainnet", "superchain": "mainnet"}]. Rows without a chain id, or of a
// superchain that is not in superchainNetworks, are losses.
func ReadSuperchain(r io.Reader) ([]SuperchainChain, []connector.Loss, error) {
	type entry struct {
		ChainID    json.RawMessage `json:"chain_id"`
		Name       string          `json:"name"`
		Superchain string          `json:"superchain"`
	}
	rows, lost, err := connector.Rows(r, func(e entry) (SuperchainChain, *connector.Loss) {
		name := registry.Clean(e.Name)
		id, err := connector.ParseChainID(e.ChainID)
		network, known := superchainNetworks[e.Superchain]
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
		return SuperchainChain{ChainID: id, Name: name, Network: network}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("superchain registry: %w", err)
	}
	return rows, lost, nil
}
