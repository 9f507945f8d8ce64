package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"vitrine/internal/bundle"
	"vitrine/internal/catalog"
)

type checkCmd struct {
	Dir    string `arg:"" help:"The catalogue directory."`
	Format string `enum:"text,json" default:"text" help:"How problems are printed: ${enum}." env:"-"`
}

func (c *checkCmd) Run(ctx context.Context, to streams) error {
	dir, err := readDirectory(ctx, c.Dir, to.err)
	if err != nil {
		return could{err}
	}
	if c.Format == "json" {
		err = printJSON(to.out, dir.Problems)
	} else {
		err = printText(to.out, dir.Problems, isTerminal(to.out) && os.Getenv("NO_COLOR") == "")
	}
	if err != nil {
		return could{fmt.Errorf("print the problems: %w", err)}
	}
	fmt.Fprintf(to.err, "%s: errors: %d, warnings: %d\n", c.Dir, dir.Errors(), dir.Warnings())
	if dir.Errors() > 0 {
		return exit(statusFailed)
	}
	return nil
}

// readDirectory reads the catalogue directory at path. On a terminal it shows
// meanwhile how far it is, and takes that away again.
func readDirectory(ctx context.Context, path string, progress io.Writer) (_ *bundle.Directory, err error) {
	fsys, closeDir, err := bundle.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeDir()) }()
	if !isTerminal(progress) {
		return bundle.Read(ctx, fsys, bundle.Options{})
	}
	const clearLine = "\r\x1b[K"
	defer fmt.Fprint(progress, clearLine)
	return bundle.Read(ctx, fsys, bundle.Options{Progress: func(file string, records int) {
		fmt.Fprintf(progress, clearLine+"reading %s: %d records", file, records)
	}})
}

// printJSON prints the problems as one object, with an empty list for none.
func printJSON(w io.Writer, problems []bundle.Problem) error {
	if problems == nil {
		problems = []bundle.Problem{}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Problems []bundle.Problem `json:"problems"`
	}{problems})
}

func printText(to io.Writer, problems []bundle.Problem, colored bool) error {
	w := bufio.NewWriter(to)
	for _, p := range problems {
		line := p.String()
		if colored {
			line = color(p.Severity) + line + "\x1b[0m"
		}
		fmt.Fprintln(w, line)
	}
	return w.Flush()
}

func color(s catalog.Severity) string {
	if s == catalog.Error {
		return "\x1b[31m" // red
	}
	return "\x1b[33m" // yellow
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
