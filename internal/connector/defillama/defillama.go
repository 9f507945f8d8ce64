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

	"vitrine/internal/connector"
	"vitrine/internal/domain"
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
// that the join can report it. A TVL of exactly 0 is a value; rows without a TVL,
// or with a negative one, are losses.
//
// An error means that the answer could not be read to its end.
func Chains(r io.Reader, asOf domain.Date) ([]connector.Row, []connector.Loss, error) {
	rows, lost, err := connector.Rows(r, func(in row) (connector.Row, *connector.Loss) {
		name := strings.TrimSpace(in.Name)
		id, err := connector.ParseChainID(in.ChainID)
		switch {
		case err != nil:
			return connector.Row{}, &connector.Loss{Name: name, Reason: err.Error()}
		case in.TVL == nil:
			return connector.Row{}, &connector.Loss{ChainID: id, Name: name, Reason: "the row has no tvl"}
		case *in.TVL < 0:
			return connector.Row{}, &connector.Loss{ChainID: id, Name: name, Reason: fmt.Sprintf("tvl %v is negative", *in.TVL)}
		}
		value := math.Abs(*in.TVL) // -0 is 0
		return connector.Row{ChainID: id, Name: name, Figure: domain.Figure{Value: value, Source: Source, AsOf: asOf}}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("defillama chains: %w", err)
	}
	return rows, lost, nil
}
