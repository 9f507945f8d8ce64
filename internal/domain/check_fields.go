package domain

// fields checks the fields of a record that have no rules of their own.
func (ck *checker) fields(at Ref, s *Shape, record any) {
	for _, f := range s.Fields {
		ck.field(at, f, record)
	}
}

func (ck *checker) field(at Ref, f *Field, record any) {
	switch {
	case f.Type == TypeNumber:
		ck.number(at, f.Name, *f.number(record))
	case f.Type == TypeFigure:
		ck.figure(at, f, *f.figure(record))
	case f.Type == TypeLink:
		ck.linkField(at, f, *f.line(record))
	case f.rule == idRule:
		ck.writtenID(at, *f.line(record))
	case f.rule == nameRule && f.Type == TypeText:
		ck.name(at, f.Name, *f.text(record))
	case f.rule == nameRule:
		ck.plainName(at, *f.line(record))
	case f.rule == passageRule:
		ck.description(at, f.Name, *f.text(record))
	case f.rule == linesRule:
		ck.list(at, f.Name, f.lines(record))
	case f.rule == categoryRule:
		ck.categoryRefs(at, f.lines(record), f.scope)
	}
}

func (ck *checker) linkField(at Ref, f *Field, link string) {
	switch {
	case link != "":
		ck.link(at, f.Name, link)
	case f.Required:
		ck.missing(at.in(f.Name), f.Name)
	}
}
