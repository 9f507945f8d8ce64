package snapshot

import (
	"iter"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/parallel"
	"vitrine/internal/spelling"
)

// users are all accounts, by followers descending, then by folded handle. Those whose
// followers are not known come last.
type users struct {
	*list[domain.Account]
	byFollowers order
	listed      *roaring.Bitmap            // those that the list has; nil for all
	held        map[string]*domain.Account // those with followers that the list does not have, as they are, by handle
}

// users compiles the accounts, from those of an earlier snapshot if it is not
// nil. An account whose followers are not known is held back from the list
// (docs/figures.md#missing-figures), but searches and its own path have it.
func (c *compiler) users(previous *users) users {
	if previous == nil {
		previous = &users{}
	}
	l, e := compileList(c, userSource(), previous.list, pointers(c.catalog.Accounts, every, compareAccounts))
	byHandle := func(a, b uint32) int { return compareAccounts(l.records[a], l.records[b]) }
	followers := func(number uint32) (float64, bool) {
		if f := l.records[number].Followers; f != nil {
			return f.Value, true
		}
		return 0, false
	}
	result := users{
		list:        l,
		held:        heldRecords(c.catalog.Accounts, c.whole.Accounts, accountShape, func(a *domain.Account) string { return a.Handle }),
		byFollowers: l.updatedOrder(&previous.byFollowers, e, byValue(false, followers, byHandle, byHandle)),
	}
	listed := roaring.New()
	for _, number := range l.byKey {
		if !domain.HeldBack(*l.records[number]) {
			listed.Add(number)
		}
	}
	if int(listed.GetCardinality()) < len(l.byKey) {
		result.listed = listed
	}
	return result
}

// near returns the handle that is closest to an unknown one, also of an account that is
// held back: it begins with the same two characters, has the same digits and is one edit
// away, or two for nine characters and more. It is "" for none, for several that are equally
// close, and for handles that are too short. Spaces stand for underscores.
func (u *users) near(handle string) string {
	handle = strings.ReplaceAll(strings.ToLower(handle), " ", "_")
	if len(handle) < 5 {
		return ""
	}
	most := 1
	if len(handle) >= 9 {
		most = 2
	}
	return closest(handle, u.beginning(handle[:2]), func(known string) (int, bool) {
		d := spelling.Distance(handle, strings.ToLower(known), most+1)
		return d, d <= most
	})
}

// beginning yields the handles that begin with start, whatever the case, in order.
func (u *users) beginning(start string) iter.Seq[string] {
	return func(yield func(string) bool) {
		first, _ := slices.BinarySearchFunc(u.byKey, start, func(number uint32, start string) int { return compareHandles(u.records[number].Handle, start) })
		for _, number := range u.byKey[first:] {
			h := u.records[number].Handle
			if len(h) < len(start) || compareHandles(h[:len(start)], start) != 0 || !yield(h) {
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
		kind:       domain.Describe(domain.KindAccount),
		compareKey: func(a *domain.Account, handle string) int { return compareHandles(a.Handle, handle) },
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
		compareKey: func(c *domain.Channel, id string) int { return strings.Compare(c.ChannelID, id) },
		kind:       domain.Describe(domain.KindChannel),
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
