package publish

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"vitrine/internal/domain"
	"vitrine/internal/gate"
	"vitrine/internal/store"
)

// compare sets the findings of the gate.
func (at *gateInput) compare(ctx context.Context, s store.Store, now time.Time) (err error) {
	at.found, err = gate.CompareSince(at.delta, func() (*domain.Catalog, error) { return at.window(ctx, s, now) })
	return err
}

// window returns the catalogue at the beginning of the window over which gradual losses count,
// nil for the same as now. It does not begin before a loss that was accepted: that would count
// again with each further one.
func (at *gateInput) window(ctx context.Context, s store.Store, now time.Time) (*domain.Catalog, error) {
	days := float64(domain.StandardWindow)
	if g := at.serves.Gate; g != nil && g.Window > 0 {
		days = g.Window
	}
	begin := now.Add(-time.Duration(days * 24 * float64(time.Hour)))
	revisions, err := s.History(ctx, startLimit)
	if err != nil {
		return nil, err
	}
	number := at.head.Revision.Number
	for _, r := range revisions {
		number = r.Number
		if r.PublishedAt.Before(begin) || slices.ContainsFunc(r.Acceptances(), acceptsLoss) {
			break
		}
	}
	if number == at.head.Revision.Number {
		return nil, nil
	}
	state, err := s.Load(ctx, number)
	if errors.Is(err, store.ErrNoRevision) { // pruned meanwhile
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return state.Merged(), nil
}

func acceptsLoss(a store.Acceptance) bool { return strings.HasPrefix(a.Rule, ShrinkRule+":") }
