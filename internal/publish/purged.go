package publish

import (
	"context"
	"fmt"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// purged has the records of a draft that one purge removed from all revisions.
type purged struct {
	revision store.Revision // of the purge
	records  []string       // formatted, each once
}

// purgedIn returns the records of a draft that purges removed, by purge: records with the key, a
// former key or the `_id` of a purged one. A record that was published again since is not one.
func purgedIn(ctx context.Context, s store.Store, draft store.Draft) ([]purged, error) {
	tombstones, err := s.Tombstones(ctx)
	if err != nil {
		return nil, err
	}
	var all []purged
	for _, t := range tombstones {
		d := domain.Describe(t.Row.Kind)
		if d == nil {
			continue // a newer version knows the kind
		}
		for _, record := range returning(d, t.Row.Key, draft) {
			if n := len(all); n == 0 || all[n-1].revision.Number != t.Revision.Number {
				all = append(all, purged{revision: t.Revision})
			}
			last := &all[len(all)-1]
			if !slices.Contains(last.records, record) {
				last.records = append(last.records, record)
			}
		}
	}
	return all, nil
}

// returning describes the records of a draft that are those of a purged key. Records that do not
// differ from the head cannot be, nor those that the head has under the same key.
func returning(d *domain.Description, purged string, draft store.Draft) []string {
	served, _ := draft.Delta.Records(d)
	_, changed := draft.Delta.Indices(d.Kind)
	var all []string
	for _, i := range changed {
		record := d.Record(draft.Catalog, i)
		if !isPurged(d, record, purged) || slices.ContainsFunc(served, func(r any) bool {
			return store.KeyOf(d, r) == store.KeyOf(d, record) && isPurged(d, r, purged)
		}) {
			continue
		}
		text := fmt.Sprintf("%s %s", d.Kind, d.Key(record))
		if draft.Origin != nil {
			text += fmt.Sprintf(" (%s)", draft.Origin(d.Kind, i))
		}
		all = append(all, text)
	}
	return all
}

// isPurged reports whether a record has a purged key, as key or former key, the `_id` that derives from
// it, or a purged `_id`.
func isPurged(d *domain.Description, record any, purged string) bool {
	if c, ok := record.(*domain.Chain); ok && (store.IDTombstone(c.StableID()) == purged || c.StableID() == (domain.Chain{Slug: purged}).StableID()) {
		return true
	}
	return store.KeyOf(d, record) == purged ||
		slices.ContainsFunc(d.FormerKeys(record), func(key string) bool { return store.RecordKey(d.Kind, key) == purged })
}

// purgedRule returns one hold for each purge whose records the draft has again.
func purgedRule(at gateInput) []Hold {
	var holds []Hold
	for _, p := range at.purged {
		name := fmt.Sprintf("%s:%d", PurgedRule, p.revision.Number)
		what, it := "a record", "it"
		if len(p.records) > 1 {
			what, it = fmt.Sprintf("%d records", len(p.records)), "them"
		}
		holds = append(holds, Hold{Rule: name, Severity: domain.GateAsk, Message: fmt.Sprintf(
			"this publish would return %s that %s removed for good: %s; remove %s from the directory, or accept %s to publish %s again",
			what, describeRevision(p.revision), someOf(p.records), it, name, it)})
	}
	return holds
}
