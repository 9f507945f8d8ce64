package domain

// Coverage has the numbers of texts of a catalogue in each language.
type Coverage struct {
	Kind    Kind
	Names   bool  // of texts that are labels of records or their parts; else of all others
	Texts   int   // in any locale
	Written []int // of these, by index of the locale in Catalog.Locales
}

// Cover counts the texts in each locale, without fallbacks: by kind, labels before other texts.
// Kinds without texts are left out.
func Cover(c *Catalog) []Coverage {
	var all []Coverage
	for _, d := range descriptions {
		names, others := newCoverage(d.Kind, c), newCoverage(d.Kind, c)
		names.Names = true
		count := func(at textPlace, t Text) {
			if at.field.label {
				names.count(t, c.Locales)
				return
			}
			others.count(t, c.Locales)
		}
		for i := range d.Size(c) {
			d.Shape.eachText("", d.Record(c, i), count)
		}
		for _, of := range []Coverage{names, others} {
			if of.Texts > 0 {
				all = append(all, of)
			}
		}
	}
	return all
}

func newCoverage(kind Kind, c *Catalog) Coverage {
	return Coverage{Kind: kind, Written: make([]int, len(c.Locales))}
}

func (c *Coverage) count(t Text, locales []string) {
	if len(t) == 0 {
		return
	}
	c.Texts++
	for i, l := range locales {
		if _, ok := t.In(l); ok {
			c.Written[i]++
		}
	}
}

// FieldCoverage has the numbers of texts of a field in each language.
type FieldCoverage struct {
	Kind    Kind
	Field   string // path of names, such as `groups.items.name`
	Texts   int    // in any locale
	Written []int  // of these, by index of the locale in Catalog.Locales
}

// CoverFields counts as [Cover] does, field by field, in the order of the shapes. Fields without
// texts are left out.
func CoverFields(c *Catalog) []FieldCoverage {
	var all []FieldCoverage
	for _, d := range descriptions {
		var counts []Coverage
		places := map[textPlace]int{} // in counts
		for _, at := range d.Shape.textPlaces("") {
			places[at] = len(counts)
			counts = append(counts, newCoverage(d.Kind, c))
		}
		for i := range d.Size(c) {
			d.Shape.eachText("", d.Record(c, i), func(at textPlace, t Text) {
				counts[places[at]].count(t, c.Locales)
			})
		}
		for _, at := range d.Shape.textPlaces("") {
			if of := counts[places[at]]; of.Texts > 0 {
				all = append(all, FieldCoverage{d.Kind, at.path + at.field.Name, of.Texts, of.Written})
			}
		}
	}
	return all
}

// textPlace is a field of texts, with the path of the part that has it.
type textPlace struct {
	path  string // "", or names that each end with a dot
	field *Field
}

// textPlaces returns the fields of texts, those of parts included.
func (s *Shape) textPlaces(path string) []textPlace {
	var places []textPlace
	for _, f := range s.Fields {
		if f.text != nil {
			places = append(places, textPlace{path, f})
		}
		if f.Parts != nil {
			places = append(places, f.Parts.textPlaces(path+f.Name+".")...)
		}
	}
	return places
}

// eachText calls f with every text of a record and its parts, and its place.
func (s *Shape) eachText(path string, record any, f func(at textPlace, t Text)) {
	for _, field := range s.Fields {
		if field.text != nil {
			f(textPlace{path, field}, *field.text(record))
		}
		if field.Parts == nil || field.Size(record) == 0 {
			continue
		}
		below := path + field.Name + "."
		for i := range field.Size(record) {
			field.Parts.eachText(below, field.Part(record, i), f)
		}
	}
}
