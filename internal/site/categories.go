package site

import (
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
)

// registryBody is the category registry with everything that it says.
type registryBody struct {
	Categories []struct {
		Key          string              `json:"key"`
		Names        map[string]string   `json:"i18n"`
		Descriptions map[string]string   `json:"descriptionI18n"`
		Parent       string              `json:"parent"`
		Scopes       []string            `json:"scopes"`
		Groups       map[string][]string `json:"moduleGroupKeys"`
	} `json:"categories"`
}

// categoriesMain is what the page of the registry shows.
type categoriesMain struct {
	pager
	Modules []moduleOfCategories
}

// moduleOfCategories are the categories of one kind of records by dimension.
type moduleOfCategories struct {
	Key    string // also the end of the key of its name
	Path   string // of the list that its categories filter
	Groups []groupOfCategories
}

// groupOfCategories is a dimension. What is in none has no name and is last.
type groupOfCategories struct {
	Name       string
	Categories []categoryLine
}

// categoryLine is a category, and how many records have it.
type categoryLine struct {
	Key, Name, Description string
	Path                   string // of the list that it filters
	Count                  string // of records, as the language writes it
	Children               []categoryLine
}

func categoriesPage(v *view) (response.Document, error) {
	all, err := v.registry()
	if err != nil {
		return response.Document{}, err
	}
	shown, err := v.pager(all.rows(), categoriesOfPage)
	if err != nil {
		return response.Document{}, err
	}
	main := all.on(shown)
	if v.Title, err = v.T("categories.title"); err != nil {
		return response.Document{}, err
	}
	if v.Description, err = v.T("categories.lead"); err != nil {
		return response.Document{}, err
	}
	v.JSON = withQuery("/api/open/categories", v.inLanguage())
	if err := v.tell(nil); err != nil {
		return response.Document{}, err
	}
	return v.show("categories", main, main.twin)
}

// listOfModule is where the records of a module are listed.
func listOfModule(module domain.Module) string {
	return map[domain.Module]string{
		domain.ModuleChain: "/chains", domain.ModuleItem: "/cards", domain.ModuleTwitter: "/twitter", domain.ModuleYouTube: "/youtube",
	}[module]
}

// kindOfModule is what the records of a module are called in a search.
func kindOfModule(module domain.Module) query.Kind {
	return map[domain.Module]query.Kind{
		domain.ModuleChain: query.KindChain, domain.ModuleItem: query.KindApp, domain.ModuleTwitter: query.KindUser, domain.ModuleYouTube: query.KindChannel,
	}[module]
}

// registry returns all categories, those of chains and apps first.
func (v *view) registry() (categoriesMain, error) {
	all := read[registryBody](v.snapshot.Categories(query.Categories{Full: true}))
	var main categoriesMain
	for _, module := range []domain.Module{domain.ModuleChain, domain.ModuleItem, domain.ModuleTwitter, domain.ModuleYouTube} {
		counts, err := v.countsOf(module)
		if err != nil {
			return categoriesMain{}, err
		}
		groups := v.common.dimensions[module]
		m := moduleOfCategories{Key: string(kindOfModule(module)), Path: listOfModule(module)}
		for i := range len(groups) + 1 {
			key, name := "", ""
			if i < len(groups) {
				key, name = groups[i].Key, groups[i].Name
			}
			in := func(keys []string) bool { return slices.Contains(keys, key) || key == "" && len(keys) == 0 }
			lines, parents := map[string]categoryLine{}, map[string]string{}
			var order []string
			for _, c := range all.Categories {
				if slices.Contains(c.Scopes, string(module)) && in(c.Groups[string(module)]) {
					lines[c.Key] = categoryLine{
						Key: c.Key, Name: v.resolve(c.Names), Description: cutShort(v.resolve(c.Descriptions)),
						Path: withQuery(v.At(m.Path), "tag="+c.Key), Count: v.Int(counts[c.Key]),
					}
					parents[c.Key] = c.Parent
					order = append(order, c.Key)
				}
			}
			if len(order) > 0 {
				m.Groups = append(m.Groups, groupOfCategories{name, tree(order, parents, lines)})
			}
		}
		if len(m.Groups) > 0 {
			main.Modules = append(main.Modules, m)
		}
	}
	return main, nil
}

// rows returns how many categories there are, those of several dimensions or kinds of
// records as often as they stand there.
func (m categoriesMain) rows() int {
	var count func(all []categoryLine) int
	count = func(all []categoryLine) int {
		n := len(all)
		for _, c := range all {
			n += count(c.Children)
		}
		return n
	}
	n := 0
	for _, module := range m.Modules {
		for _, group := range module.Groups {
			n += count(group.Categories)
		}
	}
	return n
}

// on returns the part of the registry that is on a page. Categories whose parent is on the
// page before stand where it would.
func (m categoriesMain) on(shown pager) categoriesMain {
	row := 0
	var cut func(all []categoryLine) []categoryLine
	cut = func(all []categoryLine) []categoryLine {
		var kept []categoryLine
		for _, c := range all {
			row++
			here := shown.First <= row && row <= shown.Last
			children := cut(c.Children)
			if !here {
				kept = append(kept, children...)
				continue
			}
			c.Children = children
			kept = append(kept, c)
		}
		return kept
	}
	part := categoriesMain{pager: shown}
	for _, module := range m.Modules {
		all := module.Groups
		module.Groups = nil
		for _, group := range all {
			if group.Categories = cut(group.Categories); len(group.Categories) > 0 {
				module.Groups = append(module.Groups, group)
			}
		}
		if len(module.Groups) > 0 {
			part.Modules = append(part.Modules, module)
		}
	}
	return part
}

// tree returns the lines of categories in their order, below their parents those whose
// parent is among them. No category is below itself: the catalogue was checked.
func tree(order []string, parents map[string]string, lines map[string]categoryLine) []categoryLine {
	children := map[string][]string{}
	for _, key := range order {
		parent := parents[key]
		if _, here := lines[parent]; !here {
			parent = ""
		}
		children[parent] = append(children[parent], key)
	}
	var below func(parent string) []categoryLine
	below = func(parent string) []categoryLine {
		var all []categoryLine
		for _, key := range children[parent] {
			line := lines[key]
			line.Children = below(key)
			all = append(all, line)
		}
		return all
	}
	return below("")
}

// resolve returns a text in the reader's language or in the one that answers for it.
func (v *view) resolve(texts map[string]string) string {
	for _, name := range v.snapshot.Locales().Fallback(v.locale) {
		if text := texts[name]; text != "" {
			return text
		}
	}
	return ""
}

// countsOf returns how many records of a module have each category.
func (v *view) countsOf(module domain.Module) (map[string]int, error) {
	const asked = "limit=1&facets=1"
	var facets []facet
	switch module {
	case domain.ModuleChain:
		body, _, err := v.chains(asked)
		if err != nil {
			return nil, err
		}
		facets = body.Facets
	case domain.ModuleItem:
		body, _, err := v.cards(asked)
		if err != nil {
			return nil, err
		}
		facets = body.Facets
	default:
		q, err := query.ParseList(asked, v.snapshot.Locales())
		if err != nil {
			return nil, err
		}
		found := v.snapshot.Users(q)
		if module == domain.ModuleYouTube {
			found = v.snapshot.Channels(q)
		}
		body, _ := listOf[struct {
			Facets []facet `json:"facets"`
		}](found)
		facets = body.Facets
	}
	counts := map[string]int{}
	for _, f := range facets {
		for _, c := range f.Categories {
			counts[c.Key] = c.Count
		}
	}
	return counts, nil
}

func (m categoriesMain) twin(p *page) error {
	for _, module := range m.Modules {
		name, err := p.view.T("kinds." + module.Key)
		if err != nil {
			return err
		}
		p.heading(2, plain(name))
		for _, group := range module.Groups {
			if group.Name != "" {
				p.heading(3, plain(group.Name))
			}
			var lines []inline
			var add func(all []categoryLine, indent inline)
			add = func(all []categoryLine, indent inline) {
				for _, c := range all {
					label := p.pageLink(c.Name, module.Path+"?tag="+c.Key) + " " + code(c.Key) + inline(" ("+c.Count+")")
					lines = append(lines, indent+"- "+sentence(label, plain(c.Description)))
					add(c.Children, indent+"  ")
				}
			}
			add(group.Categories, "")
			p.lines(lines)
		}
	}
	return p.pages(m.pager)
}
