package domain

import "slices"

// Type says what a field holds, and with it how it is written, compared and read.
type Type uint8

// The types of fields.
const (
	TypeLine    Type = iota // a line of text, the same in every language
	TypeLink                // a line that is a URL
	TypeHandle              // a line whose leading @ is dropped
	TypeChainID             // a line that may be written as a whole number
	TypeText                // a [Text]
	TypeLines               // a list of lines
	TypeNumber              // a number, 0 where none is written
	TypeFigure              // a [Figure]
	TypeDate                // a [Date]
	TypeJSON                // a [JSON]
	TypePart                // a record of another shape, or none
	TypeParts               // a list of records of another shape
	TypeTable               // the same, written as a map: each part's first field to its second
)

// Field describes one field of a record or of a part of one: what it is called
// and holds, and how its value is reached. Everything that goes through records
// field by field goes by these descriptions: the reading and writing of files and
// rows, differences, schemas, the tables of the documentation.
type Field struct {
	Name     string // as it is written
	Type     Type
	Required bool    // no record goes without
	Searched bool    // the search of its list finds records by it
	Names    bool    // and what it says is what people call the record (docs/api.md#relevance)
	Count    bool    // of a number or figure: it counts, and so is a whole number
	Max      float64 // of a number: the greatest that it may be, 0 for any
	Parts    *Shape  // of the parts of TypePart, TypeParts and TypeTable, else nil
	Implied  string  // of a line: its value where none is written; records hold it as ""

	// RequiredUnless names a field without which a record must have this one.
	RequiredUnless string

	// About says what the field means, for editors: one sentence without a full
	// stop. Form is the name of the form that its lines have, "" for any (see the
	// definitions of package schema). Examples are values as JSON.
	About    string
	Form     string
	Examples []string

	key        bool // it names the record among its neighbours
	label      bool // it is what people call the record
	inFileName bool // see InFileName
	standard   func(record any) string

	line   func(record any) *string
	text   func(record any) *Text
	lines  func(record any) []string
	setAll func(record any, lines []string)
	number func(record any) *float64
	figure func(record any) **Figure
	parts  partsAccess

	equal func(a, b any) bool

	rule  fieldRule
	scope Module // of the categories that are named, with categoryRule
}

// fieldRule names the rule that a value is checked by (see [checker.fields]).
type fieldRule uint8

const (
	byType       fieldRule = iota // what its type asks of every value
	ownRule                       // code that knows what the field means checks its value
	passageRule                   // a text of several lines
	enumRule                      // one or more of the values of its form
	imageRule                     // a link of an image; other links are of pages
	endpointRule                  // a link that programs call, a WebSocket's too
	categoryRule                  // keys of categories
	chainRule                     // slugs of chains
	appRule                       // the key of an app
)

// partsAccess reaches the parts of a field.
type partsAccess struct {
	size func(record any) int
	at   func(record any, i int) any
	grow func(record any) any
}

// In all that follows a record is a pointer to a record of the shape that the
// field belongs to; any other value panics.

// Line is where the value of a TypeLine, TypeLink, TypeHandle, TypeChainID,
// TypeDate or TypeJSON is; "" is none.
func (f *Field) Line(record any) *string { return f.line(record) }

// Text is where the value of a TypeText is.
func (f *Field) Text(record any) *Text { return f.text(record) }

// Lines returns the value of a TypeLines, which is read only.
func (f *Field) Lines(record any) []string { return f.lines(record) }

// SetLines sets the value of a TypeLines, which keeps the slice.
func (f *Field) SetLines(record any, lines []string) { f.setAll(record, lines) }

// Number is where the value of a TypeNumber is.
func (f *Field) Number(record any) *float64 { return f.number(record) }

// Figure is where the value of a TypeFigure is; nil is none.
func (f *Field) Figure(record any) **Figure { return f.figure(record) }

// Size returns how many parts a TypePart, TypeParts or TypeTable has.
func (f *Field) Size(record any) int { return f.parts.size(record) }

// Part returns the i-th part, a record of the shape Parts.
func (f *Field) Part(record any, i int) any { return f.parts.at(record, i) }

// Grow adds an empty part and returns it. It is good until the next one is added.
// There is one of a TypePart at most.
func (f *Field) Grow(record any) any { return f.parts.grow(record) }

// InFileName says that the directory has the value in the name of the record's
// file, and nowhere else.
func (f *Field) InFileName() bool { return f.inFileName }

// Standard returns what a line is that nobody wrote, given the fields before
// it; "" for nothing.
func (f *Field) Standard(record any) string {
	if f.standard == nil {
		return ""
	}
	return f.standard(record)
}

// IsLine reports whether the value is a line.
func (f *Field) IsLine() bool { return f.line != nil }

// Shape describes records of one sort, or parts of them.
type Shape struct {
	Name   string // what messages call one: "a chain"
	Term   string // what schemas call the shape; "" for the name of the field that it is first met in
	About  string // what one is, for editors
	Fields []*Field

	asLine func(record any) string // of parts that differences tell as a line
	key    func(record any) string // what names a part, where no single field does
}

// Field returns the field of a name, nil for none.
func (s *Shape) Field(name string) *Field {
	for _, f := range s.Fields { // there are few of them
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Figures returns the fields that hold a figure, nil for none.
func (s *Shape) Figures() []*Field {
	var figures []*Field
	for _, f := range s.Fields {
		if f.Type == TypeFigure {
			figures = append(figures, f)
		}
	}
	return figures
}

// SetStandards sets the lines of a record that nobody wrote to what they are
// anyway, and empties those that say no more than that.
func (s *Shape) SetStandards(record any) {
	for _, f := range s.Fields {
		if !f.IsLine() {
			continue
		}
		switch line := f.line(record); *line {
		case "":
			*line = f.Standard(record)
		case f.Implied:
			*line = ""
		}
	}
}

// Equal reports whether two records read the same in the field.
func (f *Field) Equal(a, b any) bool { return f.equal(a, b) }

// Equal reports whether two records read the same in every field.
func (s *Shape) Equal(a, b any) bool {
	for _, f := range s.Fields {
		if !f.equal(a, b) {
			return false
		}
	}
	return true
}

// Finding is what a search finds a record by (docs/api.md#search).
type Finding struct {
	Labels []string // what people call it (docs/api.md#relevance)
	IDs    []string // found as a whole only, in each spelling (docs/api.md#chain-ids)
	Texts  []string // what else is searched
}

// Finding returns what the search of its list finds a record by: the texts of its fields
// that are searched, in their order, empty ones left out. A field that holds parts is
// searched in all their texts. Numbers, figures and JSON have none.
func (s *Shape) Finding(record any) Finding {
	var found Finding
	for _, f := range s.Fields {
		switch {
		case !f.Searched:
		case f.Type == TypeChainID:
			found.IDs = append(found.IDs, ChainIDSpellings(*f.line(record))...)
		case f.Names:
			found.Labels = f.appendTexts(found.Labels, record)
		default:
			found.Texts = f.appendTexts(found.Texts, record)
		}
	}
	return found
}

// appendTexts appends the texts that a field holds, those of its parts included.
func (f *Field) appendTexts(texts []string, record any) []string {
	switch f.Type {
	case TypeText:
		for _, tr := range *f.text(record) {
			texts = append(texts, tr.Value)
		}
	case TypeLines:
		texts = append(texts, f.lines(record)...)
	case TypeNumber, TypeFigure, TypeJSON:
	case TypePart, TypeParts, TypeTable:
		for i := range f.Size(record) {
			for _, part := range f.Parts.Fields {
				texts = part.appendTexts(texts, f.Part(record, i))
			}
		}
	default:
		if line := *f.line(record); line != "" {
			texts = append(texts, line)
		}
	}
	return texts
}

// keyOf returns what names a part among its neighbours, and label what people
// call it.
func (s *Shape) keyOf(record any) string {
	if s.key != nil {
		return s.key(record)
	}
	for _, f := range s.Fields {
		if f.key {
			return *f.line(record)
		}
	}
	return ""
}

func (s *Shape) labelOf(record any) string {
	for _, f := range s.Fields {
		if !f.label {
			continue
		}
		if t := *f.text(record); len(t) > 0 {
			return t[0].Value
		}
	}
	return s.keyOf(record) // an endpoint, a link, a card that leaves its title to its app
}

// Constructors, one for each type of field.

func lineField[R any](t Type, name string, at func(*R) *string) *Field {
	return &Field{
		Name: name, Type: t,
		line:  func(r any) *string { return at(r.(*R)) },
		equal: func(a, b any) bool { return *at(a.(*R)) == *at(b.(*R)) },
	}
}

func textField[R any](name string, at func(*R) *Text) *Field {
	return &Field{
		Name: name, Type: TypeText,
		text:  func(r any) *Text { return at(r.(*R)) },
		equal: func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

func linesField[R any](name string, at func(*R) *[]string) *Field {
	return &Field{
		Name: name, Type: TypeLines,
		lines:  func(r any) []string { return *at(r.(*R)) },
		setAll: func(r any, lines []string) { *at(r.(*R)) = lines },
		equal:  func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

// wordsField is a linesField of strings that have a type of their own.
func wordsField[R any, S ~string](name string, at func(*R) *[]S) *Field {
	return &Field{
		Name: name, Type: TypeLines,
		lines:  func(r any) []string { return convert[string](*at(r.(*R))) },
		setAll: func(r any, lines []string) { *at(r.(*R)) = convert[S](lines) },
		equal:  func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

// convert returns nil for an empty list.
func convert[To, From ~string](list []From) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, s := range list {
		out[i] = To(s)
	}
	return out
}

func numberField[R any](name string, at func(*R) *float64) *Field {
	return &Field{
		Name: name, Type: TypeNumber,
		number: func(r any) *float64 { return at(r.(*R)) },
		equal:  func(a, b any) bool { return *at(a.(*R)) == *at(b.(*R)) },
	}
}

func figureField[R any](name FigureName, at func(*R) **Figure) *Field {
	return &Field{
		Name: string(name), Type: TypeFigure,
		figure: func(r any) **Figure { return at(r.(*R)) },
		equal:  func(a, b any) bool { return (*at(a.(*R))).Equal(*at(b.(*R))) },
	}
}

func partField[R, P any](name string, shape *Shape, at func(*R) **P) *Field {
	return &Field{
		Name: name, Type: TypePart, Parts: shape,
		parts: partsAccess{
			size: func(r any) int {
				if *at(r.(*R)) == nil {
					return 0
				}
				return 1
			},
			at: func(r any, _ int) any { return *at(r.(*R)) },
			grow: func(r any) any {
				part := at(r.(*R))
				*part = new(P)
				return *part
			},
		},
		equal: func(a, b any) bool {
			x, y := *at(a.(*R)), *at(b.(*R))
			if x == nil || y == nil {
				return x == y
			}
			return shape.Equal(x, y)
		},
	}
}

func partsField[R, P any](t Type, name string, shape *Shape, at func(*R) *[]P) *Field {
	return &Field{
		Name: name, Type: t, Parts: shape,
		parts: partsAccess{
			size: func(r any) int { return len(*at(r.(*R))) },
			at:   func(r any, i int) any { return &(*at(r.(*R)))[i] },
			grow: func(r any) any {
				list := at(r.(*R))
				*list = append(*list, *new(P))
				return &(*list)[len(*list)-1]
			},
		},
		equal: func(a, b any) bool {
			x, y := *at(a.(*R)), *at(b.(*R))
			if len(x) != len(y) {
				return false
			}
			for i := range x {
				if !shape.Equal(&x[i], &y[i]) {
					return false
				}
			}
			return true
		},
	}
}

// The sorts of fields that records have.

// line is one of any text, or of a form.
func line[R any](name string, at func(*R) *string) *Field { return lineField(TypeLine, name, at) }

func writtenID[R any](at func(*R) *string) *Field {
	return lineField(TypeLine, idField, at).about("Stable internal id; derived if omitted")
}

// plainName is a name that is the same in every language.
func plainName[R any](at func(*R) *string) *Field {
	return lineField(TypeLine, "name", at).required()
}

// link is the address of a page.
func link[R any](name string, at func(*R) *string) *Field { return lineField(TypeLink, name, at) }

// image is the address of an image.
func image[R any](name string, at func(*R) *string) *Field { return link(name, at).checked(imageRule) }

// endpoint is an address that programs call.
func endpoint[R any](name string, at func(*R) *string) *Field {
	return link(name, at).checked(endpointRule)
}

// title is a text that people call the record by.
func title[R any](name string, at func(*R) *Text) *Field {
	f := textField(name, at).required()
	f.label = true
	return f
}

func day[R any](name string, at func(*R) *Date) *Field {
	return lineField(TypeDate, name, func(r *R) *string { return (*string)(at(r)) })
}

// extra is what no other field has a place for.
func extra[R any](at func(*R) *JSON) *Field {
	return lineField(TypeJSON, "extra", func(r *R) *string { return (*string)(at(r)) }).
		about("Any JSON object of at most 16 KiB, stored and served as written", `{"slip44": 60}`)
}

// former are the keys that a record had.
func former[R any](at func(*R) *[]string) *Field {
	return linesField(formerField, at).checked(ownRule).form("key").about("Previous keys or slugs, which still resolve to it", `["old-name"]`)
}

func statusField[R any](at func(*R) *Status) *Field {
	f := line("status", func(r *R) *string { return (*string)(at(r)) }).checked(enumRule).form("status")
	f.Implied = string(StatusLive)
	return f.about("live (default), upcoming or retired; lists omit retired records unless requested", `"retired"`)
}

func olderField[R any](at func(*R) *Older) *Field {
	f := line("older", func(r *R) *string { return (*string)(at(r)) }).checked(enumRule).form("older figures")
	f.Implied = string(OlderHold)
	return f.about("Effect on older figures: hold (default) omits them from lists, mark only warns", `"mark"`)
}

// website is the one page that readers are sent to.
func website[R any](at func(*R) *string) *Field {
	return link("website", at).about("Official website", `"https://ethereum.org/"`)
}

func links[R any](at func(*R) *[]Link) *Field {
	return partsField(TypeParts, "links", linkShape, at).about("External links besides the website", `[{"type": "docs", "url": "https://docs.example.org/"}]`)
}

// platformNames is what an app runs on.
func platformNames[R any](at func(*R) *[]Platform) *Field {
	return wordsField("platforms", at).checked(enumRule).form("platform").about("web, ios, android, desktop, extension or cli", `["web", "ios"]`)
}

// chainSlugs refer to chains.
func chainSlugs[R any](at func(*R) *[]string) *Field {
	return linesField("chains", at).checked(chainRule).form("key").about("Slugs of the supported chains", `["ethereum", "base"]`)
}

func description[R any](name string, at func(*R) *Text) *Field {
	return textField(name, at).checked(passageRule)
}

func plainLines[R any](name string, at func(*R) *[]string) *Field {
	return linesField(name, at)
}

// aliases are what people call a record by beside its name.
func aliases[R any](at func(*R) *[]string) *Field { return plainLines("aliases", at).calls() }

// categoryKeys are the categories of a record of a module.
func categoryKeys[R any](module Module, at func(*R) *[]string) *Field {
	f := linesField("categories", at).checked(categoryRule).form("key")
	f.scope = module
	return f.about("Keys of categories with the scope "+string(module), `["layer-1"]`)
}

func (f *Field) checked(r fieldRule) *Field { f.rule = r; return f }
func (f *Field) required() *Field           { f.Required = true; return f }
func (f *Field) searched() *Field           { f.Searched = true; return f }
func (f *Field) calls() *Field              { f.Searched, f.Names = true, true; return f }
func (f *Field) counts() *Field             { f.Count = true; return f }
func (f *Field) atMost(n float64) *Field    { f.Max = n; return f }
func (f *Field) names() *Field              { f.key, f.Required = true, true; return f }
func (f *Field) form(name string) *Field    { f.Form = name; return f }
func (f *Field) fromFileName() *Field       { f.inFileName = true; return f }
func (f *Field) requiredUnless(other string) *Field {
	f.Required, f.RequiredUnless = false, other
	return f
}
func (f *Field) about(what string, examples ...string) *Field {
	f.About, f.Examples = what, examples
	return f
}

// orElse says what the line is where none is written.
func orElse[R any](f *Field, standard func(*R) string) *Field {
	f.standard = func(r any) string { return standard(r.(*R)) }
	return f
}
