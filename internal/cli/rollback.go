package cli

import (
	"context"
	"errors"
	"fmt"

	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// revisionError tells a revision that is not there, which is an answer, from a
// store that could not be asked.
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
	Revision string `arg:"" name:"rev" help:"The number of the revision whose editors' layer is published again."`
	storeFlag
	noteFlags
	changeFlags
	acceptFlag
	DryRun bool `help:"Print what would change, and publish nothing." env:"-"`
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
			if err := printed(printChanges(to.out, plan.Changes, c.All)); err != nil {
				return err
			}
		}
		p := publication{plan: plan, note: note, dry: c.DryRun, format: c.Format, args: args, same: fmt.Sprintf("a rollback to revision %d changes nothing", number)}
		return p.publish(ctx, s, to)
	})
}
