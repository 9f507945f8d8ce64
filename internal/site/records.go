package site

import (
	"bytes"
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

// stateFor returns the state of a record with a status, nil for live.
func (v *view) stateFor(status domain.Status, since domain.Date, note string, successor *named) *recordState {
	if status == domain.StatusLive {
		return nil
	}
	return &recordState{status, v.Date(string(since)), note, successor}
}

// recordPage defines where the pages of a kind show the fields of its records. Fields that it
// does not name are facts as well, below those that it names.
type recordPage struct {
	section
	kind      domain.Kind
	shape     *domain.Shape
	facts     []string // in the order of the page
	elsewhere []string // that are not facts: in other sections, or not on the page
}

// notFacts are the fields of any kind that are not facts.
var notFacts = []string{
	"id", "slug", "key", "name", "title", "logo", "image", "description", "status", "status_since", "status_note", "links", "former", "sources", "extra",
}

var (
	chainRecord = newRecordPage(chains, domain.KindChain,
		[]string{"chain_id", "categories", "parent", "successor", "native_currency", "launched", "aliases", "website"}, "rpc")
	appRecord     = newRecordPage(apps, domain.KindApp, []string{"link", "categories", "chains", "platforms", "launched", "aliases"}, "successor")
	accountRecord = newRecordPage(accounts, domain.KindAccount, []string{"handle", "categories", "website"})
	channelRecord = newRecordPage(channels, domain.KindChannel, []string{"channel_id", "categories", "website"})
)

func newRecordPage(of section, kind domain.Kind, facts []string, elsewhere ...string) recordPage {
	return recordPage{of, kind, domain.Describe(kind).Shape, facts, append(elsewhere, notFacts...)}
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

// recordOf returns the view of the record that the path of this page names. Detail says that
// there is none.
func recordOf[V any](v *view, kind query.Kind, detail string) (*V, error) {
	_, record, err := v.record(kind, detail)
	if err != nil {
		return nil, err
	}
	return record.(*V), nil
}

// record is [recordOf] for any kind, with the summary of the record.
func (v *view) record(kind query.Kind, detail string) (of snapshot.Summary, record any, err error) {
	name, err := url.PathUnescape(v.segment)
	if err != nil {
		return of, nil, errUnknown
	}
	of, record, ok := v.snapshot.Whole(kind, name, v.localized())
	if !ok {
		return of, nil, &response.Problem{Code: response.NotFound, Detail: detail, Candidates: v.snapshot.Candidates(kind, query.ForName(name, v.locale))}
	}
	return of, record, nil
}

// memberOf returns a member of a view, the zero value for none.
func memberOf[T any](values snapshot.Object[any], name string) T {
	value, _ := values.Get(name)
	of, _ := value.(T)
	return of
}

// show sets the data of the page of a record, given its view and its key, which is its
// canonical name. Own has the facts of the fields that have no facts by their types; the facts of m
// follow.
func (p recordPage) show(v *view, key string, m recordMain, record any, own map[string][]fact) {
	own["website"] = []fact{textFact(v.T("link.website"), v.out("", m.Website))}
	own["link"] = own["website"]
	values := snapshot.Values(record)
	facts, left := p.factsOf(v, values, own)
	facts = append(facts, m.Facts...)
	links, omitted := most(memberOf[[]snapshot.Link](values, "links"), partsOfRecord)
	m.Facts, m.Links, m.Left = facts, v.linksByType(links), m.Left+left+omitted
	m.Sources, m.Extra = p.sourcesOf(v, memberOf[domain.JSON](values, "sources")), indented([]byte(memberOf[domain.JSON](values, "extra")))
	m.List, m.Sections = named{v.T("nav." + p.nav), v.At(p.path)}, m.sections()
	v.address.path = p.records + "/" + key
	v.Title, v.JSON, v.Main = m.Name, p.api+"/"+key+"?"+v.asked(), m
	v.Edit = v.snapshot.EditURL(p.kind, key)
	if m.Description != "" {
		v.Description = cutShort(m.Description)
	}
	v.link(v.linkedRecord(m, links), p.section)
}

// plainRecord returns the function of the pages of records that show fields by their types.
func plainRecord(of snapshot.ListedKind, on section) func(*view) error {
	p := newRecordPage(on, of.Description.Kind, nil)
	return func(v *view) error {
		summary, record, err := v.record(of.Kind, "there is no "+string(of.Kind)+" with this name")
		if err != nil {
			return err
		}
		m := recordMain{Name: summary.Title, Description: summary.Description, Website: summary.URL, Image: summary.Image}
		m.Figures = v.figures(memberOf[snapshot.Object[snapshot.Figure]](snapshot.Values(record), "figures"), nil)
		if m.Image != "" {
			pic := v.Logo(m.Name, m.Image)
			m.Logo = &pic
		}
		v.Description = m.Name
		p.show(v, summary.Key, m, record, map[string][]fact{})
		return nil
	}
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
