package site

import (
	"slices"

	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// categoriesMain is the data of the page of all categories.
type categoriesMain struct {
	pager
	Modules []categoriesOfModule
}

// categoriesOfModule are the categories of a module by dimension group.
type categoriesOfModule struct {
	Key    string // end of the key of its words
	Path   string // of its list
	Groups []categoriesOfGroup
}

// categoriesOfGroup is a dimension group. The categories without a group have no name and
// are last.
type categoriesOfGroup struct {
	Name       string
	Categories []categoryLine
}

// All returns the categories of the group, each followed by its children.
func (g categoriesOfGroup) All() []categoryLine {
	var all []categoryLine
	var add func(lines []categoryLine)
	add = func(lines []categoryLine) {
		for _, line := range lines {
			all = append(all, line)
			add(line.Children)
		}
	}
	add(g.Categories)
	return all
}

// categoryLine is a category with its number of records.
type categoryLine struct {
	Key, Name, Description string
	Path                   string // of the list that it filters
	Indent                 string // in Markdown
	Count                  string // of records, formatted
	Children               []categoryLine
}

func categoriesPage(v *view) error {
	all := v.registry()
	shown, err := v.paged(all.rows(), categoriesOfPage)
	if err != nil {
		return err
	}
	v.Title, v.Description = v.T("categories.title"), v.T("categories.lead")
	v.JSON, v.Main = withQuery("/api/open/categories", v.inLanguage()), all.on(shown)
	v.link(nil)
	return nil
}

// registry returns all categories.
func (v *view) registry() categoriesMain {
	all := v.snapshot.FullCategoriesView("")
	var main categoriesMain
	for _, module := range domain.Modules() {
		of := v.classified(module)
		counts := map[string]map[string]int{of.name: countsOf(v.snapshot, of, v.locale)}
		if of.name == apps.name {
			counts[cards.name] = countsOf(v.snapshot, cards, v.locale)
		}
		m := categoriesOfModule{Key: string(of.counted), Path: v.At(of.path)}
		for _, group := range append(slices.Clip(v.common.dimensions[module]), snapshot.CategoryGroup{}) {
			lines, parents := map[string]categoryLine{}, map[string]string{}
			var order []string
			for _, c := range all {
				keys, _ := c.ModuleGroupKeys.Get(string(module))
				isInGroup := slices.Contains(keys, group.Key) || group.Key == "" && len(keys) == 0
				if !slices.Contains(c.Scopes, module) || !isInGroup {
					continue
				}
				list := v.listOf(module, c.Key)
				lines[c.Key] = categoryLine{
					Key: c.Key, Name: v.common.labels[c.Key], Description: cutShort(v.resolve(c.Descriptions)),
					Path: v.tagged(list, c.Key), Count: v.Int(counts[list.name][c.Key]),
				}
				parents[c.Key] = c.Parent
				order = append(order, c.Key)
			}
			if len(order) > 0 {
				m.Groups = append(m.Groups, categoriesOfGroup{group.Name, tree(order, parents, lines)})
			}
		}
		if len(m.Groups) > 0 {
			main.Modules = append(main.Modules, m)
		}
	}
	return main
}

// resolve returns the text in the reader's language or the first fallback.
func (v *view) resolve(texts snapshot.Object[string]) string {
	for _, name := range v.snapshot.Locales().Fallback(v.locale) {
		if text, _ := texts.Get(name); text != "" {
			return text
		}
	}
	return ""
}

// countsOf returns the number of records of a section that are not retired by category.
func countsOf(s *snapshot.Snapshot, of section, in locale.ID) map[string]int {
	counts := map[string]int{}
	for _, f := range s.Facets(query.List{Kind: of.kind, Locale: in, Page: query.Page{On: true, Limit: 1}}) {
		for _, c := range f.Categories {
			counts[c.Key] = c.Count
		}
	}
	return counts
}

// rows returns the number of categories, each counted in all its groups and modules.
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

// on returns the part of the categories on a page. A category whose parent is on the page
// before takes the parent's place.
func (m categoriesMain) on(shown pager) categoriesMain {
	row := 0
	var cut func(all []categoryLine, indent string) []categoryLine
	cut = func(all []categoryLine, indent string) []categoryLine {
		var kept []categoryLine
		for _, c := range all {
			row++
			if row < shown.First || row > shown.Last {
				kept = append(kept, cut(c.Children, indent)...)
				continue
			}
			c.Indent, c.Children = indent, cut(c.Children, indent+"  ")
			kept = append(kept, c)
		}
		return kept
	}
	part := categoriesMain{pager: shown}
	for _, module := range m.Modules {
		all := module.Groups
		module.Groups = nil
		for _, group := range all {
			if group.Categories = cut(group.Categories, ""); len(group.Categories) > 0 {
				module.Groups = append(module.Groups, group)
			}
		}
		if len(module.Groups) > 0 {
			part.Modules = append(part.Modules, module)
		}
	}
	return part
}

// tree returns categories in their order, below their parents if those are among them. No
// category is its own ancestor, which the check of the catalogue ensures.
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
