package mcp

import (
	"strconv"
	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

const (
	platformTwitter = "twitter"
	platformYouTube = "youtube"
)

func queryAbout(s *snapshot.Snapshot, a arguments) (result, error) {
	id, err := query.ParseLocalized(a.Encode(), s.Locales())
	if err != nil {
		return result{}, err
	}
	return result{
		locale: id, notice: notice, data: snapshot.EncodeMembers(s.MetaView(id)),
		keep: []string{"title", "defaultLocale", "locales", "counts"}, how: "the HTTP API has it whole at /api/open/meta",
	}, nil
}

func queryEverything(s *snapshot.Snapshot, a arguments) (result, error) {
	q, err := query.ParseSearch(a.Encode(), s.Locales())
	if err != nil {
		return result{}, err
	}
	view := s.SearchView(q)
	r := withRows("results", view.Results)
	view.Results = nil
	r.locale, r.data, r.total, r.offset = q.Locale, snapshot.EncodeMembers(view), view.Total, q.Page.Offset
	r.keep, r.how = []string{"kind", "key", "title", "href"}, "the HTTP API has records whole at their href"
	return r, nil
}

func queryChanges(s *snapshot.Snapshot, a arguments) (result, error) {
	q, err := query.ParseChanges(a.Encode(), s.Locales())
	if err != nil {
		return result{}, err
	}
	since, err := s.Since(q)
	if err != nil {
		return result{}, &problem{Code: response.Gone, Detail: err.Error(), Parameter: "since"}
	}
	view := s.ChangesView(q, since)
	r := withRows("changes", view.Changes)
	r.locale, r.total, r.offset = q.Locale, view.Total, q.Page.Offset
	r.data = append(r.data, member{Name: "from", Value: strconv.AppendInt(nil, view.From, 10)}, member{Name: "to", Value: strconv.AppendInt(nil, view.To, 10)})
	r.keep, r.how = []string{"kind", "key", "change", "title"}, "the HTTP API has records whole at their href"
	return r, nil
}

func queryChain(s *snapshot.Snapshot, a arguments) (result, error) {
	view, id, err := recordNamed[snapshot.Chain](s, a, query.KindChain, "chain", "no chain has this slug or id, and the name does not match exactly one chain")
	if err != nil {
		return result{}, err
	}
	return result{
		locale: id, data: snapshot.EncodeMembers(view), keep: []string{"_id", "slug", "name", "chain_id", "status"},
		how: "the HTTP API has it whole at /api/open/chains/ and its slug",
	}, nil
}

// recordNamed returns the view of the record that a parameter names, and its locale. Detail says
// that there is none.
func recordNamed[View any](s *snapshot.Snapshot, a arguments, kind query.Kind, parameter, detail string) (*View, locale.ID, error) {
	id, err := query.ParseLocalized(a.Encode(), s.Locales())
	if err != nil {
		return nil, 0, err
	}
	if view := snapshot.Details[View](s, kind, a.Get(parameter), id); view != nil {
		return view, id, nil
	}
	candidates := s.Candidates(kind, query.ForName(a.Get(parameter), id))
	return nil, 0, &problem{Code: response.NotFound, Detail: detail, Parameter: parameter, Candidates: candidates}
}

// queryRow returns a list of one record, which a parameter names.
func queryRow[View any](s *snapshot.Snapshot, a arguments, kind query.Kind, rows, parameter, detail string) (result, error) {
	view, id, err := recordNamed[View](s, a, kind, parameter, detail)
	if err != nil {
		return result{}, err
	}
	r := withRows(rows, []View{*view})
	r.locale = id
	return r, nil
}

// queryList returns a page of a list.
func queryList[Row any](s *snapshot.Snapshot, a arguments, kind query.Kind, rows string) (result, error) {
	if a.Get("limit") == "" {
		a.Set("limit", listUsual)
	}
	q, err := query.ParseList(kind, a.Encode(), s.Locales())
	if err != nil {
		return result{}, err
	}
	page := snapshot.Rows[Row](s, q)
	r := withRows(rows, page.Rows)
	r.locale, r.total, r.offset = q.Locale, page.Total, q.Page.Offset
	if page.Facets != nil {
		r.data = append(r.data, member{Name: "facets", Value: snapshot.Encode(page.Facets)})
	}
	r.brief, r.unknown = a.on("brief"), unknownIn(s, a, kind)
	return explained(s, r, kind, q), nil
}

func queryChains(s *snapshot.Snapshot, a arguments) (result, error) {
	r, err := queryList[snapshot.ChainRow](s, a, query.KindChain, "chains")
	r.keep, r.how = []string{"slug", "name", "chain_id"}, "get_chain has one chain whole"
	r.figures = []domain.FigureName{domain.FigureTVL, domain.FigurePlatforms}
	return r, err
}

func queryAccounts(s *snapshot.Snapshot, a arguments) (r result, err error) {
	const detail = "there is none with this handle; search finds accounts and channels by name"
	isOne := a.Get("handle") != ""
	switch isYouTube := a.Get("platform") == platformYouTube; {
	case isYouTube && isOne:
		r, err = queryRow[snapshot.Channel](s, a, query.KindChannel, "channels", "handle", detail)
	case isYouTube:
		r, err = queryList[snapshot.ChannelRow](s, a, query.KindChannel, "channels")
	case isOne:
		r, err = queryRow[snapshot.Account](s, a, query.KindUser, "users", "handle", detail)
		r.figures = []domain.FigureName{domain.FigureFollowers}
	default:
		r, err = queryList[snapshot.AccountRow](s, a, query.KindUser, "users")
		r.figures = []domain.FigureName{domain.FigureFollowers}
	}
	r.keep, r.how = []string{"handle", "channelId", "name", "categorySlugs"}, "the HTTP API has one whole at /api/open/twitter/users/ and its handle, or /api/open/youtube/channels/ and its channelId"
	return r, err
}

func queryCards(s *snapshot.Snapshot, a arguments) (result, error) {
	switch {
	case a.Get("app") != "":
		return queryApp(s, a)
	case a.Get("kind") == string(query.KindApp):
		return queryApps(s, a)
	case a.Get("platform") != "":
		return result{}, wrong("platform", "filters apps only; add kind app")
	}
	r, err := queryList[snapshot.CardRow](s, a, query.KindCard, "cards")
	r.keep, r.how = []string{"id", "title", "link", "menu", "item", "app"}, "the HTTP API has cards whole at /api/open/nav/cards"
	return r, err
}

// appKeep lists the members of an app that are never left out.
var appKeep = []string{"key", "title", "link", "status"}

func queryApp(s *snapshot.Snapshot, a arguments) (result, error) {
	r, err := queryRow[snapshot.App](s, a, query.KindApp, "apps", "app", "no app has this key, and this is not the title or alias of exactly one app")
	r.keep, r.how = appKeep, "the HTTP API has it whole at /api/open/apps/ and its key"
	return r, err
}

func queryApps(s *snapshot.Snapshot, a arguments) (result, error) {
	if a.Get("menu") != "" {
		return result{}, wrong("menu", "filters cards only; leave out kind")
	}
	r, err := queryList[snapshot.AppRow](s, a, query.KindApp, "apps")
	r.keep, r.how = appKeep, "with app, this tool has one app whole"
	return r, err
}

// explained adds suggestions to an empty list with words.
func explained(s *snapshot.Snapshot, r result, kind query.Kind, q query.List) result {
	if r.total > 0 || len(q.Terms) == 0 {
		return r
	}
	asked := query.ForLabel(q.Search, q.Locale)
	asked.Kinds, asked.Page = []query.Kind{kind}, query.Page{On: true, Limit: 1}
	if suggestions := s.SearchView(asked).DidYouMean; len(suggestions) > 0 {
		r.data = append(r.data, member{Name: "didYouMean", Value: snapshot.Encode(suggestions)})
	}
	return r
}

// maxUnknown bounds the arguments that an answer reports.
const maxUnknown = 5

// unknownIn returns the values of filters without a match, or with a category of another scope,
// and the nearest key: the values of the API's Catalog-Notice. list is the kind of the records.
func unknownIn(s *snapshot.Snapshot, a arguments, list query.Kind) []unknown {
	var all []unknown
	for reviewed := range query.ListParameters(list).Review(a.Encode()) {
		if reviewed.Ignored {
			continue
		}
		known, nearest := s.Means(reviewed, list)
		if known {
			continue
		}
		u := unknown{reviewed.Parameter, shortened(reviewed.Value), []string{}}
		if nearest != "" {
			u.Candidates = append(u.Candidates, nearest)
		}
		if all = append(all, u); len(all) == maxUnknown {
			break
		}
	}
	return all
}

func queryMenu(s *snapshot.Snapshot, a arguments) (result, error) {
	id, err := query.ParseLocalized(a.Encode(), s.Locales())
	if err != nil {
		return result{}, err
	}
	name := a.Get("menu")
	if name == "" {
		return result{
			locale: id, data: snapshot.EncodeMembers(s.NavGroupsView(id)), keep: []string{"totalGroups", "totalMenus"},
			how: "search with kind menu finds menus; the HTTP API has the list at /api/open/nav/groups",
		}, nil
	}
	menu := s.MenuView(query.Slug(name), id)
	if menu == nil {
		return result{}, &problem{
			Code: response.NotFound, Detail: "there is no menu with this pathSlug; get_menu without menu lists all", Parameter: "menu",
			Candidates: s.Candidates(query.KindMenu, query.ForName(name, id)),
		}
	}
	return result{
		locale: id, data: snapshot.EncodeMembers(menu), menu: menu, keep: []string{"menuSlug", "title"},
		how: "list_cards with this menu has all its cards, page by page",
	}, nil
}

func queryCategories(s *snapshot.Snapshot, a arguments) (result, error) {
	q, err := query.ParseCategories(a.Encode(), s.Locales())
	if err != nil {
		return result{}, err
	}
	all := s.CategoriesView(q)
	limit, offset := a.number("limit", len(all)), a.number("offset", 0)
	r := withRows("categories", all[min(offset, len(all)):min(offset+limit, len(all))])
	r.locale, r.total, r.offset, r.keep = q.Locale, len(all), offset, []string{"key", "name", "parent"}
	return r, nil
}
