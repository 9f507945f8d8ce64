package mcp

import (
	"encoding/json"

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

func localized(s *snapshot.Snapshot, a arguments) (query.Localized, error) {
	return query.ParseLocalized(a.query(), s.Locales())
}

func findAbout(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := localized(s, a)
	if err != nil {
		return found{}, err
	}
	return found{
		locale: q.Locale, notice: notice, body: s.Meta(q),
		keep: []string{"title", "defaultLocale", "locales", "counts"}, how: "the HTTP API has it whole at /api/open/meta",
	}, nil
}

func findAll(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := query.ParseSearch(a.query(), s.Locales())
	if err != nil {
		return found{}, err
	}
	body, total := s.Search(q)
	return found{
		locale: q.Locale, body: body, rows: "results", total: total, offset: q.Page.Offset,
		keep: []string{"kind", "key", "title", "href"}, how: "the HTTP API has records whole at their href",
	}, nil
}

func findChain(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := localized(s, a)
	if err != nil {
		return found{}, err
	}
	name := a.Get("chain")
	body, ok := s.Chain(name, q)
	if !ok {
		return found{}, missing(s, query.KindChain, "chain", name, q.Locale, "no chain has this slug or id, and the name does not match exactly one chain")
	}
	return found{
		locale: q.Locale, body: body, keep: []string{"_id", "slug", "name", "chain_id", "status"},
		how: "the HTTP API has it whole at /api/open/chains/ and its slug",
	}, nil
}

// missing returns the error of a parameter that names nothing, with candidates.
func missing(s *snapshot.Snapshot, kind query.Kind, parameter, name string, id locale.ID, detail string) error {
	return &problem{
		Code: response.NotFound, Detail: detail, Parameter: parameter,
		Candidates: s.Candidates(kind, query.ForName(name, id)),
	}
}

// listQuery returns the query string of a list, which has a limit.
func listQuery(a arguments) string {
	if a.Get("limit") == "" {
		a.Set("limit", "20")
	}
	return a.query()
}

func findChains(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := query.ParseChains(listQuery(a), s.Locales())
	if err != nil {
		return found{}, err
	}
	f := counted("chains", s.Chains(q), q.List)
	f.keep, f.how, f.brief = []string{"slug", "name", "chain_id"}, "get_chain has one chain whole", a.on("brief")
	f.figures = []string{string(domain.FigureTVL), string(domain.FigurePlatforms)}
	f.unknown = unknownIn(s, a, query.ChainsParameters, query.KindChain)
	return explained(s, f, query.KindChain, q.List), nil
}

func findAccounts(s *snapshot.Snapshot, a arguments) (found, error) {
	kind, rows, list, one := query.KindUser, "users", s.Users, s.User
	if a.Get("platform") == platformYouTube {
		kind, rows, list, one = query.KindChannel, "channels", s.Channels, s.Channel
	}
	q, err := query.ParseList(listQuery(a), s.Locales())
	if err != nil {
		return found{}, err
	}
	var f found
	if handle := a.Get("handle"); handle != "" {
		body, ok := one(handle, query.Localized{Locale: q.Locale})
		if !ok {
			return found{}, missing(s, kind, "handle", handle, q.Locale, "there is none with this handle; search finds accounts and channels by name")
		}
		f = listOfOne(rows, body, q.Locale)
	} else {
		f = counted(rows, list(q), q)
		f.unknown = unknownIn(s, a, query.ListParameters, kind)
		f = explained(s, f, kind, q)
	}
	f.keep, f.how = []string{"handle", "channelId", "name", "categorySlugs"}, "the HTTP API has one whole at /api/open/twitter/users/ and its handle, or /api/open/youtube/channels/ and its channelId"
	if kind == query.KindUser {
		f.figures = []string{string(domain.FigureFollowers)}
	}
	return f, nil
}

// listOfOne returns a list with one record.
func listOfOne(rows string, record []byte, id locale.ID) found {
	return found{locale: id, body: encodeMembers([]member{{rows, encodeElements([]json.RawMessage{record})}}), rows: rows, total: 1}
}

func findCards(s *snapshot.Snapshot, a arguments) (found, error) {
	switch {
	case a.Get("app") != "":
		return findApp(s, a)
	case a.Get("kind") == string(query.KindApp):
		return findApps(s, a)
	case a.Get("platform") != "":
		return found{}, wrong("platform", "filters apps only; add kind app")
	}
	q, err := query.ParseCards(listQuery(a), s.Locales())
	if err != nil {
		return found{}, err
	}
	f := counted("cards", s.Cards(q), q.List)
	f.keep, f.how, f.brief = []string{"id", "title", "link", "menu", "item", "app"}, "the HTTP API has cards whole at /api/open/nav/cards", a.on("brief")
	f.unknown = unknownIn(s, a, query.CardsParameters, query.KindCard)
	return explained(s, f, query.KindCard, q.List), nil
}

// appKeep lists the members of an app that are never left out.
var appKeep = []string{"key", "title", "link", "status"}

func findApp(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := localized(s, a)
	if err != nil {
		return found{}, err
	}
	name := a.Get("app")
	body, ok := s.App(name, q)
	if !ok {
		return found{}, missing(s, query.KindApp, "app", name, q.Locale, "no app has this key, and this is not the title or alias of exactly one app")
	}
	f := listOfOne("apps", body, q.Locale)
	f.keep, f.how = appKeep, "the HTTP API has it whole at /api/open/apps/ and its key"
	return f, nil
}

func findApps(s *snapshot.Snapshot, a arguments) (found, error) {
	if a.Get("menu") != "" {
		return found{}, wrong("menu", "filters cards only; leave out kind")
	}
	q, err := query.ParseApps(listQuery(a), s.Locales())
	if err != nil {
		return found{}, err
	}
	f := counted("apps", s.Apps(q), q.List)
	f.keep, f.how, f.brief = appKeep, "with app, this tool has one app whole", a.on("brief")
	f.unknown = unknownIn(s, a, query.AppsParameters, query.KindApp)
	return explained(s, f, query.KindApp, q.List), nil
}

// explained adds didYouMean to an empty list with words.
func explained(s *snapshot.Snapshot, f found, kind query.Kind, q query.List) found {
	if f.total > 0 || len(q.Terms) == 0 {
		return f
	}
	asked := query.ForLabel(q.Search, q.Locale)
	asked.Kinds, asked.Page = []query.Kind{kind}, query.Page{On: true, Limit: 1}
	body, _ := s.Search(asked)
	var search struct {
		DidYouMean json.RawMessage `json:"didYouMean"`
	}
	decode(body, &search)
	if len(elements(search.DidYouMean)) > 0 {
		f.body = encodeMembers(append(members(f.body), member{"didYouMean", search.DidYouMean}))
	}
	return f
}

// maxUnknown bounds the arguments that an answer reports.
const maxUnknown = 5

// unknownIn returns the values of filters that name nothing, or a category of another scope,
// with the nearest key: the same values as in the API's Catalog-Notice. list is the kind of
// the records.
func unknownIn(s *snapshot.Snapshot, a arguments, takes query.Parameters, list query.Kind) []unknown {
	var all []unknown
	for reviewed := range takes.Review(a.query()) {
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

func findMenu(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := localized(s, a)
	if err != nil {
		return found{}, err
	}
	menu := a.Get("menu")
	if menu == "" {
		return found{
			locale: q.Locale, body: s.NavGroups(q), keep: []string{"totalGroups", "totalMenus"},
			how: "search with kind menu finds menus; the HTTP API has the list at /api/open/nav/groups",
		}, nil
	}
	body, ok := s.Menu(query.Slug(menu), q)
	if !ok {
		return found{}, missing(s, query.KindMenu, "menu", menu, q.Locale, "there is no menu with this pathSlug; get_menu without menu lists all")
	}
	return found{
		locale: q.Locale, body: body, cards: true, keep: []string{"menuSlug", "title"},
		how: "list_cards with this menu has all its cards, page by page",
	}, nil
}

func findCategories(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := query.ParseCategories(a.query(), s.Locales())
	if err != nil {
		return found{}, err
	}
	all := elements(members(s.Categories(q))[0].value)
	limit, offset := a.page(len(all))
	page := all[min(offset, len(all)):min(offset+limit, len(all))]
	return found{
		locale: q.Locale, body: encodeMembers([]member{{"categories", encodeElements(page)}}),
		rows: "categories", total: len(all), offset: offset, keep: []string{"key", "name", "parent"},
	}, nil
}
