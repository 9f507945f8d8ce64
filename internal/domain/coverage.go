package domain

// Coverage has the numbers of texts of a catalogue in each language.
type Coverage struct {
	Kind    Kind
	Field   string // path of names, such as `groups.items.name`; "" for several fields
	Names   bool   // of texts that are labels of records or their parts; else of others
	Texts   int    // in any locale
	Written []int  // of these, by index of the locale in Catalog.Locales
}

// Cover counts the texts in each locale, without fallbacks: by kind, labels before other texts.
// Kinds without texts are left out.
func Cover(c *Catalog) []Coverage {
	var all []Coverage
	fields := CoverFields(c)
	for _, kind := range Kinds() {
		for _, names := range []bool{true, false} {
			sum := Coverage{Kind: kind, Names: names, Written: make([]int, len(c.Locales))}
			for _, f := range fields {
				if f.Kind == kind && f.Names == names {
					sum.add(f)
				}
			}
			if sum.Texts > 0 {
				all = append(all, sum)
			}
		}
	}
	return all
}

func (c *Coverage) add(of Coverage) {
	c.Texts += of.Texts
	for i, n := range of.Written {
		c.Written[i] += n
	}
}

// CoverFields counts the texts of each field in each locale, without fallbacks: by kind, in the order
// of the fields, those of parts too. Fields without texts are left out.
func CoverFields(c *Catalog) []Coverage {
	var all []Coverage
	for _, d := range descriptions {
		var paths []string
		counts := map[string]*Coverage{}
		d.Shape.eachText("", nil, func(path string, f *Field, _ Text) {
			paths = append(paths, path)
			counts[path] = &Coverage{Kind: d.Kind, Field: path, Names: f.label, Written: make([]int, len(c.Locales))}
		})
		for i := range d.Size(c) {
			d.Shape.EachText(d.Record(c, i), func(path string, t Text) { counts[path].count(t, c.Locales) })
		}
		for _, path := range paths {
			if counts[path].Texts > 0 {
				all = append(all, *counts[path])
			}
		}
	}
	return all
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

// EachText calls see with each text of a record and of its parts, also empty ones, and its path of names,
// such as `groups.items.name`.
func (s *Shape) EachText(record any, see func(path string, t Text)) {
	s.eachText("", record, func(path string, _ *Field, t Text) { see(path, t) })
}

// eachText calls see with each text of a record and of its parts or, without a record, once for each
// field. prefix is "", or names that each end with a dot.
func (s *Shape) eachText(prefix string, record any, see func(path string, f *Field, t Text)) {
	for _, f := range s.Fields {
		switch {
		case f.Text != nil && record == nil:
			see(prefix+f.Name, f, nil)
		case f.Text != nil:
			see(prefix+f.Name, f, *f.Text(record))
		case f.Parts != nil && record == nil:
			f.Parts.eachText(prefix+f.Name+".", nil, see)
		case f.Parts != nil && f.Size(record) > 0:
			below := prefix + f.Name + "."
			for i := range f.Size(record) {
				f.Parts.eachText(below, f.Part(record, i), see)
			}
		}
	}
}
