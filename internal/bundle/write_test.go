package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
)

// readDir reads a directory of the file system.
func readDir(t testing.TB, dir string) *Directory {
	t.Helper()
	fsys, done, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	d, err := Read(context.Background(), fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// writeUnsynced is Write without syncing, for many temporary directories.
func writeUnsynced(c *domain.Catalog, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	lists, last, err := directoryOf(c)
	if err != nil {
		return err
	}
	if err := lists(root); err != nil {
		return err
	}
	return writeFile(root, last.name, last.data)
}

// TestWriteReadRoundTrip checks that reading a written catalogue gives an equal one, for any
// texts.
func TestWriteReadRoundTrip(t *testing.T) {
	parent := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		dir := filepath.Join(parent, fmt.Sprint(n))
		want := catalogs().Draw(rt, "catalogue")
		if err := writeUnsynced(want, dir); err != nil {
			rt.Fatal(err)
		}
		d := readDir(t, dir)
		for _, p := range d.Problems {
			if shapes[p.Rule] {
				rt.Error(p)
			}
		}
		if diff := cmp.Diff(want, d.Catalog); diff != "" {
			rt.Errorf("catalogue (-want +got):\n%s", diff)
		}
	})
}

// shapes are the rules of reading; written catalogues never break them.
var shapes = map[domain.Rule]bool{
	domain.RuleMissingFile: true, domain.RuleUnknownFile: true, domain.RuleDuplicateFile: true,
	domain.RuleUnreadableFile: true, domain.RuleInvalidUTF8: true, domain.RuleSyntax: true,
	domain.RuleDuplicateField: true, domain.RuleUnknownField: true, domain.RuleWrongType: true,
	domain.RuleMalformedFigure: true,
}

var (
	slugs   = rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,6}`)
	locales = []string{"en", "zh-hans", "fr", "no"}
	link    = domain.Describe(domain.KindChain).Shape.Field("logo")
	// Words that YAML may interpret, and any other text.
	values = rapid.Custom(func(t *rapid.T) string {
		s := rapid.OneOf(
			rapid.SampledFrom([]string{"true", "No", "~", "null", "12", "0x1", "1e3", ".inf", "-", "- a", "a: b", "a #b", "#a", "&a", "*a", "!a", "%a", "@a", "`a`",
				"[a]", "{a}", "a,b", "'a'", `"a"`, `\n`, "a\nb", "a\r\nb", "a\tb", "2025-01-01", "<<", "?", "? a", "a\u0085b", "a\u2028b", "a\ufeffb", "日本 语", "😀", "a\\", "a:", ":a", "|", ">", "---", "...", "=", "a  b", "a - b", "e\u0301", "नमस्ते"}),
			rapid.StringN(1, 12, -1),
		).Draw(t, "value")
		if s = strings.TrimSpace(strings.ToValidUTF8(s, "")); s == "" {
			return "x"
		}
		line, _, _ := link.ReadLine(s, false)
		return line
	})
	figures = rapid.Custom(func(t *rapid.T) *domain.Figure {
		switch rapid.IntRange(0, 2).Draw(t, "form") {
		case 0:
			return nil
		case 1:
			return &domain.Figure{Value: rapid.Float64Range(0, 9e15).Draw(t, "value")}
		}
		return &domain.Figure{Value: rapid.Float64Range(0, 1e12).Draw(t, "value"), Source: slugs.Draw(t, "source"), AsOf: "2025-01-31"}
	})
	wholes = rapid.Custom(func(t *rapid.T) *domain.Figure {
		return &domain.Figure{Value: float64(rapid.Int64Range(0, domain.MaxNumber).Draw(t, "count"))}
	})
)

func texts(t *rapid.T, label string) domain.Text {
	var text domain.Text
	for _, l := range slices.Sorted(slices.Values(locales)) {
		if rapid.Bool().Draw(t, label+" in "+l) {
			text = append(text, domain.Translation{Locale: l, Value: values.Draw(t, label)})
		}
	}
	return text
}

func some[T any](t *rapid.T, label string, g *rapid.Generator[T]) []T {
	s := rapid.SliceOfN(g, 0, 3).Draw(t, label)
	if len(s) == 0 {
		return nil
	}
	return s
}

func maybe(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+"?") {
		return values.Draw(t, label)
	}
	return ""
}

func catalogs() *rapid.Generator[*domain.Catalog] {
	groups := rapid.Custom(func(t *rapid.T) domain.Group {
		return domain.Group{Key: slugs.Draw(t, "key"), Module: "chain", Name: texts(t, "name"), Priority: rapid.Float64Range(-9, 9).Draw(t, "priority") + 0}
	})
	categories := rapid.Custom(func(t *rapid.T) domain.Category {
		c := domain.Category{Key: slugs.Draw(t, "key"), Name: texts(t, "name"), Description: texts(t, "description"), Parent: maybe(t, "parent"),
			Scopes: []domain.Module{"chain", "item"}}
		c.Aliases, c.Former = some(t, "aliases", values), some(t, "former", slugs)
		if rapid.Bool().Draw(t, "grouped") {
			c.Groups = []domain.ModuleGroups{{Module: "item", Keys: some(t, "keys", slugs)}, {Module: "chain", Keys: some(t, "keys", slugs)}}
		}
		return c
	})
	chains := rapid.Custom(func(t *rapid.T) domain.Chain {
		return domain.Chain{Slug: slugs.Draw(t, "slug"), Name: texts(t, "name"), ChainID: values.Draw(t, "id"), ID: maybe(t, "id"), Logo: maybe(t, "logo"),
			Categories: some(t, "categories", slugs), TVL: figures.Draw(t, "tvl"), Platforms: wholes.Draw(t, "platforms"), Aliases: some(t, "aliases", values),
			Description: texts(t, "description"), Launched: dates.Draw(t, "launched"), Status: statuses.Draw(t, "status"), StatusSince: dates.Draw(t, "since"),
			StatusNote: texts(t, "note"), Successor: maybe(t, "successor"), Website: maybe(t, "website"), Links: some(t, "links", links), RPC: some(t, "rpc", endpoints),
			Currency: currencies.Draw(t, "currency"), Parent: maybe(t, "parent"), Former: some(t, "former", slugs), Extra: extras.Draw(t, "extra")}
	})
	apps := rapid.Custom(func(t *rapid.T) domain.App {
		return domain.App{Key: slugs.Draw(t, "key"), Title: texts(t, "title"), Description: texts(t, "description"), Link: values.Draw(t, "link"), Image: maybe(t, "image"),
			Categories: some(t, "categories", slugs), Chains: some(t, "chains", slugs), Platforms: some(t, "platforms", rapid.SampledFrom(domain.Platforms())),
			Aliases: some(t, "aliases", values), Launched: dates.Draw(t, "launched"), Status: statuses.Draw(t, "status"), StatusSince: dates.Draw(t, "since"), StatusNote: texts(t, "note"),
			Successor: maybe(t, "successor"), Links: some(t, "links", links), Former: some(t, "former", slugs), Extra: extras.Draw(t, "extra")}
	})
	accounts := rapid.Custom(func(t *rapid.T) *domain.Account {
		return &domain.Account{Handle: slugs.Draw(t, "handle"), Name: values.Draw(t, "name"), Description: texts(t, "description"),
			Categories: some(t, "categories", slugs), Followers: wholes.Draw(t, "followers"),
			Website: maybe(t, "website"), Links: some(t, "links", links), Extra: extras.Draw(t, "extra")}
	})
	channels := rapid.Custom(func(t *rapid.T) domain.Channel {
		return domain.Channel{ChannelID: values.Draw(t, "id"), Name: values.Draw(t, "name"), Description: texts(t, "description"), Categories: some(t, "categories", slugs),
			Website: maybe(t, "website"), Links: some(t, "links", links), Extra: extras.Draw(t, "extra")}
	})
	navGroups := rapid.Custom(func(t *rapid.T) domain.NavGroup {
		return domain.NavGroup{Key: values.Draw(t, "key"), Slug: values.Draw(t, "slug"), Name: texts(t, "name"), Description: texts(t, "description"), Menus: some(t, "menus", slugs), Former: some(t, "former", slugs)}
	})
	cards := rapid.Custom(func(t *rapid.T) domain.Card {
		return domain.Card{Title: texts(t, "title"), ID: maybe(t, "id"), Description: texts(t, "description"), Link: maybe(t, "link"), Image: maybe(t, "image"),
			App: maybe(t, "app"), Categories: some(t, "categories", slugs), Chains: some(t, "chains", slugs),
			Platforms: some(t, "platforms", rapid.SampledFrom(domain.Platforms())), Aliases: some(t, "aliases", values), Extra: extras.Draw(t, "extra")}
	})
	items := rapid.Custom(func(t *rapid.T) domain.Item {
		return domain.Item{Slug: slugs.Draw(t, "slug"), ID: maybe(t, "id"), Name: texts(t, "name"), Description: texts(t, "description"),
			Type: rapid.SampledFrom([]domain.ItemType{domain.ItemCategory, domain.ItemLink}).Draw(t, "type"), Cards: some(t, "cards", cards)}
	})
	accept := rapid.Custom(func(t *rapid.T) domain.Acceptance {
		return domain.Acceptance{Rule: rapid.SampledFrom(domain.AcceptableRules()).Draw(t, "rule"), Kind: domain.Kind(maybe(t, "kind")),
			Key: maybe(t, "key"), Locale: maybe(t, "locale"), Reason: maybe(t, "reason")}
	})
	menuGroups := rapid.Custom(func(t *rapid.T) domain.MenuGroup {
		return domain.MenuGroup{Slug: slugs.Draw(t, "slug"), ID: maybe(t, "id"), Name: texts(t, "name"), Items: some(t, "items", items)}
	})
	return rapid.Custom(func(t *rapid.T) *domain.Catalog {
		c := &domain.Catalog{
			Title: texts(t, "title"), DefaultLocale: "en", Locales: locales, LinkSchemes: some(t, "schemes", slugs), Accept: some(t, "accept", accept),
			Groups: some(t, "groups", groups), Categories: some(t, "categories", categories), Chains: some(t, "chains", chains),
			Accounts: some(t, "accounts", accounts), Channels: some(t, "channels", channels), NavGroups: some(t, "nav", navGroups),
			Apps: some(t, "apps", apps),
		}
		if demoted := some(t, "demote", slugs); demoted != nil {
			c.Search = &domain.SearchRules{Demote: demoted}
		}
		if evm, summary := some(t, "evm", slugs), some(t, "summary", slugs); len(evm)+len(summary) > 0 {
			c.Roles = &domain.Roles{EVM: evm, Summary: summary}
		}
		if days := rapid.IntRange(0, 400).Draw(t, "days"); days > 0 {
			older := rapid.SampledFrom([]domain.Older{"", domain.OlderMark}).Draw(t, "older")
			c.MaxAge = &domain.MaxAges{TVL: &domain.AgeLimit{Days: float64(days)}, Followers: &domain.AgeLimit{Days: 1, Older: older}}
		}
		for _, slug := range slices.Compact(slices.Sorted(slices.Values(some(t, "menus", slugs)))) {
			c.Menus = append(c.Menus, domain.Menu{PathSlug: slug, Title: texts(t, "title"), Description: texts(t, "description"), OGImage: maybe(t, "og"),
				BlogSlugs: some(t, "blog", values), Aliases: some(t, "aliases", values), Former: some(t, "former", slugs), Groups: some(t, "groups", menuGroups), Standalone: some(t, "standalone", items)})
		}
		return c
	})
}

// TestWriteOfAValidCatalogue checks that writing keeps a catalogue valid.
func TestWriteOfAValidCatalogue(t *testing.T) {
	want := read(t, base(t))
	dir := filepath.Join(t.TempDir(), "new")
	if err := Write(want.Catalog, dir); err != nil {
		t.Fatal(err)
	}
	got := readDir(t, dir)
	if diff := cmp.Diff(want.Catalog, got.Catalog); diff != "" {
		t.Errorf("catalogue (-want +got):\n%s", diff)
	}
	if len(got.Problems) > 0 {
		t.Errorf("problems: %v", got.Problems)
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(&domain.Catalog{}, dir); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("Write into a directory that is not empty: %v", err)
	}
	if err := Init(dir); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("Init of a directory that is not empty: %v", err)
	}
	if err := Write(&domain.Catalog{Menus: []domain.Menu{{PathSlug: "../../x"}}}, filepath.Join(dir, "new")); err == nil {
		t.Error("Write took a path slug that leads out of the directory")
	}
}

func TestWriteRecords(t *testing.T) {
	var got bytes.Buffer
	err := WriteRecords(&got, domain.Describe(domain.KindChain), &domain.Catalog{Chains: []domain.Chain{
		{Slug: "a", Name: domain.Text{{Locale: "en", Value: "A \"quoted\""}}, ChainID: "1", Categories: []string{"x"},
			TVL: &domain.Figure{Value: 1.5, Source: "s", AsOf: "2025-01-02"}},
		{Slug: "b", ChainID: "2", Platforms: &domain.Figure{Value: 3}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"slug":"a","name":{"en":"A \"quoted\""},"chain_id":"1","categories":["x"],"llama_tvl":{"value":1.5,"source":"s","as_of":"2025-01-02"}}
{"slug":"b","chain_id":"2","platforms":3}
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestInit checks that the starter catalogue has no problems, and that its files name existing
// schemas.
func TestInit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "catalogue")
	if err := Init(dir); err != nil {
		t.Fatal(err)
	}
	d := readDir(t, dir)
	if len(d.Problems) > 0 {
		t.Errorf("problems:\n%s", strings.Join(lines(d.Problems), "\n"))
	}
	if len(d.Catalog.Chains) == 0 || len(d.Catalog.Menus) == 0 || len(d.Catalog.Channels) == 0 {
		t.Errorf("a list is empty: %+v", d.Catalog)
	}
	for _, name := range []string{"catalog", "categories", "chains", "twitter", "youtube", "nav", "nav/start"} {
		file := filepath.Join(dir, filepath.FromSlash(name)+".yaml")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		path, ok := strings.CutPrefix(first, "# yaml-language-server: $schema=")
		if _, err := os.Stat(filepath.Join(filepath.Dir(file), filepath.FromSlash(path))); !ok || err != nil {
			t.Errorf("%s: %q: %v", name, first, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".vscode", "settings.json")); err != nil {
		t.Error(err)
	}
}
