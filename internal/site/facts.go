package site

import (
	"net/url"
	"reflect"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/snapshot"
)

// fact is one or more values of a record with a label.
type fact struct {
	Label  string
	Values []value
	IsList bool // as in a list, even if there is one value
}

// value is a text of a fact, with an optional link to a page of the site or to another address.
type value struct {
	Text, Path, URL string
	IsCode          bool
	Lang            string  // of the text, "" for the language of the page
	Note            string  // beside the text
	Copy            *copied // by a button beside the text, nil for no button
}

// copied is the data of the template "copy", a button that copies a value.
type copied struct{ Value, Word, Name string }

// Copy returns a button that copies a value. Its name for screen readers says what it copies.
func (v *view) Copy(value, what string) *copied {
	return &copied{value, v.T("copy"), v.T("copy.of", "what", what)}
}

func textFact(label string, of value) fact { return fact{Label: label, Values: []value{of}} }

// HasButton reports whether a value has a button.
func (f fact) HasButton() bool {
	return slices.ContainsFunc(f.Values, func(x value) bool { return x.Copy != nil })
}

// IsWeb reports whether pages link to the address of the value. Other addresses are shown.
func (x value) IsWeb() bool { return isWeb(x.URL) }

// Inline returns the values of a fact, with their notes, as Markdown.
func (v *view) Inline(f fact) inline {
	parts := make([]any, len(f.Values))
	for i, x := range f.Values {
		switch {
		case x.Path != "":
			parts[i] = link(x.Text, v.Doc(x.Path))
		case x.URL != "":
			parts[i] = link(x.Text, x.URL)
		case x.IsCode:
			parts[i] = code(x.Text)
		default:
			parts[i] = x.Text
		}
		if x.Note != "" {
			parts[i] = join(" ", parts[i], "("+x.Note+")")
		}
	}
	return join(", ", parts...)
}

// factsOf returns the facts of a record, given the members of its view, and the number of values that the
// page omits. The fields of own have those facts, if the record has a value.
func (p recordPage) factsOf(v *view, values snapshot.Object[any], own map[string][]fact) (facts []fact, left int) {
	add := func(f *domain.Field) {
		member, ok := values.Get(snapshot.MemberName(f))
		if !ok || f.Type == domain.TypeFigure {
			return
		}
		if ready, ok := own[f.Name]; ok {
			facts = append(facts, ready...)
			return
		}
		more, omitted := v.factsByType(p.section, f, reflect.Indirect(reflect.ValueOf(member)))
		facts, left = append(facts, more...), left+omitted
	}
	for _, name := range p.facts {
		add(p.shape.Field(name))
	}
	for _, f := range p.shape.Fields {
		if !slices.Contains(p.facts, f.Name) && !slices.Contains(p.elsewhere, f.Name) {
			add(f)
		}
	}
	return facts, left
}

// factsByType returns the facts of a member of a view, none for members that consist of
// parts, and the number of values that they omit.
func (v *view) factsByType(of section, f *domain.Field, member reflect.Value) (facts []fact, left int) {
	said := fact{Label: v.label("fact."+f.Name, f.Name)}
	switch member.Kind() {
	case reflect.String:
		said.Values = v.lines(f, member.String())
	case reflect.Float64:
		said.Values = []value{{Text: v.number(member.Float())}}
	case reflect.Slice:
		if member.Type().Elem().Kind() != reflect.String {
			return nil, 0
		}
		lines := make([]string, member.Len())
		for i := range lines {
			lines[i] = member.Index(i).String()
		}
		lines, left = most(lines, partsOfRecord)
		if f.Refers == domain.KindCategory {
			return v.dimensions(of, lines), left
		}
		said.Values, said.IsList = v.lines(f, lines...), true
	}
	if said.Values == nil {
		return nil, left
	}
	return []fact{said}, left
}

// lines returns values of a field that holds lines. It omits chains that the catalogue lacks.
func (v *view) lines(f *domain.Field, lines ...string) []value {
	var values []value
	for _, line := range lines {
		x := value{Text: line}
		switch {
		case f.Refers == domain.KindChain:
			chain := v.recordNamed(chains, line)
			if chain == nil {
				continue
			}
			x = value{Text: chain.Name, Path: chain.Path}
		case f.Type == domain.TypeLink:
			x = v.out("", line)
		case f.Type == domain.TypeDate:
			x.Text = v.Date(line)
		}
		values = append(values, x)
	}
	return values
}

// dimensions returns the categories of a record by dimension group, with links to the list
// that they filter. Categories without a group are last.
func (v *view) dimensions(of section, keys []string) []fact {
	groups, labels, all := v.common.groups[of.module], v.common.labels, v.common.dimensions[of.module]
	facts := make([]fact, len(all)+1)
	for i := range facts {
		facts[i] = fact{Label: v.T("fact.categories"), IsList: true}
		if i < len(all) && all[i].Name != "" {
			facts[i].Label = all[i].Name
		}
	}
	for _, key := range keys {
		i := len(all)
		for j, g := range all {
			if g.Key == groups[key] {
				i = j
				break
			}
		}
		facts[i].Values = append(facts[i].Values, value{Text: labels[key], Path: v.tagged(of, key)})
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return len(f.Values) == 0 })
}

// linksByType groups links by their type, in the order of the first link of each type.
func (v *view) linksByType(links []snapshot.Link) []fact {
	var facts []fact
	places := map[domain.LinkType]int{}
	for _, link := range links {
		i, ok := places[link.Type]
		if !ok {
			i = len(facts)
			places[link.Type], facts = i, append(facts, fact{Label: v.T("link." + string(link.Type)), IsList: true})
		}
		facts[i].Values = append(facts[i].Values, v.out(link.Name, link.URL))
	}
	return facts
}

// out returns a link by its name, or by its host without a name.
func (v *view) out(name, address string) value {
	if name == "" {
		return value{Text: v.Host(address), URL: address}
	}
	x := value{Text: name, URL: address}
	if isWeb(address) {
		x.Note = v.Host(address)
	}
	return x
}

// copyable returns a value that a button copies.
func (v *view) copyable(text string) value {
	return value{Text: text, IsCode: true, Copy: v.Copy(text, text)}
}

// number returns a number, in few characters unless it is whole.
func (v *view) number(n float64) string {
	if n == float64(int(n)) {
		return v.Int(int(n))
	}
	return v.Amount(n)
}

// label returns the words for a field; without words, its name in the descriptions, which is
// English.
func (v *view) label(key, name string) string {
	if v.words.has(key) {
		return v.T(key)
	}
	words := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Figure returns the name of a figure.
func (v *view) Figure(name domain.FigureName) string {
	return v.label("figure."+string(name), string(name))
}

// tagged returns the list of a section filtered by a category.
func (v *view) tagged(of section, category string) string {
	return withQuery(v.At(of.path), url.Values{"tag": {category}}.Encode())
}
