package store_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/catalog"
	"vitrine/internal/store"
)

func TestEveryCatalogueSurvivesItsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyCatalog().Draw(t, "catalogue")
		got, err := rebuild(want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("a catalogue of its rows (-want +got):\n%s", diff)
		}
	})
}

func rebuild(c *catalog.Catalog) (*catalog.Catalog, error) {
	var b store.Builder
	for row, err := range store.Rows(c) {
		if err != nil {
			return nil, err
		}
		if err := b.Add(row); err != nil {
			return nil, err
		}
	}
	return b.Catalog()
}

func TestEmptyListsComeBackNil(t *testing.T) {
	c := &catalog.Catalog{
		Title:   catalog.Text{},
		Locales: []string{},
		Chains:  []catalog.Chain{{Slug: "a", Categories: []string{}, Aliases: []string{}}},
		Menus:   []catalog.Menu{},
	}
	got, err := rebuild(c)
	if err != nil {
		t.Fatal(err)
	}
	want := &catalog.Catalog{Chains: []catalog.Chain{{Slug: "a"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRowsAreInOrderAndNamed(t *testing.T) {
	c := &catalog.Catalog{
		Groups:     []catalog.Group{{Key: "kind", Module: catalog.ModuleChain}, {Key: "kind", Module: catalog.ModuleItem}},
		Categories: []catalog.Category{{Key: "l2"}},
		Chains:     []catalog.Chain{{Slug: "base"}, {Slug: "arbitrum-one"}},
		Accounts:   []catalog.Account{{Handle: "OpenAI"}},
		Channels:   []catalog.Channel{{ChannelID: "UCx_Y"}},
		NavGroups:  []catalog.NavGroup{{Key: "tools"}},
		Menus:      []catalog.Menu{{PathSlug: "start"}},
	}
	type name struct {
		Kind     catalog.Kind
		Key      string
		Position int
	}
	var got []name
	for row, err := range store.Rows(c) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name{row.Kind, row.Key, row.Position})
	}
	want := []name{
		{catalog.KindCatalog, "catalog", 0},
		{catalog.KindGroup, "chain/kind", 0}, {catalog.KindGroup, "item/kind", 1},
		{catalog.KindCategory, "l2", 0},
		{catalog.KindChain, "base", 0}, {catalog.KindChain, "arbitrum-one", 1},
		{catalog.KindAccount, "openai", 0},
		{catalog.KindChannel, "UCx_Y", 0},
		{catalog.KindNavGroup, "tools", 0},
		{catalog.KindMenu, "start", 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The body is what migrations have to live with: a change of it must be meant.
func TestBodyIsStable(t *testing.T) {
	c := &catalog.Catalog{
		DefaultLocale: "en",
		Chains: []catalog.Chain{{
			Slug: "base", Name: catalog.Text{{Locale: "en", Value: "Base <&>"}, {Locale: "zh-hans", Value: "基础"}},
			ChainID: "8453", Categories: []string{"l2"},
			TVL:       &catalog.Figure{Value: 0, Source: "defillama", AsOf: "2025-08-17"},
			Platforms: &catalog.Figure{Value: 1.5e21},
		}},
	}
	var got []string
	for row, err := range store.Rows(c) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(row.Body))
	}
	want := []string{
		`{"default_locale":"en"}`,
		`{"slug":"base","name":[["en","Base <&>"],["zh-hans","基础"]],"chain_id":"8453","categories":["l2"],` +
			`"llama_tvl":{"value":0,"source":"defillama","as_of":"2025-08-17"},"platforms":{"value":1.5e+21}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRowsRefuseWhatJSONCannotHold(t *testing.T) {
	for name, c := range map[string]*catalog.Catalog{
		"a text that is not UTF-8": {Accounts: []catalog.Account{{Handle: "a", Name: "\xff"}}},
		"a number that is none":    {Groups: []catalog.Group{{Key: "a", Priority: math.NaN()}}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := rebuild(c); err == nil || !strings.HasPrefix(err.Error(), "encode ") {
				t.Errorf("error %v, want one of encoding", err)
			}
		})
	}
}

func TestRowsStopWhenTold(t *testing.T) {
	c := &catalog.Catalog{Chains: make([]catalog.Chain, 3), Menus: make([]catalog.Menu, 3)}
	n := 0
	for range store.Rows(c) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

func TestBuilderRefusesDamagedRows(t *testing.T) {
	head := store.Row{Kind: catalog.KindCatalog, Key: "catalog", Body: []byte(`{"default_locale":"en"}`)}
	for _, tt := range []struct {
		name string
		rows []store.Row
		want string
	}{
		{"nothing at all", nil, "there is no catalog row"},
		{"a second head", []store.Row{head, head}, "second catalog row"},
		{"an unknown kind", []store.Row{{Kind: "stamps", Key: "a", Body: []byte(`{}`)}}, `no record is of the kind "stamps"`},
		{"not JSON", []store.Row{{Kind: catalog.KindChain, Key: "a", Body: []byte(`{"slug":`)}}, `decode chains "a"`},
		{"another shape", []store.Row{{Kind: catalog.KindChain, Key: "a", Body: []byte(`{"slug":1}`)}}, `decode chains "a"`},
		{"an unknown member", []store.Row{{Kind: catalog.KindMenu, Key: "a", Body: []byte(`{"colour":"red"}`)}}, `decode menus "a"`},
		{"no body", []store.Row{{Kind: catalog.KindNavGroup, Key: "a"}}, `decode nav "a"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := build(tt.rows)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func build(rows []store.Row) error {
	var b store.Builder
	for _, row := range rows {
		if err := b.Add(row); err != nil {
			return err
		}
	}
	_, err := b.Catalog()
	return err
}

// FuzzBuilder: whatever a database holds, decoding it ends with an error or
// with a catalogue that becomes rows again.
func FuzzBuilder(f *testing.F) {
	for row, err := range store.Rows(&catalog.Catalog{
		DefaultLocale: "en", Chains: make([]catalog.Chain, 1), Menus: make([]catalog.Menu, 1),
		Groups: make([]catalog.Group, 1), Categories: make([]catalog.Category, 1), NavGroups: make([]catalog.NavGroup, 1),
		Accounts: make([]catalog.Account, 1), Channels: make([]catalog.Channel, 1),
	}) {
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(row.Kind), row.Body)
	}
	f.Add("menus", []byte(`{"groups":[{"items":[{"cards":[{"title":[["en"]]}]}]}]}`))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		var b store.Builder
		if err := b.Add(store.Row{Kind: catalog.Kind(kind), Body: body}); err != nil {
			return
		}
		c, err := b.Catalog()
		if err != nil {
			return
		}
		again, err := rebuild(c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("decoded twice (-first +second):\n%s", diff)
		}
	})
}

func TestDraftRevision(t *testing.T) {
	d := store.Draft{PublishedAt: time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.FixedZone("CET", 3600)), Digest: "d", Message: "m"}
	want := store.Revision{Number: 8, PublishedAt: time.Date(2026, 11, 21, 9, 0, 0, 123000000, time.UTC), Digest: "d", Message: "m"}
	if diff := cmp.Diff(want, d.Revision(7)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
