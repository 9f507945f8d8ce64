package domain

// Channel is a YouTube channel.
type Channel struct {
	ChannelID   string
	Name        string
	Description Text
	Categories  []string
	Subscribers *Figure // nil when unknown
	Website     string
	Links       []Link
	Sources     JSON
	Extra       JSON
}

var channelShape = &Shape{
	Name:  "a channel",
	About: "One YouTube channel",
	Fields: []*Field{
		line("channel_id", func(c *Channel) *string { return &c.ChannelID }).names().form(formChannelID).about("Unique, case-sensitive id of the channel", `"UCNOfzGXD_C9YMYmnefmPH0g"`),
		plainName(func(c *Channel) *string { return &c.Name }).calls().about("Name of the channel, not translated", `"Ethereum Foundation"`),
		description("description", func(c *Channel) *Text { return &c.Description }).searched().about("Owner and topics"),
		categoryKeys(ModuleYouTube, `["foundation"]`, func(c *Channel) *[]string { return &c.Categories }),
		figureField(FigureSubscribers, func(c *Channel) **Figure { return &c.Subscribers }).counts().
			about("Number of subscribers, which YouTube rounds to three digits", `{"value": 189000, "source": "youtube", "as_of": "2026-11-23"}`),
		website(func(c *Channel) *string { return &c.Website }),
		links(func(c *Channel) *[]Link { return &c.Links }),
		sources(func(c *Channel) *JSON { return &c.Sources }),
		extra(func(c *Channel) *JSON { return &c.Extra }),
	},
}
