package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// purgeCmd removes a record for good (docs/publishing.md#purge).
type purgeCmd struct {
	Kind   string `arg:"" help:"${kinds}."`
	Key    string `arg:"" help:"Key, slug, handle, channel id or path slug of the record."`
	Reason string `required:"" placeholder:"TEXT" help:"Reason in the history. It must not have the removed data." env:"-"`
	Actor  string `placeholder:"NAME" help:"Actor of the revision in the history (default: the user of this process)."`
	DryRun bool   `help:"Print what would be removed, and remove nothing." env:"-"`
	storeFlag
}

func (c *purgeCmd) Run(ctx context.Context, to streams) error {
	sel, err := recordArgs{Kind: c.Kind, Key: c.Key}.parse()
	switch {
	case err != nil:
		return err
	case sel.revision != 0:
		return could{errors.New("a purge removes a record from all revisions; leave out @REV")}
	case strings.TrimSpace(c.Reason) == "" || !utf8.ValidString(c.Reason) || !utf8.ValidString(c.Actor):
		return could{errors.New("--reason must not be empty, and --reason and --actor must be UTF-8")}
	}
	note, err := noteFlags{Message: c.Reason, Actor: c.Actor}.note("")
	if err != nil {
		return err
	}
	return withStore(ctx, c.toChange(c.DryRun), func(s store.Store) error {
		if c.DryRun {
			return c.count(ctx, s, sel, to.out)
		}
		removed, err := c.removeLastGood()
		if err != nil {
			return could{err}
		}
		purged, err := publish.Purge(ctx, s, sel.kind, sel.key, note)
		if purged.Revision.Number == 0 && err != nil {
			return c.explain(err)
		}
		if err != nil {
			err = could{err}
		}
		return errors.Join(err, printed(c.report(to.out, purged, removed)))
	})
}

func (c *purgeCmd) explain(err error) error {
	if needed, ok := errors.AsType[*publish.NeededError](err); ok {
		return needed
	}
	switch {
	case errors.Is(err, store.ErrNoRecord):
		return fmt.Errorf("%w: there is neither a version nor an observation of %s %q", err, c.Kind, c.Key)
	case errors.Is(err, store.ErrConflict):
		return errors.New("nothing was removed: another revision was published meanwhile; run the command again")
	}
	return revisionError(err)
}

// count prints the numbers of versions and observations that a purge would remove.
func (c *purgeCmd) count(ctx context.Context, s store.Store, sel selector, w io.Writer) error {
	counted, err := publish.CountPurge(ctx, s, sel.kind, sel.key)
	if err != nil {
		return c.explain(err)
	}
	_, err = fmt.Fprintf(w, "would remove %s and %s of %s %s; a dry run removes nothing\n",
		plural(int(counted.Versions), "version"), plural(int(counted.Observations), "observation"), c.Kind, c.Key)
	return printed(err)
}

// removeLastGood removes the default last good file of a SQLite store, which a server writes again
// with the new revision. It returns its path, "" for none.
func (c *purgeCmd) removeLastGood() (string, error) {
	file, err := storeFile(c.Store)
	if err != nil || file == "" {
		return "", err
	}
	path := usualLastGood(c.Store, file)
	if err := os.Remove(store.PreviousLastGood(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	switch err := os.Remove(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	}
	return path, nil
}

// report prints the removed data, and the copies that the command cannot reach.
func (c *purgeCmd) report(w io.Writer, purged store.Purged, lastGood string) error {
	lines := []string{
		fmt.Sprintf("revision %d: removed %s and %s of %s %s from all revisions",
			purged.Revision.Number, plural(int(purged.Versions), "version"), plural(int(purged.Observations), "observation"), c.Kind, c.Key),
	}
	if lastGood != "" {
		lines = append(lines, "removed "+lastGood+", which a running server writes again without the record")
	}
	lines = append(lines, "not reached, remove these yourself:",
		"  the catalogue directory, whose publishes are held while it has the record, and its git history",
		"  backups and other copies of the store", "  directories written by vitrine export",
		"  last good files in other places, which their servers write again without the record when they serve this revision",
		"  copies of last good files of another version (.previous), which stay for a day",
		"  copies that clients and proxies have received")
	file, err := storeFile(c.Store)
	switch {
	case err != nil:
		return err
	case file == "":
		lines = append(lines, "  dead rows until PostgreSQL vacuums them, and archives of its write-ahead log")
	default:
		aside, err := filepath.Glob(file + ".corrupt-*")
		if err != nil {
			return err
		}
		for _, path := range aside {
			lines = append(lines, "  "+path)
		}
	}
	lines = append(lines, "kind and key stay in a tombstone, so that no publish returns the record unnoticed")
	_, err = fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}
