package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"vitrine/internal/domain"
	"vitrine/internal/query"
	"vitrine/internal/response"
	"vitrine/internal/snapshot"
)

// recordMain is the data of the page of a chain, an app, an account or a channel.
type recordMain struct {
	Name, Description string
	Logo              *logo        // of a chain or an app
	State             *recordState // nil for a live record
	List              named        // of such records
	Handle, ID        string       // @ and handle of an account; ID of a chain or channel
	Outside           string       // address of an account or channel where it lives
	Aliases           []string
	Image             string // address of the picture of a chain or an app
	Website           string
	Compare           string // address of a comparison with others, "" for none
	Facts             []fact
	Sections          []string // below the facts; their words begin with "section."
	Figures           []figureItem
	Scale             string // what bars are relative to
	Links             []fact // by type
	Sources           []fact // of fields
	Left              int    // links and the like that the page omits
	Extra             string // indented JSON
	Chain             *chainMain
}

// recordState says that a record is not live.
type recordState struct {
	Status      domain.Status
	Since, Note string // "" for none
	Successor   *named
}

// recordState returns the state of a record of a section, given its view, nil for live.
func (v *view) recordState(of section, values snapshot.Object[any]) *recordState {
	status := memberOf[domain.Status](values, "status")
	if status == "" || status == domain.StatusLive {
		return nil
	}
	return &recordState{
		status, v.Date(string(memberOf[domain.Date](values, "statusSince"))), memberOf[string](values, "statusNote"),
		v.recordNamed(of, memberOf[string](values, "successor")),
	}
}

// recordPage defines where the pages of a kind show the fields of its records. Fields that it
// does not name are facts as well, below those that it names.
type recordPage struct {
	section
	shape     *domain.Shape
	facts     []string // in the order of the page
	elsewhere []string // that are not facts: in other sections, or not on the page
}

// notFacts are the fields of any kind that are not facts.
var notFacts = []string{
	"id", "slug", "key", "name", "title", "logo", "image", "description", "status", "status_since", "status_note", "links", "former", "sources", "extra",
}

var (
	chainRecord = newRecordPage(chains,
		[]string{"chain_id", "categories", "parent", "successor", "native_currency", "launched", "aliases", "website"}, "rpc")
	appRecord     = newRecordPage(apps, []string{"link", "categories", "chains", "platforms", "launched", "aliases"}, "successor")
	accountRecord = newRecordPage(accounts, []string{"handle", "categories", "website"})
	channelRecord = newRecordPage(channels, []string{"channel_id", "categories", "website"})
)

func newRecordPage(of section, facts []string, elsewhere ...string) recordPage {
	return recordPage{of, of.description.Shape, facts, append(elsewhere, notFacts...)}
}

// recordSections are the sections below the facts, in the order of the page.
var recordSections = []string{"links", "apps", "children", "sources", "extra"}

// sections returns the sections that have content.
func (m *recordMain) sections() []string {
	has := map[string]bool{"links": len(m.Links) > 0, "sources": len(m.Sources) > 0, "extra": m.Extra != ""}
	if m.Chain != nil {
		has["apps"], has["children"] = len(m.Chain.Apps) > 0, len(m.Chain.Children) > 0
	}
	return slices.DeleteFunc(slices.Clone(recordSections), func(name string) bool { return !has[name] })
}

// named is something with a name and a page.
type named struct{ Name, Path string }

// recordNamed returns the name and page of the record of a section that a name means, nil for none.
func (v *view) recordNamed(of section, name string) *named {
	key, ok := v.snapshot.Named(of.kind, name)
	if !ok {
		return nil
	}
	return &named{v.snapshot.TitleOf(of.kind, key, v.locale), v.At(of.records + "/" + key)}
}

// memberOf returns a member of a view, the zero value for none.
func memberOf[T any](values snapshot.Object[any], name string) T {
	value, _ := values.Get(name)
	of, _ := value.(T)
	return of
}

// ownParts adds what the page of a record of one kind has beside its fields, and returns the facts of the
// fields that have no facts by their types.
type ownParts func(v *view, m *recordMain, record any) map[string][]fact

// page returns the function of the pages of records. missing is the detail of the error for an unknown name;
// parts is nil for a kind whose pages have fields only.
func (p recordPage) page(missing string, parts ownParts) func(*view) error {
	return func(v *view) error {
		name, err := url.PathUnescape(v.segment)
		if err != nil {
			return errUnknown
		}
		of, record, ok := v.snapshot.Whole(p.kind, name, v.locale)
		if !ok {
			return &response.Problem{Code: response.NotFound, Detail: missing, Candidates: v.snapshot.Candidates(p.kind, query.ForName(name, v.locale))}
		}
		values, own := snapshot.Values(record), map[string][]fact{}
		m := recordMain{
			Name: cmp.Or(memberOf[string](values, "name"), memberOf[string](values, "title")), Description: memberOf[string](values, "description"),
			Website: of.URL, Image: of.Image, Aliases: memberOf[[]string](values, "aliases"), State: v.recordState(p.section, values),
		}
		if slices.ContainsFunc(p.shape.Fields, (*domain.Field).IsImage) {
			pic := v.Logo(m.Name, m.Image)
			m.Logo = &pic
		}
		v.Description = m.Name
		if parts != nil {
			own = parts(v, &m, record)
		}
		m.Figures = v.figures(memberOf[snapshot.Object[snapshot.Figure]](values, "figures"), p.largestFigures(v, &m))
		p.show(v, of.Key, m, values, own)
		return nil
	}
}

// largestFigures returns the largest value of each figure in the list of the kind, nil for pages without a
// scale.
func (p recordPage) largestFigures(v *view, m *recordMain) map[string]float64 {
	if m.Scale == "" {
		return nil
	}
	largest := map[string]float64{}
	for _, f := range p.shape.Figures() {
		largest[f.Name] = v.figuresOf(v.one(p.kind, ""), domain.FigureName(f.Name)).Largest
	}
	return largest
}

// show sets the data of the page of a record, given the members of its view and its key, which is its
// canonical name. Own has the facts of the fields that have no facts by their types; the facts of m
// follow.
func (p recordPage) show(v *view, key string, m recordMain, values snapshot.Object[any], own map[string][]fact) {
	own["website"] = []fact{textFact(v.T("link.website"), v.out("", m.Website))}
	own["link"] = own["website"]
	facts, left := p.factsOf(v, values, own)
	facts = append(facts, m.Facts...)
	links, omitted := most(memberOf[[]snapshot.Link](values, "links"), partsOfRecord)
	m.Facts, m.Links, m.Left = facts, v.linksByType(links), m.Left+left+omitted
	m.Sources, m.Extra = p.sourcesOf(v, memberOf[domain.JSON](values, "sources")), indented([]byte(memberOf[domain.JSON](values, "extra")))
	m.List, m.Sections = named{v.T("nav." + p.nav), v.At(p.path)}, m.sections()
	v.address.path = p.records + "/" + key
	v.Title, v.JSON, v.Main = m.Name, p.api+"/"+key+"?"+v.asked(), m
	v.Edit = v.snapshot.EditURL(p.description.Kind, key)
	if m.Description != "" {
		v.Description = cutShort(m.Description)
	}
	v.link(v.linkedRecord(m, links), p.section)
}

// sourcesOf returns the sources of fields, given those of the record's view.
func (p recordPage) sourcesOf(v *view, sources domain.JSON) []fact {
	var facts []fact
	for name, source := range sources.Strings() {
		i := slices.IndexFunc(p.shape.Fields, func(f *domain.Field) bool { return snapshot.MemberName(f) == name })
		if i < 0 {
			continue
		}
		of := value{Text: source}
		if isWeb(source) {
			of = v.out("", source)
		}
		field := p.shape.Fields[i].Name
		word := "source." + field
		for _, key := range []string{"fact." + field, "section." + field, "figure." + field} {
			if !v.words.has(word) {
				word = key
			}
		}
		facts = append(facts, textFact(v.label(word, field), of))
	}
	return facts
}

// indented returns valid JSON with indentation, "" for none.
func indented(raw []byte) string {
	var out bytes.Buffer
	_ = json.Indent(&out, raw, "", "  ") // fails only for ""
	return out.String()
}

// cutShort returns at most 160 characters of a description. In scripts with spaces it cuts
// between words.
func cutShort(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	cut := string(letters[:most-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 && letters[most-1] != ' ' {
		cut = cut[:space]
	}
	return strings.TrimSpace(cut) + "…"
}
