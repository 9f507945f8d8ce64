package snapshot

import (
	"cmp"
	"reflect"
	"strings"
	"sync"

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
	value := reflect.ValueOf(view).Elem()
	return planOf(value.Type()).values(nil, value)
}

// values appends the values of the members of a struct.
func (p plan) values(all Object[any], v reflect.Value) Object[any] {
	for i := range p {
		member := &p[i]
		field := v.Field(member.field)
		switch {
		case member.embedded != nil:
			all = member.embedded.values(all, field)
		case member.omit == nil || !member.omit(field):
			all = append(all, Member[any]{member.name, field.Interface()})
		}
	}
	return all
}

// names appends the names of all members of a struct.
func (p plan) names(all []string) []string {
	for i := range p {
		if p[i].embedded != nil {
			all = p[i].embedded.names(all)
			continue
		}
		all = append(all, p[i].name)
	}
	return all
}

// setFields sets the members of a view, to which view points, that have the name and the type of a
// field of the record, to which record points: see [MemberName] and [setterOf]. It keeps all others.
func setFields(view any, shape *domain.Shape, record any, in language) {
	value := reflect.ValueOf(view).Elem()
	for _, set := range settersOf(value.Type(), shape) {
		set(value, record, in)
	}
}

// setter sets a member, or a member of a view.
type setter func(to reflect.Value, record any, in language)

// setters caches the setters of views by [viewOfShape].
var setters sync.Map

type viewOfShape struct {
	view  reflect.Type
	shape *domain.Shape
}

// settersOf returns the setters of the members of a view, including those of embedded views.
func settersOf(view reflect.Type, shape *domain.Shape) []setter {
	key := viewOfShape{view, shape}
	if known, ok := setters.Load(key); ok {
		return known.([]setter)
	}
	fields := map[string]*domain.Field{}
	for _, f := range shape.Fields {
		fields[MemberName(f)] = f
	}
	var all []setter
	for i := range view.NumField() {
		member := view.Field(i)
		if member.Anonymous {
			for _, set := range settersOf(member.Type, shape) {
				all = append(all, func(to reflect.Value, record any, in language) { set(to.Field(i), record, in) })
			}
			continue
		}
		name, _, _ := strings.Cut(member.Tag.Get("json"), ",")
		if f := fields[name]; f != nil {
			if set := setterOf(f, member.Type); set != nil {
				all = append(all, func(to reflect.Value, record any, in language) { set(to.Field(i), record, in) })
			}
		}
	}
	setters.Store(key, all)
	return all
}

// setterOf returns a function that sets a member of a type to the value of a field. It returns nil for
// ids, which may be derived, for JSON, for parts, and for members of another type.
func setterOf(f *domain.Field, member reflect.Type) setter {
	if f.Name == "id" || f.Type == domain.TypeJSON {
		return nil
	}
	switch {
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
