package publish_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// These tests check that no field is lost between a file, a row, differences, merged layers, an
// export and back. They find the fields of each kind by reflection, so new fields are included,
// and the first step that loses a field fails with its name.

// full returns a catalogue with a distinct value in every field and two elements in every list.
func full() *domain.Catalog {
	c := new(domain.Catalog)
	fill(reflect.ValueOf(c).Elem(), "c")
	for i := range c.Assets {
		c.Assets[i].File += ".svg" // the ending is the format
	}
	return c
}

// fill sets a value and everything below it. Texts have two locales, so they are written as maps.
func fill(v reflect.Value, name string) {
	switch v.Interface().(type) {
	case domain.Text:
		v.Set(reflect.ValueOf(domain.Text{{Locale: "en", Value: name + "-en"}, {Locale: "fr", Value: name + "-fr"}}))
		return
	case domain.Date:
		v.SetString("2025-01-02")
		return
	case domain.JSON:
		v.SetString(`{"b":1.0,"a":[null]}`)
		return
	case domain.Reached: // observed, never written
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(name)
	case reflect.Float64:
		v.SetFloat(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), fmt.Sprintf("%s-%d", name, i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), fmt.Sprintf("%s-%d", name, i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), name+"-"+strings.ToLower(v.Type().Field(i).Name))
		}
	default:
		panic("this test does not know how to fill a " + v.Type().String())
	}
}

// leaves calls f with each leaf value below v.
func leaves(v reflect.Value, name string, f func(name string, leaf reflect.Value)) {
	if v.Type() == reflect.TypeFor[domain.Reached]() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		leaves(v.Elem(), name, f)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), name+"."+v.Type().Field(i).Name, f)
		}
	default:
		f(name, v)
	}
}

// change changes the value of a leaf and keeps its form.
func change(leaf reflect.Value) {
	switch {
	case leaf.Kind() == reflect.Float64:
		leaf.SetFloat(leaf.Float() + 1)
	case leaf.Type() == reflect.TypeFor[domain.Date]():
		leaf.SetString("2025-01-03")
	case leaf.Type() == reflect.TypeFor[domain.JSON]():
		leaf.SetString(`{"b":1,"a":[null]}`)
	default:
		leaf.SetString(leaf.String() + "-changed")
	}
}

func TestNoFieldIsLost(t *testing.T) {
	want := full()
	for step, through := range map[string]func(*testing.T, *domain.Catalog) *domain.Catalog{
		"a directory": throughDirectory, "rows": throughRows, "a last good file": throughLastGood,
		"merging":                func(_ *testing.T, c *domain.Catalog) *domain.Catalog { return domain.Merge(c, nil) },
		"a directory, then rows": func(t *testing.T, c *domain.Catalog) *domain.Catalog { return throughRows(t, throughDirectory(t, c)) },
	} {
		if diff := cmp.Diff(want, through(t, want)); diff != "" {
			t.Errorf("%s loses a field (-before +after):\n%s", step, diff)
		}
	}
}

func TestEveryFieldMakesADifference(t *testing.T) {
	fields := 0
	leaves(reflect.ValueOf(full()).Elem(), "Catalog", func(name string, _ reflect.Value) {
		if strings.Contains(name, "[1]") { // the same fields as in the first element
			return
		}
		fields++
		before, after := full(), full()
		leaves(reflect.ValueOf(after).Elem(), "Catalog", func(other string, leaf reflect.Value) {
			if other == name {
				change(leaf)
			}
		})
		if domain.Diff(before, after) == nil {
			t.Errorf("Diff does not see %s", name)
		}
		if kept := throughRows(t, after); !reflect.DeepEqual(after, kept) && !strings.Contains(name, "PathSlug") {
			t.Errorf("%s is lost when it changes (-before +after):\n%s", name, cmp.Diff(after, kept))
		}
		for i, d := range domain.Descriptions() {
			for n := range min(d.Size(before), d.Size(after)) {
				old, new := d.Record(before, n), d.Record(after, n)
				// Catalogues as a whole differ in their lists, which are not fields.
				same := reflect.DeepEqual(old, new) || d.Kind == domain.KindCatalog && sameOwn(before, after)
				if d.Shape.Equal(old, new) != same {
					t.Errorf("%s: Equal of two %s is %t", name, domain.Kinds()[i], !same)
				}
				if !same && d.Key(old) == d.Key(new) {
					since(t, name, d.Kind, old, new)
				}
			}
		}
	})
	if fields < 100 {
		t.Errorf("found only %d fields", fields)
	}
}

// sameOwn reports whether two catalogues have the same fields of their own.
func sameOwn(a, b *domain.Catalog) bool {
	own := domain.Describe(domain.KindCatalog)
	x, y := new(domain.Catalog), new(domain.Catalog)
	own.Take(x, a)
	own.Take(y, b)
	return reflect.DeepEqual(x, y)
}

// since checks that the changes of a record show since when a value applies.
func since(t *testing.T, name string, kind domain.Kind, old, new any) {
	for _, v := range domain.Describe(kind).Since([]any{old, new}) {
		if v.Version == 1 {
			return
		}
	}
	t.Errorf("%s: no change has this value", name)
}

func throughDirectory(t *testing.T, c *domain.Catalog) *domain.Catalog {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "catalogue")
	if err := bundle.Write(c, dir); err != nil {
		t.Fatal(err)
	}
	fsys, closing, err := bundle.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closing()
	read, err := bundle.Read(context.Background(), fsys, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return read.Catalog
}

func stateOf(t *testing.T, c *domain.Catalog) *store.State {
	t.Helper()
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	state, err := store.NewState(store.Revision{Number: 1}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func throughRows(t *testing.T, c *domain.Catalog) *domain.Catalog {
	t.Helper()
	return stateOf(t, c).Editors()
}

func throughLastGood(t *testing.T, c *domain.Catalog) *domain.Catalog {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it.last-good")
	if err := store.WriteLastGood(path, store.LastGood{State: stateOf(t, c)}); err != nil {
		t.Fatal(err)
	}
	l, err := store.ReadLastGood(path)
	if err != nil {
		t.Fatal(err)
	}
	return l.State.Editors()
}
