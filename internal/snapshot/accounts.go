package snapshot

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/spelling"
)

// accountList is the list of accounts. It hides accounts with unknown followers
// (docs/figures.md#missing-figures); searches and their own paths include them.
type accountList = list[domain.Account, AccountRow]

func (c *compiler) accountSource() source[domain.Account, AccountRow] {
	followers := func(a *domain.Account) *domain.Figure { return a.Followers }
	return source[domain.Account, AccountRow]{
		kind:        query.KindUser,
		name:        "users",
		path:        "/api/open/twitter/users/",
		description: domain.Describe(domain.KindAccount),
		recordsOf:   func(c *compiler) (listed, whole []*domain.Account) { return c.catalog.Accounts, c.whole.Accounts },
		key:         func(a *domain.Account) string { return a.Handle },
		compareKeys: compareHandles,
		isListed:    func(a *domain.Account) bool { return !domain.HeldBack(a) },
		apart:       true,
		orderings:   []ordering[domain.Account]{{descending: true, figures: []func(*domain.Account) *domain.Figure{followers}}},
		whole:       Account{},
		namePrefix:  "@",
		nearKey:     nearHandle,
	}
}

// nearHandle returns the handle that is closest to an unknown one, including handles of hidden
// accounts. It has the same first two characters and digits, and an edit distance of at most one,
// or two from nine characters on. It returns "" for none, for several equally close ones, and for
// handles that are too short. Spaces count as underscores.
func nearHandle(l *accountList, handle string) string {
	handle = strings.ReplaceAll(strings.ToLower(handle), " ", "_")
	if len(handle) < 5 {
		return ""
	}
	most := 1
	if len(handle) >= 9 {
		most = 2
	}
	return closest(handle, handlesBeginning(l, handle[:2]), func(known string) (int, bool) {
		d := spelling.Distance(handle, strings.ToLower(known), most+1)
		return d, d <= most
	})
}

// handlesBeginning yields the handles with a prefix in order, ignoring case.
func handlesBeginning(l *accountList, start string) iter.Seq[string] {
	return func(yield func(string) bool) {
		first, _ := slices.BinarySearchFunc(l.byKey, start, func(number uint32, start string) int { return compareHandles(l.records[number].Handle, start) })
		for _, number := range l.byKey[first:] {
			h := l.records[number].Handle
			if len(h) < len(start) || compareHandles(h[:len(start)], start) != 0 || !yield(h) {
				return
			}
		}
	}
}

// compareHandles compares handles case-insensitively, because they identify accounts.
func compareHandles(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
