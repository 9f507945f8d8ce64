package publish

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// Purge removes a record from all revisions of a store (see [store.Store.Purge]), also under its
// former keys, unless another record has them now. It returns an error, and removes nothing, if the
// served catalogue would be invalid without the record ([*NeededError]), or if editors choose the order
// of its kind. Other errors are the store's.
func Purge(ctx context.Context, s store.Store, kind domain.Kind, key string, note store.Note) (store.Purged, error) {
	head, keys, err := purgeable(ctx, s, kind, key)
	if err != nil {
		return store.Purged{}, err
	}
	return s.Purge(ctx, head.Revision.Number, kind, keys, note)
}

// CountPurge returns the numbers of versions and observations that [Purge] would remove, without a
// revision, or the error that it would return. It changes nothing.
func CountPurge(ctx context.Context, s store.Store, kind domain.Kind, key string) (store.Purged, error) {
	_, keys, err := purgeable(ctx, s, kind, key)
	if err != nil {
		return store.Purged{}, err
	}
	var counted store.Purged
	for _, key := range keys {
		versions, err := s.Versions(ctx, kind, key, 0)
		if err != nil {
			return store.Purged{}, err
		}
		for _, v := range versions {
			if v.Row.Body != nil {
				counted.Versions++
			}
		}
		observed, err := s.Observations(ctx, kind, key, 0)
		if err != nil {
			return store.Purged{}, err
		}
		counted.Observations += int64(len(observed))
	}
	if counted == (store.Purged{}) {
		return store.Purged{}, store.ErrNoRecord
	}
	return counted, nil
}

// purgeable returns the head of a store, and the keys that a purge of a record removes.
func purgeable(ctx context.Context, s store.Store, kind domain.Kind, key string) (*store.State, []string, error) {
	if d := domain.Describe(kind); kind == domain.KindCatalog || d == nil || d.Ordered {
		return nil, nil, fmt.Errorf("records of kind %s cannot be purged, because others depend on their order; change the directory and import it", kind)
	}
	head, err := s.Load(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	if err := removable(head, kind, key); err != nil {
		return nil, nil, err
	}
	keys, err := keysOfRecord(ctx, s, head, kind, key)
	return head, keys, err
}

// NeededError reports that a record was not purged, because the catalogue would be invalid without it.
type NeededError struct{ Cause *domain.InvalidError }

func (e *NeededError) Error() string {
	return fmt.Sprintf("the catalogue would be invalid without the record: %s in %s: %s; correct the directory, import it, and purge the record then",
		e.Cause.Rule, e.Cause.In, e.Cause.Message)
}

// keysOfRecord returns a key, the former keys that kept versions of its record have, except those that
// are now the key of another record, and the keys of tombstones for its written ids.
func keysOfRecord(ctx context.Context, s store.Store, head *store.State, kind domain.Kind, key string) ([]string, error) {
	d, served := domain.Describe(kind), newLookup(head.Editors())
	keys := []string{store.RecordKey(kind, key)}
	for i := 0; i < len(keys); i++ { // keys grows
		versions, err := s.Versions(ctx, kind, keys[i], 0)
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			record, err := v.Row.Record()
			if err != nil {
				return nil, err
			}
			if record == nil {
				continue
			}
			for _, former := range d.FormerKeys(record) {
				former = store.RecordKey(kind, former)
				if !slices.Contains(keys, former) && served.record(d, former) == nil {
					keys = append(keys, former)
				}
			}
			if c, ok := record.(*domain.Chain); ok && c.ID != "" && !slices.Contains(keys, store.IDTombstone(c.ID)) {
				keys = append(keys, store.IDTombstone(c.ID))
			}
		}
	}
	return keys, nil
}

// removable returns a [*NeededError] if a state would be invalid without a record.
func removable(head *store.State, kind domain.Kind, key string) error {
	d, editors := domain.Describe(kind), head.Editors()
	key = store.RecordKey(kind, key)
	var left []any
	for i := range d.Size(editors) {
		if record := d.Record(editors, i); store.KeyOf(d, record) != key {
			left = append(left, record)
		}
	}
	if len(left) == d.Size(editors) {
		return nil // it is only in older revisions
	}
	without := *editors
	d.Fill(&without, len(left), func(i int) any { return left[i] })
	if invalid, ok := errors.AsType[*domain.InvalidError](domain.Invalid(editors, &without)); ok {
		return &NeededError{invalid}
	}
	return nil
}
