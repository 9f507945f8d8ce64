package snapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	bundled "vitrine/catalog"
	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/locale"
	"vitrine/internal/query"
)

// TestEncodeWritesEveryField checks that the JSON form of a view has exactly the members of its
// tags, in order, with their values.
func TestEncodeWritesEveryField(t *testing.T) {
	for _, view := range allViews(t) {
		full, empty := reflect.New(view), reflect.New(view)
		fill(full.Elem())
		if got, want := string(Encode(full.Interface())), expected(full.Elem()); got != want {
			t.Errorf("%v with all fields\n%s", view, cmp.Diff(want, got))
		}
		if got, want := string(Encode(empty.Interface())), expected(empty.Elem()); got != want {
			t.Errorf("%v without fields\n%s", view, cmp.Diff(want, got))
		}
		var joined []string
		for _, m := range EncodeMembers(full.Interface()) {
			joined = append(joined, fmt.Sprintf("%q:%s", m.Name, m.Value))
		}
		if got, want := "{"+strings.Join(joined, ",")+"}", expected(full.Elem()); got != want {
			t.Errorf("members of %v\n%s", view, cmp.Diff(want, got))
		}
	}
}

// fill sets a value to a non-empty one.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("a \"b\" <c> \\ \u2028 太")
		if v.Type() == reflect.TypeFor[domain.JSON]() {
			v.SetString(`{"a":1.50}`)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(-12)
	case reflect.Float64:
		v.SetFloat(1e-7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

// expected returns the JSON form of a value by the rules of the tags, implemented naively.
func expected(v reflect.Value) string {
	switch {
	case v.Type() == reflect.TypeFor[domain.JSON]():
		return v.String()
	case v.Kind() == reflect.Pointer:
		return expected(v.Elem())
	case v.Kind() == reflect.Slice && strings.HasPrefix(v.Type().Name(), "Object["):
		var members []string
		for i := range v.Len() {
			members = append(members, expected(v.Index(i).Field(0))+":"+expected(v.Index(i).Field(1)))
		}
		return "{" + strings.Join(members, ",") + "}"
	case v.Kind() == reflect.Slice:
		var elements []string
		for i := range v.Len() {
			elements = append(elements, expected(v.Index(i)))
		}
		return "[" + strings.Join(elements, ",") + "]"
	case v.Kind() == reflect.Struct:
		return "{" + strings.Join(expectedMembers(v), ",") + "}"
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v.Interface()); err != nil {
		panic(err)
	}
	return strings.ReplaceAll(strings.TrimSpace(b.String()), `\u2028`, "\u2028")
}

func expectedMembers(v reflect.Value) []string {
	var members []string
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		empty := value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0
		switch {
		case name == "-":
		case field.Anonymous:
			members = append(members, expectedMembers(value)...)
		case option == "omitempty" && empty, option == "omitzero" && value.IsZero():
		case field.Tag.Get("encode") == "null" && empty:
			members = append(members, fmt.Sprintf("%q:null", name))
		default:
			members = append(members, fmt.Sprintf("%q:%s", name, expected(value)))
		}
	}
	return members
}

// TestBodiesAreEncodedViews checks that lists, details and search results have the values of the
// view of a record.
func TestBodiesAreEncodedViews(t *testing.T) {
	dir, err := bundle.Read(context.Background(), bundled.FS, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Compile(nil, dir.Catalog, Revision{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for id := range locale.ID(s.Locales().Len()) {
		in, list := id, query.List{Locale: id, Facets: true, Status: query.StatusAll}
		of := func(kind query.Kind) Result {
			list.Kind = kind
			return s.List(list)
		}
		samePage(t, "users", of(query.KindUser), Rows[AccountRow](s, list))
		samePage(t, "channels", of(query.KindChannel), Rows[ChannelRow](s, list))
		samePage(t, "chains", of(query.KindChain), Rows[ChainRow](s, list))
		samePage(t, "cards", of(query.KindCard), Rows[CardRow](s, list))
		samePage(t, "apps", of(query.KindApp), Rows[AppRow](s, list))
		for slug := range s.nav.menus {
			body, _ := s.Record(query.KindMenu, slug, in)
			same(t, "menu "+slug, body, Encode(s.MenuView(slug, in)))
		}
		for _, module := range append([]domain.Module{""}, domain.Modules()...) {
			q := query.Categories{Locale: id, Scope: module}
			same(t, "categories", s.Categories(q), []byte(`{"categories":`+string(Encode(s.CategoriesView(q)))+"}"))
			full := query.Categories{Scope: module, Full: true}
			same(t, "categories", s.Categories(full), []byte(`{"categories":`+string(Encode(s.FullCategoriesView(module)))+"}"))
		}
	}
}

func samePage[Row any](t *testing.T, name string, result Result, page Page[Row]) {
	t.Helper()
	body := fmt.Sprintf(`{%q:%s,"facets":%s}`, name, Encode(page.Rows), Encode(page.Facets))
	same(t, name, result.Body(), []byte(body))
	if result.Total != page.Total || len(page.Rows) != page.Total {
		t.Errorf("%s: totals %d and %d, %d rows", name, result.Total, page.Total, len(page.Rows))
	}
}

func same(t *testing.T, what string, body, view []byte) {
	t.Helper()
	if string(body) != string(view) {
		t.Errorf("%s: the body differs from the view (-body +view):\n%s", what, cmp.Diff(string(body), string(view)))
	}
}

// TestEveryFieldMakesRecordsDiffer checks that a record is compiled again if any field differs, a
// card also if its place or app differs.
func TestEveryFieldMakesRecordsDiffer(t *testing.T) {
	c := &compiler{catalog: &domain.Catalog{}}
	cards := c.cardSource()
	eachField(t, c.chainSource().withDefaults().equal, "Slug")
	eachField(t, c.accountSource().withDefaults().equal, "Handle")
	eachField(t, c.channelSource().withDefaults().equal, "ChannelID")
	eachField(t, c.appSource().withDefaults().equal, "Key")
	ofCard := func(a, b *domain.Card) bool { return cards.equal(&card{Card: a}, &card{Card: b}) }
	eachField(t, ofCard, "ID")
	for name, other := range map[string]card{
		"item": {item: "i"}, "menuRank": {menuRank: 1}, "position": {position: 1},
		"status": {status: domain.StatusRetired}, "links": {links: []domain.Link{{Type: "docs", URL: "https://example.org/"}}},
	} {
		other.Card = &domain.Card{}
		if cards.equal(&card{Card: other.Card}, &other) {
			t.Errorf("cards that differ only in %s are equal", name)
		}
	}
}

// eachField checks that records with one different field are not equal, for all fields except the
// key.
func eachField[R any](t *testing.T, equal func(a, b *R) bool, key string) {
	t.Helper()
	for i := range reflect.TypeFor[R]().NumField() {
		var a, b R
		if !equal(&a, &b) {
			t.Fatalf("two empty records of type %T differ", a)
		}
		name := reflect.TypeFor[R]().Field(i).Name
		fill(reflect.ValueOf(&b).Elem().Field(i))
		if name != key && equal(&a, &b) {
			t.Errorf("records of type %T that differ only in %s are equal", a, name)
		}
	}
}
