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
	Parts    *Shape  // of the parts of TypePart, TypeParts, TypeKeyed and TypeTable, else nil
	Implied  string  // of a line: the meaning of an empty value; records store ""

	// RequiredUnless is the name of a field without which this one is required.
	RequiredUnless string

	// About is the meaning of the field for editors: one sentence without a full stop. Examples
	// are values as JSON.
	About    string
	Examples []string

	Form *Form // of lines

	// Refers is the kind of the records whose keys the lines are, "" for none.
	Refers Kind
	// Scope is the module of the categories or dimension groups that the lines refer to, "" for any.
	Scope Module
	// InFileName is true if the value is outside of the record: in the name of its file, or its key in a
	// map (see [TypeKeyed]).
	InFileName bool

	// A record in the following is a pointer to a record of the shape of the field; any other
	// value panics. Functions of other types are nil.

	// Line returns a pointer to the value of a TypeLine, TypeLink, TypeHandle, TypeChainID,
	// TypeDate or TypeJSON; "" means none.
	Line func(record any) *string
	// Text returns a pointer to the value of a TypeText.
	Text func(record any) *Text
	// Lines returns the value of a TypeLines, which must not be modified. SetLines sets it and
	// keeps the slice.
	Lines    func(record any) []string
	SetLines func(record any, lines []string)
	// Number returns a pointer to the value of a TypeNumber.
	Number func(record any) *float64
	// Figure returns a pointer to the value of a TypeFigure; nil means none.
	Figure func(record any) **Figure
	// Size returns the number of parts of a TypePart, TypeParts, TypeKeyed or TypeTable, Part the i-th one, a
	// record of the shape Parts.
	Size func(record any) int
	Part func(record any, i int) any
	// Grow adds an empty part and returns it. The pointer is valid until the next part is added.
	// A field of TypePart has at most one part.
	Grow func(record any) any
	// Equal reports whether two records have equal values. All fields have it.
	Equal func(a, b any) bool

	clearParts        func(record any)
	multiline         bool    // of a text
	wasLine           bool    // of a text that earlier versions have as a line, and still read if it is only in the default locale
	use               linkUse // of a link
	checkedWithRecord bool    // the rules of the record check the value, because it depends on other fields
	bySource          bool    // of a TypeJSON: its members are sources of other fields
	key               bool    // identifies the record among its siblings
	label             bool    // a label of the record
	standard          func(record any) string
}

// Standard returns the default of a line, given the fields before it; "" for none.
func (f *Field) Standard(record any) string {
	if f.standard == nil {
		return ""
	}
	return f.standard(record)
}

// IsLine reports whether the value is a line.
func (f *Field) IsLine() bool { return f.Line != nil }

// IsEmpty reports whether a record lacks the field. A required number is never empty.
func (f *Field) IsEmpty(record any) bool { return f.Type.isEmpty(f, record) }

// Clear empties the field of a record.
func (f *Field) Clear(record any) { f.Type.clear(f, record) }

// FormName returns the name of the written form in the documentation, with a full stop and a
// space; "" for a plain string.
func (f *Field) FormName() string { return f.Type.formName(f) }

// isStandard reports whether the value is the default.
func (f *Field) isStandard(record any) bool {
	return f.standard != nil && *f.Line(record) == f.standard(record)
}
