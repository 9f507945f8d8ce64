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
	Dir string `arg:"" help:"The directory to write; it must be empty or not exist yet."`
	storeFlag
	Revision *int64 `placeholder:"REV" env:"-" help:"Number of the revision (default: the newest)."`
}

func (c *exportCmd) Run(ctx context.Context, to streams) error {
	var number int64 // the head
	if c.Revision != nil {
		if number = *c.Revision; number < 1 {
			return could{fmt.Errorf("%d is not the number of a revision; vitrine history lists them", number)}
		}
	}
	if strings.Contains(c.Dir, "://") {
		return could{errors.New("the directory looks like a URL; use --store for the store")}
	}
	return withStore(ctx, c.openToRead, func(s store.Store) error {
		state, err := s.Load(ctx, number)
		if err != nil {
			return revisionError(err)
		}
		if err := writeError(bundle.Write(state.Merged(), c.Dir)); err != nil {
			return err
		}
		_, err = fmt.Fprintf(to.out, "wrote revision %d to %s\n", state.Revision.Number, c.Dir)
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
	From string `arg:"" name:"a" help:"Number of the old revision."`
	To   string `arg:"" name:"b" optional:"" help:"Number of the new revision (default: the newest)."`
	storeFlag
	changeFlags
}

func (c *diffCmd) Run(ctx context.Context, to streams) error {
	from, err := parseRevision(c.From)
	if err != nil {
		return err
	}
	var until int64
	if c.To != "" {
		if until, err = parseRevision(c.To); err != nil {
			return err
		}
	}
	return withStore(ctx, c.openToRead, func(s store.Store) error {
		old, err := s.Load(ctx, from)
		if err != nil {
			return revisionError(err)
		}
		new, err := s.Load(ctx, until)
		if err != nil {
			return revisionError(err)
		}
		changes := domain.Diff(old.Merged(), new.Merged())
		return printed(c.print(to, old.Revision.Number, new.Revision.Number, changes, domain.SuggestFormer(old.Editors(), new.Editors())))
	})
}

func (c *diffCmd) print(to streams, from, until int64, changes []domain.Change, renames []domain.FormerSuggestion) error {
	if c.Format == "json" {
		return writeJSON(to.out, struct {
			From        int64            `json:"from"`
			To          int64            `json:"to"`
			Changes     []changeJSON     `json:"changes"`
			Suggestions []suggestionJSON `json:"suggestions,omitempty"`
		}{from, until, changesJSON(changes), suggestionsJSON(renames)})
	}
	printSuggestions(to, renames, nil, c.All)
	if len(changes) == 0 {
		_, err := fmt.Fprintf(to.out, "revisions %d and %d serve the same\n", from, until)
		return err
	}
	return printChanges(to.out, changes, c.All, renames...)
}
