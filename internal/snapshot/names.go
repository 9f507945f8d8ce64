package snapshot

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/query"
)

// names is a table of the names of the records of one list (docs/api.md#names). It is built on
// first use, because most requests use keys, which need no table.
type names struct {
	once    sync.Once
	seed    maphash.Seed
	entries []nameEntry // ascending by hash, then by number
}

// nameEntry is a record that may have a name. Hashes collide, so lookups compare the names of the
// record.
type nameEntry struct {
	hash   uint64
	number uint32
}

// nameClass is the class of a name of a record. A lower class takes precedence.
type nameClass uint8

const (
	byOwnName   = nameClass(domain.NameKey) // and the other classes of package domain
	byLabel     = nameClass(domain.NameFormer) + iota
	byPathLabel // a label in the form of paths, see pathForm
	notNamed
)

// named returns the number of the record that a name means. It is the record with that key, else
// the one with that `_id`, chain id or former key. Otherwise it is the only live record with that
// label, as written or as paths write it. An equivalent form of the name takes precedence over
// labels. If several records share a chain id, live ones come first, then the default order
// decides. Records without a description have no other names than their keys.
func (l *list[R, V]) named(name string) (uint32, bool) {
	if l.description == nil {
		for number := range l.withKey(name) {
			return number, true
		}
		return 0, false
	}
	name = strings.TrimPrefix(name, l.namePrefix)
	number, class := l.lookup(name)
	if class >= byLabel && l.otherName != nil {
		if other, ok := l.otherName(name); ok {
			if number, class := l.lookup(other); class < byLabel {
				return number, true
			}
		}
	}
	return number, class < notNamed
}

// lookup is [list.named] for one form of a name. It also returns the class of the name.
func (l *list[R, V]) lookup(name string) (uint32, nameClass) {
	if number, ok := l.keyed(name); ok {
		return number, byOwnName
	}
	folded := fold.Text(name)
	var matches []uint32
	class := notNamed
	for number := range l.table().with(folded) {
		switch of := l.nameClass(number, name, folded); {
		case of == notNamed || of >= byLabel && l.isRetired(number):
		case of < class:
			class, matches = of, append(matches[:0], number)
		case of == class:
			matches = append(matches, number)
		}
	}
	switch {
	case len(matches) == 0 || len(matches) > 1 && class >= byLabel:
		return 0, notNamed
	case len(matches) == 1:
		return matches[0], class
	}
	ranks := l.order("", false, 0).ranks
	return slices.MinFunc(matches, func(a, b uint32) int {
		return cmp.Or(compareBool(l.isRetired(a), l.isRetired(b)), cmp.Compare(ranks[a], ranks[b]))
	}), class
}

// withKey yields the numbers of the records with a key, which keys of cards in several menus share.
func (l *list[R, V]) withKey(key string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if l.description != nil {
			if number, ok := l.keyed(key); ok {
				yield(number)
			}
			return
		}
		for number := range l.table().with(fold.Text(key)) {
			if l.key(l.records[number]) == key && !yield(number) {
				return
			}
		}
	}
}

// withKeys returns the records with any of the keys.
func (l *list[R, V]) withKeys(keys []string) *roaring.Bitmap {
	set := roaring.New()
	for _, key := range keys {
		for number := range l.withKey(key) {
			set.Add(number)
		}
	}
	return set
}

// keyed returns the number of the record with a key. Keys of the list must be unique.
func (l *list[R, V]) keyed(key string) (uint32, bool) {
	place, ok := slices.BinarySearchFunc(l.byKey, key, func(number uint32, key string) int {
		return l.compareKeys(l.key(l.records[number]), key)
	})
	if !ok {
		return 0, false
	}
	return l.byKey[place], true
}

// updatedNames returns the table of the previous list if all records have the same names, else a
// new one.
func (l *list[R, V]) updatedNames(previous *list[R, V], e edit) *names {
	renamed := func(number uint32) bool {
		if int(number) >= len(previous.records) || previous.records[number] == nil || l.records[number] == nil {
			return true
		}
		return !slices.Equal(l.spelled(previous.records[number]), l.spelled(l.records[number]))
	}
	if previous == nil || e.whole || slices.ContainsFunc(e.gone.ToArray(), renamed) || slices.ContainsFunc(e.changed, renamed) {
		return &names{seed: maphash.MakeSeed()}
	}
	return previous.names
}

// spelled returns the folded names of a record in all forms of lookups.
func (l *list[R, V]) spelled(r *R) []string {
	if l.description == nil {
		return []string{fold.Text(l.key(r))}
	}
	var all []string
	for name := range l.description.NamesOf(r) {
		all = append(all, fold.Text(name.Value))
	}
	for _, label := range l.document(r).Labels {
		folded := fold.Text(label)
		all = append(all, folded)
		if path, ok := pathForm(folded); ok {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// table returns the table of all names.
func (l *list[R, V]) table() *names {
	l.names.once.Do(func() { l.names.entries = l.nameEntries() })
	return l.names
}

// nameEntries returns the entries of all records.
func (l *list[R, V]) nameEntries() []nameEntry {
	var entries []nameEntry
	for _, number := range l.byKey {
		for _, folded := range l.spelled(l.records[number]) {
			entries = append(entries, nameEntry{maphash.String(l.names.seed, folded), number})
		}
	}
	slices.SortFunc(entries, func(a, b nameEntry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.number, b.number))
	})
	return slices.Compact(entries)
}

// with yields the numbers of the records that may have a folded name, each once.
func (n *names) with(folded string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		hash := maphash.String(n.seed, folded)
		first, _ := slices.BinarySearchFunc(n.entries, hash, func(e nameEntry, hash uint64) int { return cmp.Compare(e.hash, hash) })
		for _, e := range n.entries[first:] {
			if e.hash != hash || !yield(e.number) {
				return
			}
		}
	}
}

// nameClass returns the class of a name of a record.
func (l *list[R, V]) nameClass(number uint32, name, folded string) nameClass {
	class, r, form := notNamed, l.records[number], l.description.NameForm(name)
	for own := range l.description.NamesOf(r) {
		if l.description.NameForm(own.Value) == form {
			class = min(class, byOwnName+nameClass(own.Class))
		}
	}
	if class < byLabel {
		return class
	}
	for _, label := range l.document(r).Labels {
		label = fold.Text(label)
		if label == folded {
			return byLabel
		}
		if path, ok := pathForm(label); ok && path == folded {
			class = byPathLabel
		}
	}
	return class
}

// pathForm returns a folded label as paths write it without percent-escapes: with `-` for spaces.
// ok is false for labels that are not ASCII, and for those that are already in this form.
func pathForm(folded string) (form string, ok bool) {
	if !strings.Contains(folded, " ") || strings.ContainsFunc(folded, func(r rune) bool { return r > '~' }) {
		return "", false
	}
	return strings.ReplaceAll(folded, " ", "-"), true
}

func (l *list[R, V]) isRetired(number uint32) bool {
	return l.retired != nil && l.retired.Contains(number)
}

// Named returns the key of the record that a name means (docs/api.md#names). The key is the slug
// of a chain, the key of an app or category, the handle of an account, the id of a channel, or
// the path slug of a menu. ok is false if no record has the name, if several do, or if it is a
// label of only retired ones. Cards have no names but their ids, which several may share.
func (s *Snapshot) Named(kind query.Kind, name string) (key string, ok bool) {
	if name == "" { // the usual case; see [names]
		return "", false
	}
	if l, isList := s.lists[kind]; isList {
		return l.keyNamed(name)
	}
	key, ok = s.keys[kind][name]
	return key, ok
}

// Resolve returns a query with the keys of the records that its names and filters mean. Unknown
// values are unchanged.
func (s *Snapshot) Resolve(q query.List) query.List {
	if len(q.Names) > 0 {
		q.Names = s.keysNamed(q.Kind, q.Names)
	}
	takes, shared := query.ListParameters(q.Kind), true
	for i, f := range q.Filters {
		key, ok := s.Named(takes.Find(f.Name).Names, f.Value)
		if !ok || key == f.Value {
			continue
		}
		if shared {
			q.Filters, shared = slices.Clone(q.Filters), false
		}
		q.Filters[i].Value = key
	}
	return q
}

// keysNamed returns the keys of the records that names mean, sorted and distinct. Unknown names are
// unchanged.
func (s *Snapshot) keysNamed(kind query.Kind, names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		key, ok := s.Named(kind, name)
		if !ok {
			key = name
		}
		keys[i] = key
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
