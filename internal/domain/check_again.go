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

// editedOnly returns the indices of the records of a long list to check, if it differs from that of the
// earlier catalogue in records that keep their names and their references to the same list, and the
// lists to which it refers are shared. Then other records cannot have got errors. ok is false for other
// lists.
func (ck *checker) editedOnly(d *Description) (edited []int, ok bool) {
	if ck.before == nil || !d.Long || d.Size(ck.before) != d.Size(ck.cat) || !ck.refersToShared(d) {
		return nil, false
	}
	differ := ck.since(d)
	isRenamed := func(i int) bool { return !d.sameNames(d.Record(ck.before, i), d.Record(ck.cat, i)) }
	return differ.new, slices.Equal(differ.old, differ.new) && !slices.ContainsFunc(differ.new, isRenamed)
}

// since returns the records of a kind in which the catalogue differs from the earlier one.
func (ck *checker) since(d *Description) unequal {
	differ, ok := ck.differ[d.Kind]
	if !ok {
		differ = d.compare(ck.before, ck.cat)
		ck.differ[d.Kind] = differ
	}
	return differ
}

// known reports for each record of a long list, and each asset, whether its values were checked before:
// in the earlier catalogue, or by an earlier reading. Further records were not.
func (ck *checker) known(d *Description) []bool {
	if ck.before == nil {
		return ck.reading.Clean[d.Kind]
	}
	if !d.Long && !d.Raw {
		return nil
	}
	known := slices.Repeat([]bool{true}, d.Size(ck.cat))
	for _, i := range ck.since(d).new {
		known[i] = false
	}
	return known
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
// texts, images, and parts with such fields. In published records those are references to other kinds
// than categories, which [CheckAgain] knows to be unchanged, and images.
func (s *Shape) dependent(stored bool) []*Field {
	var fields []*Field
	for _, f := range s.Fields {
		counts := f.Refers == KindCategory || f.Type == TypeText || f.Parts != nil && len(f.Parts.dependent(false)) > 0
		if f.Refers != "" && f.Refers != KindCategory || f.IsImage() || counts && !stored {
			fields = append(fields, f)
		}
	}
	return fields
}

// dependentFields checks the dependent fields of a record that was checked before.
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
