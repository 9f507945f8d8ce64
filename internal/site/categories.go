package site

import (
	"slices"
	"strings"

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
	Name string
	All  []categoryLine // each followed by its children
}

// Categories returns the categories of the group that are below no other, with their children.
func (g categoriesOfGroup) Categories() []categoryLine { return nested(g.All) }

// categoryLine is a category with its number of records.
type categoryLine struct {
	Key, Name, Description string
	Path                   string // of the list that it filters
	Indent                 string // in Markdown
	Count                  string // of records, formatted
	Children               []categoryLine
	depth                  int // number of categories of the group above it
}

// nested returns lines with the lines below them, which are indented, as children.
func nested(lines []categoryLine) []categoryLine {
	var all []categoryLine
	for len(lines) > 0 {
		line, end := lines[0], 1
		for end < len(lines) && len(lines[end].Indent) > len(line.Indent) {
			end++
		}
		line.Children = nested(lines[1:end])
		all, lines = append(all, line), lines[end:]
	}
	return all
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
			some := slices.DeleteFunc(slices.Clone(all), func(c snapshot.FullCategory) bool {
				keys, _ := c.ModuleGroupKeys.Get(string(module))
				isInGroup := slices.Contains(keys, group.Key) || group.Key == "" && len(keys) == 0
				return !slices.Contains(c.Scopes, module) || !isInGroup
			})
			lines := descending(some, func(c snapshot.FullCategory) categoryLine {
				list := v.listOf(module, c.Key)
				return categoryLine{
					Key: c.Key, Name: v.common.labels[c.Key], Description: cutShort(v.resolve(c.Descriptions)),
					Path: v.tagged(list, c.Key), Count: v.Int(counts[list.name][c.Key]),
				}
			})
			if len(lines) > 0 {
				m.Groups = append(m.Groups, categoriesOfGroup{group.Name, lines})
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
	n := 0
	for _, module := range m.Modules {
		for _, group := range module.Groups {
			n += len(group.All)
		}
	}
	return n
}

// on returns the part of the categories on a page. A category whose parent is on the page
// before takes the parent's place.
func (m categoriesMain) on(shown pager) categoriesMain {
	row, part := 0, categoriesMain{pager: shown}
	for _, module := range m.Modules {
		all := module.Groups
		module.Groups = nil
		for _, group := range all {
			first, last := shown.part(row, row+len(group.All))
			row += len(group.All)
			if first < last {
				group.All = group.All[first:last]
				indent(group.All)
				module.Groups = append(module.Groups, group)
			}
		}
		if len(module.Groups) > 0 {
			part.Modules = append(part.Modules, module)
		}
	}
	return part
}

// indent sets the indentation of the lines of a page, by the number of lines above them that are on it.
func indent(lines []categoryLine) {
	var above []int // their depths
	for i, line := range lines {
		for len(above) > 0 && above[len(above)-1] >= line.depth {
			above = above[:len(above)-1]
		}
		lines[i].Indent = strings.Repeat("  ", len(above))
		above = append(above, line.depth)
	}
}

// descending returns the lines of categories in their order, each below its parent if that is among them.
// No category is its own ancestor, which the check of the catalogue ensures.
func descending(categories []snapshot.FullCategory, lineOf func(snapshot.FullCategory) categoryLine) []categoryLine {
	here, children := map[string]bool{}, map[string][]snapshot.FullCategory{}
	for _, c := range categories {
		here[c.Key] = true
	}
	for _, c := range categories {
		parent := c.Parent
		if !here[parent] {
			parent = ""
		}
		children[parent] = append(children[parent], c)
	}
	var all []categoryLine
	var add func(parent string, depth int)
	add = func(parent string, depth int) {
		for _, c := range children[parent] {
			line := lineOf(c)
			line.depth = depth
			all = append(all, line)
			add(c.Key, depth+1)
		}
	}
	add("", 0)
	return all
}
