// Package chainid reads chains.json of chainid.network, the registry ethereum-lists/chains: its
// records, and the facts of chains in them.
//
// It fetches nothing. All functions are pure and safe for concurrent use.
package chainid

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// NameLocale is the locale of the registry's names.
const NameLocale = "en"

// Record is a record of the registry. Its field `chain` is not read, since it mixes tickers, names
// and prose.
type Record struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	ShortName string          `json:"shortName"`
	ChainID   json.RawMessage `json:"chainId"`
	State     string          `json:"status"`
	Icon      string          `json:"icon"`
	Currency  currency        `json:"nativeCurrency"`
	InfoURL   loose[string]   `json:"infoURL"`
	Explorers List[page]      `json:"explorers"`
	Faucets   List[string]    `json:"faucets"`
	Parent    Parent          `json:"parent"`
	RPC       List[string]    `json:"rpc"`

	ID  string // canonical chain id
	raw []byte // unparsed
}

// UnmarshalJSON decodes a record and keeps its bytes in raw.
func (r *Record) UnmarshalJSON(doc []byte) error {
	type plain Record
	r.raw = bytes.Clone(doc)
	return json.Unmarshal(doc, (*plain)(r))
}

// Deprecated reports whether the registry calls the chain deprecated.
func (r Record) Deprecated() bool { return strings.EqualFold(r.State, "deprecated") }

// Status returns the status of the chain, "" for live, which is the registry's default.
func (r Record) Status() domain.Status {
	switch {
	case r.Deprecated():
		return domain.StatusRetired
	case strings.EqualFold(r.State, "incubating"):
		return domain.StatusUpcoming
	}
	return ""
}

// Lost returns a loss of the record.
func (r Record) Lost(reason string) connector.Loss {
	return connector.Loss{ChainID: r.ID, Name: r.Name, Reason: reason}
}

// Parent is the parent of a record.
type Parent struct {
	Type  string `json:"type"`  // "L2" or "shard"
	Chain string `json:"chain"` // as "eip155-1"

	Bridges List[page] `json:"bridges"`
}

// SettlesOn reports whether the record settles on its parent. A shard does not, since it is a part
// of the same network.
func (p Parent) SettlesOn() bool { return p.Type == "L2" }

// ID returns the canonical chain id of the parent, "" if the parent is not an EVM chain.
func (p Parent) ID() string {
	digits, ok := strings.CutPrefix(p.Chain, "eip155-")
	if !ok {
		return ""
	}
	id, err := connector.ParseChainID(json.RawMessage(digits))
	if err != nil {
		return ""
	}
	return id
}

// Read returns the records with an id and a usable name, by chain id, ascending, and the others as
// losses. Of several records with one id, those that are not deprecated come first. The result does
// not depend on the order of the document. It returns an error if the document cannot be read to
// its end.
func Read(r io.Reader) (records []Record, lost []connector.Loss, err error) {
	take := func(_ int, rec Record) {
		rec.Name, rec.Title, rec.ShortName = Clean(rec.Name), Clean(rec.Title), Clean(rec.ShortName)
		rec.State, rec.Parent.Type, rec.Parent.Chain = Clean(rec.State), Clean(rec.Parent.Type), Clean(rec.Parent.Chain)
		id, err := connector.ParseChainID(rec.ChainID)
		rec.ID = id
		switch {
		case err != nil:
			lost = append(lost, rec.Lost(err.Error()))
		case id == "":
			lost = append(lost, rec.Lost("the record has no chain id"))
		case rec.Name == "":
			lost = append(lost, rec.Lost("the record has no name"))
		case !Printable(rec.Name):
			lost = append(lost, rec.Lost("the name is over 500 characters or holds control characters"))
		default:
			records = append(records, rec)
		}
	}
	refuse := func(i int, err error) {
		lost = append(lost, connector.Loss{Reason: fmt.Sprintf("record %d: %v", i, err)})
	}
	if err := connector.Array(r, take, refuse); err != nil {
		return nil, nil, fmt.Errorf("chainid chains: %w", err)
	}
	slices.SortFunc(records, func(a, b Record) int {
		return cmp.Or(connector.CompareChainIDs(a.ID, b.ID), compareBool(a.Deprecated(), b.Deprecated()),
			cmp.Compare(a.Name, b.Name), bytes.Compare(a.raw, b.raw))
	})
	return records, lost, nil
}

// Clean trims a text and collapses white space.
func Clean(s string) string { return strings.Join(strings.Fields(s), " ") }

// Printable reports whether a catalogue may hold a name (docs/check.md#forbidden-characters).
func Printable(s string) bool {
	return utf8.RuneCountInString(s) <= 500 && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == utf8.RuneError || (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069)
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
