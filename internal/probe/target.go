// Package probe checks whether the websites, logos and endpoints of a catalogue can be reached, and
// judges over time which are down.
//
// It must not know how requests are sent, nor how results are kept. It has no clock of its own.
package probe

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// Target is an address of a record.
type Target struct {
	Kind  domain.Kind `json:"kind"`
	Key   string      `json:"key"`
	Field string      `json:"field"` // as in the directory: website, link, logo, image or rpc
	URL   string      `json:"url"`
	// ChainID is the id that an endpoint should answer with, "" for other addresses.
	ChainID string `json:"-"`
	// Retired reports whether the record is retired.
	Retired bool `json:"-"`
}

// use is how an address is checked.
type use string

const (
	useSite     use = "site"
	usePicture  use = "picture"
	useEndpoint use = "endpoint"
)

func (t Target) use() use {
	switch t.Field {
	case "rpc":
		return useEndpoint
	case "logo", "image":
		return usePicture
	}
	return useSite
}

// id identifies the check of a target in a [History]. Targets with one address share a check. It is
// a hash, so that a history keeps nothing of a record that was removed.
func (t Target) id() string {
	sum := sha256.Sum256([]byte(string(t.use()) + "\x00" + t.ChainID + "\x00" + t.URL))
	return hex.EncodeToString(sum[:8])
}

// Figure returns the name under which the reach of the target is observed.
func (t Target) Figure() domain.FigureName { return domain.ReachFigure(t.Field, t.URL) }

// host returns the host of the address in lower case, without the port.
func (t Target) host() string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// port returns scheme, host and port of the address.
func (t Target) port() string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// hostID is a hash of the host, for a [History].
func (t Target) hostID() string {
	sum := sha256.Sum256([]byte(t.host()))
	return hex.EncodeToString(sum[:8])
}

// Targets returns the addresses of a catalogue that can be checked, ordered by kind, key, field and
// address: http and https addresses of records in long lists, and WebSocket endpoints of chains.
func Targets(c *domain.Catalog) []Target {
	var all []Target
	add := func(t Target) {
		if t.canRequest() {
			all = append(all, t)
		}
	}
	for _, d := range domain.Descriptions() {
		if !d.Long {
			continue
		}
		status := d.Shape.Field("status")
		for i := range d.Size(c) {
			record := d.Record(c, i)
			t := Target{Kind: d.Kind, Key: d.Key(record), Retired: status != nil && domain.Status(*status.Line(record)).Retired()}
			for _, f := range d.Shape.Fields {
				if f.Type == domain.TypeLink {
					add(t.at(f.Name, *f.Line(record), ""))
				}
			}
			if chain, ok := record.(*domain.Chain); ok {
				for _, e := range chain.RPC {
					add(t.at("rpc", e.URL, chain.ChainID))
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Field, b.Field), cmp.Compare(a.URL, b.URL))
	})
	return slices.Compact(all)
}

func (t Target) at(field, url, chainID string) Target {
	t.Field, t.URL, t.ChainID = field, url, chainID
	return t
}

// canRequest reports whether the address can be requested as it is: no template, no other scheme.
func (t Target) canRequest() bool {
	u, err := url.Parse(t.URL)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http" || t.isWebSocket()) && u.Host != "" && !strings.ContainsAny(t.URL, "{}<>$")
}

// isWebSocket reports whether the target is an endpoint that speaks WebSocket.
func (t Target) isWebSocket() bool {
	scheme, _, _ := strings.Cut(t.URL, "://")
	return t.Field == "rpc" && (strings.EqualFold(scheme, "wss") || strings.EqualFold(scheme, "ws"))
}
