package domain

import "slices"

// CheckAgain is [Check] of a whole catalogue for errors alone, given an earlier
// one in which Check found none: what it knows of there it does not look at
// twice. It reports every error that Check would, and not all of the warnings;
// of one rule no more than [MaxKept]. Of what was published under the rules of
// its time it says only what cannot be served: neither a day nor a later rule
// about what readers see makes it invalid. A nil before is none.
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

// known says which records were checked before, by their places in the lists:
// all that is left to check of them is that they are unique. Nil is none.
type known struct {
	chains, accounts, channels []bool
}

func (k known) has(list []bool, i int) bool { return i < len(list) && list[i] }

// sameRules reports whether a record of one catalogue is checked against the
// same locales, schemes and categories as one of the other.
func sameRules(a, b *Catalog) bool {
	return a.DefaultLocale == b.DefaultLocale && slices.Equal(a.Locales, b.Locales) &&
		slices.Equal(a.LinkSchemes, b.LinkSchemes) && slices.EqualFunc(a.Categories, b.Categories, func(a, b Category) bool { return categoryShape.Equal(&a, &b) })
}

// unchanged reports of each record whether it is the same as one before. The
// lists are gone through side by side, so that one which was edited here and
// there is recognised, and one that was put in another order is not.
func unchanged[R any](before, now []R, shape *Shape) []bool {
	const far = 64 // records that may have been removed in a row
	out := make([]bool, len(now))
	next := 0
	for i := range now {
		for j := next; j < min(next+far, len(before)); j++ {
			if shape.Equal(&before[j], &now[i]) {
				out[i], next = true, j+1
				break
			}
		}
	}
	return out
}
