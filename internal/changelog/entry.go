// Package changelog has what changed from revision to revision, as readers of the API see it. An
// [Entry] is the change of one record by one revision, without its values: hashes of the fields
// suffice to omit changes that were undone. A [Log] has the entries of the last revisions.
//
// The package must not know stores, responses or locales.
package changelog

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"vitrine/internal/domain"
)

// KindCard is the kind of the cards of menus, which are parts of records elsewhere.
const KindCard domain.Kind = "cards"

// The names of the values of an [Entry] that are not fields of the record.
const (
	// FieldFigures has the sources and dates of all figures. The field of a figure has only its
	// number.
	FieldFigures = "figures"
	FieldItem    = "item" // slug of the item of a card
)

// Entry is the change of a record by a revision. Its JSON is that of a distribution
// (docs/distribution.md#lines), which omits the revision.
type Entry struct {
	Revision int64       `json:"-"`
	Kind     domain.Kind `json:"kind"` // or KindCard
	// ID identifies the record among those of its kind. WasID is that before the revision if the
	// record was renamed, else "".
	ID    string `json:"id"`
	WasID string `json:"wasId,omitempty"`
	// Key is the key by which clients know the record: after the revision or, if the revision
	// removed it, before. Was is the key before the revision, "" for an added record.
	Key    string    `json:"key"`
	Was    string    `json:"was,omitempty"`
	Menu   string    `json:"menu,omitempty"`   // path slug of the menu of a card, "" for other kinds
	Op     domain.Op `json:"change"`           // Added, Removed or Changed
	Values []Value   `json:"values,omitempty"` // fields that differ, in the order of the record; of an added or removed record, all that are not empty
	// Title and Name are the title of a removed record: Title has its translations, Name is the
	// same in all locales. Both are empty for other records.
	Title Title  `json:"title,omitempty"`
	Name  string `json:"name,omitempty"`
	// Purged reports that the record was removed from all revisions. It has no Values and no
	// title, and earlier entries of the record must be forgotten.
	Purged bool `json:"purged,omitempty"`
}

// Value has the hashes of a field before and after a revision.
type Value struct {
	Field  string `json:"field"`
	Before Hash   `json:"before,omitempty"`
	After  Hash   `json:"after,omitempty"`
}

// Hash is the hash of a value, 0 for an empty one. Its text is hexadecimal.
type Hash uint64

// MarshalText implements [encoding.TextMarshaler].
func (h Hash) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(h), 16), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (h *Hash) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*h = Hash(n)
	return err
}

// Title is a text whose JSON is a list of pairs of locale and value.
type Title domain.Text

// MarshalJSON implements [json.Marshaler].
func (t Title) MarshalJSON() ([]byte, error) {
	var pairs [][2]string
	for _, one := range t {
		pairs = append(pairs, [2]string{one.Locale, one.Value})
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (t *Title) UnmarshalJSON(data []byte) error {
	var pairs [][2]string
	err := json.Unmarshal(data, &pairs)
	for _, pair := range pairs {
		*t = append(*t, domain.Translation{Locale: pair[0], Value: pair[1]})
	}
	return err
}

// hashes returns the values of some fields of a record, in their order, without empty ones. nil has
// none.
func hashes(fields []*domain.Field, record any) []hashed {
	if record == nil {
		return nil
	}
	var all []hashed
	var figures []byte
	for _, f := range fields {
		switch {
		case f.IsEmpty(record):
		case f.Type == domain.TypeFigure:
			figure := *f.Figure(record)
			all = append(all, hashed{f.Name, hashOf(appendNumber(nil, figure.Value))})
			figures = append(append(figures, f.Name...), 0)
			figures = append(append(figures, figure.Source...), 0)
			figures = append(append(figures, figure.AsOf...), 0)
		default:
			// A catalogue that is served has no value that JSON cannot represent.
			text, _ := f.AppendJSON(nil, record, "")
			all = append(all, hashed{f.Name, hashOf(text)})
		}
	}
	if figures != nil {
		all = append(all, hashed{FieldFigures, hashOf(figures)})
	}
	return all
}

type hashed struct {
	field string
	hash  Hash
}

func hashOf(value []byte) Hash {
	h := fnv.New64a()
	h.Write(value)
	return Hash(max(h.Sum64(), 1))
}

func appendNumber(dst []byte, n float64) []byte {
	out, err := binary.Append(dst, binary.BigEndian, n)
	if err != nil {
		panic(err) // a float64 has a fixed size
	}
	return out
}

// differences returns the values that differ, in the order of the fields: those of after, then
// those that only before has.
func differences(before, after []hashed) []Value {
	was := make(map[string]Hash, len(before))
	for _, b := range before {
		was[b.field] = b.hash
	}
	var all []Value
	for _, a := range after {
		if b := was[a.field]; b != a.hash {
			all = append(all, Value{a.field, b, a.hash})
		}
		delete(was, a.field)
	}
	for _, b := range before {
		if _, gone := was[b.field]; gone {
			all = append(all, Value{b.field, b.hash, 0})
		}
	}
	return all
}

// Purged returns the entry of a record that a revision removed from all revisions. key is the key
// of its row; nothing else of the record is known.
func Purged(revision int64, kind domain.Kind, key string) Entry {
	return Entry{Revision: revision, Kind: kind, ID: key, Key: key, Was: key, Op: domain.Removed, Purged: true}
}
