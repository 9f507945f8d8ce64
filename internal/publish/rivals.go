package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/store"
)

// place returns where a publisher publishes from: a publisher without its verb.
func place(publisher string) string {
	_, place, _ := strings.Cut(publisher, " ")
	return place
}

// path returns the directory of a publisher without its host. It is the same for all replicas
// of a server, and for a container that was recreated under another name.
func path(publisher string) string {
	_, path, _ := strings.Cut(place(publisher), ":")
	return path
}

// Watching is the verb of a publisher that publishes its directory whenever it changes.
// Importing is the verb of one that publishes it once.
const (
	Watching  = "serve"
	Importing = "import"
)

// Rival returns a warning for a server that watches a directory: a revision was published from
// another directory, and the next publish of the server reverts it. It returns "" if the
// revision comes from the directory of the server or from no directory.
func Rival(r store.Revision, publisher string) string {
	if r.Op != store.OpImport || r.Publisher == "" || path(r.Publisher) == path(publisher) {
		return ""
	}
	return fmt.Sprintf("%s was published from %s; the next change of the watched directory will undo it, unless the directory has the same changes",
		describeRevision(r), r.Publisher)
}

// rivals returns a warning for each other directory that is published to the same store.
func (at gateInput) rivals(ctx context.Context, s store.Store) ([]string, error) {
	here := place(at.from.Publisher)
	if here == "" || at.head == nil {
		return nil, nil
	}
	var warnings []string
	if r, ok := at.watcher(); ok {
		warnings = append(warnings, fmt.Sprintf("a server published another directory to this store (%s: %s) and, if it still runs, will undo this publish at its next change; "+
			"publish from one directory only, or make the same changes there", r.Publisher, describeRevision(r)))
	}
	mine, others, turns := at.alternations(here)
	if mine == 0 || len(others) == 0 {
		return warnings, nil
	}
	base, err := s.Load(ctx, mine)
	if errors.Is(err, store.ErrNoRevision) {
		return warnings, nil
	}
	if err != nil {
		return nil, err
	}
	back := compareWith(base, at.head, at.draft.Catalog, true).back
	if len(back) == 0 {
		return warnings, nil
	}
	warning := fmt.Sprintf("this publish reverts %s to revision %d and so undoes %s, published from %s",
		recordsOf(back), mine, describeRevision(others[0]), others[0].Publisher)
	if turns > 1 {
		warning += fmt.Sprintf("; the directories have replaced each other %d times in the last %d revisions; publish from one directory only", turns, len(at.recent))
	}
	return append(warnings, warning), nil
}

// watcher returns the newest recent revision of a server that watches another directory. ok
// is false if there is none, or the publisher is itself a server that watches.
func (at gateInput) watcher() (store.Revision, bool) {
	if strings.HasPrefix(at.from.Publisher, Watching+" ") {
		return store.Revision{}, false
	}
	for _, r := range at.recent {
		if strings.HasPrefix(r.Publisher, Watching+" ") && path(r.Publisher) != path(at.from.Publisher) {
			return r, true
		}
	}
	return store.Revision{}, false
}

// alternations returns the number of the last revision that was published from here, the later
// revisions from elsewhere, newest first, and how often the publishers alternated, including
// the publish to come. mine is 0 if nothing recent was published from here.
func (at gateInput) alternations(here string) (mine int64, others []store.Revision, turns int) {
	last := here
	for _, r := range at.recent {
		if r.Publisher == "" {
			continue
		}
		switch from := place(r.Publisher); {
		case from == here && mine == 0:
			mine = r.Number
		case from != here && mine == 0:
			others = append(others, r)
		}
		if from := place(r.Publisher); from != last {
			turns, last = turns+1, from
		}
	}
	return mine, others, turns
}
