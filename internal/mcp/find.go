package mcp

import (
	"encoding/json"
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
	"vitrine/internal/spelling"
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
		body, ok = s.Chain(s.Called(query.KindChain, query.ForLabel(name, q.Locale)), q)
	}
	if !ok {
		return found{}, missing(s, query.KindChain, "chain", name, q.Locale, "no chain has this slug or id, nor is one alone called so")
	}
	return found{
		locale: q.Locale, body: body, keep: []string{"_id", "slug", "name", "chain_id", "status"},
		how: "the HTTP API has it whole at /api/open/chains/ and its slug",
	}, nil
}

// missing says that a parameter names nothing, and what was perhaps meant.
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
		f = found{locale: q.Locale, body: encodeMembers([]member{{rows, encodeElements([]json.RawMessage{body})}}), rows: rows, total: 1}
	} else {
		f = explained(s, counted(rows, list(q), q), kind, q)
	}
	f.keep, f.how = []string{"handle", "channelId", "name", "categorySlugs"}, "the HTTP API has one whole at /api/open/twitter/users/ and its handle, or /api/open/youtube/channels/ and its channelId"
	if kind == query.KindUser {
		f.figures = []string{string(domain.FigureFollowers)}
	}
	return f, nil
}

func findCards(s *snapshot.Snapshot, a arguments) (found, error) {
	q, err := query.ParseCards(listQuery(a), s.Locales())
	if err != nil {
		return found{}, err
	}
	f := counted("cards", s.Cards(q), q.List)
	f.keep, f.how, f.brief = []string{"id", "title", "link", "menu", "item", "app"}, "the HTTP API has cards whole at /api/open/nav/cards", a.on("brief")
	f = explained(s, f, query.KindCard, q.List)
	if f.total > 0 {
		return f, nil
	}
	if _, ok := s.Menu(q.Menu, query.Localized{}); q.Menu != "" && !ok {
		f.unknown = append(f.unknown, unknown{"menu", q.Menu, candidates(s, query.KindMenu, q.Menu, q.Locale)})
	}
	if _, ok := s.Chain(q.Chain, query.Localized{}); q.Chain != "" && !ok {
		f.unknown = append(f.unknown, unknown{"chain", q.Chain, candidates(s, query.KindChain, q.Chain, q.Locale)})
	}
	return f, nil
}

// explained adds to a list that is empty why that may be so: tags that are no category,
// and words that were perhaps meant.
func explained(s *snapshot.Snapshot, f found, kind query.Kind, q query.List) found {
	if f.total > 0 {
		return f
	}
	f.unknown = unknownTags(s, q)
	if len(q.Terms) == 0 {
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

// unknownTags returns those of a query that are no category.
func unknownTags(s *snapshot.Snapshot, q query.List) []unknown {
	if len(q.Tags) == 0 {
		return nil
	}
	var registry struct{ Categories []struct{ Key string } }
	decode(s.Categories(query.Categories{}), &registry)
	keys := make([]string, len(registry.Categories))
	for i, category := range registry.Categories {
		keys[i] = category.Key
	}
	var all []unknown
	for _, tag := range q.Tags {
		if slices.Contains(keys, tag) {
			continue
		}
		near := candidates(s, query.KindCategory, tag, q.Locale)
		if key := spelling.Nearest(tag, keys); key != "" && !slices.Contains(near, key) {
			near = append(near, key)
		}
		all = append(all, unknown{"tag", shortened(tag), near})
	}
	return all
}

// candidates returns keys of a kind that a name may have meant, never nil.
func candidates(s *snapshot.Snapshot, kind query.Kind, name string, id locale.ID) []string {
	return append([]string{}, s.Candidates(kind, query.ForName(name, id))...)
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
	body, ok := s.Menu(menu, q)
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
