package sources

import (
	"cmp"
	"context"

	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/domain"
	"vitrine/internal/observe"
	"vitrine/internal/store"
)

// Addresses of DefiLlama.
const (
	llamaChains    = "https://api.llama.fi/v2/chains"
	llamaProtocols = "https://api.llama.fi/protocols"
)

// llama observes figures of DefiLlama (docs/figures.md#sync).
type llama struct {
	Fetcher
	chains    string // address or file of /v2/chains
	protocols string // address or file of /protocols; "" for the total value locked
	names     defillama.Names
	asOf      string // "" for the date of the response
}

// DefiLlama returns the source of the total value locked of chains, GET /v2/chains. names are reviewed
// decisions on its names; nil for none.
func DefiLlama(c Config, names defillama.Names) (Source, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	return &llama{Fetcher: NewFetcher(c.Agent, c.AllowPrivate), chains: cmp.Or(c.From, llamaChains), names: names, asOf: c.AsOf}, nil
}

// DefiLlamaApps returns the source of the number of apps of chains, GET /protocols. chains is the address
// or file of DefiLlama's list of chains, which maps its names to ids; "" for the address of the upstream.
func DefiLlamaApps(c Config, chains string, names defillama.Names) (Source, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	chains = cmp.Or(chains, llamaChains)
	if err := (Config{From: chains, AsOf: c.AsOf}).check(); err != nil {
		return nil, err
	}
	return &llama{
		Fetcher: NewFetcher(c.Agent, c.AllowPrivate), chains: chains, protocols: cmp.Or(c.From, llamaProtocols), names: names, asOf: c.AsOf,
	}, nil
}

// Observe implements [Source].
func (l *llama) Observe(ctx context.Context, _ store.Store, head *store.State) (Observed, error) {
	found, err := l.read(ctx, head)
	if err != nil {
		l.kept.Forget() // so that the next response does not depend on this one
	}
	return found, err
}

func (l *llama) read(ctx context.Context, head *store.State) (Observed, error) {
	chains, err := l.fetch(ctx, l.chains, l.asOf)
	if err != nil {
		return Observed{}, err
	}
	rows, lost, err := defillama.Chains(chains.body, chains.asOf)
	if err != nil {
		return Observed{}, err
	}
	figure, from, names, unchanged := domain.FigureTVL, l.chains, l.names, chains.unchanged
	if l.protocols != "" {
		protocols, err := l.fetch(ctx, l.protocols, l.asOf)
		if err != nil {
			return Observed{}, err
		}
		figure, from, names, unchanged = domain.FigurePlatforms, l.protocols, l.names.With(rows), unchanged && protocols.unchanged
		if rows, lost, err = defillama.Protocols(protocols.body, protocols.asOf); err != nil {
			return Observed{}, err
		}
	}
	if names != nil {
		var unidentified []connector.Loss
		rows, unidentified = names.Identify(rows)
		lost = append(lost, unidentified...)
	}
	found, err := observe.Chains(figure, rows, head.Editors(), head.Observed())
	found.Lost = append(lost, found.Lost...)
	if unchanged {
		found.DropDates(head.Observed(), func(string) bool { return true })
	}
	return Observed{found, Shown(from), "chains"}, err
}
