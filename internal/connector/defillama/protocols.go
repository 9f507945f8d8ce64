package defillama

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/domain"
)

// protocol is an element of GET /protocols.
type protocol struct {
	ID       json.RawMessage `json:"id"` // a string, or a number in old recordings
	Name     string          `json:"name"`
	Parent   string          `json:"parentProtocol"` // "" for none
	Category string          `json:"category"`
	Chains   []string        `json:"chains"`
}

// noApps are the categories whose protocols are no apps.
var noApps = []string{"CEX", "Chain"}

// Protocols counts the protocols of each chain in a response of GET /protocols that was recorded on
// a date. Versions with a common parent, and repeated ids, count once; exchanges and chains do not
// count. Rows are in the order of names, and have no chain id: see [Names.With]. It returns an error
// if the response cannot be read to its end.
func Protocols(r io.Reader, asOf domain.Date) ([]connector.Row, []connector.Loss, error) {
	apps := map[string]map[string]bool{} // identities by chain
	_, lost, err := connector.Rows(r, func(p protocol) (struct{}, *connector.Loss) {
		identity := p.identity()
		if identity == "" {
			return struct{}{}, &connector.Loss{Name: p.Name, Reason: "the protocol has neither an id nor a parent"}
		}
		if slices.Contains(noApps, p.Category) {
			return struct{}{}, nil
		}
		for _, chain := range p.Chains {
			if chain = strings.TrimSpace(chain); chain == "" {
				continue
			}
			if apps[chain] == nil {
				apps[chain] = map[string]bool{}
			}
			apps[chain][identity] = true
		}
		return struct{}{}, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("defillama protocols: %w", err)
	}
	rows := make([]connector.Row, 0, len(apps))
	for chain, identities := range apps {
		rows = append(rows, connector.Row{Name: chain, Figure: domain.Figure{Value: float64(len(identities)), Source: Source, AsOf: asOf}})
	}
	slices.SortFunc(rows, func(a, b connector.Row) int { return strings.Compare(a.Name, b.Name) })
	return rows, lost, nil
}

// identity returns the parent or the id, "" for neither.
func (p protocol) identity() string {
	if p.Parent != "" {
		return p.Parent
	}
	if id := connector.Text(p.ID); id != "" {
		return "id:" + id
	}
	return ""
}
