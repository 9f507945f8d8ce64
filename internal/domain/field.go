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
	Count    bool    // of a number or figure: whole numbers only
	Min, Max float64 // bounds of a number, 0 for none
	Parts    *Shape  // of the parts of TypePart, TypeParts and TypeTable, else nil
	Implied  string  // of a line: the meaning of an empty value; records store ""

	// RequiredUnless is the name of a field without which this one is required.
	RequiredUnless string

	// About is the meaning of the field for editors: one sentence without a full stop. Examples
	// are values as JSON.
	About    string
	Examples []string

	Form *Form // of lines

	multiline         bool    // of a text
	use               linkUse // of a link
	refers            Kind    // of lines: the kind whose keys they are, "" for none
	scope             Module  // of the referenced categories
	checkedWithRecord bool    // the rules of the record check the value, because it depends on other fields

	key        bool // identifies the record among its siblings
	label      bool // a label of the record
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

// partsAccess has the accessors of the parts of a field.
type partsAccess struct {
	size func(record any) int
	at   func(record any, i int) any
	grow func(record any) any

	clear func(record any)
}

// In the following methods, a record is a pointer to a record of the shape of the field; any
// other value panics.

// Line returns a pointer to the value of a TypeLine, TypeLink, TypeHandle, TypeChainID, TypeDate
// or TypeJSON; "" means none.
func (f *Field) Line(record any) *string { return f.line(record) }

// Text returns a pointer to the value of a TypeText.
func (f *Field) Text(record any) *Text { return f.text(record) }

// Lines returns the value of a TypeLines, which must not be modified.
func (f *Field) Lines(record any) []string { return f.lines(record) }

// SetLines sets the value of a TypeLines. It keeps the slice.
func (f *Field) SetLines(record any, lines []string) { f.setAll(record, lines) }

// Number returns a pointer to the value of a TypeNumber.
func (f *Field) Number(record any) *float64 { return f.number(record) }

// Figure returns a pointer to the value of a TypeFigure; nil means none.
func (f *Field) Figure(record any) **Figure { return f.figure(record) }

// Size returns the number of parts of a TypePart, TypeParts or TypeTable.
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

// Refers returns the kind of the records whose keys the lines are, "" for none.
func (f *Field) Refers() Kind { return f.refers }

// IsLine reports whether the value is a line.
func (f *Field) IsLine() bool { return f.line != nil }

// Equal reports whether two records have equal values.
func (f *Field) Equal(a, b any) bool { return f.equal(a, b) }

// IsEmpty reports whether a record lacks the field. A required number is never empty.
func (f *Field) IsEmpty(record any) bool { return f.Type.isEmpty(f, record) }

// Clear empties the field of a record.
func (f *Field) Clear(record any) { f.Type.clear(f, record) }

// FormName returns the name of the written form in the documentation, with a full stop and a
// space; "" for a plain string.
func (f *Field) FormName() string { return f.Type.formName(f) }

// isStandard reports whether the value is the default.
func (f *Field) isStandard(record any) bool {
	return f.standard != nil && *f.line(record) == f.standard(record)
}
