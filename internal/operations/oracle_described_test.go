package operations_test

// Members that the oracle's structs lack: those of fields that were added later and have no rules
// of their own. The oracle derives them from the descriptions of fields, in the order of the
// document.

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	openapi "vitrine/api"
	"vitrine/internal/domain"
)

// describedView is a struct of the oracle for the schema of a record.
type describedView struct {
	at     string // the name of a list, or the path above a record
	schema string
	view   reflect.Type
	kind   domain.Kind
	key    string // the member that names the record
}

var describedViews = []describedView{
	{"chains", "ChainSlim", reflect.TypeFor[chainSlim](), domain.KindChain, "slug"},
	{"chains/", "ChainDetails", reflect.TypeFor[wholeChain](), domain.KindChain, "slug"},
	{"users", "TwitterUser", reflect.TypeFor[twitterUser](), domain.KindAccount, "handle"},
	{"twitter/users/", "TwitterUserDetails", reflect.TypeFor[wholeUser](), domain.KindAccount, "handle"},
	{"channels", "YouTubeChannel", reflect.TypeFor[youTubeChannel](), domain.KindChannel, "channelId"},
	{"youtube/channels/", "YouTubeChannelDetails", reflect.TypeFor[wholeChannel](), domain.KindChannel, "channelId"},
	{"apps", "ListedApp", reflect.TypeFor[listedApp](), domain.KindApp, "key"},
	{"apps/", "AppDetails", reflect.TypeFor[wholeApp](), domain.KindApp, "key"},
}

// describedMembers has the properties of a schema in their order, and the fields of those that
// the struct lacks.
type describedMembers struct {
	describedView
	order  []string
	fields map[string]*domain.Field
}

// described returns the members of the schemas of records, less those without new fields.
var described = sync.OnceValue(func() []describedMembers {
	var all []describedMembers
	for _, of := range describedViews {
		m := describedMembers{of, propertiesOf(of.schema), map[string]*domain.Field{}}
		known := jsonNames(of.view)
		for _, property := range m.order {
			if !slices.Contains(known, property) {
				m.fields[property] = fieldNamed(of.kind, property)
			}
		}
		if len(m.fields) > 0 {
			all = append(all, m)
		}
	}
	return all
})

// fieldNamed returns the field of a member.
func fieldNamed(kind domain.Kind, member string) *domain.Field {
	for _, f := range domain.Describe(kind).Shape.Fields {
		if strings.EqualFold(strings.ReplaceAll(f.Name, "_", ""), strings.ReplaceAll(member, "_", "")) {
			return f
		}
	}
	panic("the oracle does not know what " + member + " of the schema is: no field has this name")
}

// propertiesOf returns the names of the properties of a schema in their order. It panics for a schema
// that the document does not have.
func propertiesOf(schema string) []string {
	names, ok := propertiesBySchema()[schema]
	if !ok {
		panic("openapi.yaml has no schema " + schema)
	}
	return names
}

var propertiesBySchema = sync.OnceValue(func() map[string][]string {
	var document struct {
		Components struct {
			Schemas map[string]struct{ Properties yaml.Node }
		}
	}
	if err := yaml.Load(openapi.YAML, &document); err != nil {
		panic(err)
	}
	all := map[string][]string{}
	for schema, of := range document.Components.Schemas {
		all[schema] = nil
		for i, node := range of.Properties.Content {
			if i%2 == 0 {
				all[schema] = append(all[schema], node.Value)
			}
		}
	}
	return all
})

// jsonNames returns the names of the members of a struct.
func jsonNames(view reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(view) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// whole returns a record with the members of its struct and the derived ones.
func (o oracle) whole(at string, view any, locale string) any {
	all := described()
	i := slices.IndexFunc(all, func(m describedMembers) bool { return m.at == at })
	if i < 0 {
		return view
	}
	m, values := all[i], map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(encode(view)), &values); err != nil {
		panic(err) // the oracle wrote it
	}
	record := o.recordOf(m.describedView, values)
	var out members
	for _, property := range m.order {
		if f := m.fields[property]; f != nil && !f.IsEmpty(record) {
			out = append(out, member{property, o.valueOf(f, record, locale)})
		} else if value, ok := values[property]; ok {
			out = append(out, member{property, value})
		}
	}
	return out
}

// recordOf returns the record with the given members.
func (o oracle) recordOf(of describedView, values map[string]json.RawMessage) any {
	d := domain.Describe(of.kind)
	for i := range d.Size(o.catalog) {
		if record := d.Record(o.catalog, i); encode(d.Key(record)) == string(values[of.key]) {
			return record
		}
	}
	panic("there is no record of " + string(values[of.key]))
}

// valueOf returns the JSON value of a field.
func (o oracle) valueOf(f *domain.Field, record any, locale string) any {
	switch f.Type {
	case domain.TypeText:
		return inLocale(o.catalog, *f.Text(record), locale)
	case domain.TypeLines:
		return f.Lines(record)
	case domain.TypeNumber:
		return *f.Number(record)
	case domain.TypeFigure:
		return (*f.Figure(record)).Value
	case domain.TypeJSON:
		return json.RawMessage(*f.Line(record))
	case domain.TypePart, domain.TypeParts, domain.TypeKeyed, domain.TypeTable:
		panic("the oracle needs a member for " + f.Name + ", which consists of parts")
	}
	return *f.Line(record)
}

// random returns a source of values of fields.
func (g generator) random(c *domain.Catalog) *domain.Random {
	others := slices.DeleteFunc(slices.Clone(c.Locales), func(name string) bool { return name == c.DefaultLocale })
	r := &domain.Random{Int: g.IntN, Locales: append([]string{c.DefaultLocale}, others...)}
	r.Key = func(kind domain.Kind, scope domain.Module) string {
		if scope != "" {
			return append(g.categories(c, scope), "")[0]
		}
		d := domain.Describe(kind)
		return d.Key(d.Record(c, g.IntN(d.Size(c))))
	}
	return r
}

// describe sets new fields of records to random values.
func (g generator) describe(c *domain.Catalog) {
	r := g.random(c)
	for _, m := range described() {
		d := domain.Describe(m.kind)
		for i := range d.Size(c) {
			for _, property := range m.order {
				if f := m.fields[property]; f != nil && strings.HasSuffix(m.at, "/") {
					r.Redraw(d.Shape, f, d.Record(c, i))
				}
			}
		}
	}
}

// TestDescribedMembers checks that the properties of schemas have the order of the served
// members, and that the oracle derives the members that a struct lacks.
func TestDescribedMembers(t *testing.T) {
	for _, of := range describedViews {
		known := slices.DeleteFunc(propertiesOf(of.schema), func(name string) bool { return !slices.Contains(jsonNames(of.view), name) })
		want := slices.DeleteFunc(jsonNames(of.view), func(name string) bool { return !slices.Contains(known, name) })
		if diff := cmp.Diff(want, known); diff != "" {
			t.Errorf("%s (-struct +schema):\n%s", of.schema, diff)
		}
	}
	o := oracle{catalog: smallCatalog()}
	chain := o.catalog.Chains[0]
	fields := map[string]*domain.Field{}
	for _, name := range []string{"description", "launched", "aliases", "llama_tvl", "extra"} {
		fields[name] = domain.Describe(domain.KindChain).Shape.Field(name)
	}
	for name, want := range map[string]string{
		"description": `"开始的地方"`, "launched": `"2015-07-30"`, "aliases": `["eth"]`, "llama_tvl": `93518925875.6537`, "extra": encode(json.RawMessage(smallExtra)),
	} {
		if got := encode(o.valueOf(fields[name], &chain, "zh-hans")); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
