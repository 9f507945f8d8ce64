package domain

import "vitrine/internal/recordjson"

// lineType is a line of text without languages. Its form defines the valid lines. Other types
// with string values embed it.
type lineType struct{}

func lineField[R any](t Type, name string, at func(*R) *string) *Field {
	return &Field{
		Name: name, Type: t, Form: formAny,
		Line:  func(r any) *string { return at(r.(*R)) },
		Equal: func(a, b any) bool { return *at(a.(*R)) == *at(b.(*R)) },
	}
}

func (lineType) isEmpty(f *Field, record any) bool { return *f.Line(record) == "" }

func (lineType) check(ck *checker, at Ref, f *Field, record any) {
	value := *f.Line(record)
	switch {
	case f.Refers != "":
		if !ck.isUnread(f) {
			ck.reference(at.in(f.Name), f, f.Name, value)
		}
	case !f.isStandard(record): // else no editor wrote it
		if fault := f.Form.fault(ck, f.Name, value); fault != nil {
			ck.reportFault(at.in(f.Name), fault)
		}
	}
}

func (lineType) write(w *recordWriter, f *Field, record any) { w.String(*f.Line(record)) }

func (lineType) read(r *recordjson.Reader, f *Field, record any) (err error) {
	*f.Line(record), err = r.String()
	return err
}

func (lineType) readLine(text string, number bool) (line, wanted, remedy string) {
	if number {
		return text, "text", "quote it: " + quote(text)
	}
	return text, "", ""
}

func (lineType) part(f *Field, record, full any) part {
	p := stringPart(f.Name, *f.Line(record))
	if full != record { // writing a derived id changes nothing for readers
		p.seen = *f.Line(full)
	}
	return p
}

func (lineType) addValues(v *Values, path, name string, f *Field, record any) {
	v.scalar(path, name, f, *f.Line(record))
}

func (lineType) appendTexts(texts []string, f *Field, record any) []string {
	if line := *f.Line(record); line != "" {
		texts = append(texts, line)
	}
	return texts
}

func (lineType) isFree(f *Field) bool { return f.Form == formAny }

func (lineType) schema(f *Field, s *Schemas) Object { return f.Form.schema(s, f.Required) }

func (lineType) formName(*Field) string { return "" }

func (lineType) clear(f *Field, record any) { *f.Line(record) = "" }

func (lineType) random(r *Random, f *Field, record any) { *f.Line(record) = r.line(f) }
