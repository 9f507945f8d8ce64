package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"vitrine/internal/store"
)

// timeForm is how times are shown to people; machines get RFC 3339.
const timeForm = "2006-01-02 15:04:05 UTC"

type historyCmd struct {
	storeFlag
	Limit  int    `default:"20" placeholder:"N" help:"How many revisions are printed, the newest first; 0 for all (default ${default})." env:"-"`
	Format string `enum:"text,json" default:"text" help:"How they are printed: ${enum}." env:"-"`
}

func (c *historyCmd) Run(ctx context.Context, to streams) error {
	if c.Limit < 0 {
		return could{errors.New("--limit must be 0 or more")}
	}
	return withStore(ctx, c.openToRead, func(s store.Store) error {
		revisions, err := s.History(ctx, c.Limit)
		if err != nil && !errors.Is(err, store.ErrEmpty) {
			return could{err}
		}
		return printed(c.print(to, revisions))
	})
}

func (c *historyCmd) print(to streams, revisions []store.Revision) error {
	if c.Format == "json" {
		list := make([]revisionJSON, len(revisions))
		for i, r := range revisions {
			list[i] = newRevisionJSON(r)
		}
		return writeJSON(to.out, struct {
			Revisions []revisionJSON `json:"revisions"`
		}{list})
	}
	if len(revisions) == 0 {
		_, err := fmt.Fprintln(to.err, "nothing has been published yet")
		return err
	}
	w := bufio.NewWriter(to.out)
	for _, r := range revisions {
		line := byline(r)
		if at := commitOf(r); at != "" {
			line += " (" + at + ")"
		}
		fmt.Fprintf(w, "%6d  %s  %-8s  %s\n", r.Number, r.PublishedAt.UTC().Format(timeForm), r.Op, line)
	}
	return w.Flush()
}

// byline says who made a revision and what was said about it.
func byline(r store.Revision) string {
	actor, message := printable(r.Actor), printable(r.Message)
	switch {
	case actor == "":
		return message
	case message == "":
		return actor
	}
	return actor + ": " + message
}

// commitOf says which commit a revision was imported from, "" for none.
func commitOf(r store.Revision) string {
	const enough = 12 // digits
	if r.Commit == "" {
		return ""
	}
	at := "commit " + r.Commit[:min(enough, len(r.Commit))]
	if r.Modified {
		at += ", modified"
	}
	return at
}

// describe names a revision in a sentence. One that was pruned has a number
// alone.
func describe(r store.Revision) string {
	if r.PublishedAt.IsZero() {
		return fmt.Sprintf("revision %d (pruned since)", r.Number)
	}
	s := fmt.Sprintf("revision %d (%s, %s", r.Number, r.Op, r.PublishedAt.UTC().Format(timeForm))
	if line := byline(r); line != "" {
		s += ", " + line
	}
	if at := commitOf(r); at != "" {
		s += ", " + at
	}
	return s + ")"
}

// revisionJSON is a revision in `--format json`. Of one that was pruned only
// the number is known.
type revisionJSON struct {
	Number      int64     `json:"revision"`
	PublishedAt time.Time `json:"publishedAt,omitzero"`
	Op          store.Op  `json:"op,omitempty"`
	Actor       string    `json:"actor,omitempty"`
	Message     string    `json:"message,omitempty"`
	Digest      string    `json:"digest,omitempty"`
	Commit      string    `json:"commit,omitempty"`
	Modified    bool      `json:"modified,omitempty"`
	Publisher   string    `json:"publisher,omitempty"`
}

func newRevisionJSON(r store.Revision) revisionJSON {
	return revisionJSON{
		Number: r.Number, PublishedAt: r.PublishedAt, Op: r.Op, Actor: r.Actor, Message: r.Message,
		Digest: r.Digest, Commit: r.Commit, Modified: r.Modified, Publisher: r.Publisher,
	}
}
