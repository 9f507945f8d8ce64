package site

import "vitrine/internal/snapshot"

// Addresses of accounts and channels where they live.
const (
	onX       = "https://x.com/"
	onYouTube = "https://www.youtube.com/channel/"
)

// partsOfAccount adds the handle of an account to its page.
func partsOfAccount(v *view, m *recordMain, record any) map[string][]fact {
	account := record.(*snapshot.Account)
	m.Handle, m.Outside, m.Scale = "@"+account.Handle, onX+account.Handle, v.T("figures.scale.accounts")
	handle := v.copyable(m.Handle)
	handle.IsCode, handle.URL, handle.Note = false, m.Outside, "x.com"
	v.Description = v.T("account.description", "name", account.Name, "handle", account.Handle)
	return map[string][]fact{"handle": {textFact(v.T("fact.handle"), handle)}}
}

// partsOfChannel adds the id of a channel to its page.
func partsOfChannel(v *view, m *recordMain, record any) map[string][]fact {
	channel := record.(*snapshot.Channel)
	m.ID, m.Outside = channel.ChannelID, onYouTube+channel.ChannelID
	v.Description = v.T("channel.description", "name", channel.Name)
	return map[string][]fact{"channel_id": {
		textFact(v.T("fact.channel"), value{Text: channel.Name, URL: m.Outside, Note: "youtube.com"}),
		textFact(v.T("id.channel"), v.copyable(channel.ChannelID)),
	}}
}
