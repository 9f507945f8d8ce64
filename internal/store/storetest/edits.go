package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"vitrine/internal/domain"
)

func chains() []string    { return []string{"ethereum", "base", "arbitrum-one", "zora", "0g"} }
func accounts() []string  { return []string{"OpenAI", "openAI", "held_back", "Celo", "celo", "_x"} }
func navGroups() []string { return []string{"tools", "empty", "more", "about"} }

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// edited returns a copy of a catalogue with random edits.
func (p *player) edited(c *domain.Catalog) *domain.Catalog {
	next := *c
	for range 1 + p.random.IntN(4) {
		p.edit(&next)
	}
	return &next
}

func (p *player) edit(c *domain.Catalog) {
	r := p.random
	title := text(fmt.Sprintf("Text %d", r.IntN(5)), "文本")
	switch r.IntN(9) {
	case 0:
		c.Title, c.LinkSchemes = title, [][]string{nil, {"celo"}, {"celo", "ipfs"}}[r.IntN(3)]
		c.Accept = [][]domain.Acceptance{nil, {{Rule: domain.RuleHeldBack, Reason: title[0].Value}}}[r.IntN(2)]
		c.MaxAge = []*domain.MaxAges{nil, {TVL: &domain.AgeLimit{Days: 365}}, {Followers: &domain.AgeLimit{Days: 1, Older: domain.OlderMark}}}[r.IntN(3)]
	case 1, 2:
		slug := pick(r, chains()...)
		c.Chains = put(c.Chains, r, func(c domain.Chain) bool { return c.Slug == slug },
			domain.Chain{Slug: slug, Name: title, ChainID: fmt.Sprint(r.IntN(3)), TVL: p.figure()})
	case 3, 4:
		handle := pick(r, accounts()...)
		key := accountKey(handle)
		c.Accounts = put(c.Accounts, r, func(a *domain.Account) bool { return accountKey(a.Handle) == key },
			&domain.Account{Handle: handle, Name: "An account", Description: title, Followers: p.figure()})
	case 5:
		key := pick(r, navGroups()...)
		c.NavGroups = put(c.NavGroups, r, func(g domain.NavGroup) bool { return g.Key == key },
			domain.NavGroup{Key: key, Slug: key, Name: title})
	case 6:
		c.NavGroups = shuffled(r, c.NavGroups)
		c.Chains = shuffled(r, c.Chains)
		c.Accounts = shuffled(r, c.Accounts)
	case 7:
		slug := pick(r, "start", "later")
		menu := richMenu()
		menu.PathSlug, menu.Title = slug, title
		c.Menus = put(c.Menus, r, func(m domain.Menu) bool { return m.PathSlug == slug }, menu)
	case 8:
		c.Groups, c.Categories, c.Channels = Rich().Groups, Rich().Categories, Rich().Channels
		if r.IntN(2) == 0 {
			c.Groups, c.Categories, c.Channels = c.Groups[1:2], nil, nil
		}
	}
}

func accountKey(handle string) string {
	b := []byte(handle)
	for i := range b {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

func (p *player) figure() *domain.Figure {
	switch p.random.IntN(3) {
	case 0:
		return &domain.Figure{Value: float64(p.random.IntN(3))}
	case 1:
		return &domain.Figure{Value: 1e21 / 3, Source: "editors", AsOf: p.day()}
	}
	return nil
}

// put removes, replaces or inserts a record.
func put[R any](list []R, r *rand.Rand, is func(R) bool, record R) []R {
	list = slices.Clone(list)
	at := slices.IndexFunc(list, is)
	switch {
	case at >= 0 && r.IntN(3) == 0:
		return slices.Delete(list, at, at+1)
	case at >= 0:
		list[at] = record
		return list
	}
	return slices.Insert(list, r.IntN(len(list)+1), record)
}

func shuffled[R any](r *rand.Rand, list []R) []R {
	list = slices.Clone(list)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}
