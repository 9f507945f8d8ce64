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
		ck.before = before
	}
	return ck.run().Problems
}

// sameRules reports whether a record of one catalogue is checked against the
// same locales, schemes and categories as one of the other.
func sameRules(a, b *Catalog) bool {
	return a.DefaultLocale == b.DefaultLocale && slices.Equal(a.Locales, b.Locales) &&
		slices.Equal(a.LinkSchemes, b.LinkSchemes) && slices.EqualFunc(a.Categories, b.Categories, func(a, b Category) bool { return categoryShape.Equal(&a, &b) })
}

// checkedBefore reports for each record of a long list whether it is the same as in the
// catalogue that was checked before; nil for no record. It compares the lists in their order:
// it recognises records behind edited ones, but not a list in another order.
func (ck *checker) checkedBefore(d *Description) []bool {
	if ck.before == nil || !d.Long {
		return nil
	}
	const maxRemoved = 64 // in a row
	out := make([]bool, d.size(ck.cat))
	size, next := d.size(ck.before), 0
	for i := range out {
		for j := next; j < min(next+maxRemoved, size); j++ {
			if d.Shape.Equal(d.at(ck.before, j), d.at(ck.cat, i)) {
				out[i], next = true, j+1
				break
			}
		}
	}
	return out
}
