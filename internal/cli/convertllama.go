package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
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

// convertDefillamaCmd converts recordings in files, by the rules of catalog/chains-import.md. It makes
// no network requests.
type convertDefillamaCmd struct {
	File      string `arg:"" help:"A recording of DefiLlama's /v2/chains."`
	AsOf      string `required:"" help:"Date of that recording, such as 2025-08-17." placeholder:"DATE" env:"-"`
	Platforms string `help:"Counts of apps by DefiLlama's names (.csv)." placeholder:"FILE" env:"-"`
	Names     string `required:"" help:"Reviewed decisions on DefiLlama's names, with chain ids." placeholder:"FILE" env:"-"`
	Chains    string `required:"" help:"YAML file of chains to write the figures into." placeholder:"FILE" env:"-"`

	overwriting
}

func (c *convertDefillamaCmd) Run(to streams) error {
	if err := checkDate("--as-of", c.AsOf); err != nil {
		return err
	}
	llama := llamaFiles{TVL: c.File, AsOf: c.AsOf, Platforms: c.Platforms, Names: c.Names}
	if err := llama.read(); err != nil {
		return err
	}
	if err := cmp.Or(c.refuseEmpty(c.File, len(llama.tvl)), c.refuseEmpty(c.Platforms, len(llama.platforms))); err != nil {
		return errors.Join(printJoins(to.err, llama.lostTVL, llama.lostPlatforms, ""), err)
	}
	names := []domain.FigureName{domain.FigureTVL}
	if c.Platforms != "" { // without a recording the counts stay
		names = append(names, domain.FigurePlatforms)
	}
	figures := map[string]bundle.Figures{}
	lostTVL := append(llama.lostTVL, gather(figures, domain.FigureTVL, llama.tvl)...)
	lostPlatforms := append(llama.lostPlatforms, gather(figures, domain.FigurePlatforms, llama.platforms)...)
	before, err := os.ReadFile(c.Chains)
	if err != nil {
		return err
	}
	after, replaced, err := bundle.SetFigures(before, defillama.Source, names, figures)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Chains, err)
	}
	newest := map[domain.FigureName]domain.Date{domain.FigureTVL: newestOf(llama.tvl), domain.FigurePlatforms: newestOf(llama.platforms)}
	set := 0
	for _, name := range names {
		set += replaced[name].After
		if err := c.refuse(name, replaced[name], newest[name]); err != nil {
			return errors.Join(printJoins(to.err, lostTVL, lostPlatforms, ""), fmt.Errorf("%s: %w", c.Chains, err))
		}
	}
	if err := writeTo(c.Chains, to.out, func(w io.Writer) error { _, err := w.Write(after); return err }); err != nil {
		return err
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
	printLosses(b, "llama_tvl not joined", tvl)
	printLosses(b, "platforms not joined", platforms)
	b.WriteString(sum)
	return b.Flush()
}

// gather adds the figures of rows by chain id. If a chain has two rows, the larger figure counts, as in
// [chainid.Convert]. lost has the other rows.
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

// llamaFiles are the paths of DefiLlama's recordings and reviewed names, "" for none, and their content.
type llamaFiles struct {
	TVL, AsOf, Platforms, Names string

	tvl, platforms         []connector.Row
	lostTVL, lostPlatforms []connector.Loss
}

// read reads the files. Rows with a reviewed name get the chain id of the review. Other names in a .csv
// get the id of the row of TVL with that name.
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
	return cmp.Or(refuseFaulty(l.TVL, domain.FigureTVL, l.tvl), refuseFaulty(l.Platforms, domain.FigurePlatforms, l.platforms))
}

// checkDate returns an error for an invalid or future date, and nil for "".
func checkDate(flag, value string) error {
	if value == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return could{fmt.Errorf("%s %q is not a date like 2025-08-17", flag, value)}
	}
	figure, today := domain.Figure{AsOf: domain.Date(value)}, domain.DateOf(time.Now())
	if fault := figure.Fault(false, today); fault != "" {
		return could{fmt.Errorf("%s %s is in the future, today is %s; pass the day on which the recording was made", flag, value, today)}
	}
	return nil
}
