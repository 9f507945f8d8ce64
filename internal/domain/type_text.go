package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine/internal/recordjson"
)

// textType is a [Text]. A multiline field allows line feeds and longer texts.
type textType struct{}

// localeOfLine stands for the default locale in a text that was read from a line, until the catalogue is read.
// No JSON has this string.
const localeOfLine = "\xff"

func textField[R any](name string, at func(*R) *Text) *Field {
	return &Field{
		Name: name, Type: TypeText,
		Text:  func(r any) *Text { return at(r.(*R)) },
		Equal: func(a, b any) bool { return slices.Equal(*at(a.(*R)), *at(b.(*R))) },
	}
}

func (textType) isEmpty(f *Field, record any) bool { return len(*f.Text(record)) == 0 }

func (textType) check(ck *checker, at Ref, f *Field, record any) {
	field, t, limit := f.Name, *f.Text(record), maxName
	if f.multiline {
		limit = maxDescription
	}
	for i, tr := range t {
		if i > 0 && t[i-1].Locale == tr.Locale {
			ck.report(at.in(field, tr.Locale), RuleDuplicate, fmt.Sprintf("%s has two texts in %s", field, quote(tr.Locale)), "remove one of them")
		}
		if tr.Value == "" {
			ck.report(at.in(field, tr.Locale), RuleMissingText, fmt.Sprintf("%s is empty in %s", field, quote(tr.Locale)), "write the text or remove the locale")
		}
		if fault := ck.textFault(field, tr.Value, limit, f.multiline); fault != nil {
			ck.reportFault(at.in(field, tr.Locale), fault)
		}
	}
	ck.textLocales(at, field, t)
}

func (textType) write(w *recordWriter, f *Field, record any) {
	t := *f.Text(record)
	plain := w.plain
	if f.wasLine {
		plain = cmp.Or(plain, w.defaultLocale)
	}
	if len(t) == 1 && plain != "" && t[0].Locale == plain {
		w.String(t[0].Value)
		return
	}
	w.Object(func() {
		for _, tr := range t {
			w.Member(tr.Locale)
			w.String(tr.Value)
		}
	})
}

func (textType) read(r *recordjson.Reader, f *Field, record any) error {
	if f.wasLine && r.IsString() {
		value, err := r.String()
		*f.Text(record) = Text{{Locale: localeOfLine, Value: value}}
		return err
	}
	var room [16]Translation
	t := Text(room[:0])
	err := r.Object(func(name []byte) error {
		locale := r.Intern(name)
		value, err := r.String()
		t = append(t, Translation{Locale: locale, Value: value})
		return err
	})
	*f.Text(record) = append(Text(nil), t...) // of the exact size; nil if empty
	return err
}

func (textType) part(f *Field, record, _ any) part {
	p := part{name: f.Name}
	for _, tr := range *f.Text(record) {
		p.parts = append(p.parts, stringPart(tr.Locale, tr.Value))
	}
	return p
}

func (textType) addValues(v *Values, path, name string, f *Field, record any) {
	for _, tr := range *f.Text(record) {
		v.add(Value{Path: path + "." + tr.Locale, Text: tr.Value, Name: name + "." + tr.Locale, Free: true})
	}
}

func (textType) appendTexts(texts []string, f *Field, record any) []string {
	for _, tr := range *f.Text(record) {
		texts = append(texts, tr.Value)
	}
	return texts
}

func (textType) isFree(*Field) bool { return true }

func (textType) schema(f *Field, s *Schemas) Object {
	if f.Required {
		return s.Shared("text")
	}
	return Object{{"anyOf", []any{s.Shared("text"), Object{{"type", "null"}}}}}
}

// textSchema is the shared definition of texts.
var textSchema = Object{
	{"description", "A text: a string in the default locale, or a map from locale to string."},
	{"anyOf", []any{
		Object{{"type", "string"}, {"pattern", `\S`}},
		Object{{"type", "object"}, {"additionalProperties", Object{{"type", orNull("string")}}}, {"minProperties", 1}},
	}},
	{"examples", []any{"Ethereum", Object{{"en", "Ethereum"}, {"zh-hans", "以太坊"}}}},
	{"defaultSnippets", []any{Object{{"label", "in several locales"}, {"body", Object{{"en", "$1"}, {"zh-hans", "$2"}}}}}},
}

func (textType) formName(*Field) string { return "Text. " }

func (textType) clear(f *Field, record any) { *f.Text(record) = nil }

func (textType) random(r *Random, f *Field, record any) {
	var t Text
	for i, locale := range r.locales() {
		if i == 0 || r.Int(2) == 1 {
			t = append(t, Translation{Locale: locale, Value: r.line(f)})
		}
	}
	slices.SortFunc(t, func(a, b Translation) int { return strings.Compare(a.Locale, b.Locale) })
	*f.Text(record) = t
}

// Text is one text in several languages, sorted by Locale, with one entry per locale and no empty
// values. nil means no text.
type Text []Translation

// Translation is a text in one locale, trimmed and never empty.
type Translation struct {
	Locale string // as declared in Catalog.Locales
	Value  string
}

// In returns the text in one locale, without any fallback.
func (t Text) In(locale string) (string, bool) {
	for _, tr := range t {
		if tr.Locale == locale {
			return tr.Value, true
		}
	}
	return "", false
}

// Resolve returns the text in the first locale of chain that has one, "" for none. chain is the
// result of locale.Set.Fallback: fallback is per text, not per record (docs/api.md#languages).
func (t Text) Resolve(chain []string) string {
	for _, loc := range chain {
		if v, ok := t.In(loc); ok {
			return v
		}
	}
	return ""
}
