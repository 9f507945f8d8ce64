package domain

import "vitrine/internal/recordjson"

// Type is the behaviour of the fields with one type of value, one per file type_*.go. Records are
// pointers to a record of the shape of the field.
type Type interface {
	// isEmpty reports whether a record lacks the field.
	isEmpty(f *Field, record any) bool
	// check reports the faults of a non-empty value.
	check(ck *checker, at Ref, f *Field, record any)
	// write writes a non-empty value, read reads it into an empty record.
	write(w *recordWriter, f *Field, record any)
	read(r *recordjson.Reader, f *Field, record any) error
	// part returns the value for differences. full is the record with derived ids.
	part(f *Field, record, full any) part
	// addValues adds the values of the record to v (see [Values]).
	addValues(v *Values, path, name string, f *Field, record any)
	// appendTexts appends the texts of the value, including those of parts.
	appendTexts(texts []string, f *Field, record any) []string
	// isFree reports whether editors choose values freely (see [Value.Free]).
	isFree(f *Field) bool
	// schema returns the JSON Schema of the written form, without description and examples.
	schema(f *Field, s *Schemas) Object
	// formName returns the name of the written form in the documentation, "" for a plain string.
	formName(f *Field) string
	// clear empties the field.
	clear(f *Field, record any)
	// random sets a value.
	random(r *Random, f *Field, record any)
}

// The types of fields.
var (
	TypeLine    Type = lineType{}    // a line of text without translations
	TypeLink    Type = linkType{}    // a line that is a URL
	TypeHandle  Type = handleType{}  // a line without its leading @
	TypeChainID Type = chainIDType{} // a line that may be written as a whole number
	TypeDate    Type = dateType{}    // a [Date]
	TypeJSON    Type = jsonType{}    // a [JSON]
	TypeContent Type = contentType{} // a line with the content of an [Asset]
	TypeText    Type = textType{}    // a [Text]
	TypeLines   Type = linesType{}   // a list of lines
	TypeNumber  Type = numberType{}  // a number; 0 if omitted
	TypeFigure  Type = figureType{}  // a [Figure]
	TypePart    Type = partType{}    // a record of another shape, or none
	TypeParts   Type = partsType{}   // a list of records of another shape
	TypeKeyed   Type = keyedType{}   // a list of records of another shape, written as a map by their first field
	TypeTable   Type = tableType{}   // parts with two fields, written as a map from the first to the second
)

// lineReader reads lines of files, for types whose value is a line of text.
type lineReader interface {
	readLine(text string, number bool) (line, wanted, remedy string)
}

// ReadLine parses a trimmed text or number of a file. If its type is wrong, wanted names the
// right one, and remedy is the correction.
func (f *Field) ReadLine(text string, number bool) (line, wanted, remedy string) {
	return f.Type.(lineReader).readLine(text, number)
}

// fields checks the required fields and the values of a record. It skips fields that are
// checkedWithRecord.
func (ck *checker) fields(at Ref, s *Shape, record any) {
	for _, f := range s.Fields {
		switch {
		case f.Type == TypeTable: // reported for each part
		case f.InFileName:
			what := "the name of the file"
			if len(at.Path) > 0 {
				what = "the key"
			}
			if fault := f.Form.fault(ck, what, *f.Line(record)); fault != nil {
				ck.reportFault(at, fault)
			}
		case !f.Type.isEmpty(f, record):
			if !f.checkedWithRecord {
				f.Type.check(ck, at, f, record)
			}
		case s.Requires(f, record), f.Standard(record) != "":
			ck.missingField(at, f)
		}
	}
}

// Requires reports whether a record must have a field.
func (s *Shape) Requires(f *Field, record any) bool {
	return f.Required || f.RequiredUnless != "" && *s.Field(f.RequiredUnless).Line(record) == ""
}

// AppendJSON appends a record of the shape to dst, on one line, in the order of its fields. It
// omits empty fields and lines with their default. A text in only the locale plain is written as
// a string; "" is no locale. So is the scope of a licence in only the default locale. For a value that JSON cannot represent, AppendJSON writes a
// substitute and returns an error (see [recordjson.Writer]).
func (s *Shape) AppendJSON(dst []byte, record any, plain string) ([]byte, error) {
	w := recordWriter{Writer: recordjson.Writer{Buf: dst}, plain: plain}
	if c, ok := record.(*Catalog); ok {
		w.defaultLocale = c.DefaultLocale
	}
	w.record(s, record)
	return w.Buf, w.Err
}

// AppendJSON appends the value of a field that is not empty, as [Shape.AppendJSON] does.
func (f *Field) AppendJSON(dst []byte, record any, plain string) ([]byte, error) {
	w := recordWriter{Writer: recordjson.Writer{Buf: dst}, plain: plain}
	f.Type.write(&w, f, record)
	return w.Buf, w.Err
}

type recordWriter struct {
	recordjson.Writer
	plain         string // locale of texts that are plain strings
	defaultLocale string // of the catalogue that is written; "" for other records
}

func (w *recordWriter) record(s *Shape, record any) {
	w.Object(func() {
		for _, f := range s.Fields {
			if !f.InFileName && !f.Type.isEmpty(f, record) && !f.isStandard(record) {
				w.Member(f.Name)
				f.Type.write(w, f, record)
			}
		}
	})
}

// A Decoder reads records written by [Shape.AppendJSON] sequentially. It interns short strings.
// The zero value is ready; a Decoder is for one goroutine.
type Decoder struct{ reader recordjson.Reader }

// Decode reads data without plain texts, except scopes of licences, into an empty record. Unknown and repeated fields and
// values of the wrong type are errors, so that nothing is lost silently. Decode does not retain
// data.
func (d *Decoder) Decode(data []byte, s *Shape, record any) error {
	d.reader.Reset(data)
	if err := s.read(&d.reader, record); err != nil {
		return err
	}
	if c, ok := record.(*Catalog); ok {
		c.localizeScopes()
	}
	return d.reader.End()
}
