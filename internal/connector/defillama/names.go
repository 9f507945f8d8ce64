package defillama

import (
	"fmt"
	"io"
	"strings"

	"vitrine/internal/connector"
)

// Decision is what somebody who knows the chains decided about a name of DefiLlama's.
type Decision string

// The decisions.
const (
	Joined    Decision = "joined"     // it is the chain with the id
	NotListed Decision = "not listed" // no chain of the catalogue
	Doubtful  Decision = "doubtful"   // it may be one, and nobody is sure
)

// Name is a reviewed name of DefiLlama's.
type Name struct {
	Decision Decision
	ChainID  string // as the catalogue has it, whatever its form; "" unless Joined
	Why      string
}

// Names are the reviewed names. They stand for what recordings do not say, or say wrong:
// most chains that are not of the family of Ethereum have no chain id there, and counts
// of protocols have names alone.
type Names map[string]Name

// ReadNames reads reviewed names: [{"name": "Solana", "decision": "joined", "chain_id":
// "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "why": "…"}]. Whatever cannot be taken
// is an error.
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
			fail(i, fmt.Errorf("name %q is empty or stands there twice", e.Name))
		case n.Why == "":
			fail(i, fmt.Errorf("%q has no why", e.Name))
		case n.Decision != Joined && n.Decision != NotListed && n.Decision != Doubtful:
			fail(i, fmt.Errorf("%q: decision %.40q is none of joined, not listed and doubtful", e.Name, n.Decision))
		case (n.Decision == Joined) != (n.ChainID != ""):
			fail(i, fmt.Errorf("%q: joined and chain_id go together", e.Name))
		}
		names[e.Name] = n
	}, fail)
	if err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return names, first
}

// With returns the names and, beside them, those of rows that have a chain id and are
// not reviewed: what one recording says of a name holds for another.
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

// Identify returns the rows that are of a chain, with its id: the reviewed one or, where
// nobody reviewed the name, their own. The others are lost, each with the reason.
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
