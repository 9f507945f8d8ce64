package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
)

type newCmd struct {
	Kind string   `arg:"" help:"${newKinds}."`
	Key  string   `arg:"" help:"Key, slug, handle, channel id or path slug of the new record; module/key of a group."`
	Dir  string   `arg:"" optional:"" default:"." help:"The catalogue directory (default: the working directory)."`
	Set  []string `sep:"none" placeholder:"FIELD=VALUE" help:"Value of a field; FIELD.LOCALE for a text. Elements of lists are separated by commas; other values are JSON." env:"-"`
	File string   `placeholder:"FILE" help:"File of the record in the directory, if its list has several." env:"-"`
}

func (c *newCmd) Run(ctx context.Context, to streams) error {
	kind, err := parseKind(c.Kind)
	if err != nil {
		return err
	}
	values, err := assignments(c.Set)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(c.Dir, "catalog.yaml")); errors.Is(err, fs.ErrNotExist) {
		return could{fmt.Errorf("%s is not a catalogue directory: it has no catalog.yaml; name the directory that has one", c.Dir)}
	} else if err != nil {
		return could{err}
	}
	dir, err := readDirectory(ctx, c.Dir, false, to.err)
	if err != nil {
		return could{err}
	}
	added, err := bundle.Add(ctx, c.Dir, dir.Catalog, bundle.Addition{Kind: kind, Key: c.Key, File: c.File, Values: values})
	if err != nil {
		return err
	}
	w := bufio.NewWriter(to.out)
	fmt.Fprintf(w, "wrote %s %s to %s:%d\n", strings.ReplaceAll(domain.Describe(kind).Names[0], "-", " "), printable(c.Key), added.File, added.From)
	for _, hint := range added.Remaining {
		fmt.Fprintf(w, "  write %s\n", hint)
	}
	if err := w.Flush(); err != nil {
		return printed(err)
	}
	return c.printNew(ctx, added, to)
}

// printNew prints the problems of an added record beside missing values.
func (c *newCmd) printNew(ctx context.Context, added bundle.Added, to streams) error {
	dir, err := readDirectory(ctx, c.Dir, false, to.err)
	if err != nil {
		return could{err}
	}
	var problems []bundle.Problem
	for _, p := range dir.Problems {
		if p.File == added.File && added.From <= p.Line && p.Line <= added.To && p.Rule != domain.RuleMissingField {
			problems = append(problems, p)
		}
	}
	return printed(printProblems(to.err, problems, true))
}

// assignments parses FIELD=VALUE.
func assignments(set []string) ([][2]string, error) {
	var values [][2]string
	for _, s := range set {
		field, value, found := strings.Cut(s, "=")
		if !found {
			return nil, could{fmt.Errorf("--set needs FIELD=VALUE, not %q", s)}
		}
		values = append(values, [2]string{field, value})
	}
	return values, nil
}
