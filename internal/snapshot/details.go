package snapshot

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"vitrine/internal/domain"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// Records as a whole are encoded when they are asked for: there may be as many as
// rows, each is asked for rarely, and package operations keeps what was.

// Chain returns the body of one chain: by its slug, its _id, its chain id in any spelling
// that a search knows or a slug that it had, whatever the case. Of several that share
// an id it is the first in the default order, the live ones before the others. false:
// there is none.
func (s *Snapshot) Chain(name string, q query.Localized) ([]byte, bool) {
	number, ok := s.chains.named(fold.Text(name))
	if !ok {
		return nil, false
	}
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) { s.chains.encodeWhole(number, w, resolve) }), true
}

// ChainStatus returns the status of the chain with a slug, which lists do not tell, and
// since when it has it, "" where that is not known. A chain that is not there is live.
func (s *Snapshot) ChainStatus(slug string) (status domain.Status, since domain.Date) {
	number, ok := s.chains.bySlug(slug)
	if !ok {
		return domain.StatusLive, ""
	}
	chain := s.chains.records[number]
	return cmp.Or(chain.Status, domain.StatusLive), chain.StatusSince
}

// User returns the body of one account by its handle, whatever its case and one that
// is held back as well (docs/api.md#one-account); false where there is none.
func (s *Snapshot) User(handle string, q query.Localized) ([]byte, bool) {
	account, ok := s.users.named(strings.TrimPrefix(handle, "@"))
	if !ok {
		return nil, false
	}
	account = cmp.Or(s.users.held[account.Handle], account)
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) {
		encodeAccountFields(account, w, resolve)
		w.optional("website", account.Website)
		w.links(account.Links)
		w.origins(accountShape, account)
		w.json("extra", account.Extra)
	}), true
}

// Channel returns the body of one channel by its id (docs/api.md#one-channel); false
// where there is none.
func (s *Snapshot) Channel(channelID string, q query.Localized) ([]byte, bool) {
	l := s.channels.list
	place, ok := slices.BinarySearchFunc(l.byKey, channelID, func(number uint32, id string) int {
		return strings.Compare(l.records[number].ChannelID, id)
	})
	if !ok {
		return nil, false
	}
	channel := l.records[l.byKey[place]]
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) {
		encodeChannelFields(channel, w, resolve)
		w.optional("website", channel.Website)
		w.links(channel.Links)
		w.origins(channelShape, channel)
		w.json("extra", channel.Extra)
	}), true
}

// whole returns the body of one record.
func (s *Snapshot) whole(id locale.ID, members func(w *writer, resolve func(domain.Text) string)) []byte {
	resolve := s.resolver(id)
	w := writer{label: func(slug string) string { return resolve(s.names[slug]) }}
	w.open('{')
	members(&w, resolve)
	w.close('}')
	return w.buf
}

func (s *Snapshot) resolver(id locale.ID) func(domain.Text) string {
	return resolver(s.locales.Fallback(id))
}

// encodeWhole encodes everything that there is to say of a chain
// (docs/api.md#one-chain).
func (c *chains) encodeWhole(number uint32, w *writer, resolve func(domain.Text) string) {
	chain := c.records[number]
	chain = cmp.Or(c.held[chain.Slug], chain)
	encodeChainFields(chain, w, resolve)
	w.optional("description", resolve(chain.Description))
	w.optional("launched", string(chain.Launched))
	w.text("status", chain.Status.String())
	w.optional("statusSince", string(chain.StatusSince))
	w.optional("statusNote", resolve(chain.StatusNote))
	w.optional("successor", chain.Successor)
	w.optional("website", chain.Website)
	w.links(chain.Links)
	if len(chain.RPC) > 0 {
		array(w, "rpc", chain.RPC, func(e domain.Endpoint) {
			w.open('{')
			w.text("url", e.URL)
			w.optional("note", e.Note)
			w.close('}')
		})
	}
	if currency := chain.Currency; currency != nil {
		w.key("nativeCurrency")
		w.open('{')
		w.text("name", currency.Name)
		w.text("symbol", currency.Symbol)
		w.number("decimals", currency.Decimals)
		w.close('}')
	}
	w.optional("parent", chain.Parent)
	some(w, "children", c.children[chain.Slug])
	some(w, "aliases", chain.Aliases)
	if chain.Platforms != nil {
		w.number("platforms", chain.Platforms.Value)
	}
	w.origins(chainShape, chain)
	w.json("extra", chain.Extra)
}

// named returns the number of the chain of a folded name; see [Snapshot.Chain].
func (c *chains) named(name string) (uint32, bool) {
	if number, ok := c.bySlug(name); ok {
		return number, true
	}
	if number, ok := c.stable.number(c.list, name); ok {
		return number, true
	}
	if numbers := c.index.WithID(name); len(numbers) > 0 {
		return slices.MinFunc(numbers, func(a, b uint32) int {
			return cmp.Or(compareBool(c.isRetired(a), c.isRetired(b)), cmp.Compare(c.byTVL.descending.ranks[a], c.byTVL.descending.ranks[b]))
		}), true
	}
	return c.bySlug(c.now[name])
}

func (c *chains) isRetired(number uint32) bool { return c.retired != nil && c.retired.Contains(number) }

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (c *chains) bySlug(slug string) (uint32, bool) {
	place, ok := slices.BinarySearchFunc(c.byKey, slug, func(number uint32, slug string) int {
		return strings.Compare(c.records[number].Slug, slug)
	})
	if !ok {
		return 0, false
	}
	return c.byKey[place], true
}

// stableIDs finds chains by what they have as `_id`. The table is made when somebody
// first asks for one: to derive the ids of a long list takes some time.
type stableIDs struct {
	once    sync.Once
	numbers map[string]uint32
}

// number returns the chain of a list with a folded id.
func (s *stableIDs) number(l *list[domain.Chain], id string) (uint32, bool) {
	s.once.Do(func() {
		s.numbers = make(map[string]uint32, len(l.byKey))
		for _, number := range l.byKey {
			id := fold.Text(l.records[number].StableID())
			if _, taken := s.numbers[id]; !taken {
				s.numbers[id] = number
			}
		}
	})
	number, ok := s.numbers[id]
	return number, ok
}

// named returns the account of a handle.
func (u *users) named(handle string) (*domain.Account, bool) {
	place, ok := slices.BinarySearchFunc(u.byKey, handle, func(number uint32, handle string) int {
		return compareHandles(u.records[number].Handle, handle)
	})
	if ok {
		return u.records[u.byKey[place]], true
	}
	place, ok = slices.BinarySearchFunc(u.heldBack, handle, func(a *domain.Account, handle string) int {
		return compareHandles(a.Handle, handle)
	})
	if ok {
		return u.heldBack[place], true
	}
	return nil, false
}

// heldRecords returns the records that lists have without some figure, as they are, by
// key; nil where there are none. Both slices have the same records in the same order.
func heldRecords[R any](listed, whole []R, shape *domain.Shape, key func(*R) string) map[string]*R {
	if len(whole) == 0 || &listed[0] == &whole[0] {
		return nil
	}
	held := map[string]*R{}
	for i := range whole {
		if !shape.Equal(&listed[i], &whole[i]) {
			held[key(&whole[i])] = &whole[i]
		}
	}
	return held
}
