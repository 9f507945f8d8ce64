package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
)

// directoryWith returns a new directory with files and a catalog.yaml.
func directoryWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("catalog.yaml", "title: Shop\ndefault_locale: en\nlocales: [en, ja]\n")
	for name, text := range files {
		write(name, text)
	}
	return dir
}

func catalogIn(t *testing.T, dir string) *Directory {
	t.Helper()
	fsys, closeDir, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeDir()
	d, err := Read(t.Context(), fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func set(pairs ...string) (values [][2]string) {
	for i := 0; i < len(pairs); i += 2 {
		values = append(values, [2]string{pairs[i], pairs[i+1]})
	}
	return values
}

const optionalOfNav = "# Optional: slug, description, menus, former\n"

// optionalOfChains is the comment on the optional fields of a chain, in one line.
func optionalOfChains() string {
	var names []string
	for _, f := range domain.Describe(domain.KindChain).Shape.Fields {
		if !slices.Contains([]string{"slug", "name", "chain_id"}, f.Name) {
			names = append(names, f.Name)
		}
	}
	return "# Optional: " + strings.Join(names, ", ") + "\n"
}

// wrapped matches the place where a comment continues in the next line.
var wrapped = regexp.MustCompile(`,\r?\n *# `)

func indented(text, margin string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(margin + line)
	}
	return b.String()
}

func TestAdd(t *testing.T) {
	chain := Addition{Kind: domain.KindChain, Key: "new", Values: set("name", "New: one", "chain_id", "7")}
	added := "- slug: new\n  name: \"New: one\"\n  chain_id: \"7\"\n" + indented(optionalOfChains(), "  ")
	group := Addition{Kind: domain.KindNavGroup, Key: "new", Values: set("name.ja", "新", "name.en", "New")}
	navGroup := "- key: new\n  name:\n    en: New\n    ja: 新\n" + indented(optionalOfNav, "  ")
	for _, tt := range []struct {
		name         string
		files        map[string]string
		add          Addition
		file         string
		before, want string
		from         int
	}{
		{"no file", nil, chain, "chains.yaml", "", added, 1},
		{"a file of comments", nil, chain, "chains.yaml", "# Chains\n", "# Chains\n" + added, 2},
		{"a list", nil, chain, "chains.yaml", "# Chains\n- {slug: a, name: A, chain_id: 1}\n", "# Chains\n- {slug: a, name: A, chain_id: 1}\n" + added, 3},
		{"a list whose last line does not end", nil, chain, "chains.yaml", "- slug: a\n  name: A", "- slug: a\n  name: A\n" + added, 3},
		{"records apart, and comments", nil, chain, "chains.yaml",
			"- slug: a\n  name: A\n\n# B is\n# next\n- slug: b\n  description: |\n    - not\n    # a record\n  name: B\n  # logo: none\n\n# The end\n",
			"- slug: a\n  name: A\n\n# B is\n# next\n- slug: b\n  description: |\n    - not\n    # a record\n  name: B\n  # logo: none\n\n" + added + "\n# The end\n", 13},
		{"a list by name", nil, chain, "chains.yaml", "chains:\n- slug: a\n", "chains:\n- slug: a\n" + added, 3},
		{"an empty list by name", nil, chain, "chains.yaml", "chains: # none\n", "chains: # none\n" + indented(added, "  "), 2},
		{"line ends of Windows", nil, chain, "chains.yaml", "- slug: a\r\n", strings.ReplaceAll("- slug: a\n"+added, "\n", "\r\n"), 2},
		{"NDJSON", nil, Addition{Kind: domain.KindChain, Key: "new", Values: set("aliases", "x, y")}, "chains.ndjson", `{"slug":"a"}`,
			"{\"slug\":\"a\"}\n" + `{"slug":"new","name":null,"chain_id":null,"aliases":["x","y"]}` + "\n", 2},
		{"a file of its own", map[string]string{"chains.yaml": "- {slug: a}\n"},
			Addition{Kind: domain.KindChain, Key: "new", File: "chains/new.yaml", Values: chain.Values}, "chains/new.yaml", "", added, 1},
		{"one of several files", map[string]string{"chains.yaml": "- {slug: a}\n"},
			Addition{Kind: domain.KindChain, Key: "new", File: "chains/b.yaml", Values: chain.Values}, "chains/b.yaml", "- {slug: b}\n", "- {slug: b}\n" + added, 2},
		{"a menu", map[string]string{"nav/a.yaml": "# yaml-language-server: $schema=../menu.json\ntitle: A\n"},
			Addition{Kind: domain.KindMenu, Key: "new"}, "nav/new.yaml", "",
			"# yaml-language-server: $schema=../menu.json\ntitle: # Write as a text: Title of the menu. Example: \"Wallets\"\n" +
				"# Optional: description, og_image, blog_slugs, aliases, former, groups, standalone\n", 1},
		{"the first list of a kind", map[string]string{"catalog.yaml": "# yaml-language-server: $schema=.vitrine/schema/catalog.json\ntitle: Shop\ndefault_locale: en\nlocales: [en, ja]\n"},
			chain, "chains.yaml", "", "# yaml-language-server: $schema=.vitrine/schema/chains.json\n" + added, 2},
		{"the first of two lists", nil, Addition{Kind: domain.KindGroup, Key: "g", Values: set("module", "chain", "name", "G", "priority", "2")}, "categories.yaml",
			"groups:\n  - {key: a, module: chain, name: A}\n\ncategories:\n  - {key: b}\n",
			"groups:\n  - {key: a, module: chain, name: A}\n  - key: g\n    module: chain\n    name: G\n    priority: 2\n\ncategories:\n  - {key: b}\n", 3},
		{"a group of a module", nil, Addition{Kind: domain.KindGroup, Key: "chain/g", Values: set("name", "G")}, "categories.yaml",
			"", "groups:\n  - key: g\n    module: chain\n    name: G\n    # Optional: priority\n", 2},
		{"nav groups keep their order", nil, group, "nav.yaml", "groups:\n  - {key: b, name: B}\n  - {key: a, name: A}\n",
			"groups:\n  - {key: b, name: B}\n  - {key: a, name: A}\n" + indented(navGroup, "  "), 4},
		{"a list that is missing", nil, group, "nav.yaml", "", "groups:\n" + indented(navGroup, "  "), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := directoryWith(t, tt.files)
			path := filepath.Join(dir, filepath.FromSlash(tt.file))
			if tt.before != "" {
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(tt.before), 0o640)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := Add(t.Context(), dir, catalogIn(t, dir).Catalog, tt.add)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, wrapped.ReplaceAllString(string(text), ", ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.file, diff)
			}
			if got.File != tt.file || got.From != tt.from || got.To < got.From {
				t.Errorf("added at %s, lines %d to %d, want line %d of %s", got.File, got.From, got.To, tt.from, tt.file)
			}
			if _, err := Add(t.Context(), dir, catalogIn(t, dir).Catalog, tt.add); !errors.Is(err, ErrExists) {
				t.Errorf("the same record again: %v", err)
			}
		})
	}
}

// TestAddEveryKind: the only problems of a new record are values that are missing, and that nothing
// refers to it.
func TestAddEveryKind(t *testing.T) {
	for _, d := range domain.Descriptions() {
		if d.KeyField == nil || d.Raw {
			continue
		}
		dir := directoryWith(t, nil)
		got, err := Add(t.Context(), dir, catalogIn(t, dir).Catalog, Addition{Kind: d.Kind, Key: "new"})
		if err != nil {
			t.Errorf("%s: %v", d.Kind, err)
			continue
		}
		missing := 0
		for _, p := range catalogIn(t, dir).Problems {
			switch p.Rule {
			case domain.RuleMissingField:
				missing++
			case domain.RuleUnlistedMenu, domain.RuleHeldBack:
			default:
				t.Errorf("%s: %s", d.Kind, p)
			}
		}
		if missing == 0 || missing > len(got.Remaining) {
			t.Errorf("%s: %d missing fields, told %q", d.Kind, missing, got.Remaining)
		}
	}
}

func TestAddRefuses(t *testing.T) {
	files := map[string]string{
		"chains.yaml": "- {slug: a}\n", "chains/b.ndjson": `{"slug":"b"}` + "\n", "apps.json": `[]`,
		"nav.yaml": "groups: [{key: a, name: A}]\n", "twitter.yaml": "- {handle: Ann, name: [}\n", "youtube.yaml": "[]\n",
	}
	for _, tt := range []struct {
		add  Addition
		want string
	}{
		{Addition{Kind: domain.KindCatalog}, "a catalogue has one record of the kind catalog"},
		{Addition{Kind: domain.KindChain, Key: "c"}, "chains are in several files; name one of them with --file: chains.yaml, chains/b.ndjson"},
		{Addition{Kind: domain.KindChain, Key: "b", File: "chains.yaml"}, "chain b: this record exists already; edit it"},
		{Addition{Kind: domain.KindChain, Key: "c", File: "apps.yaml"}, "apps.yaml cannot have chains; name chains.yaml"},
		{Addition{Kind: domain.KindChain, Key: "c", File: "chains/../../c.yaml"}, "cannot have chains"},
		{Addition{Kind: domain.KindChain, Key: "c", File: "chains.yaml", Values: set("nam", "x")}, `a chain has no field "nam"; did you mean "name"?`},
		{Addition{Kind: domain.KindChain, Key: "c", File: "chains.yaml", Values: set("name", "x", "platforms", "many")}, `platforms: a number is expected here, not text ("many")`},
		{Addition{Kind: domain.KindChain, Key: "c", File: "chains.yaml", Values: set("slug", "d")}, "slug"},
		{Addition{Kind: domain.KindApp, Key: "c"}, "apps.json: its list cannot be extended"},
		{Addition{Kind: domain.KindGroup, Key: "chain/c", Values: set("module", "item")}, "module"},
		{Addition{Kind: domain.KindGroup, Key: "chain/c/d"}, `key "c/d" is not well-formed`},
		{Addition{Kind: domain.KindNavGroup, Key: "c"}, "nav.yaml: its list cannot be extended"},
		{Addition{Kind: domain.KindChannel, Key: "c"}, "youtube.yaml: its list cannot be extended"},
		{Addition{Kind: domain.KindAccount, Key: "c"}, "twitter.yaml: "},
		{Addition{Kind: domain.KindMenu, Key: "../c"}, `path_slug "../c" is not well-formed; write "c"`},
		{Addition{Kind: domain.KindMenu, Key: "c", File: "nav/d.yaml"}, "the file of menu c is nav/c.yaml"},
	} {
		dir := directoryWith(t, files)
		_, err := Add(t.Context(), dir, catalogIn(t, dir).Catalog, tt.add)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.add, err, tt.want)
		}
		for name, text := range files {
			if now, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(now) != text {
				t.Errorf("%+v: %s is %q, %v", tt.add, name, now, err)
			}
		}
	}
}
