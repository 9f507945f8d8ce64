package chainid

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"vitrine/internal/connector"
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

// List has the elements of a JSON array that decode into T.
type List[T any] struct {
	Of  []T
	odd int // how many are not; 1 where it is no list
}

// UnmarshalJSON never fails.
func (l *List[T]) UnmarshalJSON(doc []byte) error {
	*l = List[T]{}
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
		l.Of = append(l.Of, value)
	}
	return nil
}

// Facts returns a chain with the website, the links, the endpoints, the coin and the status of the
// record alone, and the values that it omits.
func (r Record) Facts() (domain.Chain, []connector.Loss) {
	f := facts{record: r}
	ch := domain.Chain{Website: f.website(), Links: f.links(), RPC: f.endpoints(), Currency: f.currency(), Status: r.Status()}
	return ch, f.lost
}

// facts reads the facts of a record.
type facts struct {
	record Record
	lost   []connector.Loss
}

func (f *facts) lose(reason string) { f.lost = append(f.lost, f.record.Lost(reason)) }

func (f *facts) website() string {
	address := Clean(f.record.InfoURL.value)
	if address == "" {
		return ""
	}
	if fault := refused(domain.Chain{Website: address}, "website"); fault != "" {
		f.lose(fault)
		return ""
	}
	if strings.ContainsFunc(address, func(r rune) bool { return r > unicode.MaxASCII }) {
		f.lose(fmt.Sprintf("website %q has a character outside ASCII", address))
		return ""
	}
	return address
}

// links returns explorers, faucets and bridges, each URL of a type once.
func (f *facts) links() []domain.Link {
	var out []domain.Link
	known := map[domain.Link]bool{}
	add := func(kind domain.LinkType, pages []page, odd int) {
		if odd > 0 {
			f.lose(fmt.Sprintf("%s: %d of another shape", kind, odd))
		}
		for _, p := range pages {
			link := domain.Link{Type: kind, URL: Clean(p.URL)}
			if link.URL == "" || known[link] {
				continue
			}
			if fault := refused(domain.Chain{Links: []domain.Link{link}}, "links"); fault != "" {
				f.lose(fmt.Sprintf("%s: %s", kind, fault))
				continue
			}
			known[link] = true
			link.Name = f.linkName(link, Clean(p.Name))
			out = append(out, link)
		}
	}
	add("explorer", f.record.Explorers.Of, f.record.Explorers.odd)
	var faucets []page
	for _, address := range f.record.Faucets.Of {
		faucets = append(faucets, page{URL: address})
	}
	add("faucet", faucets, f.record.Faucets.odd)
	add("bridge", f.record.Parent.Bridges.Of, f.record.Parent.Bridges.odd)
	return out
}

// linkName returns the name of a link, "" if it is meaningless.
func (f *facts) linkName(link domain.Link, name string) string {
	if strings.EqualFold(name, "none") || name == link.URL {
		return ""
	}
	link.Name = name
	if fault := refused(domain.Chain{Links: []domain.Link{link}}, "links"); fault != "" {
		f.lose(fmt.Sprintf("%s: %s", link.Type, fault))
		return ""
	}
	return name
}

// endpoints returns the first public endpoints.
func (f *facts) endpoints() []domain.Endpoint {
	var out []domain.Endpoint
	if f.record.RPC.odd > 0 {
		f.lose(fmt.Sprintf("rpc: %d of another shape", f.record.RPC.odd))
	}
	known := map[string]bool{}
	beyond := 0
	for _, address := range f.record.RPC.Of {
		address = Clean(address)
		if address == "" || known[address] {
			continue
		}
		known[address] = true
		if fault := refused(domain.Chain{RPC: []domain.Endpoint{{URL: address}}}, "rpc"); fault != "" {
			f.lose("rpc: " + fault)
		} else if len(out) == maxEndpoints {
			beyond++
		} else {
			out = append(out, domain.Endpoint{URL: address})
		}
	}
	if beyond > 0 {
		f.lose(fmt.Sprintf("rpc: %d after the first %d", beyond, maxEndpoints))
	}
	return out
}

// currency returns the coin, nil if it is incomplete.
func (f *facts) currency() *domain.Currency {
	coin := domain.Currency{Name: Clean(f.record.Currency.Name.value), Symbol: Clean(f.record.Currency.Symbol), Decimals: f.record.Currency.Decimals.value}
	if coin.Name == "" && coin.Symbol == "" {
		return nil
	}
	if fault := refused(domain.Chain{Currency: &coin}, "native_currency"); fault != "" {
		f.lose("native_currency: " + fault)
		return nil
	}
	return &coin
}

// refused returns the reason why a catalogue must not have a value of a chain, "" for none. A warning
// is a reason too, because imported values are not reviewed, and so is a URL without a host.
func refused(ch domain.Chain, field string) string {
	ch.Slug, ch.ChainID, ch.Name = "x", "1", domain.Text{{Locale: NameLocale, Value: "x"}}
	for _, link := range append([]domain.Link{{URL: ch.Website}}, ch.Links...) {
		if strings.HasPrefix(link.URL, "/") && !strings.HasPrefix(link.URL, "//") {
			return fmt.Sprintf("%.80q has no host", link.URL)
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
