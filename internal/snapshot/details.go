package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// Records as a whole are encoded when they are asked for: there may be as many as
// rows, each is asked for rarely, and package operations keeps what was.

// Chain returns the body of one chain by a name that it has (see [Snapshot.Named]); false
// where no chain has it.
func (s *Snapshot) Chain(name string, q query.Localized) ([]byte, bool) {
	number, ok := s.chains.find(name)
	if !ok {
		return nil, false
	}
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) { s.chains.encodeWhole(number, w, resolve) }), true
}

// ChainStatus returns the status of the chain with a slug, which lists do not tell, and
// since when it has it, "" where that is not known. A chain that is not there is live.
func (s *Snapshot) ChainStatus(slug string) (status domain.Status, since domain.Date) {
	number, ok := s.chains.keyed(slug)
	if !ok {
		return domain.StatusLive, ""
	}
	chain := s.chains.records[number]
	return cmp.Or(chain.Status, domain.StatusLive), chain.StatusSince
}

// User returns the body of one account, held back or not, by a name that it has (see
// [Snapshot.Named]); false where no account has it.
func (s *Snapshot) User(name string, q query.Localized) ([]byte, bool) {
	account, ok := s.users.find(name)
	if !ok {
		return nil, false
	}
	account = cmp.Or(s.users.held[account.Handle], account)
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) {
		encodeAccountFields(account, w, resolve)
		w.optional("website", account.Website)
		w.links(account.Links)
		some(w, "former", account.Former)
		w.origins(accountShape, account)
		w.json("extra", account.Extra)
	}), true
}

// Channel returns the body of one channel by a name that it has (see [Snapshot.Named]);
// false where no channel has it.
func (s *Snapshot) Channel(name string, q query.Localized) ([]byte, bool) {
	number, ok := s.channels.find(name)
	if !ok {
		return nil, false
	}
	channel := s.channels.records[number]
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) {
		encodeChannelFields(channel, w, resolve)
		w.optional("website", channel.Website)
		w.links(channel.Links)
		w.origins(channelShape, channel)
		w.json("extra", channel.Extra)
	}), true
}

// App returns the body of one app by a name that it has (see [Snapshot.Named]); false where
// no app has it.
func (s *Snapshot) App(name string, q query.Localized) ([]byte, bool) {
	number, ok := s.apps.named(name, nil)
	if !ok {
		return nil, false
	}
	app := s.apps.records[number]
	return s.whole(q.Locale, func(w *writer, resolve func(domain.Text) string) { s.apps.encodeWhole(app, w, resolve) }), true
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
// (docs/api.md#chains).
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
	some(w, "former", chain.Former)
	some(w, "sameId", c.sameID(number))
	if chain.Platforms != nil {
		w.number("platforms", chain.Platforms.Value)
	}
	w.origins(chainShape, chain)
	w.json("extra", chain.Extra)
}

// find returns the number of the chain that a name means; see [Snapshot.Named].
// A number that is not a name as it is written means the chain with that id.
func (c *chains) find(name string) (uint32, bool) {
	rank := func(number uint32) uint32 { return c.byTVL.descending.ranks[number] }
	number, class := c.lookup(name, rank)
	if class < byLabel {
		return number, true
	}
	if id, ok := domain.ChainIDName(name); ok {
		if number, class := c.lookup(id, rank); class < byLabel {
			return number, true
		}
	}
	return number, class < notNamed
}

// sameID returns the slugs of the other chains that have the id of a chain, ascending.
func (c *chains) sameID(number uint32) []string {
	var slugs []string
	for other := range c.havingID(c.records[number]) {
		if other != number {
			slugs = append(slugs, c.records[other].Slug)
		}
	}
	slices.Sort(slugs)
	return slugs
}

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

// find returns the account that a name means, which may have an `@` before it; see
// [Snapshot.Named].
func (u *users) find(name string) (*domain.Account, bool) {
	name = strings.TrimPrefix(name, "@")
	if number, ok := u.named(name, nil); ok {
		return u.records[number], true
	}
	return nil, false
}

// find returns the number of the channel that a name means; see [Snapshot.Named].
func (c *channels) find(name string) (uint32, bool) { return c.named(name, nil) }

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
