package cli

import (
	"context"

	"vitrine/internal/history"
	"vitrine/internal/store"
)

type explainCmd struct {
	recordArgs
	storeFlag
	Format string `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
	All    bool   `help:"Print all values in full, and all figures that are not served." env:"-"`
}

func (c *explainCmd) Run(ctx context.Context, to streams) error {
	return c.withRecord(ctx, c.storeFlag, func(s store.Store, record history.Record) error {
		explained, err := history.Explain(ctx, s, record)
		if err != nil {
			return could{err}
		}
		if c.Format == "json" {
			err = writeJSON(to.out, explanationJSON{explained.Kind, explained.Key, explained.State.Revision, explained.Values, explained.Figures, explained.Probed})
		} else {
			err = writeExplanation(to.out, explained, c.All)
		}
		return printed(err)
	})
}
