package publish

import (
	"context"
	"slices"

	"vitrine/internal/domain"
)

// origins returns the numbers of the older revisions that the directory may derive from,
// nil for none: the one that is known from an earlier hold; of a commit that diverged, the
// newest one at an ancestor of it; of those and of a directory that a process finds when
// it starts, those that resemble it most. What was published last, or is at the commit
// that is served, derives from nothing older.
func (at situation) origins(ctx context.Context, s Store) ([]int64, error) {
	switch head := at.head.Revision; {
	case at.from.Behind != 0:
		return []int64{at.from.Behind}, nil
	case len(at.recent) < 2: // there is no older revision
		return nil, nil
	case at.kin == diverged:
		if number, err := at.fork(ctx, s); number != 0 || err != nil {
			return []int64{number}, err
		}
		return at.resembled(ctx, s)
	case at.kin == unrelated && at.from.Starting && at.dir.Digest != head.Digest &&
		(head.Commit == "" || at.dir.Commit.Hash != head.Commit || at.dir.Commit.Modified):
		return at.resembled(ctx, s)
	}
	return nil, nil
}

// fork returns the number of the newest revision at the directory's commit or an ancestor
// of it, 0 for none among the recent ones.
func (at situation) fork(ctx context.Context, s Store) (int64, error) {
	const commits = 100 // that are looked at
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

// resembled returns older revisions with the most of what the directory has otherwise than
// the head, newest first, nil for none. It looks at fields, figures left out, of a sample
// of the records that differ.
func (at situation) resembled(ctx context.Context, s Store) ([]int64, error) {
	const (
		sample     = 20 // records of a kind
		spells     = 4  // of a field: the times at which it was as it is in the directory
		candidates = 4
	)
	type span struct{ from, to int64 }
	var spans []span
	now, next := newLookup(at.head.Editors()), newLookup(at.draft.Catalog)
	for _, d := range domain.Descriptions() {
		looked := 0
		for key := range keysOf(d, now, next) {
			own, served := next.record(d, key), now.record(d, key)
			fields := editorial(d, own, served, false)
			if len(fields) == 0 {
				continue
			}
			if looked++; looked > sample {
				break
			}
			versions, err := s.Versions(ctx, d.Kind, key, at.head.Revision.Number)
			if err != nil {
				return nil, err
			}
			for _, f := range fields {
				one, to, n := span{}, at.head.Revision.Number, len(spans)
				for _, v := range versions {
					if len(spans)-n == spells {
						break
					}
					was, err := v.Row.Record()
					if err != nil {
						return nil, err
					}
					switch same := sameField(f, was, own); {
					case same && one.to == 0:
						one = span{v.Revision.Number, to}
					case same:
						one.from = v.Revision.Number
					case one.to != 0:
						spans, one = append(spans, one), span{}
					}
					to = v.Revision.Number - 1
				}
				if own == nil && one.to == 0 && len(spans) == n && len(versions) > 0 && to > 0 {
					one = span{1, to} // before the record came
				}
				if one.to != 0 {
					spans = append(spans, one)
				}
				if own == nil {
					break // one field of a record that is missing says as much as all
				}
			}
		}
	}
	var best []int64
	most := 0
	for _, s := range spans {
		votes, from := 0, int64(1)
		for _, other := range spans {
			if other.from <= s.to && s.to <= other.to {
				votes, from = votes+1, max(from, other.from)
			}
		}
		if s.to >= at.head.Revision.Number || votes < most {
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
	return best[:min(len(best), candidates)], nil
}
