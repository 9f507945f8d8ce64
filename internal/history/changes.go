package history

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"vitrine/internal/changelog"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// maxRows bounds the rows that are read for a log (see [store.Store.Touched]).
const maxRows = changelog.MaxEntries

// Changes returns the log of the changes up to the revision of a state, which the store has. log
// is nil or the log up to an earlier revision; it is not modified. The cost is
// proportional to the changes. Errors are those of the store.
func Changes(ctx context.Context, s store.Store, log *changelog.Log, state *store.State) (*changelog.Log, error) {
	since := max(1, state.Revision.Number-changelog.MaxRevisions+1)
	if log != nil {
		if since = log.Newest().Number; since == state.Revision.Number {
			return log, nil
		}
	}
	touched, err := s.Touched(ctx, since, state.Revision.Number, maxRows)
	if err != nil {
		return nil, err
	}
	base := touched.Revisions[0]
	if log != nil && (base.Number != since || !base.PublishedAt.Equal(log.Newest().PublishedAt)) {
		return Changes(ctx, s, nil, state) // the revision was pruned or replaced
	}
	if log == nil {
		log = changelog.New(revisionOf(base))
	}
	r, err := newReplay(state, touched)
	if err != nil {
		return nil, err
	}
	var revisions []changelog.Revision
	for _, rev := range touched.Revisions[1:] {
		logged := revisionOf(rev)
		logged.Entries = r.next(rev)
		revisions = append(revisions, logged)
	}
	return log.Append(revisions...), nil
}

func revisionOf(rev store.Revision) changelog.Revision {
	return changelog.Revision{Number: rev.Number, PublishedAt: rev.PublishedAt}
}

// rowID identifies a record in all revisions.
type rowID struct {
	kind domain.Kind
	key  string // of its row
}

// replay follows the records that some revisions touched from revision to revision.
type replay struct {
	state    *store.State // after all of them
	records  map[rowID]*replayed
	versions map[int64][]versioned // by revision
	observed map[int64][]sighting  // by revision
	owners   map[rowID]rowID       // by kind and key of figures
}

// replayed is a record at the present revision of a replay.
type replayed struct {
	written any                                      // as editors wrote it; nil for none
	winners map[domain.FigureName]domain.Observation // its winning observations
}

type versioned struct {
	id     rowID
	record any // nil for a tombstone
}

type sighting struct {
	id rowID
	domain.Observation
}

func newReplay(state *store.State, touched *store.Touched) (*replay, error) {
	r := &replay{
		state: state, records: map[rowID]*replayed{}, owners: map[rowID]rowID{},
		versions: map[int64][]versioned{}, observed: map[int64][]sighting{},
	}
	base := touched.Revisions[0].Number
	for _, v := range touched.Versions {
		record, err := v.Row.Record()
		if err != nil {
			return nil, err
		}
		id := rowID{v.Row.Kind, v.Row.Key}
		known := r.track(id, nil)
		if number := v.Revision.Number; number > base {
			r.versions[number] = append(r.versions[number], versioned{id, record})
		} else {
			known.written = record
		}
		r.own(id)
	}
	for _, o := range touched.Observed {
		id, ok := r.owner(o.Observation.Observation)
		if !ok {
			continue // of a record that no revision in question has
		}
		number := o.Revision.Number
		r.observed[number] = append(r.observed[number], sighting{id, o.Observation.Observation})
		delete(r.records[id].winners, o.Observation.Figure) // it is the one after all revisions
	}
	for _, o := range touched.Before {
		if id, ok := r.owner(o); ok {
			r.records[id].winners[o.Figure] = o
		}
	}
	return r, nil
}

// track returns the record with an id. A new one has the written record and the last winning
// observations.
func (r *replay) track(id rowID, written any) *replayed {
	known := r.records[id]
	if known == nil {
		known = &replayed{written: written, winners: map[domain.FigureName]domain.Observation{}}
		for _, o := range r.state.ObservedOf(id.kind, id.key) {
			known.winners[o.Figure] = o
		}
		r.records[id] = known
	}
	return known
}

// own makes a record the owner of the figures with its key.
func (r *replay) own(id rowID) { r.owners[rowID{id.kind, store.FigureKey(id.key)}] = id }

// owner returns the record of an observation, which it tracks: one of those that were written, else
// one of the state. ok is false for none.
func (r *replay) owner(o domain.Observation) (id rowID, ok bool) {
	if id, ok = r.owners[rowID{o.Kind, o.Key}]; ok {
		return id, true
	}
	record, key := r.state.Written(o.Kind, o.Key)
	if record == nil {
		return rowID{}, false
	}
	id = rowID{o.Kind, key}
	r.track(id, record)
	r.own(id)
	return id, true
}

// next replays a revision and returns its entries.
func (r *replay) next(rev store.Revision) []changelog.Entry {
	ids := r.touchedBy(rev)
	menus := r.affectedMenus(ids)
	before, cards := r.catalog(ids), r.menus(menus)
	for _, v := range r.versions[rev.Number] {
		r.records[v.id].written = v.record
	}
	for _, o := range r.observed[rev.Number] {
		if winners := r.records[o.id].winners; o.AsOf >= winners[o.Figure].AsOf { // as in [store.State]
			winners[o.Figure] = o.Observation
		}
	}
	return slices.Concat(
		changelog.Compare(rev.Number, before, r.catalog(ids)),
		changelog.CompareCards(rev.Number, cards, r.menus(menus)),
		r.purged(rev),
	)
}

// touchedBy returns the records that a revision touched, by kind and key.
func (r *replay) touchedBy(rev store.Revision) []rowID {
	ids := map[rowID]bool{}
	for _, v := range r.versions[rev.Number] {
		ids[v.id] = true
	}
	for _, o := range r.observed[rev.Number] {
		ids[o.id] = true
	}
	return slices.SortedFunc(maps.Keys(ids), func(a, b rowID) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.key, b.key))
	})
}

// affectedMenus returns the path slugs of the menus whose cards some touched records may change:
// the menus among these, and all that have a card of an app among them.
func (r *replay) affectedMenus(ids []rowID) []string {
	var slugs []string
	apps := map[string]bool{}
	for _, id := range ids {
		switch id.kind {
		case domain.KindMenu:
			slugs = append(slugs, id.key)
		case domain.KindApp:
			apps[id.key] = true
		}
	}
	if len(apps) == 0 {
		return slugs
	}
	for i := range r.state.Editors().Menus {
		slugs = append(slugs, r.state.Editors().Menus[i].PathSlug)
	}
	for id := range r.records {
		if id.kind == domain.KindMenu {
			slugs = append(slugs, id.key)
		}
	}
	slices.Sort(slugs)
	slugs = slices.Compact(slugs)
	return slices.DeleteFunc(slugs, func(slug string) bool {
		touched := slices.Contains(ids, rowID{domain.KindMenu, slug})
		menu, exists := r.present(domain.KindMenu, slug).(*domain.Menu)
		return !touched && (!exists || !slices.ContainsFunc(appsOf(menu), func(key string) bool { return apps[key] }))
	})
}

// menus returns some menus with the apps of their cards, as they are now.
func (r *replay) menus(slugs []string) changelog.Menus {
	all := changelog.Menus{Apps: map[string]*domain.App{}}
	for _, slug := range slugs {
		menu, exists := r.present(domain.KindMenu, slug).(*domain.Menu)
		if !exists {
			continue
		}
		all.Menus = append(all.Menus, *menu)
		for _, key := range appsOf(menu) {
			if app, exists := r.present(domain.KindApp, key).(*domain.App); exists {
				all.Apps[key] = app
			}
		}
	}
	return all
}

// present returns the editors' record of a kind without figures, as it is now; nil for none.
func (r *replay) present(kind domain.Kind, key string) any {
	if known := r.records[rowID{kind, key}]; known != nil {
		return known.written
	}
	record, _ := r.state.Written(kind, key)
	return record
}

// appsOf returns the keys of the apps of a menu's cards, with repeats.
func appsOf(menu *domain.Menu) []string {
	var keys []string
	for card := range menu.Cards() {
		if card.App != "" {
			keys = append(keys, card.App)
		}
	}
	return keys
}

// catalog returns a catalogue with only some records, as readers see them.
func (r *replay) catalog(ids []rowID) *domain.Catalog {
	c := &domain.Catalog{}
	records := map[domain.Kind][]any{}
	var observed []domain.Observation // of different figures, so their order does not matter
	for _, id := range ids {
		known := r.records[id]
		if known.written == nil || id.kind == domain.KindCatalog {
			continue
		}
		records[id.kind] = append(records[id.kind], known.written)
		for _, o := range known.winners {
			observed = append(observed, o)
		}
	}
	for kind, of := range records {
		domain.Describe(kind).Fill(c, len(of), func(i int) any { return of[i] })
	}
	return domain.Merge(c, observed)
}

// purged returns the entries of the records that a revision removed from all revisions.
func (r *replay) purged(rev store.Revision) []changelog.Entry {
	if rev.Op != store.OpPurge {
		return nil
	}
	var entries []changelog.Entry
	for _, v := range r.versions[rev.Number] {
		if !store.IsIDTombstone(v.id.key) {
			entries = append(entries, changelog.Purged(rev.Number, v.id.kind, v.id.key))
		}
	}
	return entries
}
