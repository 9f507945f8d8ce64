package snapshot

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/domain"
)

// writer appends JSON to a buffer, members in the order of the calls, without
// white space. It writes what the shapes of the API need and leaves the
// nesting to its caller.
type writer struct {
	buf      []byte
	markText bool // the record's text is left out for a mark

	// label gives the label of a category; nil leaves the labels of a record's
	// categories out for a mark.
	label func(slug string) string
}

// open begins an object or an array.
func (w *writer) open(bracket byte) { w.buf = append(w.buf, bracket) }

// close ends what open began.
func (w *writer) close(bracket byte) { w.buf = append(w.buf, bracket) }

// comma writes the comma before all but the first value of an object or array.
func (w *writer) comma() {
	switch w.buf[len(w.buf)-1] {
	case '{', '[', ':':
	default:
		w.buf = append(w.buf, ',')
	}
}

// key begins a member.
func (w *writer) key(name string) {
	w.comma()
	w.quote(name)
	w.buf = append(w.buf, ':')
}

// quote writes a string. Invalid UTF-8, which no valid catalogue holds, becomes
// U+FFFD.
func (w *writer) quote(s string) {
	w.buf, _ = jsontext.AppendQuote(w.buf, s) // the error only tells of the U+FFFD
}

// text writes a member that is always there.
func (w *writer) text(name, value string) {
	w.key(name)
	w.quote(value)
}

// optional writes a member that is "or absent": left out when empty.
func (w *writer) optional(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

// recordText writes the one member of a record that [rowWriter] may leave out for
// a mark. It is left out as a whole when empty.
func (w *writer) recordText(name, value string) {
	if value == "" || !w.markText {
		w.optional(name, value)
		return
	}
	w.key(name)
	w.buf = append(w.buf, '"', textMark, '"')
}

// categories writes the two members that tell the categories of accounts and
// channels: the labels, under a name, and the slugs in the same order.
func (w *writer) categories(name string, slugs []string) {
	if w.label == nil {
		w.key(name)
		w.buf = append(w.buf, labelsMark)
	} else {
		array(w, name, slugs, func(slug string) { w.quote(w.label(slug)) })
	}
	w.strings("categorySlugs", slugs)
}

// nullable writes a member that is "or null".
func (w *writer) nullable(name, value string) {
	if value == "" {
		w.key(name)
		w.buf = append(w.buf, "null"...)
		return
	}
	w.text(name, value)
}

// number writes a finite number as encoding/json does: no exponent for
// ordinary magnitudes, the shortest digits that read back the same.
func (w *writer) number(name string, value float64) {
	w.key(name)
	digits, err := json.Marshal(value + 0) // -0 becomes 0
	if err != nil {
		panic("snapshot: a figure that is no number got past domain.Check: " + err.Error())
	}
	w.buf = append(w.buf, digits...)
}

// figure writes a member for a figure that is "or absent".
func (w *writer) figure(name string, f *domain.Figure) {
	if f != nil {
		w.number(name, f.Value)
	}
}

// strings writes an array of strings; none is [].
func (w *writer) strings(name string, values []string) {
	array(w, name, values, w.quote)
}

// some writes an array of strings that is "or absent": left out when empty.
func some[S ~string](w *writer, name string, values []S) {
	if len(values) > 0 {
		array(w, name, values, func(s S) { w.quote(string(s)) })
	}
}

// json writes a member for a value that is JSON already, "" for none.
func (w *writer) json(name string, value domain.JSON) {
	if value != "" {
		w.key(name)
		w.buf = append(w.buf, value...)
	}
}

// links writes a member for links, nothing for none.
func (w *writer) links(links []domain.Link) {
	if len(links) == 0 {
		return
	}
	array(w, "links", links, func(l domain.Link) {
		w.open('{')
		w.text("type", string(l.Type))
		w.optional("name", l.Name)
		w.text("url", l.URL)
		w.close('}')
	})
}

// origins writes a member that tells of each figure what it is, whence and since
// when; nothing where none is known. Figures are in the order of the record's fields.
func (w *writer) origins(shape *domain.Shape, record any) {
	first := true
	for _, field := range shape.Figures() {
		figure := *field.Figure(record)
		if figure == nil {
			continue
		}
		if first {
			w.key("figures")
			w.open('{')
			first = false
		}
		w.key(field.Name)
		w.open('{')
		w.number("value", figure.Value)
		w.optional("source", figure.Source)
		w.optional("asOf", string(figure.AsOf))
		w.close('}')
	}
	if !first {
		w.close('}')
	}
}

// array writes an array of values, each by encode; none is [].
func array[T any](w *writer, name string, values []T, encode func(T)) {
	w.key(name)
	w.open('[')
	for _, v := range values {
		w.comma()
		encode(v)
	}
	w.close(']')
}

// translations writes a text as a map from locale to string, in the order of
// locales.
func (w *writer) translations(name string, text domain.Text, locales []string) {
	w.key(name)
	w.open('{')
	for _, loc := range locales {
		if value, ok := text.In(loc); ok {
			w.text(loc, value)
		}
	}
	w.close('}')
}
