package catalog

import "slices"

// Equal reports whether two chains read the same in every field.
func (c *Chain) Equal(d *Chain) bool {
	return c.Slug == d.Slug && c.ChainID == d.ChainID && c.ID == d.ID && c.Logo == d.Logo &&
		slices.Equal(c.Name, d.Name) && slices.Equal(c.Categories, d.Categories) && slices.Equal(c.Aliases, d.Aliases) &&
		c.TVL.Equal(d.TVL) && c.Platforms.Equal(d.Platforms)
}

// Equal reports whether two accounts read the same in every field.
func (a *Account) Equal(b *Account) bool {
	return a.Handle == b.Handle && a.Name == b.Name && slices.Equal(a.Description, b.Description) &&
		slices.Equal(a.Categories, b.Categories) && a.Followers.Equal(b.Followers)
}

// Equal reports whether two channels read the same in every field.
func (c *Channel) Equal(d *Channel) bool {
	return c.ChannelID == d.ChannelID && c.Name == d.Name && slices.Equal(c.Description, d.Description) &&
		slices.Equal(c.Categories, d.Categories)
}

// Equal reports whether two figures read the same; nil is a figure that is not
// known.
func (f *Figure) Equal(g *Figure) bool {
	if f == nil || g == nil {
		return f == g
	}
	return *f == *g
}

// equal reports whether two categories read the same in every field.
func (c Category) equal(d Category) bool {
	return c.Key == d.Key && slices.Equal(c.Name, d.Name) && slices.Equal(c.Description, d.Description) &&
		c.Parent == d.Parent && c.Priority == d.Priority && slices.Equal(c.Scopes, d.Scopes) &&
		slices.EqualFunc(c.Groups, d.Groups, func(a, b ModuleGroups) bool {
			return a.Module == b.Module && slices.Equal(a.Keys, b.Keys)
		})
}
