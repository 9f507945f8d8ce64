package domain

import (
	"fmt"
	"strings"
)

// formerField is the name of the field with former keys.
const formerField = "former"

// names checks that no two records of a kind share a name (see [Description.NamesOf]), and that
// former keys are well-formed.
func (ck *checker) names() {
	for _, d := range descriptions {
		if _, ok := ck.editedOnly(d); ok || len(d.nameFields) == 0 {
			continue // it has the same names, or none besides keys
		}
		ck.formerKeys(d)
		if ck.mayCollide(d) {
			ck.nameCollisions(d)
		}
	}
}

// mayCollide reports whether a record of a kind has names other than its key that another record
// may have. Most long lists have none.
func (ck *checker) mayCollide(d *Description) bool {
	for i := range d.Size(ck.cat) {
		for name := range d.writtenNames(d.Record(ck.cat, i)) {
			if name.Class != NameKey || name.mayBeDerived(d.NameForm(name.Value)) {
				return true
			}
		}
	}
	return false
}

// formerKeys checks that former keys are well-formed, distinct, and not keys of the record
// itself.
func (ck *checker) formerKeys(d *Description) {
	f := d.Shape.Field(formerField)
	if f == nil {
		return
	}
	for i := range d.Size(ck.cat) {
		record := d.Record(ck.cat, i)
		if keys := f.Lines(record); len(keys) > 0 {
			ck.formerKeysOf(d, f, Ref{Kind: d.Kind, Index: i}.in(f.Name), d.Address(record), keys)
		}
	}
}

func (ck *checker) formerKeysOf(d *Description, f *Field, at Ref, today string, former []string) {
	seen := make(map[string]int, len(former))
	for i, key := range former {
		here, form := at.at(i), d.NameForm(key)
		first, repeated := seen[form]
		if key == "" {
			ck.emptyEntry(here, formerField)
			continue
		}
		switch fault := f.Form.fault(ck, formerField, key); {
		case fault != nil:
			ck.reportFault(here, fault)
		case form == d.NameForm(today):
			ck.report(here, RuleDuplicate, fmt.Sprintf("former %s is the current %s of this %s", quote(key), d.addressAt.Name, d.name()), "remove it here")
		case repeated:
			ck.repeats(here, at.at(first), RuleDuplicate, fmt.Sprintf("former %s is listed twice", quote(key)), "remove one of them")
		default:
			seen[form] = i
		}
	}
}

// claim is a written name of a record: the nth that [Description.NamesOf] yields.
type claim struct{ record, nth int32 }

// nameCollisions reports each name that two records of a kind share, at the one that is easier to
// change; see [Name.fixed].
func (ck *checker) nameCollisions(d *Description) {
	claims := make(map[string]claim, d.Size(ck.cat))
	byValue := map[string][]claim{} // numbers with leading zeros, by ChainIDName
	mayBeDerived := false
	for i := range d.Size(ck.cat) {
		nth := int32(-1)
		for name := range d.writtenNames(d.Record(ck.cat, i)) {
			nth++
			form := d.NameForm(name.Value)
			mayBeDerived = mayBeDerived || name.mayBeDerived(form)
			if first, taken := claims[form]; !taken || ck.collision(d, first, i, name) {
				claims[form] = claim{int32(i), nth}
			}
			if id, padded := paddedNumber(form); padded && name.Class != NameChainID {
				byValue[id] = append(byValue[id], claim{int32(i), nth})
			}
		}
	}
	if !mayBeDerived { // keeps long lists cheap
		return
	}
	for i := range d.Size(ck.cat) {
		for name := range d.NamesOf(d.Record(ck.cat, i)) {
			form := d.NameForm(name.Value)
			if first, taken := claims[form]; taken && name.Derived {
				ck.collision(d, first, i, name)
			}
			if len(byValue) > 0 && name.Class == NameChainID && !name.Derived {
				ck.paddedCollisions(d, byValue, i, name)
			}
		}
	}
}

// paddedCollisions reports the names that spell the chain id of record i with leading zeros.
func (ck *checker) paddedCollisions(d *Description, byValue map[string][]claim, i int, chainID Name) {
	id, _ := ChainIDName(chainID.Value)
	for _, padded := range byValue[id] {
		if d.NameForm(ck.claimed(d, padded).Value) != d.NameForm(chainID.Value) { // otherwise it is a claim of that form
			ck.collision(d, padded, i, chainID)
		}
	}
}

// paddedNumber returns the id that a number with leading zeros spells, like [ChainIDName]. Other
// spellings are names of the chain.
func paddedNumber(form string) (id string, ok bool) {
	id, ok = ChainIDName(form)
	return id, ok && len(otherSpellings(form)) == 3
}

// mayBeDerived reports whether a written name may equal a derived name of another record: an id,
// or a spelling of a chain id.
func (n Name) mayBeDerived(form string) bool {
	if len(form) == derivedIDLength && only(form, isHex) {
		return true
	}
	_, number := chainNumber(form)
	return number && n.Class != NameChainID // chain ids may be shared
}

// claimed returns the name of a claim.
func (ck *checker) claimed(d *Description, c claim) Name {
	nth := int32(0)
	for name := range d.writtenNames(d.Record(ck.cat, int(c.record))) {
		if nth == c.nth {
			return name
		}
		nth++
	}
	return Name{}
}

// collision reports that record i has a name of another record, unless that is allowed. It
// returns whether the name of record i is the one to keep.
func (ck *checker) collision(d *Description, c claim, i int, name Name) (keep bool) {
	first, other := int(c.record), ck.claimed(d, c)
	if first == i {
		return other.Class == NameChainID // which others may share
	}
	if !ck.collide(other, name) {
		return false
	}
	if other.fixed() < name.fixed() {
		ck.sharedName(d, first, other, i, name)
		return true
	}
	ck.sharedName(d, i, name, first, other)
	return false
}

// fixed ranks how hard a name is to change. Former keys can be dropped and chosen ones changed,
// while chain ids are facts and derived ids follow from keys.
func (n Name) fixed() int {
	switch {
	case n.Class == NameFormer:
		return 0
	case n.Class == NameChainID || n.Derived:
		return 2
	}
	return 1
}

// collide reports whether two equal names of different records are a collision. Repeated keys are
// reported with the keys, and shared chain ids as [RuleDuplicateChainID].
func (ck *checker) collide(a, b Name) bool {
	either := func(class NameClass) bool { return a.Class == class || b.Class == class }
	switch {
	case a.Class == NameKey && b.Class == NameKey, a.Class == NameChainID && b.Class == NameChainID, a.Derived && b.Derived:
		return false
	case !ck.stored:
		return true
	case a.Class == NameID && b.Class == NameID:
		return a.Value == b.Value
	}
	return !either(NameID) && !either(NameChainID) // earlier versions published the others, which stay readable
}

// sharedName reports that record i has a name of record first.
func (ck *checker) sharedName(d *Description, i int, name Name, first int, of Name) {
	owner := d.name() + " " + quote(d.Address(d.Record(ck.cat, first)))
	message := fmt.Sprintf("%s %s is already %s %s", name.Field, quote(name.Value), of.called(name), owner)
	ck.repeats(name.ref(Ref{Kind: d.Kind, Index: i}), of.ref(Ref{Kind: d.Kind, Index: first}), RuleDuplicate, message, name.remedy(of))
}

// called describes a name in the message about an equal name of another record.
func (n Name) called(other Name) string {
	switch {
	case n.Class == NameChainID && (n.Derived || !strings.EqualFold(n.Value, other.Value)):
		return fmt.Sprintf("a spelling of the %s of", n.Field)
	case n.Class == NameID && n.Derived:
		return "the derived id of"
	case n.Class != other.Class:
		return fmt.Sprintf("the %s of", n.Field)
	}
	return "that of"
}

// remedy returns the remedy for a name that another record has.
func (n Name) remedy(other Name) string {
	switch {
	case n.Class == NameFormer && other.Class == NameFormer:
		return "keep it in one place"
	case n.Class == NameFormer:
		return "remove it here: current names take precedence over former ones"
	}
	return fmt.Sprintf("give one of them another %s", n.Field)
}
