package domaintest

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/domain"
)

// Random sets fields to random values. Values are valid and from small sets, so that records share
// some.
type Random struct {
	// Int returns a number from 0 to n-1.
	Int func(n int) int
	// Key returns the key of a record of a kind, for categories with a scope unless that is "";
	// "" if there is none.
	Key func(kind domain.Kind, scope domain.Module) string
	// Own is the key of the record. Locales has the locales of its texts, the default one first.
	Own     string
	Locales []string
	// Arbitrary returns any string, and ArbitraryNumber any number. If they are set, values may
	// be invalid.
	Arbitrary       func() string
	ArbitraryNumber func() float64
}

// Record sets all required fields of an empty record, and some others.
func (r *Random) Record(s *domain.Shape, record any) {
	for _, f := range s.Fields {
		if f.Required && r.Arbitrary == nil || r.Int(3) > 0 {
			r.set(f, record)
		}
	}
	for _, f := range s.Fields {
		if r.Arbitrary == nil && f.IsEmpty(record) && s.Requires(f, record) {
			r.set(f, record)
		}
	}
	s.SetStandards(record)
}

// Edit changes one field of a record, or of a part in it; never a key.
func (r *Random) Edit(s *domain.Shape, record any) {
	var fields []*domain.Field
	for _, f := range s.Fields {
		if !f.Key {
			fields = append(fields, f)
		}
	}
	f := fields[r.Int(len(fields))]
	if f.Parts != nil && f.Type != domain.TypeTable && !f.IsEmpty(record) && r.Int(3) > 0 {
		i := r.Int(f.Size(record))
		r.within(f, i, func() { r.Edit(f.Parts, f.Part(record, i)) })
		return
	}
	r.Redraw(s, f, record)
}

// Redraw changes a field of a record; an optional one may be cleared.
func (r *Random) Redraw(s *domain.Shape, f *domain.Field, record any) {
	f.Clear(record)
	if s.Requires(f, record) || r.Int(3) > 0 {
		r.set(f, record)
	}
	s.SetStandards(record)
}

// part adds the i-th part of a list.
func (r *Random) part(f *domain.Field, record any, i int) {
	r.within(f, i, func() { r.Record(f.Parts, f.Grow(record)) })
}

// within calls draw with the key of the i-th part of a list.
func (r *Random) within(f *domain.Field, i int, draw func()) {
	outer := r.Own
	r.Own = outer + "_" + f.Name + strconv.Itoa(i)
	draw()
	r.Own = outer
}

// size returns the number of elements of a list.
func (r *Random) size(f *domain.Field) int {
	if f.Required && r.Arbitrary == nil {
		return 1 + r.Int(2)
	}
	return r.Int(3)
}

func (r *Random) choose(from ...string) string { return from[r.Int(len(from))] }

func (r *Random) text(valid ...string) string {
	if r.Arbitrary != nil {
		return r.Arbitrary()
	}
	return r.choose(valid...)
}

func (r *Random) number(valid ...float64) float64 {
	if r.ArbitraryNumber != nil {
		return r.ArbitraryNumber()
	}
	return valid[r.Int(len(valid))]
}

func (r *Random) locales() []string {
	if r.Arbitrary == nil {
		return r.Locales
	}
	var locales []string
	for range r.Int(3) {
		locales = append(locales, r.Arbitrary())
	}
	return unique(locales)
}

// set sets a value of a field.
func (r *Random) set(f *domain.Field, record any) {
	switch f.Type {
	case domain.TypeText:
		*f.Text(record) = r.translations(f)
	case domain.TypeLines:
		f.SetLines(record, r.lines(f))
	case domain.TypeNumber:
		*f.Number(record) = r.numberOf(f)
	case domain.TypeFigure:
		*f.Figure(record) = r.figure(f)
	case domain.TypePart:
		r.Record(f.Parts, f.Grow(record))
	case domain.TypeParts:
		for i := range r.size(f) {
			r.part(f, record, i)
		}
	case domain.TypeKeyed:
		for i := range r.size(f) {
			r.part(f, record, i)
			if r.Arbitrary != nil { // keys must differ
				*f.Parts.Fields[0].Line(f.Part(record, i)) += strconv.Itoa(i)
			}
		}
	case domain.TypeTable:
		name, lines := f.Parts.Fields[0], f.Parts.Fields[1]
		for _, key := range unique(r.lines(name)) {
			part := f.Grow(record)
			*name.Line(part) = key
			lines.SetLines(part, r.lines(lines))
		}
	default:
		*f.Line(record) = r.lineOf(f)
	}
}

func (r *Random) translations(f *domain.Field) domain.Text {
	var t domain.Text
	for i, locale := range r.locales() {
		if i == 0 || r.Int(2) == 1 {
			t = append(t, domain.Translation{Locale: locale, Value: r.line(f)})
		}
	}
	slices.SortFunc(t, func(a, b domain.Translation) int { return strings.Compare(a.Locale, b.Locale) })
	return t
}

func (r *Random) numberOf(f *domain.Field) float64 {
	numbers := []float64{1, 2, 18}
	switch {
	case f.Max == 1:
		numbers = []float64{0.25, 0.5, 1}
	case !f.Count:
		numbers = append(numbers, -1, 0, 2.5)
	}
	return r.number(numbers...)
}

func (r *Random) figure(of *domain.Field) *domain.Figure {
	numbers := []float64{0, math.Copysign(0, -1), 1, 2, 1000}
	if !of.Count {
		numbers = append(numbers, 3.5)
	}
	f := &domain.Figure{Value: r.number(numbers...)}
	if r.Int(2) == 1 {
		f.Source, f.AsOf = r.text("defillama", "recording"), domain.Date(r.text("2025-01-09", "2025-08-17"))
	}
	return f
}

// lineOf returns a value of a field whose value is a line.
func (r *Random) lineOf(f *domain.Field) string {
	switch f.Type {
	case domain.TypeChainID:
		return r.text("1", "007", "7", "a:b", "90", "0x10", "cosmoshub-4")
	case domain.TypeDate:
		return r.text("2015-07-30", "2024-02-29", "2025-01-01")
	case domain.TypeContent:
		const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">`
		return r.text(head+`<path d="M0 0h24v24z"/></svg>`, head+`<circle r="9" cx="12" cy="12" fill="#00f"/></svg>`, head+"\n<title>é &lt;</title>\n</svg>\n")
	case domain.TypeJSON:
		if f.Name == "sources" {
			return r.choose(`{"description":"zoo.example.org, README"}`, `{"description":"https://zoo.example.org/about"}`)
		}
		return r.choose(`{}`, `{"a":[1.0,"x"]}`, `{"b":[1.0,{"a":null}],"a":12345678901234567890}`)
	case domain.TypeLink:
		return r.link(f)
	case domain.TypeHandle:
		handle := r.line(f)
		if r.Int(2) == 1 && r.Arbitrary == nil {
			handle = strings.ToUpper(handle[:1]) + handle[1:]
		}
		return handle
	}
	return r.line(f)
}

func (r *Random) link(f *domain.Field) string {
	links := []string{"https://zoo.example.org/", "https://openai.com/a?b=1", "http://example.org"}
	if f != endpoint {
		links = append(links, "/zoo")
	}
	if f.IsImage() && r.Arbitrary == nil {
		if file := r.Key(domain.KindAsset, ""); file != "" {
			links = slices.Insert(links, 0, "assets/"+file)
		}
	}
	return r.text(links...)
}

// Forms and fields with values of their own. Forms in samples do not list their values.
var (
	endpoint   = fieldAt(domain.KindChain, "rpc", "url")
	localeForm = fieldAt(domain.KindCatalog, "locales").Form
	samples    = map[*domain.Form][]string{
		fieldAt(domain.KindCatalog, "link_schemes").Form:           {"celo", "ton"},
		fieldAt(domain.KindCatalog, "edit_url").Form:               {"https://github.com/o/r/edit/main/{file}#L{line}", "https://git.example.org/{file}"},
		fieldAt(domain.KindCatalog, "site", "accent").Form:         {"#1a2b3c", "#FFAA00"},
		fieldAt(domain.KindCatalog, "site", "words", "key").Form:   {"nav.apps", "skip", "count.chains#one"},
		fieldAt(domain.KindCatalog, "gate", "accept", "rule").Form: {"shrink:chains", "moved:apps.link"},
		fieldAt(domain.KindCatalog, "expect", "field").Form:        {"name", "description"},
		fieldAt(domain.KindChain, "aliases").Form:                  texts,
	}
	texts = []string{"OpenAI", "Öl", "Zoo", "zoo", "AI Arena", "以太坊", "ETH"}
)

// fieldAt returns the field of a kind, or of its parts, at a path.
func fieldAt(kind domain.Kind, path ...string) *domain.Field {
	f := domain.Describe(kind).Shape.Field(path[0])
	for _, name := range path[1:] {
		f = f.Parts.Field(name)
	}
	return f
}

// line returns a line with the form of a field, or a key of a record that the field refers to.
func (r *Random) line(f *domain.Field) string {
	switch {
	case r.Arbitrary != nil:
		return r.Arbitrary()
	case f.Refers != "":
		return r.Key(f.Refers, f.Scope)
	case f.Name == "former":
		return "was_" + r.Own
	case f.Form == nil: // a text
		return r.choose(texts...)
	case f.Form == localeForm:
		return r.choose(r.Locales...)
	case f.Form.Values() != nil:
		return r.choose(f.Form.Values()...)
	case f.Key:
		return r.Own
	case f.Name == "id", samples[f.Form] == nil:
		return f.Name + "_" + r.Own
	}
	return r.choose(samples[f.Form]...)
}

// lines returns distinct lines.
func (r *Random) lines(f *domain.Field) []string {
	var lines []string
	for range r.size(f) {
		if line := r.line(f); line != "" || r.Arbitrary != nil {
			lines = append(lines, line)
		}
	}
	if r.Arbitrary != nil {
		return lines
	}
	return unique(lines)
}

func unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
