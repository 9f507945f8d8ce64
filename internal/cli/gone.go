package cli

import (
	"context"
	"fmt"

	"vitrine/internal/store"
)

// gone returns why a revision has no record of a selector: the revision that
// removed it, or notFound where none is known to have had it.
func (sel selector) gone(ctx context.Context, s store.Store, in store.Revision, notFound error) error {
	versions, err := s.Versions(ctx, sel.kind, store.RecordKey(sel.kind, sel.key), in.Number)
	if err != nil {
		return could{err}
	}
	if len(versions) == 0 || versions[0].Row.Body != nil {
		return notFound
	}
	removed := versions[0].Revision
	text := fmt.Sprintf("%s %q is not in revision %d: it was removed in %s", sel.kind, sel.key, in.Number, describe(removed))
	if before := removed.Number - 1; before > 0 {
		history, err := s.History(ctx, 0)
		if err != nil {
			return could{err}
		}
		if n := len(history); n > 0 && history[n-1].Number <= before {
			text += fmt.Sprintf("; vitrine show %s %s@%d prints what it was", sel.kind, sel.key, before)
		}
	}
	return fmt.Errorf("%s", text)
}
