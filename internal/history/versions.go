package history

import (
	"context"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// versionsOf returns the versions of a record of the editors' layer up to a revision, oldest first:
// pointers to the record, nil if it was deleted, and since when each is served.
func versionsOf(ctx context.Context, s store.Store, kind domain.Kind, key string, until int64) (records []any, since []Since, err error) {
	versions, err := s.Versions(ctx, kind, key, until) // the newest first
	if err != nil {
		return nil, nil, err
	}
	oldest, err := oldest(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	for i, v := range slices.Backward(versions) {
		record, err := v.Row.Record()
		if err != nil {
			return nil, nil, err
		}
		records, since = append(records, record), append(since, sinceOf(versions[i:], oldest))
	}
	return records, since, nil
}

// sinceOf returns since when the first of some versions, newest first, is served. oldest is the
// number of the oldest kept revision: pruned versions may have had the values of the first kept one.
func sinceOf(versions []store.Version, oldest int64) Since {
	revision := versions[0].Revision
	return Since{
		Revision: revision, Origin: originOf(versions),
		OrBefore: len(versions) == 1 && oldest > 1 && revision.Number <= oldest,
	}
}

// originOf returns the origin of the first of some versions, newest first. A rollback has no
// origin, so that of the version that it restored is used.
func originOf(versions []store.Version) string {
	for _, v := range versions {
		if v.Row.Origin != "" && string(v.Row.Body) == string(versions[0].Row.Body) {
			return v.Row.Origin
		}
	}
	return ""
}
