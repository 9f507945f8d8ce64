package domain

import (
	"fmt"
	"slices"

	"vitrine/internal/fold"
)

// formerField is the name of the field with the keys that a record had.
const formerField = "former"

// formerKeys checks the former keys of all kinds. Whoever asks for a former key
// gets the record that had it, so no record has that key today, and no two had it.
func (ck *checker) formerKeys() {
	for _, d := range descriptions {
		if f := d.Shape.Field(formerField); f != nil {
			ck.former(d, f)
		}
	}
}

func (ck *checker) former(d *Description, f *Field) {
	records := d.records(ck.cat)
	if !slices.ContainsFunc(records, func(r any) bool { return len(f.lines(r)) > 0 }) {
		return
	}
	present, past := make(firsts, len(records)), make(firsts)
	for i, r := range records {
		present.repeats(d.address(r), i)
	}
	for i, r := range records {
		for j, key := range f.lines(r) {
			ck.formerKey(Ref{Kind: d.Kind, Index: i}.in(f.Name).at(j), d, key, present, past)
		}
	}
}

// formerKey checks one former key of a record. Present has the keys of today, past
// the former ones so far.
func (ck *checker) formerKey(at Ref, d *Description, key string, present, past firsts) {
	switch {
	case key == "":
		ck.emptyEntry(at, formerField)
		return
	case !validKey(key):
		ck.report(at, RuleMalformedKey, fmt.Sprintf("former %s is not well-formed", quote(key)), keyRemedy(key))
		return
	}
	called := func(i int) string { return d.name() + " " + quote(d.address(d.at(ck.cat, i))) }
	if owner, taken := present[fold.Text(key)]; taken {
		ck.repeats(at, Ref{Kind: d.Kind, Index: owner}, RuleDuplicate,
			fmt.Sprintf("former %s is that of %s today", quote(key), called(owner)), "remove it here: what has a name today answers under it")
		return
	}
	if first, repeated := past.repeats(key, at.Index); repeated {
		ck.repeats(at, Ref{Kind: d.Kind, Index: first}, RuleDuplicate,
			fmt.Sprintf("former %s is already that of %s", quote(key), called(first)), "keep it in one place")
	}
}

// address returns the key by which a record is asked for.
func (d *Description) address(record any) string {
	if g, ok := record.(*NavGroup); ok {
		return g.Slug
	}
	return d.key(record)
}
