package domain

import "slices"

// CheckAgain is [Check] of a whole catalogue for errors alone, given an earlier
// catalogue in which Check found none: records that are the same in both are not
// checked twice. It reports every error that Check would, though no more than
// [MaxKept] of one rule, and not all warnings. What was published before stays
// valid if it can be served: dates in the future and rules about what readers see
// are not applied. A nil before is no earlier catalogue.
func CheckAgain(before, c *Catalog) []Problem {
	ck := newChecker(orEmpty(c), Reading{})
	ck.stored = true
	if before != nil && sameRules(before, ck.cat) {
		ck.known = known{
			chains:   unchanged(before.Chains, ck.cat.Chains, chainShape),
			accounts: unchanged(before.Accounts, ck.cat.Accounts, accountShape),
			channels: unchanged(before.Channels, ck.cat.Channels, channelShape),
		}
	}
	return ck.run().Problems
}

// known says which records were checked before, by their places in the lists.
// Left to check is that they are unique and that what they refer to is there. A
// nil list knows none.
type known struct {
	chains, accounts, channels []bool
}

func isKnown(list []bool, i int) bool { return i < len(list) && list[i] }

// sameRules reports whether a record of one catalogue is checked against the
// same locales, schemes and categories as one of the other.
func sameRules(a, b *Catalog) bool {
	return a.DefaultLocale == b.DefaultLocale && slices.Equal(a.Locales, b.Locales) &&
		slices.Equal(a.LinkSchemes, b.LinkSchemes) && slices.EqualFunc(a.Categories, b.Categories, func(a, b Category) bool { return categoryShape.Equal(&a, &b) })
}

// unchanged reports for each record whether it is the same as one before. It
// walks both lists side by side: it recognises the rest of a list in which some
// records were edited, but not a list that was put in another order.
func unchanged[R any](before, now []R, shape *Shape) []bool {
	const maxRemoved = 64 // in a row
	out := make([]bool, len(now))
	next := 0
	for i := range now {
		for j := next; j < min(next+maxRemoved, len(before)); j++ {
			if shape.Equal(&before[j], &now[i]) {
				out[i], next = true, j+1
				break
			}
		}
	}
	return out
}
