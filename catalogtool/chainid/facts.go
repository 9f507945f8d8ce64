package chainid

import (
	"encoding/json"
	"fmt"
	"strings"

	"vitrine/internal/domain"
)

// maxEndpoints is the maximum number of endpoints of a chain. The first usable ones are kept.
const maxEndpoints = 10

// page is an explorer or a bridge of a record.
type page struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// currency is the coin of a record. Values of the wrong type are empty.
type currency struct {
	Name     loose[string]  `json:"name"`
	Symbol   string         `json:"symbol"`
	Decimals loose[float64] `json:"decimals"`
}

// loose is a value that is empty if its JSON has the wrong type, which does not omit the chain.
type loose[T any] struct{ value T }

// UnmarshalJSON never fails.
func (l *loose[T]) UnmarshalJSON(doc []byte) error {
	var value T
	if err := json.Unmarshal(doc, &value); err == nil {
		l.value = value
	}
	return nil
}

// list has the elements of a JSON array that decode into T.
type list[T any] struct {
	of  []T
	odd int // how many are not; 1 where it is no list
}

// UnmarshalJSON never fails.
func (l *list[T]) UnmarshalJSON(doc []byte) error {
	*l = list[T]{}
	var elements []json.RawMessage
	if err := json.Unmarshal(doc, &elements); err != nil {
		l.odd = 1
		return nil
	}
	for _, element := range elements {
		var value T
		if err := json.Unmarshal(element, &value); err != nil {
			l.odd++
			continue
		}
		l.of = append(l.of, value)
	}
	return nil
}

// describe sets the links, the endpoints and the coin of a chain.
func (c *conversion) describe(ch *domain.Chain, rec record) {
	ch.Website = c.website(rec)
	ch.Links = c.links(rec)
	ch.RPC = c.endpoints(rec)
	ch.Currency = c.currency(rec)
}

func (c *conversion) website(rec record) string {
	address := clean(rec.InfoURL.value)
	if address == "" {
		return ""
	}
	if fault := refused(domain.Chain{Website: address}, "website"); fault != "" {
		c.lose(rec.lost(fault))
		return ""
	}
	return address
}

// links returns explorers, faucets and bridges, each URL of a type once.
func (c *conversion) links(rec record) []domain.Link {
	var out []domain.Link
	known := map[domain.Link]bool{}
	add := func(kind domain.LinkType, pages []page, odd int) {
		if odd > 0 {
			c.lose(rec.lost(fmt.Sprintf("%s: %d of another shape", kind, odd)))
		}
		for _, p := range pages {
			link := domain.Link{Type: kind, URL: clean(p.URL)}
			if link.URL == "" || known[link] {
				continue
			}
			if fault := refused(domain.Chain{Links: []domain.Link{link}}, "links"); fault != "" {
				c.lose(rec.lost(fmt.Sprintf("%s: %s", kind, fault)))
				continue
			}
			known[link] = true
			link.Name = c.linkName(rec, link, clean(p.Name))
			out = append(out, link)
		}
	}
	add("explorer", rec.Explorers.of, rec.Explorers.odd)
	var faucets []page
	for _, address := range rec.Faucets.of {
		faucets = append(faucets, page{URL: address})
	}
	add("faucet", faucets, rec.Faucets.odd)
	add("bridge", rec.Parent.Bridges.of, rec.Parent.Bridges.odd)
	return out
}

// linkName returns the name of a link, "" if it is meaningless.
func (c *conversion) linkName(rec record, link domain.Link, name string) string {
	if strings.EqualFold(name, "none") || name == link.URL {
		return ""
	}
	link.Name = name
	if fault := refused(domain.Chain{Links: []domain.Link{link}}, "links"); fault != "" {
		c.lose(rec.lost(fmt.Sprintf("%s: %s", link.Type, fault)))
		return ""
	}
	return name
}

// endpoints returns the first public endpoints.
func (c *conversion) endpoints(rec record) []domain.Endpoint {
	var out []domain.Endpoint
	if rec.RPC.odd > 0 {
		c.lose(rec.lost(fmt.Sprintf("rpc: %d of another shape", rec.RPC.odd)))
	}
	known := map[string]bool{}
	beyond := 0
	for _, address := range rec.RPC.of {
		address = clean(address)
		if address == "" || known[address] {
			continue
		}
		known[address] = true
		if fault := refused(domain.Chain{RPC: []domain.Endpoint{{URL: address}}}, "rpc"); fault != "" {
			c.lose(rec.lost("rpc: " + fault))
		} else if len(out) == maxEndpoints {
			beyond++
		} else {
			out = append(out, domain.Endpoint{URL: address})
		}
	}
	if beyond > 0 {
		c.lose(rec.lost(fmt.Sprintf("rpc: %d after the first %d", beyond, maxEndpoints)))
	}
	return out
}

// currency returns the coin, nil if it is incomplete.
func (c *conversion) currency(rec record) *domain.Currency {
	coin := domain.Currency{Name: clean(rec.Currency.Name.value), Symbol: clean(rec.Currency.Symbol), Decimals: rec.Currency.Decimals.value}
	if coin.Name == "" && coin.Symbol == "" {
		return nil
	}
	if fault := refused(domain.Chain{Currency: &coin}, "native_currency"); fault != "" {
		c.lose(rec.lost("native_currency: " + fault))
		return nil
	}
	return &coin
}

// refused returns the reason why a catalogue must not have a value of a chain, "" for none. Warnings
// count, since nobody reviews them, and so does a URL without a host.
func refused(ch domain.Chain, field string) string {
	ch.Slug, ch.ChainID, ch.Name = "x", "1", domain.Text{{Locale: NameLocale, Value: "x"}}
	for _, address := range addresses(ch) {
		if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") {
			return fmt.Sprintf("%.80q has no host", address)
		}
	}
	found := domain.Check(&domain.Catalog{DefaultLocale: NameLocale, Locales: []string{NameLocale}, Chains: []domain.Chain{ch}}, domain.Reading{})
	for _, p := range found.Problems {
		if p.At.Kind == domain.KindChain && len(p.At.Path) > 0 && p.At.Path[0] == field {
			return p.Message
		}
	}
	return ""
}

// addresses returns the URLs of a chain's website and links.
func addresses(ch domain.Chain) []string {
	out := []string{ch.Website}
	for _, link := range ch.Links {
		out = append(out, link.URL)
	}
	return out
}
