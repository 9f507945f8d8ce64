package snapshot

import (
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
