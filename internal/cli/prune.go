package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/store"
)

type pruneCmd struct {
	storeFlag
	Keep      int64 `xor:"which" placeholder:"N" help:"Keep the newest N revisions." env:"-"`
	Before    int64 `xor:"which" placeholder:"REV" help:"Remove the revisions before revision REV." env:"-"`
	OlderThan age   `xor:"which" placeholder:"AGE" help:"Remove the revisions older than AGE, such as 90d or 12h." env:"-"`
	DryRun    bool  `help:"Print the revisions without removing them." env:"-"`
}

func (c *pruneCmd) Run(ctx context.Context, to streams) error {
	if c.Keep < 1 && c.Before < 1 && c.OlderThan < 1 { // an age is never 0
		return could{errors.New("give one of --keep N, --before REV and --older-than AGE, with N or REV of 1 or more")}
	}
	return withStore(ctx, c.toChange(c.DryRun), func(s store.Store) error {
		history, err := s.History(ctx, 0)
		if errors.Is(err, store.ErrEmpty) || err == nil && len(history) == 0 {
			return store.ErrEmpty
		}
		if err != nil {
			return could{err}
		}
		before, err := c.limit(history, time.Now())
		if err != nil {
			return err
		}
		if err := c.prune(ctx, s, history, before, to); err != nil {
			return could{err}
		}
		return nil
	})
}

// limit returns the number of the oldest revision to keep. history is not empty and sorted newest
// first. The newest revision is always kept.
func (c *pruneCmd) limit(history []store.Revision, now time.Time) (int64, error) {
	head := history[0].Number
	switch {
	case c.Before > head:
		return 0, fmt.Errorf("there is no revision %d yet, the newest is %d; nothing was removed", c.Before, head)
	case c.Before > 0:
		return c.Before, nil
	case c.Keep > 0:
		return history[min(c.Keep, int64(len(history)))-1].Number, nil
	}
	limit := now.Add(-time.Duration(c.OlderThan))
	for i := len(history) - 1; i > 0; i-- { // the oldest first
		if !history[i].PublishedAt.Before(limit) {
			return history[i].Number, nil
		}
	}
	return head, nil
}

func (c *pruneCmd) prune(ctx context.Context, s store.Store, history []store.Revision, before int64, to streams) error {
	kept := 0
	for kept < len(history) && history[kept].Number >= before {
		kept++
	}
	gone := history[kept:]
	switch {
	case len(gone) == 0:
		_, err := fmt.Fprintf(to.out, "nothing to remove: all %s revisions are kept\n", grouped(kept))
		return err
	case c.DryRun:
		_, err := fmt.Fprintf(to.out, "would remove %s and keep %s; a dry run removes nothing\n", span(gone), grouped(kept))
		return err
	}
	pruned, err := s.Prune(ctx, before)
	if err != nil && pruned.Revisions == 0 {
		return err
	}
	_, failed := fmt.Fprintf(to.out, "removed %s, %s versions of records, %s observations; kept %s; %s\n",
		span(gone), grouped(int(pruned.Versions)), grouped(int(pruned.Observations)), grouped(kept), c.freed(pruned))
	return errors.Join(err, failed)
}

// freed describes the freed space.
func (c *pruneCmd) freed(pruned store.Pruned) string {
	if file, err := storeFile(c.Store); err == nil && file == "" {
		return "PostgreSQL keeps the space for what is published next (VACUUM FULL gives it back to the disk)"
	}
	return "freed " + grouped(int(pruned.Freed)) + " bytes of disk"
}

// span describes a range of revisions, at least one, sorted newest first.
func span(revisions []store.Revision) string {
	first, last := revisions[len(revisions)-1].Number, revisions[0].Number
	if first == last {
		return fmt.Sprintf("revision %d", first)
	}
	return fmt.Sprintf("%s revisions (%d to %d)", grouped(len(revisions)), first, last)
}

// age is a [period] above 0.
type age period

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *age) UnmarshalText(text []byte) error {
	if err := (*period)(a).UnmarshalText(text); err != nil || *a <= 0 {
		return fmt.Errorf("%q is not an age: want something like 90d, 12w or 36h", text)
	}
	return nil
}
