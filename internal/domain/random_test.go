package domain_test

import (
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// deepCopy returns a copy that shares nothing with c. Empty lists are nil, so that
// reflect.DeepEqual can compare copies.
func deepCopy(c *domain.Catalog) *domain.Catalog {
	out := new(domain.Catalog)
	copyInto(reflect.ValueOf(out).Elem(), reflect.ValueOf(c).Elem())
	return out
}

func copyInto(dst, src reflect.Value) {
	switch src.Kind() {
	case reflect.Struct:
		for i := range src.NumField() {
			copyInto(dst.Field(i), src.Field(i))
		}
	case reflect.Slice:
		if src.Len() > 0 {
			dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		}
		for i := range src.Len() {
			copyInto(dst.Index(i), src.Index(i))
		}
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			copyInto(dst.Elem(), src.Elem())
		}
	default:
		dst.Set(src)
	}
}

// normal returns a copy of c in which lists are sorted if no response has their order.
func normal(c *domain.Catalog) *domain.Catalog {
	c = deepCopy(c)
	sortBy(c.Groups, func(g domain.Group) string { return string(g.Module) + "/" + g.Key })
	sortBy(c.Categories, func(c domain.Category) string { return c.Key })
	sortBy(c.Chains, func(c domain.Chain) string { return c.Slug })
	sortBy(c.Apps, func(a domain.App) string { return a.Key })
	sortBy(c.Accounts, func(a *domain.Account) string { return a.Handle })
	sortBy(c.Channels, func(c domain.Channel) string { return c.ChannelID })
	sortBy(c.Menus, func(m domain.Menu) string { return m.PathSlug })
	if c.Search != nil && len(c.Search.Demote) == 0 { // rules without an effect
		c.Search = nil
	}
	if s := c.Site; s != nil && len(s.Lead)+len(s.Footer)+len(s.Imprint)+len(s.Accent)+len(s.Icon)+len(s.Words) == 0 {
		c.Site = nil
	}
	if r := c.Roles; r != nil && len(r.EVM)+len(r.Summary)+len(r.Testnet) == 0 {
		c.Roles = nil
	}
	if ages := c.MaxAge; ages != nil && *ages == (domain.MaxAges{}) {
		c.MaxAge = nil
	}
	return c
}

func sortBy[T any](list []T, key func(T) string) {
	slices.SortStableFunc(list, func(a, b T) int { return strings.Compare(key(a), key(b)) })
}

// mutate changes one value anywhere in c: a string, a number, a figure, or the length or order of
// a list. It finds the places by reflection, so new fields are covered.
func mutate(t *rapid.T, c *domain.Catalog) {
	var places []reflect.Value
	collect(reflect.ValueOf(c).Elem(), &places)
	change(t, places[rapid.IntRange(0, len(places)-1).Draw(t, "place")])
}

func collect(v reflect.Value, places *[]reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			collect(v.Field(i), places)
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			collect(reflect.Indirect(v.Index(i)), places) // the records of a list are never nil
		}
	case reflect.Pointer:
		if !v.IsNil() {
			collect(v.Elem(), places)
		}
	}
	*places = append(*places, v)
}

func change(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{v.String() + "x", "new", "a, b", `"`, "\x00", "\xff", "en"}).Draw(t, "string"))
	case reflect.Float64:
		v.SetFloat(v.Float() + rapid.SampledFrom([]float64{1, -1e9, 0.25}).Draw(t, "number"))
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v.SetZero()
		}
	case reflect.Slice:
		changeList(t, v)
	}
}

func changeList(t *rapid.T, v reflect.Value) {
	n := v.Len()
	switch op := rapid.IntRange(0, 2).Draw(t, "list"); {
	case op == 0 && n > 0:
		v.SetLen(n - 1)
	case op == 1 && n > 1 && v.Type() != reflect.TypeFor[domain.Text](): // a text is sorted
		i := rapid.IntRange(0, n-2).Draw(t, "swap")
		reflect.Swapper(v.Interface())(i, i+1)
	case v.Type() == reflect.TypeFor[domain.Text](): // and never empty
		v.Set(reflect.Append(v, reflect.ValueOf(domain.Translation{Locale: "zz", Value: "z"})))
	default:
		element := reflect.New(v.Type().Elem()).Elem()
		if element.Kind() == reflect.Pointer {
			element.Set(reflect.New(element.Type().Elem()))
		}
		v.Set(reflect.Append(v, element))
	}
}
