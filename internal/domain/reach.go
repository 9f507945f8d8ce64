package domain

import (
	"slices"
	"strings"
)

// Reach is what probes found of an address of a record over time.
type Reach string

// What probes find. ReachUnknown is not served.
const (
	ReachUnknown    Reach = ""
	ReachUp         Reach = "up"
	ReachDown       Reach = "down"
	ReachWrongChain Reach = "wrong-chain" // an endpoint that answers for another chain
)

// Reached is a reach since a date, which is "" for none.
type Reached struct {
	Reach Reach `json:"state,omitempty"`
	Since Date  `json:"stateSince,omitempty"`
}

// SourceProbe is the source of observed reaches.
const SourceProbe = "probe"

// reaches are stored as their index.
var reaches = []Reach{ReachUnknown, ReachUp, ReachDown, ReachWrongChain}

// ReachFigure returns the name under which the reach of an address in a field is observed.
func ReachFigure(field, url string) FigureName { return FigureName(field + ":" + url) }

// ObserveReach returns the observation of a reach.
func ObserveReach(kind Kind, key, field, url string, r Reached) Observation {
	return Observation{
		Kind: kind, Key: key, Figure: ReachFigure(field, url), Value: float64(slices.Index(reaches, r.Reach)), Source: SourceProbe, AsOf: r.Since,
	}
}

// Reached returns the observed reach. Unknown values, which a later version may have, are
// [ReachUnknown].
func (o Observation) Reached() Reached {
	r := Reached{Since: o.AsOf}
	if i := int(o.Value); i >= 0 && i < len(reaches) && float64(i) == o.Value {
		r.Reach = reaches[i]
	}
	return r
}

// IsObservable reports whether something of that name is observed of records of a kind: a figure,
// or the reach of an address in a field.
func IsObservable(kind Kind, name FigureName) bool {
	d := Describe(kind)
	if d == nil {
		return false
	}
	field, url, isReach := strings.Cut(string(name), ":")
	f := d.Shape.Field(field)
	return f != nil && (isReach && url != "" || !isReach && f.Type == TypeFigure)
}

// reach sets the reach of the endpoints of a chain with a folded slug. The endpoints may be shared with
// the editors' catalogue.
func (n observations) reach(c *Chain, key string) {
	own := false
	for i := range c.RPC {
		o, ok := n[observedFigure{key, ReachFigure("rpc", c.RPC[i].URL)}]
		if !ok {
			continue
		}
		if !own {
			c.RPC, own = slices.Clone(c.RPC), true
		}
		c.RPC[i].Reached = o.Reached()
	}
}
