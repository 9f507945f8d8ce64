package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"vitrine/internal/bundle"
	"vitrine/internal/convert"
	"vitrine/internal/domain"
)

// csvCmd prints a long list as a table (docs/directory.md#tables).
type csvCmd struct {
	Kind   string `arg:"" help:"${longKinds}."`
	Source string `arg:"" help:"A catalogue directory, a revision of the store, or a git ref (REF or REF:PATH)."`
	storeFlag
}

func (c *csvCmd) Run(ctx context.Context, to streams) error {
	d, err := parseLong(c.Kind)
	if err != nil {
		return err
	}
	source, err := readOperand(ctx, c.storeFlag, c.Source, "", to)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to.out)
	return printed(errors.Join(bundle.WriteCSV(w, d, source.catalog), w.Flush()))
}

// parseLong returns the description of a kind whose records are a long list.
func parseLong(name string) (*domain.Description, error) {
	kind, err := parseKind(name)
	if err != nil {
		return nil, err
	}
	if d := domain.Describe(kind); d.Long {
		return d, nil
	}
	return nil, could{fmt.Errorf("%s are not a long list; the long lists are %s", kind, kindNames(longKind))}
}

// convertCSVCmd converts a table of csvCmd into NDJSON.
type convertCSVCmd struct {
	Kind string `arg:"" help:"${longKinds}."`
	File string `arg:"" help:"A table as vitrine csv prints it."`
	Out  string `placeholder:"FILE" help:"File to write (default: standard output)." env:"-"`
}

func (c *convertCSVCmd) Run(to streams) error {
	d, err := parseLong(c.Kind)
	if err != nil {
		return err
	}
	var problems []bundle.Problem
	catalog, err := convert.ReadFile(c.File, func(r io.Reader) (read *domain.Catalog, err error) {
		read, problems, err = bundle.ReadCSV(r, c.File, d)
		return read, err
	})
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		if err := printProblems(to.err, problems, false); err != nil {
			return printed(err)
		}
		return exit(statusFailed)
	}
	var lines bytes.Buffer
	if err := bundle.WriteRecords(&lines, d, catalog); err != nil {
		return err
	}
	if c.Out == "" {
		_, err := to.out.Write(lines.Bytes())
		return printed(err)
	}
	if err := convert.WriteFile(c.Out, lines.Bytes()); err != nil {
		return could{err}
	}
	_, err = fmt.Fprintf(to.err, "%s %s are in %s\n", grouped(d.Size(catalog)), d.Plural, c.Out)
	return printed(err)
}
