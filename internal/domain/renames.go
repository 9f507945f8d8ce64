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
	return f.lines(record)
}

// TakenAddress is a new record with an address that meant another record.
type TakenAddress struct {
	Noun  string // name of the kind
	Key   string // of the new record
	Owner string // key of the record with the former address
}

// TakenAddresses returns the new records of c whose addresses were former ones of other records
// in old that still exist; by kind, then in the order of c.
func TakenAddresses(old, c *Catalog) []TakenAddress {
	var all []TakenAddress
	for _, d := range descriptions {
		if d.Shape.Field(formerField) == nil {
			continue
		}
		owners, before, now := map[string]string{}, d.addresses(old), d.addresses(c)
		for _, r := range d.records(old) {
			for _, key := range d.FormerKeys(r) {
				if now[d.Identity(d.Address(r))] {
					owners[d.Identity(key)] = d.Address(r)
				}
			}
		}
		for _, r := range d.records(c) {
			key := d.Address(r)
			if owner, led := owners[d.Identity(key)]; led && !before[d.Identity(key)] {
				all = append(all, TakenAddress{Noun: d.name(), Key: key, Owner: owner})
			}
		}
	}
	return all
}

func (d *Description) addresses(c *Catalog) map[string]bool {
	all := make(map[string]bool, d.size(c))
	for _, r := range d.records(c) {
		all[d.Identity(d.Address(r))] = true
	}
	return all
}

// FormerSuggestion is a record that is probably another one renamed, but does not list it as
// former.
type FormerSuggestion struct {
	Kind     Kind
	Noun     string // name of the kind
	Key      string // of the new record
	Index    int    // of the new record in its list
	Was      string // address of the removed record
	Evidence string // the shared value, such as `chain_id "8453"`
	Line     string // line to add to the new record
}

// SuggestFormer returns the records of c that are probably records of old under new keys, by
// kind, then in the order of c. A suggested record is new, the other one was removed, and no
// record lists that as former. Both share an id, a link or a name that no other record of either
// catalogue has. Nil catalogues are empty.
func SuggestFormer(old, c *Catalog) []FormerSuggestion {
	old, c = orEmpty(old), orEmpty(c)
	var all []FormerSuggestion
	for _, d := range descriptions {
		if d.Shape.Field(formerField) != nil {
			all = append(all, d.suggestFormer(old, c)...)
		}
	}
	return all
}

func (d *Description) suggestFormer(old, c *Catalog) []FormerSuggestion {
	before, now := d.addresses(old), d.addresses(c)
	for _, r := range d.records(c) {
		for _, key := range d.FormerKeys(r) {
			now[d.Identity(key)] = true
		}
	}
	was, is := d.records(old), d.records(c)
	gone := indices(was, func(r any) bool { return !now[d.Identity(d.Address(r))] })
	come := indices(is, func(r any) bool { return !before[d.Identity(d.Address(r))] })
	if len(gone) == 0 || len(come) == 0 {
		return nil
	}
	oldBearers, newBearers := d.bearers(was, old.DefaultLocale), d.bearers(is, c.DefaultLocale)
	taken := map[int]bool{} // indices of gone
	var all []FormerSuggestion
	for _, i := range come {
		for _, mark := range d.marks(is[i], c.DefaultLocale) {
			if len(newBearers[mark]) != 1 || len(oldBearers[mark]) != 1 {
				continue
			}
			j := oldBearers[mark][0]
			if taken[j] || !slices.Contains(gone, j) {
				continue
			}
			taken[j] = true
			key := d.Address(was[j])
			all = append(all, FormerSuggestion{
				Kind: d.Kind, Noun: d.name(), Key: d.key(is[i]), Index: i, Was: key,
				Evidence: mark.String(), Line: "former: [" + strings.Join(append(slices.Clone(d.FormerKeys(is[i])), key), ", ") + "]",
			})
			break
		}
	}
	return all
}

func indices(records []any, is func(any) bool) []int {
	var all []int
	for i, r := range records {
		if is(r) {
			all = append(all, i)
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
			value = *f.line(record)
			if number, ok := chainNumber(value); ok {
				value = number
			}
		case f.Name == "id" || f.Type == TypeLink && (f.Name == "link" || f.Name == "website"):
			value = *f.line(record)
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
			value = f.text(record).Resolve([]string{locale})
		} else {
			value = *f.line(record)
		}
		if value = fold.Text(value); value != "" {
			all = append(all, mark{f.Name, value})
		}
	}
	return all
}
