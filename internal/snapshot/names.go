package snapshot

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/query"
)

// names finds the records of one list by their names (docs/api.md#names). The table is
// built on first use: most requests name a record by its key, which needs no table.
type names struct {
	once    sync.Once
	seed    maphash.Seed
	entries []nameEntry // ascending by hash, then by number
}

// nameEntry says that a record may have a name. Hashes collide, so a lookup compares
// the names of the record.
type nameEntry struct {
	hash   uint64
	number uint32
}

// nameClass says how a record has a name. A lower class takes precedence.
type nameClass uint8

const (
	byOwnName   = nameClass(domain.NameKey) // and the other classes of package domain
	byLabel     = nameClass(domain.NameFormer) + iota
	byPathLabel // a label as paths have it, see pathForm
	notNamed
)

// named returns the number of the record that a name means: the record of that key, else
// the one with that `_id`, chain id or former key, else the only record that is not retired
// and has the name as a label, as it is written or as paths have it. Where several records
// share a chain id, those that are not retired come first, then the ones with the lowest
// rank; nil ranks none.
func (l *list[R]) named(name string, rank func(number uint32) uint32) (uint32, bool) {
	number, class := l.lookup(name, rank)
	return number, class < notNamed
}

// lookup does what named does, and says how the record has the name.
func (l *list[R]) lookup(name string, rank func(number uint32) uint32) (uint32, nameClass) {
	if number, ok := l.keyed(name); ok {
		return number, byOwnName
	}
	folded := fold.Text(name)
	var found []uint32
	class := notNamed
	for number := range l.table().with(folded) {
		switch of := l.nameClass(number, name, folded); {
		case of == notNamed || of >= byLabel && l.isRetired(number):
		case of < class:
			class, found = of, append(found[:0], number)
		case of == class:
			found = append(found, number)
		}
	}
	switch {
	case len(found) == 0 || len(found) > 1 && class >= byLabel:
		return 0, notNamed
	case rank == nil:
		return found[0], class
	}
	return slices.MinFunc(found, func(a, b uint32) int {
		return cmp.Or(compareBool(l.isRetired(a), l.isRetired(b)), cmp.Compare(rank(a), rank(b)))
	}), class
}

// keyed returns the number of the record with a key.
func (l *list[R]) keyed(key string) (uint32, bool) {
	place, ok := slices.BinarySearchFunc(l.byKey, key, func(number uint32, key string) int {
		return l.compareKey(l.records[number], key)
	})
	if !ok {
		return 0, false
	}
	return l.byKey[place], true
}

// updatedNames returns the table of the previous list where all names are those of its
// records, else a new one.
func (l *list[R]) updatedNames(previous *list[R], e edit) *names {
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

// spelled returns the folded names of a record, in any form that a lookup may have.
func (l *list[R]) spelled(r *R) []string {
	var all []string
	for name := range l.kind.NamesOf(r) {
		all = append(all, fold.Text(name.Value))
	}
	for _, label := range l.finding(r).Labels {
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
func (l *list[R]) table() *names {
	l.names.once.Do(func() { l.names.entries = l.nameEntries() })
	return l.names
}

// nameEntries returns the entries of all records.
func (l *list[R]) nameEntries() []nameEntry {
	var entries []nameEntry
	for _, number := range l.byKey {
		for _, folded := range l.spelled(l.records[number]) {
			entries = append(entries, nameEntry{maphash.String(l.names.seed, folded), number})
		}
	}
	slices.SortFunc(entries, func(a, b nameEntry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.number, b.number))
	})
	return slices.Clip(slices.Compact(entries))
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

// nameClass returns how a record has a name.
func (l *list[R]) nameClass(number uint32, name, folded string) nameClass {
	class, r, form := notNamed, l.records[number], l.kind.NameForm(name)
	for own := range l.kind.NamesOf(r) {
		if l.kind.NameForm(own.Value) == form {
			class = min(class, byOwnName+nameClass(own.Class))
		}
	}
	if class < byLabel {
		return class
	}
	for _, label := range l.finding(r).Labels {
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

// havingID yields the numbers of the chains that have the chain id of a record, however they
// spell it.
func (c *chains) havingID(chain *domain.Chain) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		same := c.sharedSpelling(chain)
		for number := range c.table().with(same) {
			if c.sharedSpelling(c.records[number]) == same && !yield(number) {
				return
			}
		}
	}
}

// sharedSpelling returns the spelling that equal chain ids have in common, folded: that with
// the namespace of Ethereum for a number, else the id as it is written.
func (c *chains) sharedSpelling(chain *domain.Chain) string {
	shared := fold.Text(chain.ChainID)
	for name := range c.kind.NamesOf(chain) {
		if name.Class == domain.NameChainID && strings.HasPrefix(name.Value, "eip155:") {
			shared = name.Value
		}
	}
	return shared
}

// pathForm returns a folded label as paths have it, which know no percent-escapes: with
// `-` for spaces. ok is false for labels that are not ASCII, and for those that paths have
// as they are.
func pathForm(folded string) (form string, ok bool) {
	if !strings.Contains(folded, " ") || strings.ContainsFunc(folded, func(r rune) bool { return r > '~' }) {
		return "", false
	}
	return strings.ReplaceAll(folded, " ", "-"), true
}

func (l *list[R]) isRetired(number uint32) bool {
	return l.retired != nil && l.retired.Contains(number)
}

// Named returns the key of the record that a name means (docs/api.md#names): the slug of a
// chain, the key of an app, the handle of an account, the id of a channel, the path slug of a menu, the key of
// a category. ok is false where no record has the name, where only retired ones have
// it as a label, and where several have. Kinds other than those have no names.
func (s *Snapshot) Named(kind query.Kind, name string) (key string, ok bool) {
	if name == "" { // as in most queries; see [names]
		return "", false
	}
	switch kind {
	case query.KindChain:
		if number, ok := s.chains.find(name); ok {
			return s.chains.records[number].Slug, true
		}
	case query.KindApp:
		if number, ok := s.apps.named(name, nil); ok {
			return s.apps.records[number].Key, true
		}
	case query.KindUser:
		if account, ok := s.users.find(name); ok {
			return account.Handle, true
		}
	case query.KindChannel:
		if number, ok := s.channels.find(name); ok {
			return s.channels.records[number].ChannelID, true
		}
	case query.KindMenu:
		key, ok = s.nav.menuSlugs[name]
	case query.KindCategory:
		key, ok = s.registry.keys[name]
	}
	return key, ok
}

// ResolveApps returns a query with the slug of the chain that it names. A value that names
// nothing stays.
func (s *Snapshot) ResolveApps(q query.Apps) query.Apps {
	if slug, ok := s.Named(query.KindChain, q.Chain); ok {
		q.Chain = slug
	}
	return q
}

// ResolveCards returns a query with the keys of the menu and the chain that it names. A
// value that names nothing stays.
func (s *Snapshot) ResolveCards(q query.Cards) query.Cards {
	if slug, ok := s.Named(query.KindMenu, q.Menu); ok {
		q.Menu = slug
	}
	if slug, ok := s.Named(query.KindChain, q.Chain); ok {
		q.Chain = slug
	}
	return q
}
