package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
)

type checkCmd struct {
	Dir    string `arg:"" help:"The catalogue directory."`
	Format string `enum:"text,json,github,sarif" default:"text" help:"Output format: ${enum}. github and sarif annotate files." env:"-"`
	All    bool   `help:"Print every problem on its own line, including equal ones, each missing translation and accepted warnings." env:"-"`
	Strict bool   `help:"Fail on warnings too, except accepted ones." env:"-"`
	Watch  bool   `help:"Check again after each change, until an interrupt." env:"-"`
}

func (c *checkCmd) Run(ctx context.Context, to streams) error {
	if c.Watch {
		return c.watch(ctx, to)
	}
	return c.run(ctx, to)
}

// run checks the directory once.
func (c *checkCmd) run(ctx context.Context, to streams) error {
	dir, err := readDirectory(ctx, c.Dir, c.All, to.err)
	if err != nil {
		return could{err}
	}
	renames, notes, err := c.renames(ctx, dir)
	if err != nil {
		fmt.Fprintf(to.err, "%s: cannot read the commit, so renames are not detected: %v\n", c.Dir, err)
	}
	if err := c.print(to, dir, notes, renames); err != nil {
		return could{fmt.Errorf("print the problems: %w", err)}
	}
	printTotals(to.err, c.Dir, dir, "")
	if dir.Errors() > 0 || c.Strict && dir.Warnings() > 0 {
		return exit(statusFailed)
	}
	return nil
}

func (c *checkCmd) print(to streams, dir *bundle.Directory, notes []string, renames []domain.FormerSuggestion) error {
	switch c.Format {
	case "json":
		return writeJSON(to.out, checkJSON{newProblemsJSON(dir), notes, renames})
	case formatGitHub:
		printNotes(to, notes, c.All)
		printSuggestions(to, renames, dir.Origin, c.All)
		return writeGitHub(to.out, "vitrine check", problemRemarks(dir.Problems, c.Dir), countsOf(dir))
	case formatSARIF:
		return writeSARIF(to.out, problemRemarks(dir.Problems, c.Dir))
	}
	err := printProblems(to.out, dir.Problems, c.All)
	printNotes(to, notes, c.All)
	printSuggestions(to, renames, dir.Origin, c.All)
	return err
}

// renames returns the likely renames between the commit of the directory and its files, and
// warnings about chains with the identity of other ones. Both are nil if the directory has no
// commit, is unmodified, or either version has errors.
func (c *checkCmd) renames(ctx context.Context, dir *bundle.Directory) ([]domain.FormerSuggestion, []string, error) {
	if !dir.Commit.Modified || dir.Errors() > 0 {
		return nil, nil, nil
	}
	committed, err := bundle.ReadCommitted(ctx, c.Dir, bundle.Options{})
	if err != nil || committed.Errors() > 0 {
		return nil, nil, err
	}
	kept, _ := domain.KeepIDs(committed.Catalog, dir.Catalog, nil)
	return domain.DeltaOf(committed.Catalog, dir.Catalog).SuggestFormer(), publish.TakenIdentityNotes(committed.Catalog, kept), nil
}

// checkJSON is the output of check with `--format json`.
type checkJSON struct {
	problemsJSON
	Notes       []string                  `json:"notes,omitempty"`       // about chains with the identity of other ones
	Suggestions []domain.FormerSuggestion `json:"suggestions,omitempty"` // likely renames since the commit
}

// readDirectory reads the catalogue directory at path. With everyGap, each missing translation
// is a problem. On a terminal it prints its progress, which it clears at the end.
func readDirectory(ctx context.Context, path string, everyGap bool, progress io.Writer) (*bundle.Directory, error) {
	opts := bundle.Options{Today: domain.DateOf(time.Now()), EveryGap: everyGap}
	if !isTerminal(progress) {
		return bundle.ReadSettled(ctx, path, opts)
	}
	const clearLine = "\r\x1b[K"
	defer fmt.Fprint(progress, clearLine)
	opts.Progress = func(file string, records int) {
		fmt.Fprintf(progress, clearLine+"reading %s: %d records", file, records)
	}
	return bundle.ReadSettled(ctx, path, opts)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
