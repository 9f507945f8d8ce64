package history

import (
	"context"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// version is a version of a record of the editors' layer.
type version struct {
	Since
	record *domain.Catalog // catalogue with only this record of its kind; empty if the record was deleted
}

// readVersions returns the versions of a record up to a revision, oldest first.
func readVersions(ctx context.Context, s store.Store, kind domain.Kind, key string, until int64) ([]version, error) {
	rows, err := s.Versions(ctx, kind, key, until) // the newest first
	if err != nil {
		return nil, err
	}
	heads, err := s.Versions(ctx, domain.KindCatalog, string(domain.KindCatalog), until)
	if err != nil {
		return nil, err
	}
	oldest, err := oldest(ctx, s)
	if err != nil {
		return nil, err
	}
	var versions []version
	for i, row := range slices.Backward(rows) {
		record, err := readRecord(row, heads)
		if err != nil {
			return nil, err
		}
		since := Since{Revision: row.Revision, Origin: originOf(rows[i:])}
		// Pruned versions may have had the values of the first kept one already.
		since.OrBefore = i == len(rows)-1 && oldest > 1 && row.Revision.Number <= oldest
		versions = append(versions, version{since, record})
	}
	return versions, nil
}

// readRecord decodes the record of a version. heads are the versions of the catalogue's own
// record, which every catalogue needs.
func readRecord(v store.Version, heads []store.Version) (*domain.Catalog, error) {
	if v.Row.Body == nil {
		return &domain.Catalog{}, nil
	}
	row := v.Row
	row.Position = 0 // the only record of its list
	rows := []store.Row{row}
	if row.Kind != domain.KindCatalog && len(heads) > 0 {
		rows = append(rows, heads[0].Row)
	}
	state, err := store.NewState(v.Revision, rows, nil)
	if err != nil {
		return nil, err
	}
	return state.Editors(), nil
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

func records(versions []version) []*domain.Catalog {
	records := make([]*domain.Catalog, len(versions))
	for i, v := range versions {
		records[i] = v.record
	}
	return records
}
