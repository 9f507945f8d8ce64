package bundle

import (
	"encoding/json"
	"slices"
	"strings"

	"vitrine/internal/domain"
)

// A column is a field of records as a text: of a text field, the text in one locale. Lines are as
// they are, lists are joined, and all other values are JSON.
type column struct {
	field  *domain.Field
	locale string // of a text; "" for the default locale
}

func (c column) name() string {
	if c.locale == "" {
		return c.field.Name
	}
	return c.field.Name + "." + c.locale
}

// columnsOf returns the columns of all fields of a kind, with a text in each locale.
func columnsOf(d *domain.Description, locales []string) []column {
	var columns []column
	for _, f := range d.Shape.Fields {
		switch {
		case f.InFileName:
		case f.Type == domain.TypeText:
			for _, locale := range locales {
				columns = append(columns, column{f, locale})
			}
		default:
			columns = append(columns, column{field: f})
		}
	}
	return columns
}

// columnNamed returns the column of a name. Remedy says what to do about a name of none.
func columnNamed(d *domain.Description, name string) (c column, remedy string) {
	field, locale, found := strings.Cut(name, ".")
	f := d.Shape.Field(field)
	switch {
	case f == nil || f.InFileName:
		return column{}, meant(field, written(d.Shape))
	case found && f.Type != domain.TypeText:
		return column{}, "write " + quote(field) + "; only texts have locales"
	case found && locale == "":
		return column{}, "write a locale after the dot"
	}
	return column{f, locale}, ""
}

// cell returns the value of a record, "" for none. The error is that of [domain.Field.AppendJSON].
func (c column) cell(record any) (string, error) {
	f := c.field
	switch {
	case f.IsEmpty(record):
		return "", nil
	case f.Type == domain.TypeText:
		value, _ := f.Text(record).In(c.locale)
		return value, nil
	case f.Type == domain.TypeLines:
		return joined(f.Lines(record)), nil
	case f.IsLine():
		return *f.Line(record), nil
	}
	value, err := f.AppendJSON(nil, record, "")
	return string(value), err
}

// joined joins a list by commas, or writes it as JSON if an element has one.
func joined(lines []string) string {
	text := strings.Join(lines, ", ")
	if !strings.HasPrefix(text, "[") && slices.Equal(parted(text), lines) {
		return text
	}
	list, err := json.Marshal(lines)
	if err != nil {
		panic(err) // strings only
	}
	return string(list)
}

// parted returns the elements of a list that is joined by commas.
func parted(text string) []string {
	elements := strings.Split(text, ",")
	for i := range elements {
		elements[i] = strings.TrimSpace(elements[i])
	}
	return elements
}

// node returns the value that a cell means, which is not blank. The error is a *fault.
func (c column) node(cell string, line, column int) (*node, error) {
	cell = strings.TrimSpace(cell)
	value := func(k kind, text string) *node {
		return &node{kind: k, text: text, line: line, column: column, size: 1}
	}
	structured := cell[0] == '{' || cell[0] == '['
	switch f := c.field; {
	case f.Type == domain.TypeText, f.IsLine() && f.Type != domain.TypeJSON:
		return value(text, cell), nil
	case structured:
		return parseJSON([]byte(cell), line, column, false)
	case f.Type == domain.TypeLines:
		n := value(list, "")
		for _, element := range parted(cell) {
			n.items = append(n.items, value(text, element))
		}
		n.size += len(n.items)
		return n, nil
	case plainNumber.MatchString(cell):
		return value(number, cell), nil
	}
	return value(text, cell), nil // the decoder reports it
}

// recordOf returns the map that the cells of columns mean, without blank ones. At says where a cell
// stands. The error is a *fault.
func recordOf(columns []column, cells []string, at func(i int) (line, column int)) (*node, error) {
	record := &node{kind: object, size: 1}
	record.line, record.column = at(0)
	for i, c := range columns {
		if strings.TrimSpace(cells[i]) == "" {
			continue
		}
		line, col := at(i)
		value, err := c.node(cells[i], line, col)
		if err != nil {
			return nil, err
		}
		to, name := record, c.field.Name
		if c.locale != "" {
			to, name = textsOf(record, name, line, col), c.locale
		}
		to.keys = append(to.keys, &node{kind: text, text: name, line: line, column: col, size: 1})
		to.items = append(to.items, value)
	}
	return record, nil
}

// textsOf returns the map of a text by locale, and adds it to a record that has none.
func textsOf(record *node, field string, line, column int) *node {
	if n := record.value(field); n != nil && n.kind == object {
		return n
	}
	n := &node{kind: object, line: line, column: column, size: 1}
	record.keys = append(record.keys, &node{kind: text, text: field, line: line, column: column, size: 1})
	record.items = append(record.items, n)
	return n
}

// hint says what to write into a field, as the end of a sentence that begins with "write".
func hint(f *domain.Field) string {
	say := ": " + f.About
	if form, found := strings.CutSuffix(f.FormName(), ". "); found {
		say = " as a " + strings.ToLower(form) + say
	}
	if len(f.Examples) > 0 {
		say += ". Example: " + f.Examples[0]
	}
	return say
}
