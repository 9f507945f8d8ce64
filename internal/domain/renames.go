package domain

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/fold"
)

// FormerKeys returns the former keys of a record, nil for kinds without them.
func (d *Description) FormerKeys(record any) []string {
	f := d.Shape.Field(formerField)
	if f == nil {
		return nil
	}
	return f.Lines(record)
}

// TakenAddress is a new record with an address that meant another record.
type TakenAddress struct {
	Noun  string // name of the kind
	Key   string // of the new record
	Owner string // key of the record with the former address
}

// TakenAddresses returns the new records whose addresses were former ones of other records in the
// old catalogue that still exist; by kind, then in the order of the new catalogue.
func (x *Delta) TakenAddresses() []TakenAddress {
	var all []TakenAddress
	for _, d := range descriptions {
		come := x.come(d)
		if d.Shape.Field(formerField) == nil || len(come) == 0 {
			continue
		}
		gone := d.addresses(x.gone(d))
		owners := map[string]string{}
		for i := range d.Size(x.old) {
			r := d.Record(x.old, i)
			for _, key := range d.FormerKeys(r) {
				if !gone[d.Identity(d.Address(r))] {
					owners[d.Identity(key)] = d.Address(r)
				}
			}
		}
		for _, r := range come {
			key := d.Address(r)
			if owner, led := owners[d.Identity(key)]; led {
				all = append(all, TakenAddress{Noun: d.name(), Key: key, Owner: owner})
			}
		}
	}
	return all
}

// come returns the records of the new catalogue whose address no record of the old one has, and
// gone the reverse.
func (x *Delta) come(d *Description) []any { old, new := x.Records(d); return d.without(new, old) }
func (x *Delta) gone(d *Description) []any { old, new := x.Records(d); return d.without(old, new) }

// without returns the records whose address none of others has.
func (d *Description) without(records, others []any) []any {
	there := d.addresses(others)
	return slices.DeleteFunc(records, func(r any) bool { return there[d.Identity(d.Address(r))] })
}

func (d *Description) addresses(records []any) map[string]bool {
	all := make(map[string]bool, len(records))
	for _, r := range records {
		all[d.Identity(d.Address(r))] = true
	}
	return all
}

// FormerSuggestion is a record that is probably another one renamed, but does not list it as
// former.
type FormerSuggestion struct {
	Kind     Kind   `json:"kind"`
	Noun     string `json:"-"`        // name of the kind
	Key      string `json:"key"`      // of the new record
	Index    int    `json:"-"`        // of the new record in its list
	Was      string `json:"was"`      // address of the removed record
	Evidence string `json:"evidence"` // the shared value, such as `chain_id "8453"`
	Line     string `json:"write"`    // line to add to the new record
}

// SuggestFormer returns the records of the new catalogue that are probably records of the old one
// under new keys, by kind, then in the order of the new catalogue. A suggested record is new, the
// other one was removed, and no record lists that as former. Both share an id, a link or a name that
// no other record of either catalogue has.
func (x *Delta) SuggestFormer() []FormerSuggestion {
	var all []FormerSuggestion
	for _, d := range descriptions {
		if d.Shape.Field(formerField) != nil {
			all = append(all, x.suggestFormer(d)...)
		}
	}
	return all
}

func (x *Delta) suggestFormer(d *Description) []FormerSuggestion {
	gone, come := x.gone(d), x.come(d)
	if len(gone) == 0 || len(come) == 0 {
		return nil
	}
	was, is := d.records(x.old), d.records(x.new)
	former := map[string]bool{}
	for _, r := range is {
		for _, key := range d.FormerKeys(r) {
			former[d.Identity(key)] = true
		}
	}
	removed := map[any]bool{} // and not suggested yet
	for _, r := range gone {
		removed[r] = !former[d.Identity(d.Address(r))]
	}
	added := map[any]bool{}
	for _, r := range come {
		added[r] = true
	}
	oldBearers, newBearers := d.bearers(was, x.old.DefaultLocale), d.bearers(is, x.new.DefaultLocale)
	var all []FormerSuggestion
	for i, r := range is {
		if !added[r] {
			continue
		}
		for _, mark := range d.marks(r, x.new.DefaultLocale) {
			if len(newBearers[mark]) != 1 || len(oldBearers[mark]) != 1 {
				continue
			}
			other := was[oldBearers[mark][0]]
			if !removed[other] {
				continue
			}
			removed[other] = false
			key := d.Address(other)
			all = append(all, FormerSuggestion{
				Kind: d.Kind, Noun: d.name(), Key: d.Key(r), Index: i, Was: key,
				Evidence: mark.String(), Line: "former: [" + strings.Join(append(slices.Clone(d.FormerKeys(r)), key), ", ") + "]",
			})
			break
		}
	}
	return all
}

// mark is a value that identifies a record under another key.
type mark struct{ field, value string }

func (m mark) String() string { return fmt.Sprintf("%s %q", m.field, m.value) }

// bearers returns the indices of the records by mark.
func (d *Description) bearers(records []any, locale string) map[mark][]int {
	all := make(map[mark][]int)
	for i, r := range records {
		for _, m := range d.marks(r, locale) {
			all[m] = append(all[m], i)
		}
	}
	return all
}

// marks returns the marks of a record, the strongest first: its id, its link, its website, its
// name in the default locale.
func (d *Description) marks(record any, locale string) []mark {
	var all []mark
	for _, f := range d.Shape.Fields {
		value := ""
		switch {
		case f.Type == TypeChainID:
			value = *f.Line(record)
			if number, ok := chainNumber(value); ok {
				value = number
			}
		case f.Name == "id" || f.Type == TypeLink && (f.Name == "link" || f.Name == "website"):
			value = *f.Line(record)
		}
		if value != "" {
			all = append(all, mark{f.Name, value})
		}
	}
	for _, f := range d.Shape.Fields {
		if f.Name != "name" && f.Name != "title" {
			continue
		}
		value := ""
		if f.Type == TypeText {
			value = f.Text(record).Resolve([]string{locale})
		} else {
			value = *f.Line(record)
		}
		if value = fold.Text(value); value != "" {
			all = append(all, mark{f.Name, value})
		}
	}
	return all
}
