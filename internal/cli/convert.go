package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"vitrine/internal/bundle"
	"vitrine/internal/connector"
	"vitrine/internal/connector/defillama"
	"vitrine/internal/convert"
	"vitrine/internal/domain"
)

type convertCmd struct {
	CSV       convertCSVCmd       `cmd:"" name:"csv" help:"Convert a table of vitrine csv into NDJSON."`
	Defillama convertDefillamaCmd `cmd:"" help:"Write DefiLlama's figures into a YAML file of chains."`
}

// convertDefillamaCmd converts recordings by the rules of catalog/chains-import.md. It makes no network
// requests.
type convertDefillamaCmd struct {
	File      string `arg:"" help:"A recording of DefiLlama's /v2/chains."`
	AsOf      string `required:"" help:"Date of that recording, such as 2025-08-17." placeholder:"DATE" env:"-"`
	Platforms string `help:"Counts of apps by DefiLlama's names (.csv)." placeholder:"FILE" env:"-"`
	Names     string `required:"" help:"Reviewed decisions on DefiLlama's names, with chain ids." placeholder:"FILE" env:"-"`
	Chains    string `required:"" help:"YAML file of chains to write the figures into." placeholder:"FILE" env:"-"`

	convert.Guard
}

func (c *convertDefillamaCmd) Run(to streams) error {
	if err := convert.CheckDate("--as-of", c.AsOf); err != nil {
		return could{err}
	}
	llama, err := convert.Recordings{TVL: c.File, AsOf: c.AsOf, Platforms: c.Platforms, Names: c.Names}.Read()
	if err != nil {
		return err
	}
	if err := cmp.Or(c.Empty(c.File, len(llama.TVL)), c.Empty(c.Platforms, len(llama.Platforms))); err != nil {
		return errors.Join(printJoins(to.err, llama.LostTVL, llama.LostPlatforms, ""), err)
	}
	names := []domain.FigureName{domain.FigureTVL}
	if c.Platforms != "" { // without a recording the counts stay
		names = append(names, domain.FigurePlatforms)
	}
	figures := map[string]bundle.Figures{}
	lostTVL := append(llama.LostTVL, gather(figures, domain.FigureTVL, llama.TVL)...)
	lostPlatforms := append(llama.LostPlatforms, gather(figures, domain.FigurePlatforms, llama.Platforms)...)
	before, err := os.ReadFile(c.Chains)
	if err != nil {
		return err
	}
	after, replaced, err := bundle.SetFigures(before, defillama.Source, names, figures)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Chains, err)
	}
	newest := map[domain.FigureName]domain.Date{domain.FigureTVL: convert.Newest(llama.TVL), domain.FigurePlatforms: convert.Newest(llama.Platforms)}
	set := 0
	for _, name := range names {
		set += replaced[name].After
		if err := c.Replace(name, replaced[name], newest[name]); err != nil {
			return errors.Join(printJoins(to.err, lostTVL, lostPlatforms, ""), fmt.Errorf("%s: %w", c.Chains, err))
		}
	}
	if err := convert.WriteFile(c.Chains, after); err != nil {
		return could{err}
	}
	changed := "which stayed as it was"
	if !bytes.Equal(before, after) {
		changed = "which was written"
	}
	return printJoins(to.err, lostTVL, lostPlatforms, fmt.Sprintf("%d figures are in %s, %s\n", set, c.Chains, changed))
}

// printJoins prints the rows that were not joined, then the sum.
func printJoins(w io.Writer, tvl, platforms []connector.Loss, sum string) error {
	b := bufio.NewWriter(w)
	convert.PrintLosses(b, "llama_tvl not joined", tvl)
	convert.PrintLosses(b, "platforms not joined", platforms)
	b.WriteString(sum)
	return b.Flush()
}

// gather adds the figures of rows by chain id. If a chain has two rows, the larger figure counts, as in
// catalogtool. lost has the other rows.
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
