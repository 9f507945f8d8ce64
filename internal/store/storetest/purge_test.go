package storetest

import (
	"testing"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// purgedValue is in a record that [purgeAccount] removes, and nowhere else.
const purgedValue = "Q7x-personal-data-Q7x"

// purgeAccount publishes an account that comes and goes, observes it, and purges it.
func purgeAccount(t *testing.T, s store.Store) {
	t.Helper()
	for n := range 4 {
		c := large(n)
		if n%2 == 1 {
			c.Accounts = append(c.Accounts, &domain.Account{Handle: "Person", Name: purgedValue, Website: "https://example.org/" + purgedValue})
		}
		publish(t, s, int64(n), draft(c))
	}
	observed := observation(domain.KindAccount, "Person", domain.FigureFollowers)
	observed.UpstreamID = purgedValue
	if _, err := s.Observe(t.Context(), 4, []store.Observation{observed}, store.Note{Op: store.OpSync}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Purge(t.Context(), 5, domain.KindAccount, []string{"person"}, store.Note{Message: "by request"}); err != nil {
		t.Fatal(err)
	}
}

// observation returns a valid observation of a figure.
func observation(kind domain.Kind, key string, figure domain.FigureName) store.Observation {
	return store.Observation{Observation: domain.Observation{Kind: kind, Key: key, Figure: figure, Value: 1, Source: "s", AsOf: "2026-01-01"}}
}
