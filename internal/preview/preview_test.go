package preview_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/locale"
	"vitrine/internal/preview"
	"vitrine/internal/query"
	"vitrine/internal/snapshot"
)

// version compiles a catalogue.
func version(t interface{ Fatal(args ...any) }, c *domain.Catalog) preview.Version {
	s, err := snapshot.Compile(nil, c, snapshot.Revision{})
	if err != nil {
		t.Fatal(err)
	}
	return preview.Version{Catalog: c, Snapshot: s}
}

func text(pairs ...string) (t domain.Text) {
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, domain.Translation{Locale: pairs[i], Value: pairs[i+1]})
	}
	return t
}

func figure(value float64) *domain.Figure { return &domain.Figure{Value: value} }

func chains(chains ...domain.Chain) *domain.Catalog {
	return &domain.Catalog{Title: text("en", "Test"), DefaultLocale: "en", Locales: []string{"en", "ja"}, Chains: chains}
}

// TestEqualCatalogues checks that the report of equal catalogues is empty, whatever the order of their
// records.
func TestEqualCatalogues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Valid(4).Draw(t, "catalogue")
		again := *c
		again.Chains = slices.Clone(c.Chains)
		slices.Reverse(again.Chains)
		if r := preview.Compare(version(t, c), version(t, &again)); !r.IsEmpty() {
			t.Fatalf("the report of equal catalogues is not empty: %+v", r)
		}
	})
}

// TestResponsesOfRecords compares the totals of the operations for one record with those of a naive
// comparison of all responses.
func TestResponsesOfRecords(t *testing.T) {
	operations := map[string]struct {
		kind query.Kind
		of   domain.Kind
	}{
		"getNavGroup": {query.KindNavGroup, domain.KindNavGroup}, "getNavMenu": {query.KindMenu, domain.KindMenu},
		"getChain": {query.KindChain, domain.KindChain}, "getApp": {query.KindApp, domain.KindApp},
		"getTwitterUser": {query.KindUser, domain.KindAccount}, "getYouTubeChannel": {query.KindChannel, domain.KindChannel},
	}
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Valid(4).Draw(t, "catalogue")
		base, head := version(t, c), version(t, domaintest.Edited(c).Draw(t, "edited"))
		report := preview.Compare(base, head)
		for name, of := range operations {
			d := domain.Describe(of.of)
			addresses := map[string]bool{}
			for _, v := range []preview.Version{base, head} {
				for i := range d.Size(v.Catalog) {
					addresses[d.Address(d.Record(v.Catalog, i))] = true
				}
			}
			var differing []string
			for id, name := range head.Snapshot.Locales().Names() {
				q := locale.ID(id)
				for address := range addresses {
					before, was := base.Snapshot.Record(of.kind, address, q)
					after, is := head.Snapshot.Record(of.kind, address, q)
					if was != is || string(before) != string(after) {
						differing = append(differing, name)
					}
				}
			}
			var reported []string
			for _, changes := range changesOf(report, name) {
				for _, in := range changes.Locales {
					for range changes.Added.Total + changes.Removed.Total + changes.Changed.Total {
						reported = append(reported, in)
					}
				}
			}
			slices.Sort(differing)
			slices.Sort(reported)
			if !slices.Equal(differing, reported) {
				t.Fatalf("%s: responses differ in %q, the report has %q", name, differing, reported)
			}
		}
	})
}

// changesOf returns the changes of an operation without parameters.
func changesOf(r *preview.Report, name string) (all []preview.Changes) {
	for _, op := range r.Operations {
		if op.Name == name && !strings.Contains(op.Path, "?") {
			all = append(all, op.Changes...)
		}
	}
	return all
}

// TestReversed checks that the report of the reversed comparison has the same numbers, with added for
// removed.
func TestReversed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; other tests cover its goroutines")
	}
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Valid(4).Draw(t, "catalogue")
		base, head := version(t, c), version(t, domaintest.Edited(c).Draw(t, "edited"))
		there, back := preview.Compare(base, head), preview.Compare(head, base)
		if len(there.Operations) != len(back.Operations) {
			t.Fatalf("%d operations change, %d in reverse", len(there.Operations), len(back.Operations))
		}
		for i, op := range there.Operations {
			if diff := cmp.Diff(totals(op, false), totals(back.Operations[i], true)); diff != "" {
				t.Fatalf("%s: %s", op.Path, diff)
			}
		}
	})
}

// totals returns the numbers of changes of an operation by locale.
func totals(op preview.Operation, reversed bool) map[string][4]int {
	all := map[string][4]int{}
	for _, c := range op.Changes {
		n := [4]int{c.Added.Total, c.Removed.Total, c.Changed.Total, c.Moved.Total}
		if reversed {
			n[0], n[1] = n[1], n[0]
		}
		for _, in := range c.Locales {
			all[in] = n
		}
	}
	return all
}

// TestChangedField checks that a record with another value in one field appears with that member, in the
// locales in which it is served.
func TestChangedField(t *testing.T) {
	base := version(t, chains(
		domain.Chain{Slug: "a", ChainID: "1", Name: text("en", "A", "ja", "ア")}, domain.Chain{Slug: "b", ChainID: "2", Name: text("en", "B")},
	))
	head := version(t, chains(
		domain.Chain{Slug: "a", ChainID: "1", Name: text("en", "Alpha", "ja", "ア")}, domain.Chain{Slug: "b", ChainID: "2", Name: text("en", "B")},
	))
	want := []preview.Operation{}
	row := preview.Row{Key: "a", Title: "Alpha", Members: []preview.Member{{Name: "name", Before: `"A"`, After: `"Alpha"`}}}
	changes := preview.Changes{Locales: []string{"en"}, Before: 2, After: 2, Changed: preview.Rows{Total: 1, Examples: []preview.Row{row}}}
	want = append(want, preview.Operation{Name: "listChains", Path: "/api/open/chains", Changes: []preview.Changes{changes}},
		preview.Operation{Name: "getChain", Path: "/api/open/chains/{chain}", Changes: []preview.Changes{changes}})
	got := preview.Compare(base, head)
	if diff := cmp.Diff(want, got.Operations); diff != "" {
		t.Error(diff)
	}
	records := []preview.Records{{Kind: domain.KindChain, Changed: preview.Rows{Total: 1, Examples: []preview.Row{
		{Key: "a", Members: []preview.Member{{Name: "name.en", Before: "A", After: "Alpha"}}},
	}}}}
	if diff := cmp.Diff(records, got.Records); diff != "" {
		t.Error(diff)
	}
	if got := preview.ChangedRecords(base, head, query.KindChain); !slices.Equal(got, []string{"a"}) {
		t.Errorf("changed records %q", got)
	}
}

// TestEveryField changes each field of each kind in some records: these are in the report.
func TestEveryField(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; other tests cover its goroutines")
	}
	c := domaintest.Valid(8).Filter(func(c *domain.Catalog) bool {
		return len(c.Chains) > 5 && len(c.Apps) > 5 && len(c.Menus) > 5 && len(c.Accounts) > 5 && len(c.Channels) > 5
	}).Example(1)
	base, seen := version(t, c), 0
	domaintest.EachField(func(d *domain.Description, f *domain.Field) {
		edited := domaintest.WithField(c, d, f, 0)
		changes := domain.Diff(c, edited)
		if changes == nil {
			return
		}
		seen++
		var want, got []string
		for _, change := range changes {
			want = append(want, string(change.Kind)+" "+change.Key)
		}
		for _, of := range preview.Compare(base, version(t, edited)).Records {
			for _, rows := range []preview.Rows{of.Added, of.Removed, of.Changed} {
				for _, row := range rows.Examples {
					got = append(got, string(of.Kind)+" "+row.Key)
				}
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("after a change of %s of %s, the report has %q, want %q", f.Name, d.Plural, got, want)
		}
	})
	if seen < 50 {
		t.Errorf("only %d fields were changed", seen)
	}
}

// TestMoved checks that places are those of whole lists, and that added rows move nothing.
func TestMoved(t *testing.T) {
	list := func(tvl ...float64) *domain.Catalog {
		var all []domain.Chain
		for i, value := range tvl {
			slug := string(rune('a' + i))
			if value > 0 {
				all = append(all, domain.Chain{Slug: slug, ChainID: slug, Name: text("en", slug), TVL: figure(value)})
			}
		}
		return chains(all...)
	}
	report := preview.Compare(version(t, list(50, 40, 30, 20, 0)), version(t, list(50, 40, 30, 45, 60)))
	changes := changesOf(report, "listChains")
	if len(changes) != 1 {
		t.Fatalf("%+v", changes)
	}
	want := preview.Rows{Total: 1, Examples: []preview.Row{{Key: "d", From: 4, To: 3}}}
	if diff := cmp.Diff(want, changes[0].Moved); diff != "" || changes[0].Added.Total != 1 {
		t.Errorf("%+v: %s", changes[0], diff)
	}
}

// TestFallbacks checks that a text without translation counts in the locales whose readers get
// another one.
func TestFallbacks(t *testing.T) {
	base := chains(domain.Chain{Slug: "a", ChainID: "1", Name: text("en", "A", "ja", "ア")}, domain.Chain{Slug: "b", ChainID: "2", Name: text("en", "B")})
	head := chains(domain.Chain{Slug: "a", ChainID: "1", Name: text("en", "A")}, domain.Chain{Slug: "b", ChainID: "2", Name: text("en", "B")})
	want := []preview.Fallback{{Kind: domain.KindChain, Field: "name", Locale: "ja", Before: 1, After: 2,
		New: preview.Rows{Total: 1, Examples: []preview.Row{{Key: "a"}}}}}
	if diff := cmp.Diff(want, preview.Compare(version(t, base), version(t, head)).Fallbacks); diff != "" {
		t.Error(diff)
	}
	if got := preview.Compare(version(t, base), version(t, head)).FallingBack; got != (preview.FallingBack{Records: 1, Locales: 1}) {
		t.Errorf("%+v", got)
	}
	head = chains(base.Chains...)
	head.Locales = []string{"en"} // ja is gone
	got := preview.Compare(version(t, base), version(t, head))
	if len(got.Fallbacks) != 1 || got.Fallbacks[0].New.Total != 1 || !slices.Equal(got.Locales, []string{"en", "ja"}) {
		t.Errorf("%q: %+v", got.Locales, got.Fallbacks)
	}
	if changes := changesOf(got, "listChains"); len(changes) != 1 || !slices.Equal(changes[0].Locales, []string{"ja"}) {
		t.Errorf("%+v", changes)
	}
}

// TestExamplesDiffer checks that a record that changes in another member than many others is an example.
func TestExamplesDiffer(t *testing.T) {
	of := func(parent string, decimals float64) *domain.Catalog {
		var all []domain.Chain
		for i := range 50 {
			slug := fmt.Sprintf("c%02d", i)
			chain := domain.Chain{Slug: slug, ChainID: slug, Name: text("en", slug), Parent: parent}
			if i == 40 {
				chain.Currency = &domain.Currency{Name: "Ether", Symbol: "ETH", Decimals: decimals}
				for j := range 20 {
					chain.RPC = append(chain.RPC, domain.Endpoint{URL: fmt.Sprintf("https://%s-%d.example.org/", parent, j)})
				}
			}
			all = append(all, chain)
		}
		return chains(all...)
	}
	report := preview.Compare(version(t, of("c00", 18)), version(t, of("c01", 6)))
	for _, rows := range []preview.Rows{report.Records[0].Changed, changesOf(report, "getChain")[0].Changed} {
		if rows.Total != 50 || len(rows.Examples) != 10 || rows.Examples[9].Key != "c40" {
			t.Errorf("%+v", rows)
		}
	}
	members := report.Records[0].Changed.Examples[9].Members
	if !slices.ContainsFunc(members, func(m preview.Member) bool { return m.Name == "native_currency.decimals" }) {
		t.Errorf("%+v", members)
	}
}

// TestBounds checks that examples and values are bounded, and totals are not.
func TestBounds(t *testing.T) {
	var few, many []domain.Chain
	for i := range 30 {
		slug := "c" + strings.Repeat("x", i)
		few = append(few, domain.Chain{Slug: slug, ChainID: slug, Name: text("en", "same")})
		many = append(many, domain.Chain{Slug: slug, ChainID: slug, Name: text("en", strings.Repeat("long", 100))})
	}
	report := preview.Compare(version(t, chains(few...)), version(t, chains(many...)))
	changes := changesOf(report, "getChain")
	if len(changes) != 1 || changes[0].Changed.Total != 30 || len(changes[0].Changed.Examples) != 10 {
		t.Fatalf("%+v", changes)
	}
	if data, err := json.Marshal(report); err != nil || len(data) > 20_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
