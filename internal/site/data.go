package site

import (
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/tables"
)

// dataMain is the data of the page about the data: what there is, its sources, and how to get all of it.
type dataMain struct {
	Facts   []fact
	Counts  []counted
	Sources []dataSource
	Left    int // sources that the page omits
	Access  []fact
	Tables  []tables.Description // of the bulk data, none without a distribution
}

// dataSource is a source that the catalogue declares.
type dataSource struct {
	Name    value
	Licence string // "" if none is stated
}

// sourcesOfData is the maximum number of sources on the page.
const sourcesOfData = 200

func dataPage(v *view) error {
	v.Title, v.Description = v.T("data.title"), v.T("data.lead")
	v.JSON = withQuery("/api/open/meta", v.inLanguage())
	sources, left := most(v.snapshot.Sources(), sourcesOfData)
	m := dataMain{Counts: v.counts(), Facts: v.factsOfData(), Left: left, Access: v.accessToData()}
	if v.Meta.Bulk != nil {
		m.Tables = v.tables()
	}
	for _, s := range sources {
		m.Sources = append(m.Sources, dataSource{sourceValue(s), s.Licence})
	}
	v.Main = m
	v.link(nil)
	return nil
}

// tables returns the tables of the bulk data, except those of kinds that the catalogue lacks. In a catalogue
// without chains, it also omits columns about chains. The files have all tables and columns.
func (v *view) tables() []tables.Description {
	described := tables.Describe(v.snapshot.Locales().Names())
	if !v.hasRecords() {
		return described
	}
	lacks := v.lacks()
	lacks["endpoints"] = v.plain
	var all []tables.Description
	for _, table := range described {
		if slices.ContainsFunc(strings.Split(table.Name, "_"), func(part string) bool { return lacks[part] }) {
			continue
		}
		if v.plain {
			table.Columns = slices.DeleteFunc(slices.Clone(table.Columns), chainWords.MatchString)
		}
		all = append(all, table)
	}
	return all
}

// factsOfData returns the date and revision, the languages and the licences of the catalogue.
func (v *view) factsOfData() []fact {
	facts := []fact{textFact(v.T("data.published"), value{Text: v.Published(), Note: v.T("revision", "n", v.Meta.Revision)})}
	languages := fact{Label: v.T("data.languages")}
	for _, l := range v.Languages() {
		languages.Values = append(languages.Values, value{Text: l.Name, Lang: l.Lang})
	}
	licences := fact{Label: v.T("data.licences")}
	for _, l := range v.snapshot.Licences() {
		licences.Values = append(licences.Values, v.licenceValue(l))
	}
	for _, f := range []fact{languages, licences} {
		if len(f.Values) > 0 {
			f.IsList = true
			facts = append(facts, f)
		}
	}
	return facts
}

func (v *view) licenceValue(l domain.Licence) value {
	of := value{Text: l.Name, Note: l.Scope.Resolve(v.snapshot.Locales().Fallback(v.locale))}
	if isWeb(l.URL) {
		of.URL = l.URL
	}
	return of
}

// accessToData returns the ways to get all data. The command needs the address of the server.
func (v *view) accessToData() []fact {
	path := func(label, at string) fact { return textFact(label, value{Text: at, Path: at, IsCode: true}) }
	var facts []fact
	if bulk := v.Meta.Bulk; bulk != nil {
		files := path(v.T("data.files"), bulk.Href)
		files.Values[0].Note = v.T("data.filesNote")
		base := v.Absolute("/bulk")
		if v.Absolute("") == "" {
			base = "https://HOST/bulk"
		}
		facts = append(facts, files, textFact(v.T("data.mirror"), v.copyable("vitrine mirror "+base+" DIR")))
	}
	return append(facts,
		fact{Label: v.T("changes.title"), IsList: true, Values: []value{
			{Text: "/changes", Path: v.At("/changes"), IsCode: true}, {Text: "/changes.atom", Path: v.At(changesFeedPath), IsCode: true},
			{Text: fmt.Sprintf("/api/open/changes?since=%d", v.Meta.Revision), IsCode: true},
		}},
		path(v.T("data.api"), "/openapi.json"),
		textFact("MCP", v.copyable(v.Absolute("/mcp"))))
}
