package catalog

// Equal reports whether two chains read the same in every field.
func (c *Chain) Equal(d *Chain) bool { return chainShape.Equal(c, d) }

// Equal reports whether two accounts read the same in every field.
func (a *Account) Equal(b *Account) bool { return accountShape.Equal(a, b) }

// Equal reports whether two channels read the same in every field.
func (c *Channel) Equal(d *Channel) bool { return channelShape.Equal(c, d) }

// Equal reports whether two figures read the same; nil is a figure that is not
// known.
func (f *Figure) Equal(g *Figure) bool {
	if f == nil || g == nil {
		return f == g
	}
	return *f == *g
}
