package publish

import (
	"fmt"

	"vitrine/internal/store"
)

// From says how a directory comes to be published.
type From struct {
	// Publisher is how and from where, as a [store.Revision] has it: a verb, a space
	// and the place; "" if that is not known.
	Publisher string
	// Starting: the process has just begun to publish this directory, which may be as it was
	// when it was published last.
	Starting bool
	// Behind is the number of an older revision that the directory was found to be
	// when the process began, 0 for none (see [Hold]).
	Behind int64
}

// How many revisions are looked at.
const (
	recentLimit = 20    // for other publishers
	startLimit  = 1_000 // for the digest of a directory when a process begins to publish it
)

// kinship says how the commit of a directory is related to the one that is served.
type kinship int

const (
	unrelated kinship = iota // not known: there is no commit, or the checkout does not have it
	earlier                  // an ancestor of the one that is served
	later                    // a descendant of it
	diverged                 // neither, in the same repository
)

// olderRule holds a directory that is an earlier state of what is served:
//
//   - its commit is an ancestor of the served commit;
//   - a process finds it at its start, and another directory has replaced it since;
//   - it derives from such a state and would return a replaced value.
//
// It never holds a directory at a descendant of the served commit: what that returns was
// changed on purpose.
func olderRule(at situation) ([]Hold, error) {
	if at.head == nil || at.dir == nil || at.kin == later {
		return nil, nil
	}
	head := at.head.Revision
	hold := func(revision int64, format string, args ...any) []Hold {
		return []Hold{{Rule: OlderRule, Behind: revision, Message: fmt.Sprintf(format, args...) +
			"; bring the directory up to date (vitrine export writes what is served), or accept " + OlderRule + " to publish it"}}
	}
	if at.kin == earlier {
		return hold(0, "the directory is at the commit %s, an ancestor of %s, which is served as %s",
			shortHash(at.dir.Commit.Hash), shortHash(head.Commit), called(head)), nil
	}
	if r, ok := at.replaced(); ok {
		return hold(r.Number, "the directory matches %s, which has been replaced; %s is served", called(r), called(head)), nil
	}
	if at.from.Behind != 0 && at.behind == nil {
		return hold(at.from.Behind, "the directory was revision %d when it was held, and that revision was pruned, so that it is not known which values it would return",
			at.from.Behind), nil
	}
	if at.behind == nil {
		return nil, nil
	}
	known := at.from.Behind != 0
	u := compareWith(at.behind, at.head, at.draft.Catalog, known)
	if !known && u.lost == len(u.back) && len(shrinkHolds(at.served, at.serves)) > 0 {
		return nil, nil // a list that was cut looks like an older one; one rule is enough
	}
	if u.holds(known) {
		return hold(at.behind.Revision.Number, "%s would revert to values of %s, which have been replaced; %s is served",
			recordsOf(u.back), called(at.behind.Revision), called(head)), nil
	}
	return nil, nil
}

// relate returns how the commit of the directory is related to the served commit.
func (at *situation) relate() (kinship, error) {
	served, own := at.head.Revision.Commit, at.dir.Commit.Hash
	if at.dir.Commits == nil || served == "" || served == own {
		return unrelated, nil
	}
	for _, try := range []struct {
		ancestor, of string
		is           kinship
	}{{own, served, earlier}, {served, own, later}} {
		is, err := at.dir.Commits.IsAncestor(try.ancestor, try.of)
		if err != nil {
			return unrelated, err
		}
		if is {
			return try.is, nil
		}
	}
	known, err := at.dir.Commits.Has(served)
	if err != nil || !known {
		return unrelated, err
	}
	return diverged, nil
}

// replaced returns the revision that published exactly this directory. ok is false unless
// the process has just started and another directory was published since.
func (at situation) replaced() (store.Revision, bool) {
	if !at.from.Starting || at.dir.Digest == "" || at.dir.Digest == at.head.Revision.Digest {
		return store.Revision{}, false
	}
	for _, r := range at.recent {
		if r.Op == store.OpImport && r.Digest == at.dir.Digest {
			return r, true
		}
	}
	return store.Revision{}, false
}

func recordsOf(names []string) string {
	noun := "records"
	if len(names) == 1 {
		noun = "record"
	}
	return fmt.Sprintf("%d %s (%s)", len(names), noun, someOf(names))
}

func shortHash(hash string) string {
	const enough = 12 // digits
	return hash[:min(enough, len(hash))]
}
