package snapshot

import (
	"cmp"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
)

// users is the list of accounts, by followers descending, then by folded handle.
type users struct {
	*list[domain.Account]
	byFollowers order
}

// users compiles the accounts, from those of an earlier snapshot if it is not
// nil. An account whose followers are not known is held back
// (docs/publishing.md#two-layers).
func (c *compiler) users(previous *users) users {
	if previous == nil {
		previous = &users{}
	}
	shown := func(a *domain.Account) bool { return !domain.HeldBack(*a) }
	l, e := compileList(c, userSource(), previous.list, pointers(c.catalog.Accounts, shown, compareAccounts))
	return users{l, l.updatedOrder(&previous.byFollowers, e, func(a, b uint32) int {
		x, y := l.records[a], l.records[b]
		return cmp.Or(cmp.Compare(y.Followers.Value, x.Followers.Value), compareAccounts(x, y))
	})}
}

func compareAccounts(a, b *domain.Account) int { return compareHandles(a.Handle, b.Handle) }

func userSource() source[domain.Account] {
	return source[domain.Account]{
		name:       "users",
		labels:     true,
		compare:    compareAccounts,
		shape:      domain.Describe(domain.KindAccount).Shape,
		encode:     encodeAccount,
		text:       func(a *domain.Account) domain.Text { return a.Description },
		categories: func(a *domain.Account) []string { return a.Categories },
	}
}

// encodeAccount encodes an account (docs/api.md#twitter-users).
func encodeAccount(account *domain.Account, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	w.text("handle", account.Handle)
	w.text("name", account.Name)
	w.recordText("description", resolve(account.Description))
	encodeCategories(w, "twitterCategory", account.Categories)
	w.figure("followers_count", account.Followers)
	w.close('}')
}

// channels is the list of channels and their order in each locale.
type channels struct {
	*list[domain.Channel]
	byName []order // by locale.ID
}

// channels compiles the channels, from those of an earlier snapshot if it is not
// nil.
func (c *compiler) channels(previous *channels) channels {
	if previous == nil {
		previous = &channels{byName: make([]order, len(c.fallbacks))}
	}
	l, e := compileList(c, channelSource(), previous.list, pointers(c.catalog.Channels, every, compareChannels))
	result := channels{l, make([]order, len(c.fallbacks))}
	byID := func(a, b uint32) int { return compareChannels(l.records[a], l.records[b]) }
	var work []func()
	for id := range c.fallbacks {
		work = append(work, func() {
			byName := c.collated(locale.ID(id), e.size, func(number uint32) string { return l.records[number].Name })
			result.byName[id] = l.updatedOrder(&previous.byName[id], e, directed(byName, byID)(true))
		})
	}
	parallel.Do(len(work), func(i int) { work[i]() })
	return result
}

func compareChannels(a, b *domain.Channel) int { return strings.Compare(a.ChannelID, b.ChannelID) }

func channelSource() source[domain.Channel] {
	return source[domain.Channel]{
		name:       "channels",
		labels:     true,
		compare:    compareChannels,
		shape:      domain.Describe(domain.KindChannel).Shape,
		encode:     encodeChannel,
		text:       func(c *domain.Channel) domain.Text { return c.Description },
		categories: func(c *domain.Channel) []string { return c.Categories },
	}
}

// encodeChannel encodes a channel (docs/api.md#youtube-channels).
func encodeChannel(channel *domain.Channel, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	w.text("channelId", channel.ChannelID)
	w.text("name", channel.Name)
	w.recordText("description", resolve(channel.Description))
	encodeCategories(w, "youtubeCategory", channel.Categories)
	w.close('}')
}
