package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"vitrine/internal/domain"
	"vitrine/internal/history"
	"vitrine/internal/store"
)

// shownEntries is how many changes of a record are printed without --all.
const shownEntries = 20

type logCmd struct {
	recordArgs
	storeFlag
	changeFlags
}

func (c *logCmd) Run(ctx context.Context, to streams) error {
	sel, err := c.parse()
	if err != nil {
		return err
	}
	return c.withRevision(ctx, sel.revision, func(s store.Store, state *store.State) error {
		if err := sel.resolve(state, to); err != nil {
			return printed(err)
		}
		entries, err := history.Log(ctx, s, sel.kind, sel.key, state.Revision.Number)
		if err != nil {
			return could{err}
		}
		if len(entries) == 0 {
			return sel.notFound(ctx, s, state)
		}
		return printed(c.print(to.out, sel, entries))
	})
}

// resolve sets the key to the one that the record has in a state, by its spelling or a former key.
func (sel *selector) resolve(state *store.State, to streams) error {
	if record, found := history.Find(state, sel.kind, sel.key); found {
		sel.key = record.Key
		return nil
	}
	record, found := history.FindFormer(state, sel.kind, sel.key)
	if !found {
		return nil // it may have been removed
	}
	_, err := fmt.Fprintf(to.err, "%s %s is %s in revision %d\n", sel.kind, printable(sel.key), printable(record.Key), state.Revision.Number)
	sel.key = record.Key
	return err
}

func (c *logCmd) print(w io.Writer, sel selector, entries []history.Entry) error {
	if c.Format == "json" {
		out := logJSON{Kind: sel.kind, Key: sel.key}
		for _, e := range entries {
			out.Changes = append(out.Changes, entryJSON{e.Revision, e.OrBefore, e.Origin, e.Purged, e.Change})
		}
		return writeJSON(w, out)
	}
	p := changeText{Writer: bufio.NewWriter(w), colored: inColor(w), all: c.All}
	shown, more := firstOf(entries, shownEntries, c.All)
	for i, e := range shown {
		if i > 0 {
			fmt.Fprintln(p)
		}
		p.entry(e)
	}
	printMore(p, "\n", more, "changes, which are older")
	return p.Flush()
}

// entry prints a revision and its change of a record.
func (p changeText) entry(e history.Entry) {
	fmt.Fprint(p, describe(e.Revision))
	if e.OrBefore {
		fmt.Fprint(p, " or before")
	}
	if e.Origin != "" {
		fmt.Fprint(p, ", at ", printable(e.Origin))
	}
	fmt.Fprintln(p)
	p.record(e.Change)
	if e.Purged {
		fmt.Fprintln(p, "      purged from all revisions, so nothing before is known")
	}
}

// The output of log with `--format json`. Empty lists are [], never null.
type (
	logJSON struct {
		Kind    domain.Kind `json:"kind"`
		Key     string      `json:"key"`
		Changes []entryJSON `json:"changes"` // newest first
	}
	entryJSON struct {
		Revision store.Revision `json:"revision"`
		OrBefore bool           `json:"orBefore,omitempty"`
		Origin   string         `json:"origin,omitempty"`
		Purged   bool           `json:"purged,omitempty"`
		domain.Change
	}
)
