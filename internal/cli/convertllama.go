package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/connector"
	"vitrine/internal/connector/chainid"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/domain"
)

// convertDefillamaCmd reads recordings from files; nothing is fetched.
// docs/chains-import.md describes the rules.
type convertDefillamaCmd struct {
	File      string `arg:"" help:"A recording of DefiLlama's /v2/chains."`
	AsOf      string `required:"" help:"The date of that recording, as 2025-08-17." placeholder:"DATE" env:"-"`
	Platforms string `help:"Counts of apps by DefiLlama's names, as .csv." placeholder:"FILE" env:"-"`
	Names     string `required:"" help:"Reviewed names of DefiLlama's, with the chain ids that they stand for." placeholder:"FILE" env:"-"`
	Chains    string `required:"" help:"The YAML file of chains that the figures are written into." placeholder:"FILE" env:"-"`
}

func (c *convertDefillamaCmd) Run(to streams) error {
	if err := checkDate("--as-of", c.AsOf); err != nil {
		return err
	}
	llama := llamaFiles{TVL: c.File, AsOf: c.AsOf, Platforms: c.Platforms, Names: c.Names}
	if err := llama.read(); err != nil {
		return err
	}
	figures := map[string]bundle.Figures{}
	lostTVL := append(llama.lostTVL, gather(figures, domain.FigureTVL, llama.tvl)...)
	lostPlatforms := append(llama.lostPlatforms, gather(figures, domain.FigurePlatforms, llama.platforms)...)
	before, err := os.ReadFile(c.Chains)
	if err != nil {
		return err
	}
	after, set, err := bundle.SetFigures(before, defillama.Source, figures)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Chains, err)
	}
	if err := writeTo(c.Chains, to.out, func(w io.Writer) error { _, err := w.Write(after); return err }); err != nil {
		return err
	}
	b := bufio.NewWriter(to.err)
	printLosses(b, "llama_tvl not joined", lostTVL)
	printLosses(b, "platforms not joined", lostPlatforms)
	changed := "which stayed as it was"
	if !bytes.Equal(before, after) {
		changed = "which was written"
	}
	fmt.Fprintf(b, "%d figures are in %s, %s\n", set, c.Chains, changed)
	return b.Flush()
}

// gather adds the figures of rows by chain id. Of two of one chain the larger counts,
// as with [chainid.Convert].
func gather(figures map[string]bundle.Figures, name domain.FigureName, rows []connector.Row) (lost []connector.Loss) {
	best := map[string]connector.Row{}
	for _, row := range rows {
		other, twice := best[row.ChainID]
		if twice && other.Figure.Value >= row.Figure.Value {
			row, other = other, row
		}
		if twice {
			lost = append(lost, other.Loss(connector.Lesser))
		}
		best[row.ChainID] = row
	}
	for id, row := range best {
		if figures[id] == nil {
			figures[id] = bundle.Figures{}
		}
		figures[id][name] = row.Figure
	}
	return lost
}

// llamaFiles are recordings of DefiLlama and the reviewed names in them, "" for none, and
// what was read.
type llamaFiles struct {
	TVL, AsOf, Platforms, Names string

	tvl, platforms         []connector.Row
	lostTVL, lostPlatforms []connector.Loss
}

// read reads the files. With reviewed names, rows go to the chain that the review of
// their name says, and a .csv takes the ids of the other names from the recording of TVL.
func (l *llamaFiles) read() error {
	var names defillama.Names
	if err := readInto(&names, l.Names, defillama.ReadNames); err != nil {
		return err
	}
	err := readInto(&l.tvl, l.TVL, func(r io.Reader) (rows []connector.Row, err error) {
		rows, l.lostTVL, err = defillama.Chains(r, domain.Date(l.AsOf))
		return rows, err
	})
	if err != nil {
		return err
	}
	byName := strings.HasSuffix(l.Platforms, ".csv")
	err = readInto(&l.platforms, l.Platforms, func(r io.Reader) (rows []connector.Row, err error) {
		if byName {
			rows, l.lostPlatforms, err = defillama.Platforms(r)
		} else {
			rows, l.lostPlatforms, err = chainid.ReadPlatforms(r)
		}
		return rows, err
	})
	if err != nil {
		return err
	}
	if byName {
		var lost []connector.Loss
		l.platforms, lost = names.With(l.tvl).Identify(l.platforms)
		l.lostPlatforms = append(l.lostPlatforms, lost...)
	}
	if names != nil {
		var lost []connector.Loss
		l.tvl, lost = names.Identify(l.tvl)
		l.lostTVL = append(l.lostTVL, lost...)
	}
	return nil
}

// checkDate refuses what is no date; "" is left to others.
func checkDate(flag, value string) error {
	if _, err := time.Parse(time.DateOnly, value); value != "" && err != nil {
		return could{fmt.Errorf("%s %q is not a date like 2025-08-17", flag, value)}
	}
	return nil
}
