package domain_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// TestDeltaSuffices checks that comparisons that see only the records of a delta have the results of
// those that see all records.
func TestDeltaSuffices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := detailed()
		for range rapid.IntRange(0, 2).Draw(t, "mutations before") {
			mutate(t, old)
		}
		new := deepCopy(old)
		for range rapid.IntRange(0, 4).Draw(t, "mutations") {
			mutate(t, new)
		}
		for _, list := range []func(){
			func() { slices.Reverse(new.Chains) },
			func() { slices.Reverse(new.Accounts) },
			func() { new.Accounts = new.Accounts[min(1, len(new.Accounts)):] },
			func() { new.Apps = slices.Concat(new.Apps[len(new.Apps)/2:], new.Apps[:len(new.Apps)/2]) },
		} {
			if rapid.Bool().Draw(t, "edit list") {
				list()
			}
		}
		for _, c := range []*domain.Catalog{old, new} {
			if domain.Check(c, domain.Reading{}).Found.Of(domain.Error) > 0 {
				t.Skip("keys may repeat")
			}
		}
		delta := domain.DeltaOf(old, new)
		whole := delta.Whole()
		if diff := cmp.Diff(whole.Changes(), delta.Changes()); diff != "" {
			t.Errorf("Changes() (-of all +of the delta):\n%s", diff)
		}
		if diff := cmp.Diff(whole.SuggestFormer(), delta.SuggestFormer()); diff != "" {
			t.Errorf("SuggestFormer() (-of all +of the delta):\n%s", diff)
		}
		if diff := cmp.Diff(whole.TakenAddresses(), delta.TakenAddresses()); diff != "" {
			t.Errorf("TakenAddresses() (-of all +of the delta):\n%s", diff)
		}
	})
}

// TestDeltaOf checks which records a delta has.
func TestDeltaOf(t *testing.T) {
	account := func(handle, name string) *domain.Account { return &domain.Account{Handle: handle, Name: name} }
	group := func(key string) domain.NavGroup { return domain.NavGroup{Key: key, Slug: key} }
	old := &domain.Catalog{
		Accounts:  []*domain.Account{account("a", "A"), account("b", "B"), account("c", "C"), account("d", "D")},
		NavGroups: []domain.NavGroup{group("x"), group("y"), group("z")},
	}
	new := &domain.Catalog{
		Accounts:  []*domain.Account{account("new", "N"), account("d", "D"), account("a", "A"), account("c", "changed")},
		NavGroups: []domain.NavGroup{group("x"), group("z"), group("y")},
	}
	delta := domain.DeltaOf(old, new)
	for _, tt := range []struct {
		kind     domain.Kind
		old, new []int
	}{
		{domain.KindAccount, []int{1, 2}, []int{0, 3}},
		{domain.KindNavGroup, []int{1, 2}, []int{1, 2}},
		{domain.KindChain, nil, nil},
	} {
		was, is := delta.Indices(tt.kind)
		if !slices.Equal(was, tt.old) || !slices.Equal(is, tt.new) {
			t.Errorf("%s: %d and %d differ, want %d and %d", tt.kind, was, is, tt.old, tt.new)
		}
	}
	if got := delta.Size(); got != 8 {
		t.Errorf("Size() = %d, want 8", got)
	}
	if got := domain.DeltaOf(nil, old).Size(); got != 7 {
		t.Errorf("Size() of a delta from nothing = %d, want 7", got)
	}
}
