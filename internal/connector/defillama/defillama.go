// Package defillama reads recordings of DefiLlama: GET /v2/chains of api.llama.fi, the total value
// locked on each chain in USD, and counts of protocols by chain.
//
// It fetches nothing. The response has no date, so the caller passes it. All functions are pure and
// safe for concurrent use.
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

// Source is the source of DefiLlama's figures.
const Source = "defillama"

// row is an element of the response. chainId is a number, a quoted number, 0 as a placeholder, null or
// absent; all of them occur.
type row struct {
	Name    string          `json:"name"`
	ChainID json.RawMessage `json:"chainId"`
	TVL     *float64        `json:"tvl"`
}

// Chains reads a response that was recorded on a date. Rows have the order of the response. A row
// without a chain id has ChainID "", so the join can report it. A TVL of exactly 0 is a value; rows
// without a TVL or with a negative one are losses. It returns an error if the response cannot be read
// to its end.
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
