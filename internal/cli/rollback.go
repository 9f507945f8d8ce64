package cli

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// revisionError classifies an error of loading: a missing revision has status 1, an error of the store 2.
func revisionError(err error) error {
	switch {
	case errors.Is(err, store.ErrEmpty):
		return err
	case errors.Is(err, store.ErrNoRevision):
		return fmt.Errorf("%w; vitrine history --limit 0 lists all", err)
	}
	return could{err}
}

type rollbackCmd struct {
	Revision string `arg:"" name:"rev" help:"Number of the revision whose editors' records are published again."`
	storeFlag
	noteFlags
	changeFlags
	acceptFlag
	DryRun bool `help:"Print the changes without publishing them." env:"-"`
}

func (c *rollbackCmd) Run(ctx context.Context, args arguments, to streams) error {
	number, err := parseRevision(c.Revision)
	if err != nil {
		return err
	}
	note, err := c.note(fmt.Sprintf("rollback to revision %d", number))
	if err != nil {
		return err
	}
	return withStore(ctx, c.openExisting, func(s store.Store) error {
		plan, err := publish.Rollback(ctx, s, number)
		if err != nil {
			return outcomeOf(err)
		}
		c.apply(plan, to)
		if c.Format == "text" {
			printNotes(to, plan.Notes, c.All)
			if err := printed(printChanges(to.out, plan.Changes, c.All)); err != nil {
				return err
			}
		}
		p := publication{plan: plan, note: note, dry: c.DryRun, format: c.Format, args: args, same: fmt.Sprintf("a rollback to revision %d changes nothing", number)}
		return p.publish(ctx, s, to)
	})
}
