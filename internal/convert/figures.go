package convert

import (
	"cmp"
	"io"
	"strings"

	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/domain"
)

// Recordings are the paths of recorded figures, "" for none.
type Recordings struct {
	TVL       string // DefiLlama's /v2/chains
	AsOf      string // its date
	Platforms string // counts of apps: DefiLlama's .csv by name, or JSON with chain ids
	Names     string // reviewed decisions on DefiLlama's names
}

// Figures are rows of [Recordings] and the rows that were not joined.
type Figures struct {
	TVL, Platforms         []connector.Row
	LostTVL, LostPlatforms []connector.Loss
}

// Read reads the files. Rows with a reviewed name get the chain id of the review. Other names in a .csv get
// the id of the row of TVL with that name. It returns an error for a figure that check rejects.
func (f Recordings) Read() (Figures, error) {
	var names defillama.Names
	var out Figures
	if err := ReadInto(&names, f.Names, defillama.ReadNames); err != nil {
		return out, err
	}
	err := ReadInto(&out.TVL, f.TVL, func(r io.Reader) (rows []connector.Row, err error) {
		rows, out.LostTVL, err = defillama.Chains(r, domain.Date(f.AsOf))
		return rows, err
	})
	if err != nil {
		return out, err
	}
	byName := strings.HasSuffix(f.Platforms, ".csv")
	readCounts := connector.Counts
	if byName {
		readCounts = defillama.Platforms
	}
	err = ReadInto(&out.Platforms, f.Platforms, func(r io.Reader) (rows []connector.Row, err error) {
		rows, out.LostPlatforms, err = readCounts(r)
		return rows, err
	})
	if err != nil {
		return out, err
	}
	if byName {
		var lost []connector.Loss
		out.Platforms, lost = names.With(out.TVL).Identify(out.Platforms)
		out.LostPlatforms = append(out.LostPlatforms, lost...)
	}
	if names != nil {
		var lost []connector.Loss
		out.TVL, lost = names.Identify(out.TVL)
		out.LostTVL = append(out.LostTVL, lost...)
	}
	return out, cmp.Or(faulty(f.TVL, domain.FigureTVL, out.TVL), faulty(f.Platforms, domain.FigurePlatforms, out.Platforms))
}
