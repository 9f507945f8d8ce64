package snapshot

import (
	"vitrine/internal/domain"
	"vitrine/internal/query"
)

func (c *compiler) channelSource() source[domain.Channel, ChannelRow] {
	return source[domain.Channel, ChannelRow]{
		kind:        query.KindChannel,
		path:        "/api/open/youtube/channels/",
		description: domain.Describe(domain.KindChannel),
		key:         func(c *domain.Channel) string { return c.ChannelID },
		apart:       true,
		whole:       Channel{},
	}
}
