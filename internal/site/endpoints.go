package site

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"vitrine/internal/snapshot"
)

// chainID is a form of the ID of a chain.
type chainID struct{ Form, Value string }

// eip155 returns the EIP-155 ID of a chain with one of the EVM categories, to which wallets
// can connect.
func eip155(c *snapshot.Chain, evm []string) (*big.Int, bool) {
	isEVM := slices.ContainsFunc(c.Categories, func(key string) bool { return slices.Contains(evm, key) })
	if !isEVM || strings.Trim(c.ChainID, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(c.ChainID, 10)
}

// chainIDs returns all forms of the ID of a chain.
func chainIDs(c *snapshot.Chain, evm []string) []chainID {
	number, ok := eip155(c, evm)
	switch {
	case ok:
		return []chainID{{"decimal", c.ChainID}, {"hex", "0x" + number.Text(16)}, {"caip2", "eip155:" + number.String()}}
	case strings.Contains(c.ChainID, ":"):
		return []chainID{{"caip2", c.ChainID}}
	}
	return []chainID{{"plain", c.ChainID}}
}

// reach is the state of an endpoint.
type reach struct{ Text, Class string }

// Reach returns the state of an endpoint, nil for an unknown one. That it is up is no news, so its text
// is inconspicuous.
func (v *view) Reach(e snapshot.Endpoint) *reach {
	switch e.State {
	case "up":
		return &reach{v.T("rpc.up"), "facts"}
	case "down":
		return &reach{v.T("rpc.down", "date", v.Date(string(e.StateSince))), "state down"}
	}
	return nil
}

// endpointView is the data of the template "endpoint".
type endpointView struct {
	snapshot.Endpoint
	Copy  *copied
	Reach *reach
}

// Endpoint returns an endpoint with its button and state.
func (v *view) Endpoint(e snapshot.Endpoint) endpointView {
	return endpointView{e, v.Copy(e.URL, e.URL), v.Reach(e)}
}

// wallet returns the parameter of wallet_addEthereumChain (EIP-3085) for a chain, "" if its
// record does not have all that wallets need. icon is the address of its logo, "" for none.
func wallet(c *snapshot.Chain, evm []string, icon string) string {
	number, ok := eip155(c, evm)
	if !ok || c.Currency == nil {
		return ""
	}
	var parameter struct {
		ChainID   string             `json:"chainId"`
		Name      string             `json:"chainName"`
		Currency  *snapshot.Currency `json:"nativeCurrency"`
		RPC       []string           `json:"rpcUrls"`
		Explorers []string           `json:"blockExplorerUrls,omitempty"`
		Icons     []string           `json:"iconUrls,omitempty"`
	}
	isHTTPS := func(address string) bool { return strings.HasPrefix(address, "https://") } // wallets accept nothing else
	parameter.ChainID, parameter.Name, parameter.Currency = "0x"+number.Text(16), c.Name, c.Currency
	for _, e := range c.RPC {
		if isHTTPS(e.URL) && e.State != "down" {
			parameter.RPC = append(parameter.RPC, e.URL)
		}
	}
	if len(parameter.RPC) == 0 {
		return ""
	}
	for _, link := range c.Links {
		if link.Type == "explorer" && isHTTPS(link.URL) {
			parameter.Explorers = append(parameter.Explorers, link.URL)
		}
	}
	if isHTTPS(icon) {
		parameter.Icons = []string{icon}
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(parameter) // it has strings and a finite number
	return strings.TrimSpace(out.String())
}
