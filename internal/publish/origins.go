package publish

import (
	"context"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// origins returns the numbers of the older revisions that the directory may derive from, nil
// for none:
//
//   - the revision that is known from an earlier hold;
//   - if the commit diverged, the newest revision at an ancestor of it;
//   - else, for such a commit or at the start of a process, the revisions that it resembles.
//
// The directory that was published last, or is at the served commit, derives from none.
func (at gateInput) origins(ctx context.Context, s store.Store) ([]int64, error) {
	switch head := at.head.Revision; {
	case at.from.Behind != 0:
		return []int64{at.from.Behind}, nil
	case len(at.recent) < 2: // there is no older revision
		return nil, nil
	case at.kin == diverged:
		if number, err := at.fork(ctx, s); number != 0 || err != nil {
			return []int64{number}, err
		}
		return at.similarRevisions(ctx, s)
	case at.kin == unrelated && at.from.Starting && at.dir.Digest != head.Digest &&
		(head.Commit == "" || at.dir.Commit.Hash != head.Commit || at.dir.Commit.Modified):
		return at.similarRevisions(ctx, s)
	}
	return nil, nil
}

// fork returns the number of the newest recent revision at the commit of the directory or at
// an ancestor of it, 0 for none.
func (at gateInput) fork(ctx context.Context, s store.Store) (int64, error) {
	const commits = 100 // commits to compare
	revisions, err := s.History(ctx, startLimit)
	if err != nil {
		return 0, err
	}
	seen := map[string]bool{"": true}
	for _, r := range revisions {
		if seen[r.Commit] {
			continue
		}
		if seen[r.Commit] = true; len(seen) > commits {
			break
		}
		is := r.Commit == at.dir.Commit.Hash
		if !is {
			if is, err = at.dir.Commits.IsAncestor(r.Commit, at.dir.Commit.Hash); err != nil {
				return 0, err
			}
		}
		if is {
			return r.Number, nil
		}
	}
	return 0, nil
}

// Limits of the search for the origin of a directory.
const (
	sampled    = 20 // records of a kind
	spells     = 4  // periods in which a field had the value of the directory
	candidates = 4  // revisions
)

// span is the revisions from one to another, both included.
type span struct{ from, to int64 }

// similarRevisions returns the older revisions that the directory resembles most, newest first,
// nil for none. It compares the fields of a sample of the records that differ from the
// head, figures left out, with their earlier versions. The sample is spread evenly over the
// records of each kind, so that new edits at the beginning of a list do not hide the rest.
//
// A sample can miss the origin of a directory, which is then published. It cannot hold one:
// the rule compares all records with each revision that is returned (see [compareWith]).
func (at gateInput) similarRevisions(ctx context.Context, s store.Store) ([]int64, error) {
	var spans []span
	now, next := newLookup(at.head.Editors()), newLookup(at.draft.Catalog)
	for _, d := range domain.Descriptions() {
		var changed []string
		for key := range keysOf(d, now, next) {
			if len(editorial(d, next.record(d, key), now.record(d, key), false)) > 0 {
				changed = append(changed, key)
			}
		}
		n := min(len(changed), sampled)
		for i := range n {
			key := changed[i*len(changed)/n]
			versions, err := s.Versions(ctx, d.Kind, key, at.head.Revision.Number)
			if err != nil {
				return nil, err
			}
			own := next.record(d, key)
			alike, err := at.revisionsLike(own, editorial(d, own, now.record(d, key), false), versions)
			if err != nil {
				return nil, err
			}
			spans = append(spans, alike...)
		}
	}
	return mostIn(spans, at.head.Revision.Number), nil
}

// revisionsLike returns the revisions in which the given fields of a record had the same values as in
// the directory. own is the record in the directory; if it is nil, one field suffices.
// versions are those of the record, newest first.
func (at gateInput) revisionsLike(own any, fields []*domain.Field, versions []store.Version) ([]span, error) {
	records := make([]any, len(versions))
	for i, v := range versions {
		var err error
		if records[i], err = v.Row.Record(); err != nil {
			return nil, err
		}
	}
	if own == nil {
		fields = fields[:1]
	}
	var spans []span
	for _, f := range fields {
		var found []span
		to, running := at.head.Revision.Number, false // running: the last span reaches back to this version
		for i, v := range versions {
			same := sameField(f, records[i], own)
			switch {
			case same && running:
				found[len(found)-1].from = v.Revision.Number
			case same:
				found = append(found, span{v.Revision.Number, to})
			}
			if to, running = v.Revision.Number-1, same; !running && len(found) == spells {
				break
			}
		}
		if own == nil && len(found) == 0 && len(versions) > 0 && to > 0 {
			found = []span{{1, to}} // before the record was added
		}
		spans = append(spans, found...)
	}
	return spans, nil
}

// mostIn returns the revisions before the head that are in the most spans, newest first. Of
// each range of such revisions it returns the last and the first.
func mostIn(spans []span, head int64) []int64 {
	var best []int64
	most := 0
	for _, s := range spans {
		votes, from := 0, int64(1)
		for _, other := range spans {
			if other.from <= s.to && s.to <= other.to {
				votes, from = votes+1, max(from, other.from)
			}
		}
		if s.to >= head || votes < most {
			continue
		}
		if votes > most {
			best, most = nil, votes
		}
		best = append(best, s.to, from)
	}
	slices.Sort(best)
	best = slices.Compact(best)
	slices.Reverse(best)
	return best[:min(len(best), candidates)]
}
