package snapshot

import (
	"bytes"
	"cmp"
	"slices"

	"golang.org/x/text/collate"

	"vitrine/internal/catalog"
	"vitrine/internal/fold"
	"vitrine/internal/locale"
)

// users compiles the accounts: by followers descending, then by folded handle.
// An account whose followers are not known is held back (contract, "Two
// layers").
func (c *compiler) users() (list, error) {
	type ranked struct {
		catalog.Account
		handle string // folded
	}
	var accounts []ranked
	for _, account := range c.catalog.Accounts {
		if !catalog.HeldBack(account) {
			accounts = append(accounts, ranked{account, fold.Text(account.Handle)})
		}
	}
	slices.SortFunc(accounts, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.Followers.Value, a.Followers.Value), cmp.Compare(a.handle, b.handle))
	})
	return c.list("users", len(accounts), func(number int) record {
		account := accounts[number].Account
		return record{
			categories: account.Categories,
			texts:      append(values(account.Description), account.Handle, account.Name),
			encode: func(w *writer, resolve func(catalog.Text) string) {
				w.open('{')
				w.text("handle", account.Handle)
				w.text("name", account.Name)
				w.optional("description", resolve(account.Description))
				c.labelled(w, "twitterCategory", account.Categories, resolve)
				w.figure("followers_count", account.Followers)
				w.close('}')
			},
		}
	})
}

// channels is the list of channels and their order in each locale.
type channels struct {
	list
	byName [][]uint32 // by locale.ID
}

func (c *compiler) channels() (channels, error) {
	sorted := slices.SortedFunc(slices.Values(c.catalog.Channels), func(a, b catalog.Channel) int {
		return cmp.Compare(a.ChannelID, b.ChannelID)
	})
	l, err := c.list("channels", len(sorted), func(number int) record {
		channel := sorted[number]
		return record{
			categories: channel.Categories,
			texts:      append(values(channel.Description), channel.Name),
			encode: func(w *writer, resolve func(catalog.Text) string) {
				w.open('{')
				w.text("channelId", channel.ChannelID)
				w.text("name", channel.Name)
				w.optional("description", resolve(channel.Description))
				c.labelled(w, "youtubeCategory", channel.Categories, resolve)
				w.close('}')
			},
		}
	})
	if err != nil {
		return channels{}, err
	}
	result := channels{list: l}
	for id := range c.fallbacks {
		keys := c.collationKeys(locale.ID(id), len(sorted), func(number int) string { return sorted[number].Name })
		order := ascending(len(sorted))
		slices.SortStableFunc(order, func(a, b uint32) int { return bytes.Compare(keys[a], keys[b]) })
		result.byName = append(result.byName, order)
	}
	return result, nil
}

// collationKeys returns the keys that order names in a locale: comparing two
// of them gives what the locale's collator says of the names.
func (c *compiler) collationKeys(id locale.ID, size int, name func(number int) string) [][]byte {
	collator := c.locales.Collator(id)
	var buf collate.Buffer
	keys := make([][]byte, size)
	for number := range keys {
		keys[number] = bytes.Clone(collator.KeyFromString(&buf, name(number)))
		buf.Reset()
	}
	return keys
}
