package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/store"
)

type showCmd struct {
	recordArgs
	storeFlag
	Format string `enum:"yaml,json" default:"yaml" help:"Output format: ${enum}." env:"-"`
}

func (c *showCmd) Run(ctx context.Context, to streams) error {
	return c.withRecord(ctx, c.storeFlag, func(_ store.Store, record history.Record) error {
		write := bundle.RecordYAML
		if c.Format == "json" {
			write = bundle.RecordJSON
		}
		text, err := write(record.State.Merged(), record.Kind, record.Index)
		if err != nil {
			return err
		}
		_, err = to.out.Write(text)
		return printed(err)
	})
}

type exportCmd struct {
	Dir string `arg:"" optional:"" help:"The catalogue directory to write; it must be empty or not exist yet."`
	storeFlag
	Revision *int64 `placeholder:"REV" env:"-" help:"Number of the revision (default: the newest)."`
	distFlags
}

func (c *exportCmd) Run(ctx context.Context, to streams) error {
	var number int64 // the head
	if c.Revision != nil {
		if number = *c.Revision; number < 1 {
			return could{fmt.Errorf("%d is not the number of a revision; vitrine history lists them", number)}
		}
	}
	switch {
	case strings.Contains(c.Dir, "://"):
		return could{errors.New("the directory looks like a URL; use --store for the store")}
	case c.Dir == "" && c.Dist == "":
		return could{errors.New("name the catalogue directory to write, or a distribution with --dist DIR")}
	}
	return c.withRevision(ctx, number, func(s store.Store, state *store.State) error {
		if c.Dist != "" {
			if err := c.distribute(ctx, to, s, state); err != nil || c.Dir == "" {
				return err
			}
		}
		if err := writeError(bundle.Write(state.Merged(), c.Dir)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(to.out, "wrote revision %d to %s\n", state.Revision.Number, c.Dir)
		return printed(err)
	})
}

// writeError classifies an error of writing a directory: a directory that is not empty has status 1, other
// errors have status 2.
func writeError(err error) error {
	if err == nil || errors.Is(err, bundle.ErrNotEmpty) {
		return err
	}
	return could{err}
}

type diffCmd struct {
	From string `arg:"" name:"a" help:"What is old: the number of a revision, or, with B, a catalogue directory or a git ref (REF or REF:PATH)."`
	To   string `arg:"" name:"b" optional:"" help:"What is new: likewise (default: the newest revision)."`
	storeFlag
	changeFlags
}

func (c *diffCmd) Run(ctx context.Context, to streams) error {
	old, new, err := c.operands(ctx, to)
	if err != nil {
		return err
	}
	d := difference{
		from: old.label(c.From), to: new.label(c.To), same: fmt.Sprintf("%s and %s serve the same", c.From, c.To),
		changes: domain.Diff(old.catalog, new.catalog), renames: domain.DeltaOf(old.editors(), new.editors()).SuggestFormer(),
	}
	if old.state != nil && new.state != nil {
		d.same = fmt.Sprintf("revisions %d and %d serve the same", d.from, d.to)
	}
	return printed(c.print(to, d))
}

// operands reads what is compared: two revisions, or at least one directory.
func (c *diffCmd) operands(ctx context.Context, to streams) (old, new operand, err error) {
	if c.To != "" && !(isRevision(c.From) && isRevision(c.To)) {
		return readBoth(ctx, c.storeFlag, c.From, c.To, to)
	}
	from, err := parseRevision(c.From)
	if err != nil {
		return old, new, err
	}
	var until int64 // the head
	if c.To != "" {
		if until, err = parseRevision(c.To); err != nil {
			return old, new, err
		}
	}
	if old, err = readRevision(ctx, c.storeFlag, from); err == nil {
		new, err = readRevision(ctx, c.storeFlag, until)
	}
	return old, new, err
}

func isRevision(name string) bool {
	_, err := parseRevision(name)
	return err == nil
}

// difference is what makes one catalogue of another.
type difference struct {
	from, to any    // numbers of revisions, or names of directories and git refs
	same     string // the text for no changes
	changes  []domain.Change
	renames  []domain.FormerSuggestion
}

func (c *diffCmd) print(to streams, d difference) error {
	if c.Format == "json" {
		return writeJSON(to.out, struct {
			From        any                       `json:"from"`
			To          any                       `json:"to"`
			Changes     []domain.Change           `json:"changes"`
			Suggestions []domain.FormerSuggestion `json:"suggestions,omitempty"`
		}{d.from, d.to, d.changes, d.renames})
	}
	printSuggestions(to, d.renames, nil, c.All)
	if len(d.changes) == 0 {
		_, err := fmt.Fprintln(to.out, d.same)
		return err
	}
	return printChanges(to.out, d.changes, c.All, d.renames...)
}
