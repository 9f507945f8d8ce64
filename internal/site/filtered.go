package site

import (
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// chip is a filter of a list with the address of the list without it.
type chip struct{ Name, Path string }

// conditionsSaid is the number of filters that the title of a list names.
const conditionsSaid = 4

// tags returns the present keys of the categories that filter this list, each once.
func (v *view) tags() []string {
	var keys []string
	for _, tag := range tagsOf(v.values["tag"]) {
		if key, ok := v.snapshot.Named(query.KindCategory, tag); ok {
			tag = key
		}
		if tag != "" && !slices.Contains(keys, tag) {
			keys = append(keys, tag)
		}
	}
	return keys
}

// chips returns the filters of a list: categories, then the others, then the words.
func (v *view) chips(m *listMain) []chip {
	var all []chip
	tags := v.tags()
	for i, tag := range tags {
		name := tag // of a category that does not exist
		if label, ok := v.common.labels[tag]; ok {
			name = label
		}
		others := slices.Concat(tags[:i], tags[i+1:])
		all = append(all, chip{name, v.With("tag", strings.Join(others, ","))})
	}
	for _, filter := range m.Selects {
		for _, o := range filter.Options {
			if o.On {
				all = append(all, chip{o.Name, v.With(filter.Name, "")})
			}
		}
	}
	for _, status := range m.Statuses {
		if status.On && status.Key != "" {
			all = append(all, chip{status.Name, v.With("status", "")})
		}
	}
	if m.Asked != "" {
		all = append(all, chip{v.T("quoted", "words", m.Asked), v.With("q", "")})
	}
	return all
}

// state has a filtered list state what it shows: in its title, its description and, for a single
// category, its canonical address.
func (v *view) state(of section, m *listMain) {
	if len(m.Chips) == 0 {
		return
	}
	names := make([]string, len(m.Chips))
	for i, c := range m.Chips {
		names[i] = c.Name
	}
	said, more := most(names, conditionsSaid)
	joined := strings.Join(said, v.T("list.comma"))
	if more > 0 {
		joined = v.T("list.more", "names", joined, "n", more)
	}
	v.Title = v.T("title.filtered", "title", v.T("title."+of.name), "names", joined)
	tags := v.tags()
	if len(m.Chips) == 1 && len(tags) == 1 && v.common.labels[tags[0]] != "" {
		v.landing(of, m, tags[0])
	}
	v.Description = strings.TrimSpace(m.Lead + " " + v.firstOf(m))
}

// landing makes a list of one category the page of that category.
func (v *view) landing(of section, m *listMain, tag string) {
	name := v.common.labels[tag]
	isSummary := slices.Contains(v.snapshot.Roles().Summary, v.common.groups[of.module][tag])
	switch {
	case of.module == domain.ModuleItem:
		v.Title = name // it is the name of apps: hardware wallets
	case of.module == domain.ModuleChain && isSummary:
		v.Title = v.T("title.category.chains", "name", name)
	}
	v.canonical = url.Values{"tag": {tag}}.Encode()
	isCanonical := v.query == v.canonical && v.listOf(of.module, tag).name == of.name
	v.NoIndex = !isCanonical || m.Total == 0
	for _, c := range v.snapshot.FullCategoriesView(of.module) {
		if c.Key == tag {
			m.Lead = v.resolve(c.Descriptions)
		}
	}
}

// firstOf returns a sentence with the number of rows and the names of the first ones.
func (v *view) firstOf(m *listMain) string {
	const first = 3
	if m.Total == 0 {
		return v.T("empty.title")
	}
	if len(m.Rows) == 0 { // the page is beyond the end
		return ""
	}
	var names []string
	for _, row := range m.Rows[:min(first, len(m.Rows))] {
		names = append(names, row.Title)
	}
	joined := strings.Join(names, v.T("list.comma"))
	if more := m.Total - len(names); more > 0 {
		joined = v.T("list.more", "names", joined, "n", more)
	}
	return v.T("list.first", "names", joined)
}
