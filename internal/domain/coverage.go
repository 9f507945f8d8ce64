package domain

// Coverage has the numbers of texts of a catalogue in each language.
type Coverage struct {
	Kind    Kind
	Names   bool  // of texts that people call records or their parts by; else of all others
	Texts   int   // in any locale
	Written []int // of these, by index of the locale in Catalog.Locales
}

// Cover counts the texts that are written out in each locale, without any fallback:
// kind by kind, names before the other texts. Kinds without texts are left out.
func Cover(c *Catalog) []Coverage {
	var all []Coverage
	for _, d := range descriptions {
		names, others := newCoverage(d.Kind, c), newCoverage(d.Kind, c)
		names.Names = true
		count := func(name bool, t Text) {
			if name {
				names.count(t, c.Locales)
				return
			}
			others.count(t, c.Locales)
		}
		for i := range d.Size(c) {
			d.Shape.eachText(d.Record(c, i), count)
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

// eachText calls f with every text of a record and its parts, and whether it is a
// name.
func (s *Shape) eachText(record any, f func(name bool, t Text)) {
	for _, field := range s.Fields {
		if field.text != nil {
			f(field.label, *field.text(record))
		}
		if field.Parts == nil {
			continue
		}
		for i := range field.Size(record) {
			field.Parts.eachText(field.Part(record, i), f)
		}
	}
}
