package domain

// App is an application or a service, independent of menus. A card that names it has its values
// where the card has none: see [Card.Of].
type App struct {
	Key         string
	Title       Text
	Description Text
	Link        string
	Image       string // "" for none
	Categories  []string
	Chains      []string // slugs
	Platforms   []Platform
	Aliases     []string
	Launched    Date
	Status      Status
	StatusSince Date
	StatusNote  Text
	Successor   string // key of another app
	Links       []Link
	Former      []string
	Sources     JSON
	Extra       JSON
}

// Platform is a platform of an app.
type Platform string

// Platforms returns all platforms (docs/directory.md#apps).
func Platforms() []Platform {
	return []Platform{"web", "ios", "android", "desktop", "extension", "cli"}
}

// AppsByKey returns the apps of a catalogue by their keys.
func (c *Catalog) AppsByKey() map[string]*App {
	apps := make(map[string]*App, len(c.Apps))
	for i := range c.Apps {
		apps[c.Apps[i].Key] = &c.Apps[i]
	}
	return apps
}

var appShape = &Shape{
	Name:  "an app",
	About: "An application or service that cards of several menus can share",
	Fields: []*Field{
		line("key", func(a *App) *string { return &a.Key }).names().form(formKey).about("Unique key, used by cards", `"metamask"`),
		title("title", func(a *App) *Text { return &a.Title }).calls().about("Displayed name", `"MetaMask"`),
		description("description", func(a *App) *Text { return &a.Description }).searched().about("Line below the title"),
		link("link", func(a *App) *string { return &a.Link }).required().about("Target of its cards", `"https://metamask.io"`),
		image("image", func(a *App) *string { return &a.Image }).about("Image", `"https://example.org/metamask.svg"`),
		categoryKeys(ModuleItem, `["wallet"]`, func(a *App) *[]string { return &a.Categories }),
		chainSlugs(func(a *App) *[]string { return &a.Chains }),
		platformNames(func(a *App) *[]Platform { return &a.Platforms }),
		aliases(func(a *App) *[]string { return &a.Aliases }).about("Other words by which search finds the app, and its cards without their own title", `["メタマスク", "小狐狸"]`),
		day("launched", func(a *App) *Date { return &a.Launched }).about("Start date, YYYY-MM-DD", `"2016-09-01"`),
		statusField(func(a *App) *Status { return &a.Status }),
		day("status_since", func(a *App) *Date { return &a.StatusSince }).about("First day with this status, YYYY-MM-DD", `"2024-01-01"`),
		description("status_note", func(a *App) *Text { return &a.StatusNote }).about("Reason for the status, for readers"),
		line("successor", func(a *App) *string { return &a.Successor }).refersTo(KindApp).about("Key of the app that replaced it", `"aave"`),
		links(func(a *App) *[]Link { return &a.Links }),
		former(func(a *App) *[]string { return &a.Former }),
		sources(func(a *App) *JSON { return &a.Sources }),
		extra(func(a *App) *JSON { return &a.Extra }),
	},
}
