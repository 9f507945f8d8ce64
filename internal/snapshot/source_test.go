package snapshot

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/query"
)

// TestSourcesAreTheParameters compares the sources with the parameters of package query in both
// directions: each list has an order for each value of sort, and a filter for each filtering
// parameter.
func TestSourcesAreTheParameters(t *testing.T) {
	type list struct{ Orders, Filters []string }
	s, err := Compile(nil, &domain.Catalog{DefaultLocale: "en", Locales: []string{"en"}}, Revision{})
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[query.Kind]list{}, map[query.Kind]list{}
	for _, kind := range append(query.Kinds(), s.ListKinds()...) {
		parameters := query.ListParameters(kind)
		if parameters == nil {
			continue
		}
		var l list
		for _, p := range parameters {
			if p.Filter {
				l.Filters = append(l.Filters, p.Name)
			}
		}
		sort := parameters.Find("sort")
		l.Orders = slices.DeleteFunc(slices.Clone(sort.Allowed), func(s string) bool { return s == string(query.SortRelevance) })
		if sort.Default == "" { // the only order, which has no name
			l.Orders = append(l.Orders, "")
		}
		slices.Sort(l.Orders)
		slices.Sort(l.Filters)
		want[kind] = l
	}
	for kind, of := range s.lists {
		fields := reflect.ValueOf(of).Elem()
		got[kind] = list{keysOf(fields.FieldByName("orders")), keysOf(fields.FieldByName("values"))}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lists (-parameters +sources):\n%s", diff)
	}
}

// keysOf returns the keys of a map, sorted.
func keysOf(m reflect.Value) []string {
	var keys []string
	for _, key := range m.MapKeys() {
		keys = append(keys, key.String())
	}
	slices.Sort(keys)
	return keys
}
