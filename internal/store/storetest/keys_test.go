package storetest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"vitrine/internal/store"
)

// noon is day 0 of the tests of keys.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 123_456_789, time.UTC)

func day(n int) time.Time { return noon.AddDate(0, 0, n).Truncate(time.Millisecond) }

func addKey(t *testing.T, s store.Store, key store.APIKey) {
	t.Helper()
	if err := s.AddKey(t.Context(), key); err != nil {
		t.Fatal(err)
	}
}

func wantKeys(t *testing.T, s store.Store, want ...store.APIKey) {
	t.Helper()
	returns(t, "Keys()", want)(s.Keys(t.Context()))
}

func keys(t *testing.T, s store.Store) {
	if all, err := s.Keys(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("Keys() = %v, %v, want none", all, err)
	}
	addKey(t, s, store.APIKey{Name: "b", Hash: [32]byte{1}, CreatedAt: noon})
	addKey(t, s, store.APIKey{Name: "a", Hash: [32]byte{2}, CreatedAt: day(1), CreatedBy: "Zoë"})
	addKey(t, s, store.APIKey{Name: "Ü", Hash: [32]byte{3}, CreatedAt: noon})
	if err := s.AddKey(t.Context(), store.APIKey{Name: "a", Hash: [32]byte{4}, CreatedAt: day(1)}); !errors.Is(err, store.ErrKeyExists) {
		t.Errorf("AddKey() error = %v, want ErrKeyExists", err)
	}
	for _, name := range []string{"c", ""} {
		if err := s.RevokeKey(t.Context(), name, "", noon); !errors.Is(err, store.ErrNoKey) {
			t.Errorf("RevokeKey(%q) error = %v, want ErrNoKey", name, err)
		}
	}
	if err := s.RevokeKey(t.Context(), "a", "ann", day(2)); err != nil {
		t.Fatal(err)
	}
	if err := s.RevokeKey(t.Context(), "a", "bob", day(3)); !errors.Is(err, store.ErrNoKey) {
		t.Errorf("RevokeKey() error = %v, want ErrNoKey", err)
	}
	// A revoked key does not block its name.
	addKey(t, s, store.APIKey{Name: "a", Hash: [32]byte{5}, CreatedAt: day(2), Limit: "1000/m"})
	for _, bad := range []store.APIKey{{Name: ""}, {Name: "\xff"}, {Name: "\x00"}, {Name: "d", Limit: "\x00"}, {Name: "d", CreatedBy: "\xff"}} {
		bad.CreatedAt = noon
		if err := s.AddKey(t.Context(), bad); err == nil || errors.Is(err, store.ErrKeyExists) {
			t.Errorf("AddKey(%q) error = %v, want an error of the key", bad, err)
		}
	}
	wantKeys(t, s,
		store.APIKey{Name: "a", Hash: [32]byte{2}, CreatedAt: day(1), CreatedBy: "Zoë", RevokedAt: day(2), RevokedBy: "ann"},
		store.APIKey{Name: "a", Hash: [32]byte{5}, CreatedAt: day(2), Limit: "1000/m"},
		store.APIKey{Name: "b", Hash: [32]byte{1}, CreatedAt: day(0)},
		store.APIKey{Name: "Ü", Hash: [32]byte{3}, CreatedAt: day(0)},
	)
}

func expiringKeys(t *testing.T, s store.Store) {
	addKey(t, s, store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0), ExpiresAt: day(3)})
	addKey(t, s, store.APIKey{Name: "b", Hash: [32]byte{2}, CreatedAt: day(0), ExpiresAt: day(3)})
	again := store.APIKey{Name: "a", Hash: [32]byte{3}, CreatedAt: day(3).Add(-time.Millisecond)}
	if err := s.AddKey(t.Context(), again); !errors.Is(err, store.ErrKeyExists) {
		t.Errorf("AddKey() before the other expires: error %v, want ErrKeyExists", err)
	}
	if err := s.RevokeKey(t.Context(), "b", "ann", day(2)); err != nil {
		t.Fatal(err)
	}
	if err := s.RevokeKey(t.Context(), "a", "ann", day(3)); !errors.Is(err, store.ErrNoKey) {
		t.Errorf("RevokeKey() of an expired key: error %v, want ErrNoKey", err)
	}
	again.CreatedAt = day(3)
	addKey(t, s, again)
	wantKeys(t, s,
		store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0), ExpiresAt: day(3)},
		again,
		store.APIKey{Name: "b", Hash: [32]byte{2}, CreatedAt: day(0), ExpiresAt: day(3), RevokedAt: day(2), RevokedBy: "ann"},
	)
}

func replacedKeys(t *testing.T, s store.Store) {
	if err := s.ReplaceKey(t.Context(), store.APIKey{Name: "a", CreatedAt: day(0)}, day(1)); !errors.Is(err, store.ErrNoKey) {
		t.Errorf("ReplaceKey() without a key: error %v, want ErrNoKey", err)
	}
	addKey(t, s, store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0), ExpiresAt: day(9)})
	replace := func(hash byte, at, until time.Time, by string) {
		t.Helper()
		if err := s.ReplaceKey(t.Context(), store.APIKey{Name: "a", Hash: [32]byte{hash}, CreatedAt: at, CreatedBy: by}, until); err != nil {
			t.Fatal(err)
		}
	}
	replace(2, day(1), day(3), "ann")
	replace(3, day(2), day(4), "bob") // the first one ends earlier
	wantKeys(t, s,
		store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0), ExpiresAt: day(9), RevokedAt: day(3), RevokedBy: "ann"},
		store.APIKey{Name: "a", Hash: [32]byte{2}, CreatedAt: day(1), CreatedBy: "ann", RevokedAt: day(4), RevokedBy: "bob"},
		store.APIKey{Name: "a", Hash: [32]byte{3}, CreatedAt: day(2), CreatedBy: "bob"},
	)
	if err := s.RevokeKey(t.Context(), "a", "eve", day(3)); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, s,
		store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0), ExpiresAt: day(9), RevokedAt: day(3), RevokedBy: "ann"},
		store.APIKey{Name: "a", Hash: [32]byte{2}, CreatedAt: day(1), CreatedBy: "ann", RevokedAt: day(3), RevokedBy: "eve"},
		store.APIKey{Name: "a", Hash: [32]byte{3}, CreatedAt: day(2), CreatedBy: "bob", RevokedAt: day(3), RevokedBy: "eve"},
	)
	if err := s.ReplaceKey(t.Context(), store.APIKey{Name: "a", CreatedAt: day(3)}, day(4)); !errors.Is(err, store.ErrNoKey) {
		t.Errorf("ReplaceKey() of revoked keys: error %v, want ErrNoKey", err)
	}
}

// usedKeys checks that the latest of concurrently recorded uses stays.
func usedKeys(t *testing.T, s store.Store) {
	addKey(t, s, store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0)})
	addKey(t, s, store.APIKey{Name: "b", Hash: [32]byte{2}, CreatedAt: day(0)})
	if err := s.KeysUsed(t.Context(), nil); err != nil {
		t.Errorf("KeysUsed() without uses: %v", err)
	}
	var servers sync.WaitGroup
	for n := range 8 {
		servers.Go(func() {
			uses := []store.KeyUse{{Hash: [32]byte{1}, At: day(n)}, {Hash: [32]byte{9}, At: day(n)}}
			if err := s.KeysUsed(t.Context(), uses); err != nil {
				t.Error(err)
			}
		})
	}
	servers.Wait()
	wantKeys(t, s,
		store.APIKey{Name: "a", Hash: [32]byte{1}, CreatedAt: day(0), UsedAt: day(7)},
		store.APIKey{Name: "b", Hash: [32]byte{2}, CreatedAt: day(0)},
	)
}
