package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/store"
)

// timeForm is the format of times in texts; JSON has RFC 3339.
const timeForm = "2006-01-02 15:04:05 UTC"

type historyCmd struct {
	storeFlag
	Limit  int    `default:"20" placeholder:"N" help:"Number of revisions, newest first; 0 for all (default ${default})." env:"-"`
	Format string `enum:"text,json" default:"text" help:"Output format: ${enum}." env:"-"`
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
		return writeJSON(to.out, struct {
			Revisions []store.Revision `json:"revisions"`
		}{revisions})
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
		if rules := acceptedRules(r); rules != "" {
			line += " (accepted " + rules + ")"
		}
		fmt.Fprintf(w, "%6d  %s  %-8s  %s\n", r.Number, r.PublishedAt.UTC().Format(timeForm), r.Op, line)
	}
	return w.Flush()
}

// byline returns the actor and message of a revision.
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

// commitOf returns the commit that a revision was imported from, "" for none.
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

// acceptedRules returns the rules of the gate that were accepted with a revision, "" for none.
func acceptedRules(r store.Revision) string {
	var names []string
	for _, a := range r.Acceptances() {
		name := a.Rule
		if a.Key != "" {
			name += "=" + printable(a.Key)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// describe describes a revision in a sentence. A pruned one has only its number.
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
	if rules := acceptedRules(r); rules != "" {
		s += ", accepted " + rules
	}
	return s + ")"
}
