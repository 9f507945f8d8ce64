package domain

import "cmp"

// Card is a card of an app. A card with a key of an app has only the values that differ from the
// app.
type Card struct {
	Title       Text
	ID          string // "" if derived
	Description Text
	Link        string
	Image       string // "" for none
	App         string // key of an app, "" for none
	Categories  []string
	Chains      []string // slugs
	Platforms   []Platform
	Aliases     []string
	Extra       JSON
}

// Of returns the card with the values of its app where it has none, by field. A text is taken
// with all its locales, and aliases together with the title. A nil app changes nothing.
func (c Card) Of(app *App) Card {
	if app == nil {
		return c
	}
	if len(c.Title) == 0 {
		c.Title = app.Title
		if len(c.Aliases) == 0 {
			c.Aliases = app.Aliases
		}
	}
	if len(c.Description) == 0 {
		c.Description = app.Description
	}
	if len(c.Categories) == 0 {
		c.Categories = app.Categories
	}
	if len(c.Chains) == 0 {
		c.Chains = app.Chains
	}
	if len(c.Platforms) == 0 {
		c.Platforms = app.Platforms
	}
	c.Link, c.Image, c.Extra = cmp.Or(c.Link, app.Link), cmp.Or(c.Image, app.Image), cmp.Or(c.Extra, app.Extra)
	return c
}

// CardShape describes a card, which is not a record.
func CardShape() *Shape { return cardShape }

var cardShape = &Shape{
	Name:  "a card",
	About: "An app card. A card with an app inherits the fields that it does not set",
	key: func(c any) string {
		if card := c.(*Card); card.Link == "" {
			return card.App
		}
		return c.(*Card).Link
	},
	Fields: []*Field{
		title("title", func(c *Card) *Text { return &c.Title }).requiredUnless("app").calls().about("Displayed name", `"MetaMask"`),
		writtenID(func(c *Card) *string { return &c.ID }),
		description("description", func(c *Card) *Text { return &c.Description }).searched().about("Line below the title"),
		link("link", func(c *Card) *string { return &c.Link }).names().requiredUnless("app").about("Target of the card", `"https://metamask.io"`),
		image("image", func(c *Card) *string { return &c.Image }).about("Image", `"https://example.org/metamask.svg"`),
		line("app", func(c *Card) *string { return &c.App }).refersTo(KindApp).about("Key of the app whose fields it inherits", `"metamask"`),
		categoryKeys(ModuleItem, `["wallet"]`, func(c *Card) *[]string { return &c.Categories }),
		chainSlugs(func(c *Card) *[]string { return &c.Chains }),
		platformNames(func(c *Card) *[]Platform { return &c.Platforms }),
		aliases(func(c *Card) *[]string { return &c.Aliases }).about("Other words by which search finds the card", `["メタマスク", "小狐狸"]`),
		extra(func(c *Card) *JSON { return &c.Extra }),
	},
}
