package domain

import (
	"slices"
	"strconv"

	"vitrine/internal/fold"
)

// PastID is an `_id` that a chain had and no longer has. It is never assigned to another chain,
// except one that writes it as its id.
type PastID struct {
	ID    string
	Chain string // slug of the last chain with the id
}

// NewID is the id of a new chain whose slug derives an id that belongs to another chain.
type NewID struct {
	Chain   string // slug
	ID      string // assigned id
	Derived string // id derived from its slug
	Owner   string // slug of the chain that has or had Derived; Chain if that one was removed
}

// Earlier returns the chains that were removed before a revision, by slug: their last versions
// with each `_id`, newest first.
type Earlier map[string][]*Chain

// chainIDs assigns the ids of the chains of a catalogue that replaces another.
type chainIDs struct {
	old, new *Catalog
	ids      []string           // by index in new.Chains, "" if not assigned yet
	before   map[string]string  // slug → id in old
	slugs    map[string]bool    // of new
	used     map[string]string  // id, folded → slug, of ids assigned so far
	past     map[string]string  // id, folded → slug of its last chain
	names    map[string]string  // names other than ids, folded → slug; nil until needed
	foreign  map[[2]string]bool // slug and id, folded, of another chain
}

// keepChainIDs assigns each chain of new its `_id`. It returns the chains with the assigned ids
// written if they differ from the derived ones, the ids that are no longer in use, and the chains
// that do not get the id of their slug. In this order of precedence a chain has
//   - the written id;
//   - the id of the only chain in old that had its chain id and its name under another slug: it was
//     renamed, whether another chain has the old slug now or not, and also if the two swapped
//     slugs. A new slug that lists a chain of old that is gone as former takes its id instead;
//   - the id of the chain with the same slug in old;
//   - the id of the chain that it lists as former: in old, among past ids, or in earlier, which has
//     the chains of slugs that were published before old;
//   - the id of its last publish, among past ids or in earlier, unless that chain had both another
//     chain id and another name;
//   - the first id derived from its slug that no other chain has or had.
//
// The result depends only on the arguments, which are not modified.
func keepChainIDs(old, new *Catalog, earlier Earlier) ([]Chain, []PastID, []NewID) {
	k := newChainIDs(old, new)
	k.separate(earlier)
	k.takeRenamed()
	for i := range new.Chains {
		k.take(i, k.before[new.Chains[i].Slug])
	}
	for i := range new.Chains {
		k.takeFormer(i, earlier)
	}
	var denied []NewID
	for i, c := range new.Chains {
		if k.ids[i] != "" {
			continue
		}
		id, owner := k.derive(c.Slug)
		k.assign(i, id)
		if owner != "" {
			denied = append(denied, NewID{Chain: c.Slug, ID: id, Derived: derivedChainID(c.Slug, 0), Owner: owner})
		}
	}
	return k.chains(), k.pastIDs(false), denied
}

// KeepPastIDs returns a copy of restored, a state before old that is published again. It keeps
// its ids; ids that chains have only in old become past ids. The arguments are not modified.
func KeepPastIDs(old, restored *Catalog) *Catalog {
	k := newChainIDs(old, restored)
	for i := range restored.Chains {
		k.assign(i, restored.Chains[i].StableID())
	}
	kept := *restored
	kept.PastIDs = k.pastIDs(true)
	return &kept
}

func newChainIDs(old, new *Catalog) *chainIDs {
	k := &chainIDs{
		old: old, new: new,
		ids:    make([]string, len(new.Chains)),
		before: make(map[string]string, len(old.Chains)),
		slugs:  make(map[string]bool, len(new.Chains)),
		used:   make(map[string]string, len(new.Chains)),
		past:   map[string]string{},
	}
	for _, p := range slices.Concat(new.PastIDs, old.PastIDs) { // those of the store are newer
		k.past[fold.Text(p.ID)] = p.Chain
	}
	for i := range old.Chains {
		c := &old.Chains[i]
		k.before[c.Slug] = c.StableID()
		k.past[fold.Text(c.StableID())] = c.Slug
	}
	for i, c := range new.Chains {
		k.slugs[c.Slug] = true
		if c.ID != "" {
			k.assign(i, c.ID)
		}
	}
	return k
}

func (k *chainIDs) assign(i int, id string) {
	k.ids[i] = id
	if _, taken := k.used[fold.Text(id)]; !taken {
		k.used[fold.Text(id)] = k.new.Chains[i].Slug
	}
}

// take assigns an id unless the chain has one, the id is empty, or it is a name of another chain.
func (k *chainIDs) take(i int, id string) {
	if k.ids[i] != "" || id == "" {
		return
	}
	if _, taken := k.used[fold.Text(id)]; taken {
		return
	}
	c := &k.new.Chains[i]
	if id != derivedChainID(c.Slug, 0) { // the directory was checked for that
		if owner, taken := k.otherNames()[fold.Text(id)]; taken && owner != c.Slug {
			return
		}
	}
	k.assign(i, id)
}

// otherNames returns the folded names of the new chains that are not ids. It is computed on first
// use, because nearly all ids derive from slugs.
func (k *chainIDs) otherNames() map[string]string {
	if k.names != nil {
		return k.names
	}
	k.names = make(map[string]string, 3*len(k.new.Chains))
	d := Describe(KindChain)
	for i := range k.new.Chains {
		for n := range d.NamesOf(&k.new.Chains[i]) {
			if n.Class != NameID {
				k.names[d.NameForm(n.Value)] = k.new.Chains[i].Slug
			}
		}
	}
	return k.names
}

// takeRenamed assigns ids to renamed chains that do not list their former slug: the chain id and
// name belong to only one chain in new, and to only one chain of another slug in old.
func (k *chainIDs) takeRenamed() {
	had := chainsBySlug(k.old)
	now := map[string]int{} // index in new by identity, -1 for several
	for i := range k.new.Chains {
		c := &k.new.Chains[i]
		was := had[c.Slug]
		if was == nil && !k.replacesFormer(c) || was != nil && !sameIdentity(was, c) {
			now[identityOf(c, k.new.DefaultLocale)] = i
		}
	}
	if len(now) == 0 || len(k.before) == 0 {
		return
	}
	for i := range k.new.Chains {
		identity := identityOf(&k.new.Chains[i], k.new.DefaultLocale)
		if at, ok := now[identity]; ok && at != i {
			now[identity] = -1
		}
	}
	was := map[string]int{} // index in old by identity, -1 for several
	for i := range k.old.Chains {
		identity := identityOf(&k.old.Chains[i], k.old.DefaultLocale)
		if at, ok := now[identity]; !ok || at < 0 {
			continue
		}
		if _, several := was[identity]; several {
			was[identity] = -1
			continue
		}
		was[identity] = i
	}
	for i := range k.new.Chains { // in order, so that the result is deterministic
		identity := identityOf(&k.new.Chains[i], k.new.DefaultLocale)
		if at, ok := was[identity]; ok && at >= 0 && now[identity] == i {
			k.take(i, k.before[k.old.Chains[at].Slug])
		}
	}
}

// replacesFormer reports whether a chain lists the slug of a chain in old that is gone in new.
func (k *chainIDs) replacesFormer(c *Chain) bool {
	return slices.ContainsFunc(c.Former, func(slug string) bool { return k.before[slug] != "" && !k.slugs[slug] })
}

func chainsBySlug(c *Catalog) map[string]*Chain {
	all := make(map[string]*Chain, len(c.Chains))
	for i := range c.Chains {
		all[c.Chains[i].Slug] = &c.Chains[i]
	}
	return all
}

// sameIdentity reports whether two chains have the same written chain id and names.
func sameIdentity(a, b *Chain) bool { return a.ChainID == b.ChainID && slices.Equal(a.Name, b.Name) }

// TakenIdentity is a chain that has the `_id` or the slug of another one, so that clients find
// the wrong chain.
type TakenIdentity struct {
	Chain string // slug
	ID    string // its current `_id`
	Was   string // slug of the chain that had its chain id or name
	What  string // the shared identity, such as `chain_id "1"`
	Moved bool   // the `_id` moved from Was; otherwise it stays with the slug
}

// TakenIdentities returns the chains of c whose slug is in old, but with a chain id or name that
// only one other chain had there, in the order of c. Catalogues are as published, with ids (see
// [KeepIDs]).
func TakenIdentities(old, c *Catalog) []TakenIdentity {
	old, c = orEmpty(old), orEmpty(c)
	d := Describe(KindChain)
	before := chainsBySlug(old)
	own := func(chain *Chain, locale string) []mark {
		return slices.DeleteFunc(d.marks(chain, locale), func(m mark) bool { return m.field != "chain_id" && m.field != "name" })
	}
	var bearers map[mark][]int // of old; nil until needed
	var all []TakenIdentity
	for i := range c.Chains {
		chain := &c.Chains[i]
		was := before[chain.Slug]
		if was == nil || sameIdentity(was, chain) {
			continue
		}
		had := own(was, old.DefaultLocale)
		for _, m := range own(chain, c.DefaultLocale) {
			if slices.Contains(had, m) {
				continue
			}
			if bearers == nil {
				bearers = d.bearers(d.records(old), old.DefaultLocale)
			}
			if len(bearers[m]) != 1 {
				continue
			}
			other := &old.Chains[bearers[m][0]]
			all = append(all, TakenIdentity{
				Chain: chain.Slug, ID: chain.StableID(), Was: other.Slug, What: m.String(), Moved: chain.StableID() == other.StableID(),
			})
			break
		}
	}
	return all
}

// ReplacedChains returns the slugs of the chains whose chain id and names all differ from those
// of the chain with that slug in old, in the order of c.
func ReplacedChains(old, c *Catalog) []string {
	before := chainsBySlug(orEmpty(old))
	var slugs []string
	for i := range orEmpty(c).Chains {
		chain := &c.Chains[i]
		if was := before[chain.Slug]; was != nil && !was.isOrWas(chain) {
			slugs = append(slugs, chain.Slug)
		}
	}
	return slugs
}

// identityOf returns the identity of a chain independent of its slug: its written chain id and
// its name in the default locale, both folded.
func identityOf(c *Chain, defaultLocale string) string {
	return Describe(KindChain).NameForm(c.ChainID) + "\x00" + fold.Text(c.Name.Resolve([]string{defaultLocale}))
}

// takeFormer assigns the id that a chain had under another slug, or under its own before its
// removal.
func (k *chainIDs) takeFormer(i int, earlier Earlier) {
	c := &k.new.Chains[i]
	if k.ids[i] != "" {
		return
	}
	for _, slug := range c.Former { // chains in old precede those that are longer gone
		if !k.slugs[slug] {
			k.take(i, k.before[slug])
		}
	}
	for _, slug := range append(slices.Clone(c.Former), c.Slug) {
		if slug != c.Slug && k.slugs[slug] {
			continue
		}
		if id := k.lastOf(slug); !k.isForeign(c.Slug, id) {
			k.take(i, id)
		}
		for _, was := range earlier[slug] {
			id := was.StableID()
			if owner := k.past[fold.Text(id)]; (owner == "" || owner == slug) && !k.isForeign(c.Slug, id) {
				k.take(i, id)
			}
		}
	}
}

// separate finds the ids that other chains had under the slugs of new chains.
func (k *chainIDs) separate(earlier Earlier) {
	k.foreign = map[[2]string]bool{}
	for i := range k.new.Chains {
		c := &k.new.Chains[i]
		if k.before[c.Slug] != "" {
			continue
		}
		for _, was := range earlier[c.Slug] {
			if !was.isOrWas(c) {
				k.foreign[[2]string{c.Slug, fold.Text(was.StableID())}] = true
			}
		}
	}
}

// isForeign reports whether another chain had an id under a slug.
func (k *chainIDs) isForeign(slug, id string) bool { return k.foreign[[2]string{slug, fold.Text(id)}] }

// isOrWas reports whether two chains with one slug are the same record: they share the chain id
// or a name.
func (c *Chain) isOrWas(other *Chain) bool {
	if ChainIDKey(c.ChainID) == ChainIDKey(other.ChainID) {
		return true
	}
	for _, a := range c.Name {
		for _, b := range other.Name {
			if fold.Text(a.Value) == fold.Text(b.Value) {
				return true
			}
		}
	}
	return false
}

// lastOf returns the newest past id of a slug that no chain with another slug keeps, "" for none.
func (k *chainIDs) lastOf(slug string) string {
	for _, list := range [][]PastID{k.old.PastIDs, k.new.PastIDs} {
		for _, p := range slices.Backward(list) {
			if owner := k.past[fold.Text(p.ID)]; p.Chain == slug && (owner == slug || !k.slugs[owner]) {
				return p.ID
			}
		}
	}
	return ""
}

// derive returns the first id derived from a slug that no other chain has or had. owner is the
// slug of the chain with the very first derived id, "" for none.
func (k *chainIDs) derive(slug string) (id, owner string) {
	for nth := 0; ; nth++ {
		id = derivedChainID(slug, nth)
		other, taken := k.used[id]
		if !taken {
			other, taken = k.past[id]
			taken = taken && other != slug
		}
		if !taken && k.isForeign(slug, id) {
			other, taken = slug, true
		}
		if !taken {
			return id, owner
		}
		if nth == 0 {
			owner = other
		}
	}
}

// derivedChainID returns the nth derived id of a slug; the first is that of [Chain.StableID].
func derivedChainID(slug string, nth int) string {
	if nth == 0 {
		return deriveID("chain", slug)
	}
	return deriveID("chain", slug, strconv.Itoa(nth))
}

// chains returns the chains of new, with ids written that differ from the derived ones. The
// result is the list of new if there are none.
func (k *chainIDs) chains() []Chain {
	chains, cloned := k.new.Chains, false
	for i := range k.new.Chains {
		if k.new.Chains[i].StableID() == k.ids[i] {
			continue
		}
		if !cloned {
			chains, cloned = slices.Clone(k.new.Chains), true
		}
		chains[i].ID = k.ids[i]
	}
	return chains
}

// pastIDs returns the ids that chains had and no longer have, oldest first, each with its last
// slug. Entries follow a chain to its new slug. The derived id of a removed chain is left out:
// only a chain with that slug can get it.
//
// An id that moves to another slug is left out, since its chain is renamed: a later chain with
// the old slug is another record. After a rollback it stays, so that publishing the chain again
// finds its id.
func (k *chainIDs) pastIDs(rollback bool) []PastID {
	now := make(map[string]string, len(k.ids)) // slug → id
	for i, c := range k.new.Chains {
		now[c.Slug] = k.ids[i]
	}
	all := slices.Concat(k.new.PastIDs, k.old.PastIDs)
	for i, p := range all {
		if k.before[p.Chain] != "" && !k.slugs[p.Chain] && k.used[fold.Text(k.before[p.Chain])] != "" {
			all[i].Chain = k.used[fold.Text(k.before[p.Chain])]
		}
	}
	listed := len(all)
	for i := range k.old.Chains {
		c := &k.old.Chains[i]
		if id := c.StableID(); now[c.Slug] != id {
			all = append(all, PastID{ID: id, Chain: c.Slug})
		}
	}
	newest := make(map[string]int, len(all))
	for i, p := range all {
		newest[fold.Text(p.ID)] = i
	}
	var kept []PastID
	for i, p := range all {
		id := fold.Text(p.ID)
		moved := k.used[id] != "" && k.used[id] != k.past[id] && !rollback
		onlyDerived := i >= listed && !k.slugs[p.Chain] && p.ID == derivedChainID(p.Chain, 0)
		if newest[id] == i && now[p.Chain] != p.ID && !moved && !onlyDerived {
			kept = append(kept, p)
		}
	}
	return kept
}
