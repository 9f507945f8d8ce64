package domain

import (
	"slices"

	"vitrine/internal/recordjson"
)

// linesType is a list of lines with the form of the field.
type linesType struct{}

func linesField[R any](name string, at func(*R) *[]string) *Field {
	return &Field{
		Name: name, Type: TypeLines, Form: formAny,
		Lines:    func(r any) []string { return *at(r.(*R)) },
		SetLines: func(r any, lines []string) { *at(r.(*R)) = lines },
		Equal:    func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

// wordsField is a linesField of strings with a named type.
func wordsField[R any, S ~string](name string, at func(*R) *[]S) *Field {
	return &Field{
		Name: name, Type: TypeLines, Form: formAny,
		Lines:    func(r any) []string { return Convert[string](*at(r.(*R))) },
		SetLines: func(r any, lines []string) { *at(r.(*R)) = Convert[S](lines) },
		Equal:    func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

// Convert returns the values of a list as values of another type of strings, nil for an empty list.
func Convert[To, From ~string](list []From) []To {
	if len(list) == 0 {
		return nil
	}
	out := make([]To, len(list))
	for i, s := range list {
		out[i] = To(s)
	}
	return out
}

func (linesType) isEmpty(f *Field, record any) bool { return len(f.Lines(record)) == 0 }

// check requires distinct entries of a set of values, such as keys.
func (linesType) check(ck *checker, at Ref, f *Field, record any) {
	if f.Refers != "" && ck.isUnread(f) {
		return
	}
	at = at.in(f.Name)
	what := "an entry of " + f.Name
	if f.Refers != "" {
		what = Describe(f.Refers).name()
	}
	ck.entries(at, f.Name, what, f.Lines(record), f.Form != formAny, func(i int, entry string) {
		if f.Refers != "" {
			ck.reference(at.at(i), f, what, entry)
		} else if fault := f.Form.fault(ck, what, entry); fault != nil {
			ck.reportFault(at.at(i), fault)
		}
	})
}

func (linesType) write(w *recordWriter, f *Field, record any) { w.Strings(f.Lines(record)) }

func (linesType) read(r *recordjson.Reader, f *Field, record any) error {
	lines, err := r.Strings()
	f.SetLines(record, lines)
	return err
}

func (linesType) part(f *Field, record, _ any) part {
	return stringPart(f.Name, joinList(f.Lines(record)))
}

func (linesType) addValues(v *Values, path, name string, f *Field, record any) {
	v.lines(path, name, f.Type.isFree(f), f.Lines(record), f.link)
}

func (linesType) appendTexts(texts []string, f *Field, record any) []string {
	return append(texts, f.Lines(record)...)
}

func (linesType) isFree(f *Field) bool { return f.Form == formAny }

func (linesType) schema(f *Field, s *Schemas) Object {
	if f.Required {
		return Object{{"type", "array"}, {"items", f.Form.schema(s, true)}, {"minItems", 1}}
	}
	return Object{{"type", orNull("array")}, {"items", f.Form.schema(s, true)}}
}

func (linesType) formName(*Field) string { return "List. " }

func (linesType) clear(f *Field, record any) { f.SetLines(record, nil) }

func (linesType) random(r *Random, f *Field, record any) { f.SetLines(record, r.lines(f)) }
