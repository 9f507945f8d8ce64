package publish

import (
	"fmt"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/store"
)

// From describes where a publish comes from.
type From struct {
	// Publisher is the process that publishes, as in [store.Revision]: a verb, a space and the
	// place; "" if unknown.
	Publisher string
	// Starting means that the process has just started, so the directory may be unchanged since
	// it was last published.
	Starting bool
	// Behind is the older revision that the directory matched when the process started, 0 for
	// none (see [Hold]).
	Behind int64
}

// Maximum numbers of revisions to read.
const (
	recentLimit = 20    // for other publishers
	startLimit  = 1_000 // for the digest of a directory when a process begins to publish it
)

// ancestry is the relation of a directory's commit to the served commit.
type ancestry int

const (
	unrelated ancestry = iota // unknown: no commit, or not in the checkout
	earlier                   // an ancestor of the served commit
	later                     // a descendant of the served commit
	diverged                  // neither, in the same repository
)

// olderRule holds a directory that is an earlier state of the served catalogue:
//
//   - its commit is an ancestor of the served commit;
//   - it was published before the process started, and another directory has replaced it;
//   - it derives from such a state and would return a replaced value.
//
// It never holds a directory at a descendant of the served commit, which returns values on
// changed on purpose.
func olderRule(at gateInput) []Hold {
	if at.head == nil || at.dir == nil || at.kin == later {
		return nil
	}
	head := at.head.Revision
	hold := func(revision int64, format string, args ...any) []Hold {
		return []Hold{{Rule: OlderRule, Severity: domain.GateAsk, Behind: revision, Message: fmt.Sprintf(format, args...) +
			"; bring the directory up to date (vitrine export writes what is served), or accept " + OlderRule + " to publish it"}}
	}
	if at.kin == earlier {
		return hold(0, "the directory is at the commit %s, an ancestor of %s, which is served as %s",
			shortHash(at.dir.Commit.Hash), shortHash(head.Commit), describeRevision(head))
	}
	if r, ok := at.replaced(); ok {
		return hold(r.Number, "the directory matches %s, which has been replaced; %s is served", describeRevision(r), describeRevision(head))
	}
	if at.from.Behind != 0 && at.behind == nil {
		return hold(at.from.Behind, "the directory matched revision %d, which was pruned since, so the values that it would return are unknown",
			at.from.Behind)
	}
	if at.behind == nil {
		return nil
	}
	known := at.from.Behind != 0
	u := compareWith(at.behind, at.head, at.draft.Catalog, known)
	if !known && u.lost == len(u.back) && at.shrinks() {
		return nil // a list that was cut looks like an older one; one rule is enough
	}
	if u.holds(known) {
		return hold(at.behind.Revision.Number, "%s would revert to values of %s, which have been replaced; %s is served",
			recordsOf(u.back), describeRevision(at.behind.Revision), describeRevision(head))
	}
	return nil
}

// relate returns how the commit of the directory is related to the served commit.
func (at *gateInput) relate() (ancestry, error) {
	served, own := at.head.Revision.Commit, at.dir.Commit.Hash
	if at.dir.Commits == nil || served == "" || served == own {
		return unrelated, nil
	}
	for _, try := range []struct {
		ancestor, of string
		is           ancestry
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
func (at gateInput) replaced() (store.Revision, bool) {
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

// shrinks reports whether readers lose many records.
func (at gateInput) shrinks() bool {
	return slices.ContainsFunc(at.found, func(f gate.Finding) bool { return f.Family() == domain.GateShrink })
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
