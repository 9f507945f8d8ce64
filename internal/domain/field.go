package domain

// Field describes one field of a record or of a part of one: its name, its type, and how to
// access its value. All code that processes records field by field derives from these
// descriptions: reading and writing files and rows, differences, schemas, and tables of the
// documentation.
type Field struct {
	Name     string // as written
	Type     Type
	Required bool    // must have a value
	Searched bool    // searched in the search of its list
	Names    bool    // its texts are labels of the record (docs/api.md#relevance)
	Count    bool    // of a number or figure: it counts, and so is a whole number
	Min, Max float64 // bounds of a number, 0 for none
	Parts    *Shape  // of the parts of TypePart, TypeParts and TypeTable, else nil
	Implied  string  // of a line: its value where none is written; records hold it as ""

	// RequiredUnless names a field without which a record must have this one.
	RequiredUnless string

	// About is the meaning of the field for editors: one sentence without a full stop. Examples
	// are values as JSON.
	About    string
	Examples []string

	Form *Form // of lines

	multiline         bool    // of a text
	use               linkUse // of a link
	refers            Kind    // of lines: whose records they name by their keys, "" for none
	scope             Module  // of the categories that they name
	checkedWithRecord bool    // the rules of the record check the value, because it depends on others

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
}

// partsAccess reaches the parts of a field.
type partsAccess struct {
	size func(record any) int
	at   func(record any, i int) any
	grow func(record any) any

	clear func(record any)
}

// In the following methods, a record is a pointer to a record of the shape of the field; any
// other value panics.

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

// Grow adds an empty part and returns it. The pointer is valid until the next part is added. A
// field of TypePart has at most one part.
func (f *Field) Grow(record any) any { return f.parts.grow(record) }

// InFileName reports whether the value is only in the name of the record's file.
func (f *Field) InFileName() bool { return f.inFileName }

// Standard returns the default of a line, given the fields before it; "" for none.
func (f *Field) Standard(record any) string {
	if f.standard == nil {
		return ""
	}
	return f.standard(record)
}

// Refers returns the kind of the records that the lines name by their keys, "" for none.
func (f *Field) Refers() Kind { return f.refers }

// IsLine reports whether the value is a line.
func (f *Field) IsLine() bool { return f.line != nil }

// Equal reports whether two records read the same in the field.
func (f *Field) Equal(a, b any) bool { return f.equal(a, b) }

// IsEmpty reports whether a record lacks the field. A required number is never empty.
func (f *Field) IsEmpty(record any) bool { return f.Type.isEmpty(f, record) }

// Clear empties the field of a record.
func (f *Field) Clear(record any) { f.Type.clear(f, record) }

// FormName names the written form in the documentation, with a full stop and a space; "" for a
// plain string.
func (f *Field) FormName() string { return f.Type.formName(f) }

// isStandard reports whether the value is the one that the field has if none is written.
func (f *Field) isStandard(record any) bool {
	return f.standard != nil && *f.line(record) == f.standard(record)
}
