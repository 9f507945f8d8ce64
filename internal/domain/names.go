package domain

import (
	"cmp"
	"iter"
	"math/big"
	"strconv"
	"strings"

	"vitrine/internal/fold"
)

// NameClass is the origin of a name of a record.
type NameClass uint8

// The classes of names, in the order in which [Description.NamesOf] yields them.
const (
	NameKey     NameClass = iota // the slug, handle, channel id, path slug or key
	NameID                       // the `_id`, written or derived
	NameChainID                  // a spelling of a chain's id
	NameFormer                   // a former key
)

// Name is a name by which the API finds a record (docs/identity.md#names).
type Name struct {
	Value string
	Class NameClass
	// Field is the name of the field with the name, or from which it derives.
	Field string
	// Index is the index in a list of former keys, 0 for other classes.
	Index int
	// Derived is true if the name follows from Field and is not written.
	Derived bool
}

// NamesOf yields the names of a record. First come the written ones: the key, then the chain id,
// the id and former keys in the order of the record's fields. Derived ones follow: other
// spellings of the chain id, the derived id. Names of one record may repeat; empty ones are left
// out. In a valid catalogue, no two records of a kind share a name, compared by
// [Description.NameForm], except chain ids.
//
// This is the only definition of the names of a record: [Check] uses it to find collisions, and
// lookups are built from it.
func (d *Description) NamesOf(record any) iter.Seq[Name] {
	return func(yield func(Name) bool) {
		for n := range d.writtenNames(record) {
			if !yield(n) {
				return
			}
		}
		for n := range d.derivedNames(record) {
			if !yield(n) {
				return
			}
		}
	}
}

// writtenNames yields the written names.
func (d *Description) writtenNames(record any) iter.Seq[Name] {
	return func(yield func(Name) bool) {
		if key := d.Address(record); key != "" && !yield(Name{Value: key, Class: NameKey, Field: d.addressAt.Name}) {
			return
		}
		for _, f := range d.nameFields {
			if f.IsLine() {
				if value := *f.Line(record); value != "" && !yield(Name{Value: value, Class: f.nameClass(), Field: f.Name}) {
					return
				}
				continue
			}
			for i, key := range f.Lines(record) {
				if key != "" && !yield(Name{Value: key, Class: NameFormer, Field: f.Name, Index: i}) {
					return
				}
			}
		}
	}
}

// derivedNames yields the derived names.
func (d *Description) derivedNames(record any) iter.Seq[Name] {
	return func(yield func(Name) bool) {
		for _, f := range d.nameFields {
			switch f.nameClass() {
			case NameID:
				if *f.Line(record) == "" && !yield(Name{Value: d.stableID(record), Class: NameID, Field: d.addressAt.Name, Derived: true}) {
					return
				}
			case NameChainID:
				for _, spelling := range otherSpellings(*f.Line(record)) {
					if !yield(Name{Value: spelling, Class: NameChainID, Field: f.Name, Derived: true}) {
						return
					}
				}
			}
		}
	}
}

// nameClass returns the class of the names in a field.
func (f *Field) nameClass() NameClass {
	switch {
	case f.Type == TypeChainID:
		return NameChainID
	case f.Name == idField:
		return NameID
	case f.Name == formerField:
		return NameFormer
	}
	return NameKey
}

// nameFields returns the field with the key of a record, and the fields with further names.
func (s *Shape) nameFields() (key *Field, others []*Field) {
	for _, f := range s.Fields {
		switch {
		case f.key && key == nil:
			key = f
		case !f.key && f.nameClass() != NameKey:
			others = append(others, f)
		}
	}
	return key, others
}

// NameForm returns the form in which names of this kind are compared: folded, except for
// case-sensitive ids of channels.
func (d *Description) NameForm(name string) string {
	if d.exactNames {
		return name
	}
	return fold.Text(name)
}

// ref returns the place of a name in a record.
func (n Name) ref(at Ref) Ref {
	at = at.in(n.Field)
	if n.Class == NameFormer {
		at = at.at(n.Index)
	}
	return at
}

// otherSpellings returns the derived names of a chain id. A number in decimal, in hexadecimal or
// as eip155:N has the other spellings (docs/api.md#chain-ids), without leading zeros.
func otherSpellings(id string) []string {
	decimal, ok := chainNumber(id)
	if !ok {
		return nil
	}
	spellings := make([]string, 0, 3)
	for _, s := range []string{decimal, hexadecimal(decimal), eip155 + decimal} {
		if s != id {
			spellings = append(spellings, s)
		}
	}
	return spellings
}

// ChainIDSpellings returns the searched spellings of a chain id (docs/api.md#chain-ids): its
// names, and for a CAIP-2 id that is not a number the part after the colon. "" has none.
func ChainIDSpellings(id string) []string {
	if id == "" {
		return nil
	}
	spellings := append([]string{id}, otherSpellings(id)...)
	if _, reference, ok := strings.Cut(id, ":"); ok && reference != "" && len(spellings) == 1 {
		spellings = append(spellings, reference)
	}
	return spellings
}

// idField is the name of the field with a written id.
const idField = "id"

const eip155 = "eip155:"

// ChainIDName returns the common name of all chains with the number that a text spells in
// decimal, in hexadecimal or as eip155:N, with or without leading zeros. ok is false for other
// texts.
func ChainIDName(text string) (name string, ok bool) {
	decimal, ok := chainNumber(text)
	return eip155 + decimal, ok
}

// chainNumber returns a numeric chain id in decimal without leading zeros. ok is false for other
// ids.
func chainNumber(id string) (decimal string, ok bool) {
	if digits, ok := cutPrefixFold(id, "0x"); ok {
		value, ok := new(big.Int).SetString(digits, 16)
		if !ok || !only(digits, isHex) {
			return "", false
		}
		return value.String(), true
	}
	digits, prefixed := cutPrefixFold(id, eip155)
	if !prefixed {
		digits = id
	}
	if digits == "" || !only(digits, isDigit) {
		return "", false
	}
	return cmp.Or(strings.TrimLeft(digits, "0"), "0"), true
}

// ChainIDKey returns a canonical form of ids that name the same chain in any record: numbers in
// all spellings, and ids of Cosmos chains with or without "cosmos:", since they are unique
// without a namespace. Other ids have no meaning without their namespace.
func ChainIDKey(id string) string {
	if number, ok := chainNumber(id); ok {
		return number
	}
	return strings.TrimPrefix(id, "cosmos:")
}

// hexadecimal returns a decimal number in hexadecimal with prefix 0x.
func hexadecimal(decimal string) string {
	if n, err := strconv.ParseUint(decimal, 10, 64); err == nil {
		return "0x" + strconv.FormatUint(n, 16)
	}
	n, _ := new(big.Int).SetString(decimal, 10) // only digits
	return "0x" + n.Text(16)
}

func cutPrefixFold(s, prefix string) (after string, found bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
