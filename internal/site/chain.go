package site

import (
	"encoding/json"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// chainBody is a chain as a whole.
type chainBody struct {
	recordBody
	Slug        string     `json:"slug"`
	Logo        string     `json:"logo"`
	ChainID     string     `json:"chain_id"`
	Launched    string     `json:"launched"`
	Status      string     `json:"status"`
	StatusSince string     `json:"statusSince"`
	StatusNote  string     `json:"statusNote"`
	Successor   string     `json:"successor"`
	RPC         []endpoint `json:"rpc"`
	Currency    *currency  `json:"nativeCurrency"`
	Parent      string     `json:"parent"`
	Children    []string   `json:"children"`
	Aliases     []string   `json:"aliases"`
}

type endpoint struct {
	URL  string `json:"url"`
	Note string `json:"note"`
}

// currency has the members, in the order, of EIP-3085.
type currency struct {
	Name     string  `json:"name"`
	Symbol   string  `json:"symbol"`
	Decimals float64 `json:"decimals"`
}

// Places returns how many decimals an amount of a currency has.
func (c currency) Places() int { return int(c.Decimals) }

// chainMain is what the page of a chain shows.
type chainMain struct {
	chainBody
	IDs        []chainID
	Dimensions []dimension
	Parent     *named
	Successor  *named
	Children   []named // the first
	More       []named // the other children
	Unnamed    int     // children that the page leaves out
	Left       int     // of what else there is much: links, endpoints, names, categories
	Links      []linkGroup
	Wallet     string // JSON for wallets, "" where there is none
	Figures    []figureItem
	Apps       []cardRow
	AllApps    int // cards of the chain, on all pages
	Extra      string
	Scale      string // what bars are relative to
}

// chainID is one way to write the id of a chain.
type chainID struct{ Form, Value string }

// How much of what belongs to a chain its page shows: apps, children at first sight, and
// children in all.
const (
	appsOfChain   = 24
	childrenFirst = 24
	childrenMost  = 500
)

// chainFigures are the figures of chains in the order in which pages show them.
var chainFigures = []string{"llama_tvl", "platforms"}

func chainPage(v *view) (response.Document, error) {
	found, err := v.record(finding{query.KindChain, (*snapshot.Snapshot).Chain, "there is no chain with this slug or id"})
	if err != nil {
		return response.Document{}, err
	}
	chain := read[chainBody](found)
	left, evm := chain.trim(), v.snapshot.Roles().EVM
	v.isAt("/chains/" + chain.Slug)
	main := chainMain{
		chainBody: chain, Left: left, IDs: chain.ids(evm), Dimensions: v.dimensions(domain.ModuleChain, "/chains", chain.Categories),
		Parent: v.chainNamed(chain.Parent), Successor: v.chainNamed(chain.Successor), Links: linksByType(chain.Links),
	}
	for i, slug := range chain.Children {
		if child := v.chainNamed(slug); child == nil || i >= childrenMost {
			main.Unnamed++
		} else if i < childrenFirst {
			main.Children = append(main.Children, *child)
		} else {
			main.More = append(main.More, *child)
		}
	}
	if chain.Status != string(domain.StatusRetired) { // nobody should join what has ended
		if main.Wallet, err = chain.wallet(evm); err != nil {
			return response.Document{}, err
		}
	}
	largest, err := v.largestFigures()
	if err != nil {
		return response.Document{}, err
	}
	if main.Figures, err = v.figures(chain.Figures, chainFigures, largest); err != nil {
		return response.Document{}, err
	}
	if main.Scale, err = v.T("figures.scale"); err != nil {
		return response.Document{}, err
	}
	if main.Apps, main.AllApps, err = v.appsOf(chain.Slug); err != nil {
		return response.Document{}, err
	}
	if main.Extra, err = indented(chain.Extra); err != nil {
		return response.Document{}, err
	}
	v.Title, v.JSON = chain.Name, "/api/open/chains/"+chain.Slug+"?"+v.asked()
	if v.Description, err = v.T("chain.description", "name", chain.Name, "id", chain.ChainID); err != nil {
		return response.Document{}, err
	}
	if chain.Description != "" {
		v.Description = cutShort(chain.Description)
	}
	told := linked("Thing", chain.recordBody, v.Absolute(v.Here()), map[string]any{"identifier": chain.ChainID, "alternateName": chain.Aliases, "image": chain.Logo})
	if err := v.tell([]string{"chains.title", "/chains"}, told); err != nil {
		return response.Document{}, err
	}
	return v.show("chain", main, main.twin)
}

// trim leaves out what is too much for one page, and returns how much that is.
func (c *chainBody) trim() int {
	var endpoints, aliases int
	c.RPC, endpoints = most(c.RPC, partsOfRecord)
	c.Aliases, aliases = most(c.Aliases, partsOfRecord)
	return c.recordBody.trim() + endpoints + aliases
}

// chainNamed returns the name and the page of a chain by its slug, nil for none.
func (v *view) chainNamed(slug string) *named {
	if slug == "" {
		return nil
	}
	body, ok := v.snapshot.Chain(slug, v.localized())
	if !ok {
		return nil
	}
	chain := read[chainRow](body)
	return &named{chain.Name, v.At("/chains/" + chain.Slug)}
}

// largestFigures returns the largest value of each figure among chains that are live.
func (v *view) largestFigures() (map[string]float64, error) {
	largest := map[string]float64{}
	for key, order := range map[string]query.Sort{"llama_tvl": query.SortTVL, "platforms": query.SortPlatforms} {
		first, _, err := v.chains("limit=1&sort=" + string(order))
		if err != nil {
			return nil, err
		}
		for _, row := range first.Chains {
			if body, ok := v.snapshot.Chain(row.Slug, v.localized()); ok {
				largest[key] = read[chainBody](body).Figures[key].Value
			}
		}
	}
	return largest, nil
}

// appsOf returns the first apps of a chain, each once, and how many cards it has in all.
func (v *view) appsOf(slug string) ([]cardRow, int, error) {
	values := url.Values{"chain": {slug}, "limit": {strconv.Itoa(4 * appsOfChain)}, "locale": {v.snapshot.Locales().Name(v.locale)}}
	asked, err := query.ParseCards(values.Encode(), v.snapshot.Locales())
	if err != nil {
		return nil, 0, err
	}
	body, total := listOf[cardsBody](v.snapshot.Cards(asked))
	var apps []cardRow
	for _, card := range body.Cards {
		same := func(other cardRow) bool { return card.App != "" && other.App == card.App || other.Link == card.Link }
		if len(apps) < appsOfChain && !slices.ContainsFunc(apps, same) {
			card.Description = cutShort(card.Description)
			apps = append(apps, card)
		}
	}
	return apps, total, nil
}

// eip155 returns the EIP-155 id of a chain with one of the EVM categories. Wallets can add
// such chains.
func (c chainBody) eip155(evm []string) (*big.Int, bool) {
	isEVM := slices.ContainsFunc(c.Categories, func(key string) bool { return slices.Contains(evm, key) })
	if !isEVM || strings.Trim(c.ChainID, "0123456789") != "" {
		return nil, false
	}
	return new(big.Int).SetString(c.ChainID, 10)
}

// ids returns the id of a chain in all forms that it has. Evm are the categories of chains
// of the EVM.
func (c chainBody) ids(evm []string) []chainID {
	number, ok := c.eip155(evm)
	switch {
	case ok:
		return []chainID{{"decimal", c.ChainID}, {"hex", "0x" + number.Text(16)}, {"caip2", "eip155:" + number.String()}}
	case strings.Contains(c.ChainID, ":"):
		return []chainID{{"caip2", c.ChainID}}
	}
	return []chainID{{"plain", c.ChainID}}
}

// wallet returns what a wallet is told to add a chain: the parameter of
// wallet_addEthereumChain (EIP-3085); "" where the record says too little for it.
func (c chainBody) wallet(evm []string) (string, error) {
	number, ok := c.eip155(evm)
	if !ok || c.Currency == nil {
		return "", nil
	}
	var told struct {
		ChainID   string    `json:"chainId"`
		Name      string    `json:"chainName"`
		Currency  *currency `json:"nativeCurrency"`
		RPC       []string  `json:"rpcUrls"`
		Explorers []string  `json:"blockExplorerUrls,omitempty"`
		Icons     []string  `json:"iconUrls,omitempty"`
	}
	told.ChainID, told.Name, told.Currency = "0x"+number.Text(16), c.Name, c.Currency
	for _, e := range c.RPC { // wallets take https alone
		if strings.HasPrefix(e.URL, "https://") {
			told.RPC = append(told.RPC, e.URL)
		}
	}
	if len(told.RPC) == 0 {
		return "", nil
	}
	for _, link := range c.Links {
		if link.Type == "explorer" && strings.HasPrefix(link.URL, "https://") {
			told.Explorers = append(told.Explorers, link.URL)
		}
	}
	if strings.HasPrefix(c.Logo, "https://") {
		told.Icons = []string{c.Logo}
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(told)
	return strings.TrimSpace(out.String()), err
}
