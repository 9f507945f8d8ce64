package snapshot

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/spelling"
)

// users is the list of accounts, by followers descending, then by folded handle.
type users struct {
	*list[domain.Account]
	byFollowers order
	heldBack    []*domain.Account          // by folded handle
	held        map[string]*domain.Account // those with followers that the list does not have, as they are, by handle
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
	heldBack := pointers(c.catalog.Accounts, func(a *domain.Account) bool { return !shown(a) }, compareAccounts)
	held := heldRecords(c.catalog.Accounts, c.whole.Accounts, accountShape, func(a *domain.Account) string { return a.Handle })
	return users{list: l, heldBack: heldBack, held: held, byFollowers: l.updatedOrder(&previous.byFollowers, e, func(a, b uint32) int {
		x, y := l.records[a], l.records[b]
		return cmp.Or(cmp.Compare(y.Followers.Value, x.Followers.Value), compareAccounts(x, y))
	})}
}

// near returns the handle that is the nearest to one that is none, also of an account
// that is held back: of those that begin with the same two characters it is one edit
// away, or two where it has nine characters and more. It is "" for none, and for what
// is too short. Spaces stand for underscores.
func (u *users) near(handle string) string {
	handle = strings.ReplaceAll(strings.ToLower(handle), " ", "_")
	if len(handle) < 5 {
		return ""
	}
	most := 1
	if len(handle) >= 9 {
		most = 2
	}
	return spelling.Within(most, handle, u.beginning(handle[:2]), strings.ToLower)
}

// beginning yields the handles that begin with start, whatever the case, those of
// accounts that are held back behind the others.
func (u *users) beginning(start string) iter.Seq[string] {
	begins := func(h string) bool { return len(h) >= len(start) && compareHandles(h[:len(start)], start) == 0 }
	return func(yield func(string) bool) {
		first, _ := slices.BinarySearchFunc(u.byKey, start, func(number uint32, start string) int { return compareHandles(u.records[number].Handle, start) })
		for _, number := range u.byKey[first:] {
			if h := u.records[number].Handle; !begins(h) {
				break
			} else if !yield(h) {
				return
			}
		}
		first, _ = slices.BinarySearchFunc(u.heldBack, start, func(a *domain.Account, start string) int { return compareHandles(a.Handle, start) })
		for _, a := range u.heldBack[first:] {
			if !begins(a.Handle) || !yield(a.Handle) {
				return
			}
		}
	}
}

var (
	accountShape = domain.Describe(domain.KindAccount).Shape
	channelShape = domain.Describe(domain.KindChannel).Shape
)

func compareAccounts(a, b *domain.Account) int { return compareHandles(a.Handle, b.Handle) }

func userSource() source[domain.Account] {
	return source[domain.Account]{
		name:       "users",
		labels:     true,
		compare:    compareAccounts,
		equal:      func(a, b *domain.Account) bool { return accountShape.Equal(a, b) },
		finding:    func(r *domain.Account) domain.Finding { return accountShape.Finding(r) },
		module:     domain.ModuleTwitter,
		encode:     encodeAccount,
		text:       func(a *domain.Account) domain.Text { return a.Description },
		categories: func(a *domain.Account) []string { return a.Categories },
	}
}

// encodeAccount encodes an account (docs/api.md#twitter-users).
func encodeAccount(account *domain.Account, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	encodeAccountFields(account, w, resolve)
	w.close('}')
}

func encodeAccountFields(account *domain.Account, w *writer, resolve func(domain.Text) string) {
	w.text("handle", account.Handle)
	w.text("name", account.Name)
	w.recordText("description", resolve(account.Description))
	w.categories("twitterCategory", account.Categories)
	w.figure("followers_count", account.Followers)
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
		equal:      func(a, b *domain.Channel) bool { return channelShape.Equal(a, b) },
		finding:    func(r *domain.Channel) domain.Finding { return channelShape.Finding(r) },
		module:     domain.ModuleYouTube,
		encode:     encodeChannel,
		text:       func(c *domain.Channel) domain.Text { return c.Description },
		categories: func(c *domain.Channel) []string { return c.Categories },
	}
}

// encodeChannel encodes a channel (docs/api.md#youtube-channels).
func encodeChannel(channel *domain.Channel, w *writer, resolve func(domain.Text) string) {
	w.open('{')
	encodeChannelFields(channel, w, resolve)
	w.close('}')
}

func encodeChannelFields(channel *domain.Channel, w *writer, resolve func(domain.Text) string) {
	w.text("channelId", channel.ChannelID)
	w.text("name", channel.Name)
	w.recordText("description", resolve(channel.Description))
	w.categories("youtubeCategory", channel.Categories)
}
