// Package defillama reads what api.llama.fi answers to GET /v2/chains: the
// total value locked on each chain, in USD.
//
// It must not know how the answer was fetched or when: the answer carries no
// date, so the caller says it. Everything here is a pure function of its input
// and safe for concurrent use.
package defillama

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"vitrine/internal/catalog"
	"vitrine/internal/connector"
)

// Source is the source that figures of DefiLlama carry.
const Source = "defillama"

// row is one element of the answer. Field chainId is a number, a quoted number,
// 0 as a placeholder, null or left out, all of which occur.
type row struct {
	Name    string          `json:"name"`
	ChainID json.RawMessage `json:"chainId"`
	TVL     *float64        `json:"tvl"`
}

// Chains reads an answer that was observed on a date. The rows come in the
// order of the answer; a row without a chain id is kept, with ChainID "", so
// that the join can report it. A TVL of exactly 0 is a value; rows without any,
// or with one that cannot be, are losses.
//
// An error means that the answer could not be read to its end.
func Chains(r io.Reader, asOf catalog.Date) ([]connector.Row, []connector.Loss, error) {
	var rows []connector.Row
	var lost []connector.Loss
	take := func(_ int, in row) {
		name := strings.TrimSpace(in.Name)
		id, err := connector.ParseChainID(in.ChainID)
		switch {
		case err != nil:
			lost = append(lost, connector.Loss{Name: name, Reason: err.Error()})
		case in.TVL == nil:
			lost = append(lost, connector.Loss{ChainID: id, Name: name, Reason: "the row has no tvl"})
		case *in.TVL < 0:
			lost = append(lost, connector.Loss{ChainID: id, Name: name, Reason: fmt.Sprintf("tvl %v is negative", *in.TVL)})
		default:
			value := math.Abs(*in.TVL) // -0 is 0
			rows = append(rows, connector.Row{ChainID: id, Name: name,
				Figure: catalog.Figure{Value: value, Source: Source, AsOf: asOf}})
		}
	}
	refuse := func(i int, err error) {
		lost = append(lost, connector.Loss{Reason: fmt.Sprintf("row %d: %v", i, err)})
	}
	if err := connector.Array(r, take, refuse); err != nil {
		return nil, nil, fmt.Errorf("defillama chains: %w", err)
	}
	return rows, lost, nil
}
