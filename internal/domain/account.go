package domain

// Account is a Twitter/X account.
type Account struct {
	Handle      string // without the leading @
	Name        string
	Description Text
	Categories  []string
	Followers   *Figure // nil if unknown: lists hide the account
	Website     string
	Links       []Link
	Former      []string // former handles
	Sources     JSON
	Extra       JSON
}

var accountShape = &Shape{
	Name:  "an account",
	About: "One Twitter/X account",
	Fields: []*Field{
		lineField(TypeHandle, "handle", func(a *Account) *string { return &a.Handle }).names().calls().form(formHandle).about("Unique handle, case-insensitive", `"ethereum"`),
		plainName(func(a *Account) *string { return &a.Name }).calls().about("Name of the account, not translated", `"Ethereum"`),
		description("description", func(a *Account) *Text { return &a.Description }).searched().about("Owner and topics", `"Official account"`),
		categoryKeys(ModuleTwitter, `["foundation"]`, func(a *Account) *[]string { return &a.Categories }),
		figureField(FigureFollowers, func(a *Account) **Figure { return &a.Followers }).counts().
			about("Number of followers; lists omit accounts without it", `{"value": 3602125, "source": "public recording", "as_of": "2025-01-09"}`),
		website(func(a *Account) *string { return &a.Website }),
		links(func(a *Account) *[]Link { return &a.Links }),
		former(func(a *Account) *[]string { return &a.Former }).form(formHandle).about("Previous handles, without @, which still resolve to it", `["old_handle"]`),
		sources(func(a *Account) *JSON { return &a.Sources }),
		extra(func(a *Account) *JSON { return &a.Extra }),
	},
}
