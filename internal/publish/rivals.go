package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/store"
)

// place returns where a publisher publishes from, without how.
func place(publisher string) string {
	_, place, _ := strings.Cut(publisher, " ")
	return place
}

// path returns the directory of a publisher without its host. Replicas of one server
// have the same one, and so has a container that was made anew under another name.
func path(publisher string) string {
	_, path, _ := strings.Cut(place(publisher), ":")
	return path
}

// Watching is the verb of a publisher that publishes its directory again whenever it
// changes, and Importing that of one that does so once.
const (
	Watching  = "serve"
	Importing = "import"
)

// Rival says what a server that watches a directory is to be told of a revision which
// another directory became: that its own next publish undoes it. It is "" if the
// revision comes from that directory, or from none.
func Rival(r store.Revision, publisher string) string {
	if r.Op != store.OpImport || r.Publisher == "" || path(r.Publisher) == path(publisher) {
		return ""
	}
	return fmt.Sprintf("%s was published from %s; the next change of the watched directory will undo it, unless the directory has the same changes",
		called(r), r.Publisher)
}

// rivals returns warnings of others that publish other directories to the same store.
func (at situation) rivals(ctx context.Context, s Store) ([]string, error) {
	here := place(at.from.Publisher)
	if here == "" || at.head == nil {
		return nil, nil
	}
	var warnings []string
	if r, ok := at.watcher(); ok {
		warnings = append(warnings, fmt.Sprintf("a server publishes another directory to this store (%s: %s) and will undo this publish at its next change; "+
			"publish from one directory only, or make the same changes there", r.Publisher, called(r)))
	}
	mine, others, turns := at.turns(here)
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
		recordsOf(back), mine, called(others[0]), others[0].Publisher)
	if turns > 1 {
		warning += fmt.Sprintf("; the directories have replaced each other %d times in the last %d revisions; publish from one directory only", turns, len(at.recent))
	}
	return append(warnings, warning), nil
}

// watcher returns the newest publish of a server that watches another directory than
// the one that is imported by hand, if there is one among the recent revisions.
func (at situation) watcher() (store.Revision, bool) {
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

// turns returns the number of the last revision that was published from here, those
// that were published from elsewhere since, newest first, and how often the two took
// turns, with the publish to come. It returns 0 if there is no such revision.
func (at situation) turns(here string) (mine int64, others []store.Revision, turns int) {
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
