package snapshot

import (
	"cmp"
	"reflect"
	"strings"

	"vitrine/internal/domain"
)

// MemberName returns the name of the member of views for a field of records.
func MemberName(f *domain.Field) string {
	switch {
	case f.Type == domain.TypeFigure, f.Type == domain.TypeChainID:
		return f.Name
	case f.Name == "id":
		return "_id"
	case f.Type == domain.TypeLines && f.Refers == domain.KindCategory:
		return "categorySlugs"
	}
	words := strings.Split(f.Name, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// Values returns the members of a view, to which view points, with the values of its fields.
// Members that the JSON form omits are omitted.
func Values(view any) Object[any] {
	var all Object[any]
	value := reflect.ValueOf(view).Elem()
	for _, m := range planOf(value.Type()) {
		if field := value.FieldByIndex(m.field); !m.omits(field) {
			all = append(all, Member[any]{m.name, field.Interface()})
		}
	}
	return all
}

// viewSetters set the members of the views of records, both of rows and of whole records.
type viewSetters struct{ row, whole setters }

// newViewSetters returns the setters for views of a type, and of the type of whole, which may be nil.
func newViewSetters(shape *domain.Shape, row reflect.Type, whole any) viewSetters {
	all := viewSetters{row: settersOf(row, shape)}
	if whole != nil {
		all.whole = settersOf(reflect.TypeOf(whole), shape)
	}
	return all
}

// setter sets a member, or a member of a view.
type setter func(to reflect.Value, record any, in language)

// setters set the members of a view that have the name and the type of a field of the record: see
// [MemberName] and [setterOf]. They keep all others.
type setters []setter

// set sets the members of a view from a record, to which record points.
func (all setters) set(view reflect.Value, record any, in language) {
	for _, set := range all {
		set(view, record, in)
	}
}

// settersOf returns the setters of the members of a view, including those of embedded views.
func settersOf(view reflect.Type, shape *domain.Shape) setters {
	fields := map[string]*domain.Field{}
	for _, f := range shape.Fields {
		fields[MemberName(f)] = f
	}
	var all setters
	for i := range view.NumField() {
		member := view.Field(i)
		var set setter
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		switch f := fields[name]; {
		case member.Anonymous:
			set = settersOf(member.Type, shape).set
		case member.Type == reflect.TypeFor[Object[Figure]]():
			set = figuresSetter(shape)
		case member.Tag.Get("encode") == "labels":
			set = labelsSetter(shape.Categories())
		case f != nil:
			set = setterOf(f, shape, member.Type)
		}
		if set != nil {
			all = append(all, func(to reflect.Value, record any, in language) { set(to.Field(i), record, in) })
		}
	}
	return all
}

// figuresSetter returns a function that sets a member to the figures of a record, in the order of its
// fields.
func figuresSetter(shape *domain.Shape) setter {
	fields := shape.Figures()
	return func(to reflect.Value, record any, in language) {
		all := to.Addr().Interface().(*Object[Figure])
		for _, field := range fields {
			if f := *field.Figure(record); f != nil {
				*all = append(*all, Member[Figure]{field.Name, in.sources.figure(f)})
			}
		}
	}
}

// labelsSetter returns a function that sets a member to the labels of categories.
func labelsSetter(categories *domain.Field) setter {
	return func(to reflect.Value, record any, in language) {
		*to.Addr().Interface().(*[]string) = in.labels(categories.Lines(record))
	}
}

// setterOf returns a function that sets a member of a type to the value of a field of a shape. It returns
// nil for ids, which may be derived, for parts other than links, and for members of another type.
func setterOf(f *domain.Field, shape *domain.Shape, member reflect.Type) setter {
	switch {
	case f.Name == "id":
		return nil
	case f.Name == "sources" && f.Type == domain.TypeJSON:
		return func(to reflect.Value, record any, _ language) { to.SetString(string(sources(shape, *f.Line(record)))) }
	case member == reflect.TypeFor[[]Link]():
		return func(to reflect.Value, record any, _ language) {
			all := make([]Link, f.Size(record))
			for i := range all {
				all[i] = Link(*f.Part(record, i).(*domain.Link))
			}
			*to.Addr().Interface().(*[]Link) = all
		}
	case f.IsImage() && member.Kind() == reflect.String:
		return func(to reflect.Value, record any, in language) { to.SetString(in.picture(*f.Line(record))) }
	case f.IsLine() && member.Kind() == reflect.String:
		return func(to reflect.Value, record any, _ language) { to.SetString(cmp.Or(*f.Line(record), f.Implied)) }
	case f.Text != nil && member.Kind() == reflect.String:
		return func(to reflect.Value, record any, in language) { to.SetString(in.text(*f.Text(record))) }
	case f.Number != nil && member.Kind() == reflect.Float64:
		return func(to reflect.Value, record any, _ language) { to.SetFloat(*f.Number(record)) }
	case f.Figure != nil && member == reflect.TypeFor[*float64]():
		return func(to reflect.Value, record any, _ language) {
			to.Set(reflect.ValueOf(valueOfFigure(*f.Figure(record))))
		}
	case f.Lines != nil && member == reflect.TypeFor[[]string]():
		return func(to reflect.Value, record any, _ language) {
			*to.Addr().Interface().(*[]string) = f.Lines(record)
		}
	case f.Lines != nil && member == reflect.TypeFor[[]domain.Platform]():
		return func(to reflect.Value, record any, _ language) {
			*to.Addr().Interface().(*[]domain.Platform) = domain.Convert[domain.Platform](f.Lines(record))
		}
	}
	return nil
}
