package snapshot

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

var update = flag.Bool("update", false, "write the properties that the OpenAPI document lacks")

// recordView is a view of records, with their description and its schema.
type recordView struct {
	view   reflect.Type
	shape  *domain.Shape
	schema string
}

// recordViews lists views. Kinds that it omits have schemas with the names of their views.
var recordViews = func() []recordView {
	all := namedViews
	for _, of := range listedKinds {
		whole := reflect.TypeOf(of.whole)
		if !slices.ContainsFunc(namedViews, func(v recordView) bool { return v.view == whole }) {
			row := whole.Field(0).Type
			all = append(all, recordView{row, of.Description.Shape, row.Name()}, recordView{whole, of.Description.Shape, whole.Name()})
		}
	}
	return all
}()

var namedViews = []recordView{
	{reflect.TypeFor[ChainRow](), domain.Describe(domain.KindChain).Shape, "ChainSlim"},
	{reflect.TypeFor[Chain](), domain.Describe(domain.KindChain).Shape, "ChainDetails"},
	{reflect.TypeFor[AccountRow](), domain.Describe(domain.KindAccount).Shape, "TwitterUser"},
	{reflect.TypeFor[Account](), domain.Describe(domain.KindAccount).Shape, "TwitterUserDetails"},
	{reflect.TypeFor[ChannelRow](), domain.Describe(domain.KindChannel).Shape, "YouTubeChannel"},
	{reflect.TypeFor[Channel](), domain.Describe(domain.KindChannel).Shape, "YouTubeChannelDetails"},
	{reflect.TypeFor[AppRow](), domain.Describe(domain.KindApp).Shape, "ListedApp"},
	{reflect.TypeFor[App](), domain.Describe(domain.KindApp).Shape, "AppDetails"},
	{reflect.TypeFor[MenuCard](), domain.CardShape(), "NavCard"},
	{reflect.TypeFor[CardRow](), domain.CardShape(), "ListedCard"},
}

// member is a member of a view.
type member struct {
	name     string
	of       reflect.Type
	optional bool
}

func (p plan) list(view reflect.Type) []member {
	var all []member
	for _, m := range p {
		all = append(all, member{m.name, view.FieldByIndex(m.field).Type, m.omit != nil})
	}
	return all
}

// fieldOf returns the field of a member, nil for none.
func fieldOf(s *domain.Shape, m member) *domain.Field {
	i := slices.IndexFunc(s.Fields, func(f *domain.Field) bool { return MemberName(f) == m.name })
	if i < 0 {
		return nil
	}
	return s.Fields[i]
}

// TestMemberNames checks that the names of members derive from those of fields. Pages of records
// depend on it.
func TestMemberNames(t *testing.T) {
	computed := []string{
		"children", "sameId", "figures", "menus", "twitterCategory", "youtubeCategory", "menu", "item",
		"id", "status", "links", // of cards: always present, and of their apps
	}
	for _, of := range recordViews {
		for _, m := range planOf(of.view).list(of.view) {
			if fieldOf(of.shape, m) == nil && !slices.Contains(computed, m.name) {
				t.Errorf("%v has a member %s, and no field of the record has this name", of.view, m.name)
			}
		}
	}
}

// TestValues checks that Values has the members of the JSON form.
func TestValues(t *testing.T) {
	for _, of := range recordViews {
		for _, isFull := range []bool{true, false} {
			view := reflect.New(of.view)
			if isFull {
				fill(view.Elem())
			}
			var names, values []string
			for _, m := range EncodeMembers(view.Interface()) {
				names = append(names, m.Name)
			}
			for _, m := range Values(view.Interface()) {
				values = append(values, m.Name)
			}
			if diff := cmp.Diff(names, values); diff != "" {
				t.Errorf("%v (-JSON +values)\n%s", of.view, diff)
			}
		}
	}
}

// TestDocumentHasMembers checks that the OpenAPI document has a property for each member with the
// value of a field, except for fields of parts. With -update, it adds the missing ones with the
// texts of the descriptions, which may be edited.
func TestDocumentHasMembers(t *testing.T) {
	const path = "../../api/openapi.yaml"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for _, of := range recordViews {
		after := "      properties:"
		if blockOf(lines, of.schema, after).first < 0 {
			t.Fatalf("openapi.yaml has no schema %s with a line `properties:`; add it, without properties, for %v", of.schema, of.view)
		}
		for _, m := range planOf(of.view).list(of.view) {
			key := "        " + m.name + ":"
			if f := fieldOf(of.shape, m); f != nil && f.Parts == nil && blockOf(lines, of.schema, key).first < 0 {
				lines = addProperty(lines, of.schema, after, m, property(f, m))
			}
			if blockOf(lines, of.schema, key).first >= 0 {
				after = key
			}
		}
	}
	if want := strings.Join(lines, "\n"); *update {
		err = os.WriteFile(path, []byte(want), 0o644)
	} else if diff := cmp.Diff(string(data), want); diff != "" {
		t.Errorf("the document lacks members; go test ./internal/snapshot -run TestDocumentHasMembers -update adds them:\n%s", diff)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// addProperty adds a property to a schema, below the block of another key.
func addProperty(lines []string, schema, after string, m member, text string) []string {
	at := blockOf(lines, schema, after)
	line := at.end
	if after == "      properties:" {
		line = at.first + 1
	}
	lines = slices.Insert(lines, line, "        "+m.name+": "+text)
	if required := blockOf(lines, schema, "      required:").first; !m.optional && required >= 0 {
		before := strings.TrimSuffix(lines[required], "]")
		if !strings.HasSuffix(before, "[") {
			before += ", "
		}
		lines[required] = before + m.name + "]"
	}
	return lines
}

// block is the lines from first to before end.
type block struct{ first, end int }

// blockOf returns the line with a key of a schema, and the lines below it that are indented
// more; first is -1 if the schema has no such key.
func blockOf(lines []string, schema, key string) block {
	first := slices.Index(lines, "    "+schema+":")
	for i := first + 1; first >= 0 && i < len(lines) && strings.HasPrefix(lines[i], "      "); i++ {
		if !strings.HasPrefix(lines[i], key) {
			continue
		}
		end, deeper := i+1, key[:len(key)-len(strings.TrimLeft(key, " "))]+" "
		for end < len(lines) && strings.HasPrefix(lines[end], deeper) {
			end++
		}
		return block{i, end}
	}
	return block{-1, -1}
}

// property returns the schema of a member in one line.
func property(f *domain.Field, m member) string {
	line := "type: string, minLength: 1"
	switch {
	case f.Refers != "":
		line = "$ref: '#/components/schemas/Slug'"
	case f.Form != nil && f.Form.Values() != nil:
		line = "type: string, enum: [" + strings.Join(f.Form.Values(), ", ") + "]"
	case f.Type == domain.TypeDate:
		line = "type: string, format: date"
	}
	kind := line
	switch m.of.Kind() {
	case reflect.Slice:
		kind = "type: array, items: { " + line + " }"
		if m.optional {
			kind = "type: array, minItems: 1, items: { " + line + " }"
		}
	case reflect.Pointer, reflect.Float64:
		kind = "type: number, format: double"
		if f.Count {
			kind = "type: integer, format: int64"
		}
		if f.Type == domain.TypeFigure {
			kind += ", minimum: 0"
		}
	}
	return fmt.Sprintf("{ %s, description: '%s.' }", kind, strings.ReplaceAll(f.About, "'", "''"))
}
