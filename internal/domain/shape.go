package domain

// Shape describes a type of records, or of parts of them.
type Shape struct {
	Name   string // name in messages: "a chain"
	Term   string // name in schemas; "" for the name of the first field with it
	About  string // the meaning of a record, for editors
	Fields []*Field

	asLine func(record any) string // formats parts that differences show on one line
	key    func(record any) string // key of a part, if it is not one field
}

// Field returns the field with a name, nil for none.
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

// Categories returns the field with the keys of the categories of a record, nil for none.
func (s *Shape) Categories() *Field {
	for _, f := range s.Fields {
		if f.Scope != "" && f.Refers == KindCategory {
			return f
		}
	}
	return nil
}

// SetStandards sets the empty lines of a record to their defaults, and empties redundant ones.
func (s *Shape) SetStandards(record any) {
	for _, f := range s.Fields {
		if !f.IsLine() {
			continue
		}
		switch line := f.Line(record); *line {
		case "":
			*line = f.Standard(record)
		case f.Implied:
			*line = ""
		}
	}
}

// Equal reports whether two records, to which a and b point, are equal in every field. A record equals
// itself.
func (s *Shape) Equal(a, b any) bool {
	if a == b {
		return true
	}
	for _, f := range s.Fields {
		if !f.Equal(a, b) {
			return false
		}
	}
	return true
}

// Finding has the searched texts of a record (docs/api.md#search).
type Finding struct {
	Labels []string // labels (docs/api.md#relevance)
	IDs    []string // match as a whole only, in each spelling (docs/api.md#chain-ids)
	Texts  []string // other searched texts
}

// Finding returns the searched texts of a record: those of its searched fields in their order,
// without empty ones. A field with parts is searched in all their texts. Numbers, figures and
// JSON are not searched.
func (s *Shape) Finding(record any) Finding {
	var found Finding
	for _, f := range s.Fields {
		switch {
		case !f.Searched:
		case f.Type == TypeChainID:
			found.IDs = append(found.IDs, ChainIDSpellings(*f.Line(record))...)
		case f.Names:
			found.Labels = f.Type.appendTexts(found.Labels, f, record)
		default:
			found.Texts = f.Type.appendTexts(found.Texts, f, record)
		}
	}
	return found
}

// keyOf returns the key of a part among its siblings, and label its label.
func (s *Shape) keyOf(record any) string {
	if s.key != nil {
		return s.key(record)
	}
	for _, f := range s.Fields {
		if f.key {
			return *f.Line(record)
		}
	}
	return ""
}

func (s *Shape) labelOf(record any) string {
	for _, f := range s.Fields {
		if !f.label {
			continue
		}
		if t := *f.Text(record); len(t) > 0 {
			return t[0].Value
		}
	}
	return s.keyOf(record) // an endpoint, a link, a card with the title of its app
}
