package domain

import "slices"

// CheckAgain is [Check] of a whole catalogue for errors only, given an earlier catalogue without
// errors. It skips records that are equal in both. It reports every error of Check, at most
// [MaxKept] per rule, and some warnings. Published values stay valid if they can be served, so
// rules about future dates and about displayed texts do not apply. before may be nil.
func CheckAgain(before, c *Catalog) []Problem {
	ck := newChecker(orEmpty(c), Reading{})
	ck.stored = true
	if before != nil && sameRules(before, ck.cat) {
		ck.before = before
	}
	return ck.run().Problems
}

// sameRules reports whether records of both catalogues are checked against the same locales,
// schemes and categories.
func sameRules(a, b *Catalog) bool {
	return a.DefaultLocale == b.DefaultLocale && slices.Equal(a.Locales, b.Locales) &&
		slices.Equal(a.LinkSchemes, b.LinkSchemes) && slices.EqualFunc(a.Categories, b.Categories, func(a, b Category) bool { return categoryShape.Equal(&a, &b) })
}

// checkedBefore reports for each record of a long list whether the earlier catalogue has an equal
// record; nil for no record. It compares the lists in order: it recognises records after edited
// ones, but not a reordered list.
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
