package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/query"
	"vitrine/internal/response"
)

// cardsMain is what the page of the list of all cards shows.
type cardsMain struct {
	listing
	Rows   []entry
	All    int // cards of the status that was asked for
	Sorts  []sorting
	Menus  []selectable
	Chains []selectable
}

// selectable is one of several things, of which one may be chosen.
type selectable struct {
	Value, Name string
	Cards       int // that it has
	On          bool
}

func cardsPage(v *view) (response.Document, error) {
	body, total, err := v.cards(v.asList())
	if err != nil {
		return response.Document{}, err
	}
	var main cardsMain
	if main.listing, err = v.listing(len(body.Cards), total, body.Facets, query.KindCard); err != nil {
		return response.Document{}, err
	}
	every, err := v.everyCard()
	if err != nil {
		return response.Document{}, err
	}
	if main.Rows, err = v.cardEntries(body.Cards, every.names); err != nil {
		return response.Document{}, err
	}
	if main.Sorts, err = v.cardSorts(); err != nil {
		return response.Document{}, err
	}
	if _, main.All, err = v.cards(url.Values{"limit": {"1"}, "status": {v.Query("status")}}.Encode()); err != nil {
		return response.Document{}, err
	}
	main.Menus, main.Chains = choices(every.menus, v.Query("menu")), choices(every.chains, v.Query("chain"))
	for _, name := range []string{"menu", "chain", "status"} {
		if v.Query(name) != "" {
			main.Chosen++
		}
	}
	if v.Title, err = v.T("cards.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("cards.lead"); err != nil {
		return response.Document{}, err
	}
	v.JSON = withQuery("/api/open/nav/cards", v.asList())
	if err := v.tell([]string{"menus.title", "/nav"}, main.linked()); err != nil {
		return response.Document{}, err
	}
	return v.show("cards", main, main.twin)
}

// chainsSaid is how many chains of an app its entry names; it counts the others.
const chainsSaid = 3

// cardEntries returns cards as entries that say where their apps run.
func (v *view) cardEntries(cards []cardRow, names map[string]string) ([]entry, error) {
	comma, err := v.T("list.comma")
	if err != nil {
		return nil, err
	}
	var rows []entry
	for _, card := range cards {
		e, err := v.entry(card.menuCard, card.Status)
		if err != nil {
			return nil, err
		}
		var platforms, chains []string
		for _, platform := range card.Platforms {
			name, err := v.T("platform." + platform)
			if err != nil {
				return nil, err
			}
			platforms = append(platforms, name)
		}
		for _, slug := range card.Chains[:min(chainsSaid, len(card.Chains))] {
			chains = append(chains, cmp.Or(names[slug], slug))
		}
		said := strings.Join(chains, comma)
		if more := len(card.Chains) - len(chains); more > 0 {
			if said, err = v.T("cards.more", "names", said, "n", more); err != nil {
				return nil, err
			}
		}
		parts := slices.DeleteFunc([]string{strings.Join(platforms, comma), said}, func(s string) bool { return s == "" })
		e.More = strings.Join(parts, " · ")
		rows = append(rows, e)
	}
	return rows, nil
}

// cardSorts returns the orders of cards as links. None of them has another direction.
func (v *view) cardSorts() ([]sorting, error) {
	keys := []query.Sort{query.SortMenu, query.SortTitle}
	now, searched := cmp.Or(v.Query("sort"), string(keys[0])), v.Query("q") != ""
	if searched {
		keys = append([]query.Sort{query.SortRelevance}, keys...)
	} else if now == string(query.SortRelevance) {
		now = string(keys[0])
	}
	var all []sorting
	for _, key := range keys {
		path, err := v.With("sort", string(key))
		if err != nil {
			return nil, err
		}
		all = append(all, sorting{Key: string(key), Path: path, On: now == string(key), Plain: true})
	}
	return all, nil
}

// chainNames returns the names of the chains that cards name, by slug.
func (v *view) chainNames(cards []cardRow) map[string]string {
	names := map[string]string{}
	for _, card := range cards {
		for _, slug := range card.Chains {
			if names[slug] != "" {
				continue
			}
			if body, ok := v.snapshot.Chain(slug, v.localized()); ok {
				names[slug] = read[chainRow](body).Name
			}
		}
	}
	return names
}

// chainChoices returns the chains that cards may be filtered by, by their names.
func chainChoices(cards []cardRow, names map[string]string) []selectable {
	held := map[string]int{}
	for _, card := range cards {
		for _, slug := range card.Chains {
			held[slug]++
		}
	}
	var all []selectable
	for slug, name := range names {
		all = append(all, selectable{Value: slug, Name: name, Cards: held[slug]})
	}
	slices.SortFunc(all, func(a, b selectable) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Value, b.Value))
	})
	return all
}

// menuChoices returns the menus that cards may be filtered by, in their order. A menu
// that no group lists is known by its path slug.
func (v *view) menuChoices(cards []cardRow) []selectable {
	at := map[string]int{} // place among all, by menu
	titles := map[string]string{}
	for _, group := range v.Nav {
		for _, menu := range group.Navs {
			titles[strings.TrimPrefix(menu.Href, "/nav/")] = menu.Title
		}
	}
	var all []selectable
	for _, card := range cards {
		if _, seen := at[card.Menu]; !seen {
			at[card.Menu] = len(all)
			all = append(all, selectable{Value: card.Menu, Name: cmp.Or(titles[card.Menu], card.Menu)})
		}
		all[at[card.Menu]].Cards++
	}
	return all
}

func (m cardsMain) twin(p *page) error {
	columns, err := p.texts("column.app", "column.runs", "column.about")
	if err != nil {
		return err
	}
	var rows [][]inline
	for _, e := range m.Rows {
		name := plain(e.Title)
		if e.Link != "" {
			name = link(e.Title, e.Link)
		}
		rows = append(rows, []inline{sentence(name, plain(e.State)), plain(e.More), plain(e.Description)})
	}
	return p.listing(m.listing, columns, rows)
}
