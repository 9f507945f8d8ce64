package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"vitrine/internal/domain"
)

type coverageCmd struct {
	Source string `arg:"" help:"A catalogue directory, a revision of the store, or a git ref (REF or REF:PATH)."`
	Format string `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
	storeFlag
}

func (c *coverageCmd) Run(ctx context.Context, to streams) error {
	source, err := readOperand(ctx, c.storeFlag, c.Source, "", to)
	if err != nil {
		return err
	}
	locales, fields := source.catalog.Locales, domain.CoverFields(source.catalog)
	if c.Format == "json" {
		return printed(writeJSON(to.out, newCoverageJSON(locales, fields)))
	}
	return printed(printCoverage(to.out, locales, fields))
}

func printCoverage(to io.Writer, locales []string, fields []domain.Coverage) error {
	const gap = 2 // spaces between columns
	w := tabwriter.NewWriter(to, 0, 0, gap, ' ', 0)
	fmt.Fprint(w, "kind\tfield\ttexts")
	for _, locale := range locales {
		fmt.Fprint(w, "\t", locale)
	}
	fmt.Fprintln(w)
	for _, f := range fields {
		fmt.Fprintf(w, "%s\t%s\t%s", f.Kind, f.Field, grouped(f.Texts))
		for _, written := range f.Written {
			fmt.Fprintf(w, "\t%s (%s %%)", grouped(written), strconv.FormatFloat(percent(written, f.Texts), 'f', -1, 64))
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// percent rounds down to one decimal, so that only everything is 100.
func percent(n, of int) float64 { return float64(n*1000/of) / 10 }

// The output of coverage with `--format json`.
type (
	coverageJSON struct {
		Locales []string            `json:"locales"`
		Fields  []fieldCoverageJSON `json:"fields"`
	}
	fieldCoverageJSON struct {
		Kind    domain.Kind         `json:"kind"`
		Field   string              `json:"field"`
		Texts   int                 `json:"texts"`
		Written []writtenLocaleJSON `json:"written"`
	}
	writtenLocaleJSON struct {
		Locale  string  `json:"locale"`
		Texts   int     `json:"texts"`
		Percent float64 `json:"percent"`
	}
)

func newCoverageJSON(locales []string, fields []domain.Coverage) coverageJSON {
	out := coverageJSON{Locales: locales, Fields: make([]fieldCoverageJSON, len(fields))}
	for i, f := range fields {
		out.Fields[i] = fieldCoverageJSON{Kind: f.Kind, Field: f.Field, Texts: f.Texts, Written: make([]writtenLocaleJSON, len(locales))}
		for j, locale := range locales {
			out.Fields[i].Written[j] = writtenLocaleJSON{locale, f.Written[j], percent(f.Written[j], f.Texts)}
		}
	}
	return out
}
