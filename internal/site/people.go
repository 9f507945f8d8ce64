package site

import (
	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

type usersBody struct {
	Users  []userRow `json:"users"`
	Facets []facet   `json:"facets"`
}

// userRow is an account as its list has it.
type userRow struct {
	Handle      string   `json:"handle"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Categories  []string `json:"twitterCategory"`
	Followers   *float64 `json:"followers_count"`
}

type channelsBody struct {
	Channels []channelRow `json:"channels"`
	Facets   []facet      `json:"facets"`
}

// channelRow is a channel as its list has it.
type channelRow struct {
	ChannelID   string   `json:"channelId"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Categories  []string `json:"youtubeCategory"`
}

// peopleMain is what the pages of the lists of accounts and of channels show.
type peopleMain struct {
	listing
	Rows []personItem
	All  int // records that the list has when nothing is asked
}

// personItem is a row: an account or a channel.
type personItem struct {
	Name, Handle, Path, Description string
	Categories                      []string
	Figure                          *figureItem // nil where the list has none
}

// outside are the addresses of accounts and channels where they live.
const (
	onX       = "https://x.com/"
	onYouTube = "https://www.youtube.com/channel/"
)

const followers = "followers_count"

func accountsPage(v *view) (response.Document, error) {
	asked, err := query.ParseList(v.asList(), v.snapshot.Locales())
	if err != nil {
		return response.Document{}, err
	}
	body, total := listOf[usersBody](v.snapshot.Users(asked))
	main := peopleMain{All: v.Meta.Counts["users"]}
	if main.listing, err = v.listing(len(body.Users), total, body.Facets, query.KindUser); err != nil {
		return response.Document{}, err
	}
	largest := v.mostFollowers()
	for _, user := range body.Users {
		item := personItem{
			Name: user.Name, Handle: "@" + user.Handle, Path: v.At("/twitter/" + user.Handle),
			Description: cutShort(user.Description), Categories: few(user.Categories),
		}
		if whole, ok := v.snapshot.User(user.Handle, v.localized()); ok {
			figures, err := v.figures(read[recordBody](whole).Figures, []string{followers}, map[string]float64{followers: largest})
			if err != nil {
				return response.Document{}, err
			}
			if len(figures) > 0 {
				item.Figure = &figures[0]
			}
		}
		main.Rows = append(main.Rows, item)
	}
	if v.Title, err = v.T("accounts.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("accounts.description", "n", main.All); err != nil {
		return response.Document{}, err
	}
	v.JSON = withQuery("/api/open/twitter/users", v.asList())
	return v.show("accounts", main, main.twin)
}

// few returns the first categories of a row.
func few(categories []string) []string {
	first, _ := most(categories, categoriesOfRow)
	return first
}

// mostFollowers returns the largest number of followers that an account of the list has.
func (v *view) mostFollowers() float64 {
	found := v.snapshot.Users(query.List{Locale: v.locale, Page: query.Page{On: true, Limit: 1}})
	for _, first := range read[usersBody](found.Body()).Users {
		if first.Followers != nil {
			return *first.Followers
		}
	}
	return 0
}

func channelsPage(v *view) (response.Document, error) {
	asked, err := query.ParseList(v.asList(), v.snapshot.Locales())
	if err != nil {
		return response.Document{}, err
	}
	body, total := listOf[channelsBody](v.snapshot.Channels(asked))
	main := peopleMain{All: v.Meta.Counts["channels"]}
	if main.listing, err = v.listing(len(body.Channels), total, body.Facets, query.KindChannel); err != nil {
		return response.Document{}, err
	}
	for _, channel := range body.Channels {
		main.Rows = append(main.Rows, personItem{
			Name: channel.Name, Path: v.At("/youtube/" + channel.ChannelID), Description: cutShort(channel.Description), Categories: few(channel.Categories),
		})
	}
	if v.Title, err = v.T("channels.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("channels.description", "n", main.All); err != nil {
		return response.Document{}, err
	}
	v.JSON = withQuery("/api/open/youtube/channels", v.asList())
	return v.show("channels", main, main.twin)
}

// personMain is what the page of an account or of a channel shows.
type personMain struct {
	recordBody
	Handle     string // of an account, with its sign
	ID         string // of a channel
	Outside    string // where it lives
	HeldBack   bool   // the list leaves it out
	Left       int    // links and categories that the page leaves out
	Dimensions []dimension
	Links      []linkGroup
	Figures    []figureItem
	Scale      string // what bars are relative to
	Extra      string
}

func accountPage(v *view) (response.Document, error) {
	found, err := v.record(finding{query.KindUser, (*snapshot.Snapshot).User, "there is no account with this handle"})
	if err != nil {
		return response.Document{}, err
	}
	account := read[userRow](found)
	v.isAt("/twitter/" + account.Handle)
	main := personMain{Handle: "@" + account.Handle, Outside: onX + account.Handle, HeldBack: account.Followers == nil}
	v.JSON = "/api/open/twitter/users/" + account.Handle + "?" + v.asked()
	if v.Description, err = v.T("account.description", "name", account.Name, "handle", account.Handle); err != nil {
		return response.Document{}, err
	}
	return v.person("account", found, main, domain.ModuleTwitter, "/twitter")
}

func channelPage(v *view) (response.Document, error) {
	found, err := v.record(finding{query.KindChannel, (*snapshot.Snapshot).Channel, "there is no channel with this id"})
	if err != nil {
		return response.Document{}, err
	}
	channel := read[channelRow](found)
	v.isAt("/youtube/" + channel.ChannelID)
	main := personMain{ID: channel.ChannelID, Outside: onYouTube + channel.ChannelID}
	v.JSON = "/api/open/youtube/channels/" + channel.ChannelID + "?" + v.asked()
	if v.Description, err = v.T("channel.description", "name", channel.Name); err != nil {
		return response.Document{}, err
	}
	return v.person("channel", found, main, domain.ModuleYouTube, "/youtube")
}

// person makes the page of an account or of a channel of what both have alike.
func (v *view) person(template string, found []byte, main personMain, module domain.Module, list string) (response.Document, error) {
	main.recordBody = read[recordBody](found)
	main.Left = main.recordBody.trim()
	main.Dimensions = v.dimensions(module, list, main.Categories)
	main.Links = linksByType(main.recordBody.Links)
	var err error
	if main.Figures, err = v.figures(main.recordBody.Figures, []string{followers}, map[string]float64{followers: v.mostFollowers()}); err != nil {
		return response.Document{}, err
	}
	if main.Scale, err = v.T("figures.scale.accounts"); err != nil {
		return response.Document{}, err
	}
	if main.Extra, err = indented(main.recordBody.Extra); err != nil {
		return response.Document{}, err
	}
	v.Title = main.Name
	if main.Description != "" {
		v.Description = cutShort(main.Description)
	}
	told := main.recordBody
	told.Links = append([]recordLink{{URL: main.Outside}}, told.Links...)
	profile := linked("ProfilePage", recordBody{Name: main.Name}, v.Absolute(v.Here()), map[string]any{
		"mainEntity": linked("Thing", told, main.Outside, map[string]any{"alternateName": main.Handle, "identifier": main.ID}),
	})
	if err := v.tell([]string{template + "s.title", list}, profile); err != nil {
		return response.Document{}, err
	}
	return v.show(template, main, main.twin)
}
