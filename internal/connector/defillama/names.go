package defillama

import (
	"fmt"
	"io"
	"strings"

	"vitrine/internal/connector"
)

// Decision is a reviewed decision on a name of DefiLlama.
type Decision string

// The decisions.
const (
	Joined    Decision = "joined"     // the name means the chain with the id
	NotListed Decision = "not listed" // the catalogue does not have the chain
	Doubtful  Decision = "doubtful"   // the chain is uncertain
)

// Name is a reviewed name of DefiLlama.
type Name struct {
	Decision Decision
	ChainID  string // in the form of the catalogue; "" unless Joined
	Why      string
}

// Names are the reviewed names. They complete and correct the chain ids of recordings: most chains
// outside the EVM have none there, and counts of protocols have only names.
type Names map[string]Name

// ReadNames reads reviewed names: [{"name": "Solana", "decision": "joined", "chain_id":
// "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "why": "…"}]. An invalid entry is an error.
func ReadNames(r io.Reader) (Names, error) {
	type entry struct {
		Name     string   `json:"name"`
		Decision Decision `json:"decision"`
		ChainID  string   `json:"chain_id"`
		Why      string   `json:"why"`
	}
	names := Names{}
	var first error
	fail := func(i int, err error) {
		if first == nil {
			first = fmt.Errorf("names: entry %d: %w", i, err)
		}
	}
	err := connector.Array(r, func(i int, e entry) {
		n := Name{Decision: e.Decision, ChainID: strings.TrimSpace(e.ChainID), Why: strings.TrimSpace(e.Why)}
		_, twice := names[e.Name]
		switch {
		case e.Name == "" || twice:
			fail(i, fmt.Errorf("name %q is empty or a duplicate", e.Name))
		case n.Why == "":
			fail(i, fmt.Errorf("%q has no why", e.Name))
		case n.Decision != Joined && n.Decision != NotListed && n.Decision != Doubtful:
			fail(i, fmt.Errorf("%q: decision %.40q is none of joined, not listed and doubtful", e.Name, n.Decision))
		case (n.Decision == Joined) != (n.ChainID != ""):
			fail(i, fmt.Errorf("%q: chain_id is required for joined, and only for it", e.Name))
		}
		names[e.Name] = n
	}, fail)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return names, first
}

// With returns the names and those of rows with a chain id that are not reviewed, so that the ids of one
// recording apply to another.
func (n Names) With(rows []connector.Row) Names {
	all := make(Names, len(n)+len(rows))
	for _, row := range rows {
		if row.ChainID != "" {
			all[row.Name] = Name{Decision: Joined, ChainID: row.ChainID}
		}
	}
	for name, review := range n {
		all[name] = review
	}
	return all
}

// Identify returns the rows with the chain id of their review or, without a review, their own. lost has
// the other rows with their reasons.
func (n Names) Identify(rows []connector.Row) (identified []connector.Row, lost []connector.Loss) {
	for _, row := range rows {
		review, reviewed := n[row.Name]
		switch {
		case reviewed && review.Decision != Joined:
			lost = append(lost, row.Loss(fmt.Sprintf("%s: %s", review.Decision, review.Why)))
			continue
		case reviewed:
			row.ChainID = review.ChainID
		case row.ChainID == "":
			lost = append(lost, row.Loss("no chain id, and the name is not reviewed"))
			continue
		}
		identified = append(identified, row)
	}
	return identified, lost
}
