package snapshot

import (
	"vitrine/internal/domain"
	"vitrine/internal/query"
)

func (c *compiler) channelSource() source[domain.Channel, ChannelRow] {
	return source[domain.Channel, ChannelRow]{
		kind:        query.KindChannel,
		name:        "channels",
		description: domain.Describe(domain.KindChannel),
		module:      domain.ModuleYouTube,
		recordsOf: func(c *compiler) (listed, whole []*domain.Channel) {
			return pointers(c.catalog.Channels), pointers(c.whole.Channels)
		},
		key:        func(c *domain.Channel) string { return c.ChannelID },
		categories: func(c *domain.Channel) []string { return c.Categories },
		apart:      true,
		orderings:  []ordering[domain.Channel]{{ascending: true, text: func(c *domain.Channel, _ language) string { return c.Name }}},
		row:        channelRow,
		text:       func(c *domain.Channel) domain.Text { return c.Description },
		details:    channelDetails,
		result: func(c *domain.Channel) searchRecord {
			return searchRecord{key: c.ChannelID, name: c.Name, description: c.Description, url: c.Website, href: "/api/open/youtube/channels/" + c.ChannelID}
		},
	}
}

// channelRow returns the view of a channel in a list (docs/api.md#youtube-channels).
func channelRow(channel *domain.Channel, in language) ChannelRow {
	return ChannelRow{Labels: in.labels(channel.Categories)}
}

func channelDetails(_ *list[domain.Channel, ChannelRow], channel *domain.Channel, in language) any {
	return &Channel{
		ChannelRow: channelRow(channel, in), Links: links(channel.Links),
		Sources: sources(domain.KindChannel, channel.Sources), Figures: figures(domain.KindChannel, channel, in), Extra: channel.Extra,
	}
}
