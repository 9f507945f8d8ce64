package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// PurgedValue is in a record that [PurgeAccount] removes, and nowhere else.
const PurgedValue = "Q7x-personal-data-Q7x"

// withPerson returns a catalogue with an account of a person.
func withPerson(n int, description string) *domain.Catalog {
	c := large(n)
	c.Accounts = append(c.Accounts, &domain.Account{Handle: "Person", Name: PurgedValue + description, Website: "https://example.org/" + PurgedValue})
	return c
}

// PurgeAccount publishes an account that comes and goes, observes it, and purges it.
func PurgeAccount(t *testing.T, s store.Store) store.Purged {
	t.Helper()
	publish(t, s, 0, draft(large(1)))
	publish(t, s, 1, draft(withPerson(2, "first")))
	publish(t, s, 2, draft(large(3)))
	publish(t, s, 3, draft(withPerson(4, "second")))
	if _, err := s.Observe(t.Context(), 4, []store.Observation{{UpstreamID: PurgedValue, Observation: domain.Observation{
		Kind: domain.KindAccount, Key: "Person", Figure: domain.FigureFollowers, Value: 7, Source: "x", AsOf: "2026-11-21",
	}}}, store.Note{Op: store.OpSync}); err != nil {
		t.Fatal(err)
	}
	publish(t, s, 5, draft(withPerson(6, "third")))
	purged, err := s.Purge(t.Context(), 6, domain.KindAccount, []string{"person"}, store.Note{Actor: "a", Message: "by request"})
	if err != nil {
		t.Fatal(err)
	}
	return purged
}

func purges(t *testing.T, s store.Store) {
	if _, err := s.Purge(t.Context(), 0, domain.KindAccount, []string{"person"}, store.Note{}); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("in an empty store: %v", err)
	}
	purged := PurgeAccount(t, s)
	if purged.Revision.Number != 7 || purged.Revision.Op != store.OpPurge || purged.Versions != 3 || purged.Observations != 1 {
		t.Errorf("purged %+v", purged)
	}
	for number := range int64(7) {
		state := load(t, s, number+1)
		if len(state.Observed()) != 0 || slices.ContainsFunc(state.Editors().Accounts, func(a *domain.Account) bool { return strings.EqualFold(a.Handle, "person") }) {
			t.Errorf("revision %d has the record", number+1)
		}
	}
	equal(t, "the first revision", large(1), load(t, s, 1).Editors())
	equal(t, "the head", large(6), load(t, s, 7).Editors())
	changes, err := s.Changes(t.Context(), 6)
	if err != nil || len(changes.Rows) != 1 || changes.Rows[0].Body != nil || changes.Rows[0].Key != "person" {
		t.Errorf("changes %+v, %v", changes, err)
	}
	if versions, err := s.Versions(t.Context(), domain.KindAccount, "person", 0); err != nil || len(versions) != 1 || versions[0].Row.Body != nil {
		t.Errorf("versions %v, %v", versions, err)
	}
	if checked, ok := s.(*closing).Store.(interface{ Check(context.Context) error }); ok {
		if err := checked.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Purge(t.Context(), 7, domain.KindAccount, []string{"person"}, store.Note{}); !errors.Is(err, store.ErrNoRecord) {
		t.Errorf("again: %v", err)
	}
	if _, err := s.Purge(t.Context(), 6, domain.KindAccount, []string{"account_001"}, store.Note{}); !errors.Is(err, store.ErrConflict) {
		t.Errorf("on an old head: %v", err)
	}
	publish(t, s, 7, draft(large(7)))
	if _, err := s.Prune(t.Context(), 8); err != nil {
		t.Fatal(err)
	}
	equalTombstones(t, s, "person")
	publish(t, s, 8, draft(withPerson(8, "again"))) // editors may add it again
	load(t, s, 9)
	equalTombstones(t, s)
	publish(t, s, 9, draft(large(9)))
	equalTombstones(t, s) // an import removed it, not a purge
	if _, err := s.Purge(t.Context(), 10, domain.KindAccount, []string{"other", "person"}, store.Note{Message: "again"}); err != nil {
		t.Fatal(err)
	}
	equalTombstones(t, s, "other", "person")
}

func equalTombstones(t *testing.T, s store.Store, want ...string) {
	t.Helper()
	all, err := s.Tombstones(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, v := range all {
		if v.Row.Kind != domain.KindAccount || v.Row.Body != nil || v.Revision.Op != store.OpPurge || v.Revision.Message == "" {
			t.Errorf("tombstone %+v", v)
		}
		keys = append(keys, v.Row.Key)
	}
	equal(t, "tombstones", want, keys)
}
