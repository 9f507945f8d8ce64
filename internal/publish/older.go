package publish

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"vitrine/internal/domain"
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

// olderRule holds a directory that is an earlier state of what is served: one at an
// ancestor of the commit that is served; one that a process finds when it starts, if it
// was published before and replaced since; and one that derives from such a state, for as
// long as it would return a value that was replaced. A directory at a descendant of the
// served commit is never held: what it returns was changed on purpose.
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

// relate returns how the commit of the directory is related to the one that is served.
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

// replaced returns the revision that published the very directory, if the process has
// just begun to publish it and another directory was published since.
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

// editorial are the fields in which two records differ, as [differing] returns them,
// without ids, which publishing assigns, and without figures unless they are asked for.
func editorial(d *domain.Description, a, b any, figures bool) []*domain.Field {
	return slices.DeleteFunc(differing(d, a, b), func(f *domain.Field) bool {
		return f.Name == "id" || f.Name == "past_ids" || f.Type == domain.TypeFigure && !figures
	})
}

// differing returns the fields in which two records differ, all of them if only one of the
// two is there; an empty list for none.
func differing(d *domain.Description, a, b any) []*domain.Field {
	fields := []*domain.Field{}
	for _, f := range d.Shape.Fields {
		if !sameField(f, a, b) {
			fields = append(fields, f)
		}
	}
	return fields
}

// sameField reports whether two records have a field alike, or both are not there.
func sameField(f *domain.Field, a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return f.Equal(a, b)
}

// undone is how a draft stands to what changed between an old state and the head.
type undone struct {
	back []string // records, as `KIND KEY`, with values of the old state that were replaced
	lost int      // of those, records that the draft does not have
	kept int      // records with values that replaced those of the old state
}

// holds reports whether a draft derives from the old state rather than from the head. If
// that is known, any value that returns shows that it was not brought up to date.
func (u undone) holds(known bool) bool { return len(u.back) > 0 && (known || len(u.back) > u.kept) }

// compareWith compares a draft with an old state and the head by value, as rollbacks are
// (see [comparison]). The number of a figure may come back on another date: a figure
// returns with its source and date. Figures are left out where it is not known yet that
// the draft derives from the old state: a converter may have written those that the
// head has.
func compareWith(old, head *store.State, draft *domain.Catalog, figures bool) undone {
	var u undone
	before, now, next := newLookup(old.Editors()), newLookup(head.Editors()), newLookup(draft)
	for _, d := range domain.Descriptions() {
		for key := range keysOf(d, before, now) {
			was := before.record(d, key)
			served := now.find(d, key)
			if was == nil && before.hasFormerOf(d, served) {
				continue // renamed since: compared under its old key
			}
			var is any
			if len(served) > 0 {
				is = served[0]
			}
			fields := editorial(d, was, is, figures)
			if len(fields) == 0 {
				continue
			}
			own := next.follow(d, key, served)
			had, has := valuesOf(d, served, fields), valuesOf(d, own, fields)
			back, kept := false, false
			for _, v := range domain.Reversals(d.NewValues(was, fields), d.NewValues(is, fields)) {
				switch {
				case v.Number && !v.Missing:
				case in(v, has):
					back = back || !in(v, had)
				case v.Before == "":
					kept = kept || domain.Agree(v.Path, had, has)
				}
			}
			if back && len(own) == 0 {
				u.lost++
			}
			if back {
				u.back = append(u.back, strings.TrimSpace(string(d.Kind)+" "+nameOfKey(d, key)))
			}
			if kept {
				u.kept++
			}
		}
		if d.Ordered && reordered(d, before, now, next) {
			u.back = append(u.back, "the order of "+d.Plural)
		}
	}
	return u
}

// reordered reports whether two neighbours of an ordered kind, which changed places
// between an old state and the head, stand in a draft as in the old state.
func reordered(d *domain.Description, old, head, draft *lookup) bool {
	var last string
	for i := range d.Size(old.catalog) {
		key := store.KeyOf(d, d.Record(old.catalog, i))
		if head.record(d, key) == nil {
			continue
		}
		if last != "" && head.stands(d, key, last) && draft.stands(d, last, key) {
			return true
		}
		last = key
	}
	return false
}

// keysOf yields the keys of the records of two catalogues, each once.
func keysOf(d *domain.Description, a, b *lookup) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range d.Size(a.catalog) {
			if !yield(store.KeyOf(d, d.Record(a.catalog, i))) {
				return
			}
		}
		for i := range d.Size(b.catalog) {
			if key := store.KeyOf(d, d.Record(b.catalog, i)); a.record(d, key) == nil && !yield(key) {
				return
			}
		}
	}
}

// nameOfKey returns a key as messages have it: the catalogue's own record has none.
func nameOfKey(d *domain.Description, key string) string {
	if d.Kind == domain.KindCatalog {
		return ""
	}
	return key
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
