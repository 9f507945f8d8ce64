package store_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/store"
)

func TestEveryCatalogueSurvivesItsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := domaintest.Any().Draw(t, "catalogue")
		got, err := rebuild(want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ordered(want), got); diff != "" {
			t.Fatalf("a catalogue rebuilt from its rows (-want +got):\n%s", diff)
		}
	})
}

func rebuild(c *domain.Catalog) (*domain.Catalog, error) {
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	state, err := store.NewState(store.Revision{}, rows, nil)
	if err != nil {
		return nil, err
	}
	return state.Editors(), nil
}

// ordered returns a catalogue in the order of a loaded editors' layer.
func ordered(c *domain.Catalog) *domain.Catalog {
	out := *c
	for _, d := range domain.Descriptions()[1:] { // the first one is the catalogue's own fields
		if d.Ordered {
			continue
		}
		var records []any
		for i := range d.Size(c) {
			records = append(records, d.Record(c, i))
		}
		slices.SortFunc(records, func(a, b any) int { return strings.Compare(d.Identity(d.Key(a)), d.Identity(d.Key(b))) })
		d.Fill(&out, len(records), func(i int) any { return records[i] })
	}
	return &out
}

func TestEmptyListsAreNil(t *testing.T) {
	c := &domain.Catalog{
		Title:   domain.Text{},
		Locales: []string{},
		Chains:  []domain.Chain{{Slug: "a", Categories: []string{}, Aliases: []string{}}},
		Menus:   []domain.Menu{},
	}
	got, err := rebuild(c)
	if err != nil {
		t.Fatal(err)
	}
	want := &domain.Catalog{Chains: []domain.Chain{{Slug: "a"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRowsAreInOrderAndNamed(t *testing.T) {
	c := &domain.Catalog{
		Groups:     []domain.Group{{Key: "kind", Module: domain.ModuleChain}, {Key: "kind", Module: domain.ModuleItem}},
		Categories: []domain.Category{{Key: "l2"}},
		Chains:     []domain.Chain{{Slug: "base"}, {Slug: "arbitrum-one"}},
		Accounts:   []*domain.Account{{Handle: "OpenAI"}},
		Channels:   []domain.Channel{{ChannelID: "UCx_Y"}},
		NavGroups:  []domain.NavGroup{{Key: "tools"}, {Key: "more"}},
		Menus:      []domain.Menu{{PathSlug: "start"}},
	}
	type name struct {
		Kind     domain.Kind
		Key      string
		Position int
	}
	var got []name
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name{row.Kind, row.Key, row.Position})
	}
	want := []name{
		{domain.KindCatalog, "catalog", 0},
		{domain.KindGroup, "chain/kind", 0}, {domain.KindGroup, "item/kind", 0},
		{domain.KindCategory, "l2", 0},
		{domain.KindChain, "base", 0}, {domain.KindChain, "arbitrum-one", 0},
		{domain.KindAccount, "openai", 0},
		{domain.KindChannel, "UCx_Y", 0},
		{domain.KindNavGroup, "tools", 0}, {domain.KindNavGroup, "more", 1},
		{domain.KindMenu, "start", 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBodyIsStable fails if the stored form changes: existing stores have it.
func TestBodyIsStable(t *testing.T) {
	c := &domain.Catalog{
		DefaultLocale: "en",
		Chains: []domain.Chain{{
			Slug: "base", Name: domain.Text{{Locale: "en", Value: "Base <&>"}, {Locale: "zh-hans", Value: "基础"}},
			ChainID: "8453", Categories: []string{"l2"},
			TVL:       &domain.Figure{Value: 0, Source: "defillama", AsOf: "2025-08-17"},
			Platforms: &domain.Figure{Value: 1.5e21},
		}},
	}
	var got []string
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(row.Body))
	}
	want := []string{
		`{"default_locale":"en"}`,
		`{"slug":"base","name":{"en":"Base <&>","zh-hans":"基础"},"chain_id":"8453","categories":["l2"],` +
			`"llama_tvl":{"value":0,"source":"defillama","as_of":"2025-08-17"},"platforms":1.5e+21}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRowsRejectInvalidJSONValues(t *testing.T) {
	for name, c := range map[string]*domain.Catalog{
		"text that is not UTF-8": {Accounts: []*domain.Account{{Handle: "a", Name: "\xff"}}},
		"NaN":                    {Groups: []domain.Group{{Key: "a", Priority: math.NaN()}}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := rebuild(c); err == nil || !strings.HasPrefix(err.Error(), "encode ") {
				t.Errorf("error %v, want one of encoding", err)
			}
		})
	}
}

func TestRowsStopEarly(t *testing.T) {
	c := &domain.Catalog{Chains: make([]domain.Chain, 3), Menus: make([]domain.Menu, 3)}
	n := 0
	for range store.Rows(c, nil) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

func TestRowsHaveOrigins(t *testing.T) {
	c := &domain.Catalog{Chains: make([]domain.Chain, 2)}
	var got []string
	for row, err := range store.Rows(c, func(kind domain.Kind, i int) string { return fmt.Sprintf("%s.yaml:%d", kind, i+1) }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, row.Origin)
	}
	if diff := cmp.Diff([]string{"catalog.yaml:1", "chains.yaml:1", "chains.yaml:2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoteRevision(t *testing.T) {
	d := store.Note{At: time.Date(2026, 11, 21, 10, 0, 0, 123456789, time.FixedZone("CET", 3600)), Digest: "d", Message: "m"}
	want := store.Revision{Number: 8, PublishedAt: time.Date(2026, 11, 21, 9, 0, 0, 123000000, time.UTC), Digest: "d", Message: "m"}
	if diff := cmp.Diff(want, d.Revision(7)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
