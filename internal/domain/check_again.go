package domain

import (
	"fmt"
	"slices"
)

// CheckAgain is [Check] of a whole catalogue for errors only, given an earlier catalogue without
// errors. It skips records that are equal in both. It reports every error of Check, at most
// [MaxKept] per rule, and some warnings. Published values stay valid if they can be served, so
// rules about future dates and about displayed texts do not apply. before may be nil.
func CheckAgain(before, c *Catalog) []Problem {
	ck := newChecker(orEmpty(c), Reading{})
	ck.stored = true
	if before != nil && sameValueRules(before, ck.cat) {
		ck.before = before
	}
	return ck.run().Problems
}

// InvalidError reports errors of a catalogue that was published before, or is to be served.
type InvalidError struct {
	Errors  int // their number
	Rule    Rule
	In      string // the record of the first one, such as "chains base"
	Message string // of the first one
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("errors: %d; the first is %s in %s: %s", e.Errors, e.Rule, e.In, e.Message)
}

// Invalid returns the errors of [CheckAgain] as an [*InvalidError], nil for none.
func Invalid(before, c *Catalog) error {
	var invalid *InvalidError
	for _, p := range CheckAgain(before, c) {
		if p.Rule.Severity() != Error {
			continue
		}
		if invalid == nil {
			invalid = &InvalidError{Rule: p.Rule, In: p.At.record(c), Message: p.Message}
		}
		invalid.Errors++
	}
	if invalid == nil {
		return nil
	}
	return invalid
}

// record names the record of a reference, such as "chains base".
func (r Ref) record(c *Catalog) string {
	if r.Kind == KindCatalog {
		return "the fields of the catalogue"
	}
	d := Describe(r.Kind)
	return fmt.Sprintf("%s %s", r.Kind, d.Key(d.Record(c, r.Index)))
}

// SameRules reports whether records of both catalogues are checked by the same rules: the fields of
// the catalogue itself, groups and categories are equal.
func SameRules(a, b *Catalog) bool {
	return catalogShape.Equal(a, b) && sameCategories(a, b) &&
		slices.EqualFunc(a.Groups, b.Groups, func(a, b Group) bool { return groupShape.Equal(&a, &b) })
}

// isUnchanged reports whether the errors of a list, which has none in the earlier catalogue, cannot have
// changed: both catalogues share it, and the lists to which it refers.
func (ck *checker) isUnchanged(d *Description) bool {
	return ck.before != nil && d.Long && d.Shares(ck.before, ck.cat) && ck.refersToShared(d)
}

// editedOnly returns the indices of the records of a long list to check, if it differs from that of the
// earlier catalogue in records that keep their names and their references to the same list, and the
// lists to which it refers are shared. Then other records cannot have got errors. ok is false for other
// lists.
func (ck *checker) editedOnly(d *Description) (edited []int, ok bool) {
	if ck.before == nil || !d.Long || d.Size(ck.before) != d.Size(ck.cat) || !ck.refersToShared(d) {
		return nil, false
	}
	if known, ok := ck.edited[d.Kind]; ok {
		return known, known != nil
	}
	ck.edited[d.Kind] = nil
	differ := d.compare(ck.before, ck.cat)
	if !slices.Equal(differ.old, differ.new) {
		return nil, false
	}
	for _, i := range differ.new {
		if !d.sameNames(d.Record(ck.before, i), d.Record(ck.cat, i)) {
			return nil, false
		}
	}
	ck.edited[d.Kind] = append([]int{}, differ.new...)
	return ck.edited[d.Kind], true
}

// sameNames reports whether two records have the same names, and refer to the same records of their
// kind.
func (d *Description) sameNames(a, b any) bool {
	for _, f := range d.Shape.Fields {
		if (f.key || f.Refers == d.Kind || slices.Contains(d.nameFields, f)) && !f.Equal(a, b) {
			return false
		}
	}
	return true
}

// refersToShared reports whether both catalogues share the lists to which records of a kind refer. Its
// own list does not count.
func (ck *checker) refersToShared(d *Description) bool {
	return d.Shape.refersOnly(func(kind Kind) bool {
		return kind == KindCategory || kind == d.Kind || Describe(kind).Shares(ck.before, ck.cat)
	})
}

// refersOnly reports whether all kinds to which fields of the shape refer have a property. Images may
// refer to assets.
func (s *Shape) refersOnly(has func(Kind) bool) bool {
	return !slices.ContainsFunc(s.Fields, func(f *Field) bool {
		return f.Refers != "" && !has(f.Refers) || f.IsImage() && !has(KindAsset) || f.Parts != nil && !f.Parts.refersOnly(has)
	})
}

// sameValueRules reports whether records of both catalogues are checked against the same locales,
// schemes and categories.
func sameValueRules(a, b *Catalog) bool {
	return a.DefaultLocale == b.DefaultLocale && slices.Equal(a.Locales, b.Locales) &&
		slices.Equal(a.LinkSchemes, b.LinkSchemes) && sameCategories(a, b)
}

func sameCategories(a, b *Catalog) bool {
	return slices.EqualFunc(a.Categories, b.Categories, func(a, b Category) bool { return categoryShape.Equal(&a, &b) })
}

// dependent returns the fields whose check depends on other records or counts texts: references,
// texts, and parts with such fields.
func (s *Shape) dependent() []*Field {
	var fields []*Field
	for _, f := range s.Fields {
		if f.Refers != "" || f.Type == TypeText || f.IsImage() || f.Parts != nil && len(f.Parts.dependent()) > 0 {
			fields = append(fields, f)
		}
	}
	return fields
}

// dependentFields checks the dependent fields of a clean record.
func (ck *checker) dependentFields(at Ref, dependent []*Field, record any) {
	for _, f := range dependent {
		switch {
		case f.Type.isEmpty(f, record), f.checkedWithRecord:
		case f.Type == TypeLink:
			ck.assetOf(at, f, record)
		case f.Type == TypeText && ck.locales != nil:
			ck.translations(at, f.Name, *f.Text(record)) // its locales are declared
		default:
			f.Type.check(ck, at, f, record)
		}
	}
}

// checkedBefore reports for each record of a long list whether the earlier catalogue has an equal
// record; nil for no record. It compares the lists in order: it recognises records after edited
// ones, but not a reordered list.
func (ck *checker) checkedBefore(d *Description) []bool {
	if ck.before == nil || !d.Long && !d.Raw {
		return nil
	}
	const maxRemoved = 64 // in a row
	out := make([]bool, d.Size(ck.cat))
	size, next := d.Size(ck.before), 0
	for i := range out {
		for j := next; j < min(next+maxRemoved, size); j++ {
			if d.Shape.Equal(d.Record(ck.before, j), d.Record(ck.cat, i)) {
				out[i], next = true, j+1
				break
			}
		}
	}
	return out
}
