package site

import (
	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// Addresses of accounts and channels where they live.
const (
	onX       = "https://x.com/"
	onYouTube = "https://www.youtube.com/channel/"
)

// followers is the key of the figure of accounts.
const followers = string(domain.FigureFollowers)

func accountPage(v *view) error {
	account, err := recordOf[snapshot.Account](v, query.KindUser, "there is no account with this handle")
	if err != nil {
		return err
	}
	m := recordMain{
		Name: account.Name, Description: account.Description, Website: account.Website, Scale: v.T("figures.scale.accounts"),
		Handle: "@" + account.Handle, Outside: onX + account.Handle,
		Figures: v.figures(account.Figures, map[string]float64{followers: v.mostFollowers()}),
	}
	handle := v.copyable(m.Handle)
	handle.IsCode, handle.URL, handle.Note = false, m.Outside, "x.com"
	v.Description = v.T("account.description", "name", account.Name, "handle", account.Handle)
	accountRecord.show(v, account.Handle, m, account, map[string][]fact{"handle": {textFact(v.T("fact.handle"), handle)}})
	return nil
}

func channelPage(v *view) error {
	channel, err := recordOf[snapshot.Channel](v, query.KindChannel, "there is no channel with this id")
	if err != nil {
		return err
	}
	m := recordMain{
		Name: channel.Name, Description: channel.Description, Website: channel.Website,
		ID: channel.ChannelID, Outside: onYouTube + channel.ChannelID,
		Figures: v.figures(channel.Figures, nil),
	}
	v.Description = v.T("channel.description", "name", channel.Name)
	channelRecord.show(v, channel.ChannelID, m, channel, map[string][]fact{"channel_id": {
		textFact(v.T("fact.channel"), value{Text: channel.Name, URL: m.Outside, Note: "youtube.com"}),
		textFact(v.T("id.channel"), v.copyable(channel.ChannelID)),
	}})
	return nil
}
