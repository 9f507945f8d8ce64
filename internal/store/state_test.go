package store_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"vitrine/internal/domain"
	"vitrine/internal/domain/domaintest"
	"vitrine/internal/store"
)

func rowsOf(t interface{ Fatal(...any) }, c *domain.Catalog) []store.Row {
	var rows []store.Row
	for row, err := range store.Rows(c, nil) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// changed returns the rows that turn one catalogue into another.
func changed(old, new []store.Row) []store.Row {
	type id struct {
		kind domain.Kind
		key  string
	}
	was, is := map[id]store.Row{}, map[id]bool{}
	for _, row := range old {
		was[id{row.Kind, row.Key}] = row
	}
	var rows []store.Row
	for _, row := range new {
		is[id{row.Kind, row.Key}] = true
		if !reflect.DeepEqual(was[id{row.Kind, row.Key}], row) {
			rows = append(rows, row)
		}
	}
	for _, row := range old {
		if !is[id{row.Kind, row.Key}] {
			rows = append(rows, store.Row{Kind: row.Kind, Key: row.Key})
		}
	}
	return rows
}

func TestApplyEqualsLoading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, next := domaintest.Any().Draw(t, "old"), domaintest.Any().Draw(t, "new")
		next.Chains = append(next.Chains, old.Chains...)
		next.NavGroups = append(next.NavGroups, old.NavGroups...)
		next.Menus = append(next.Menus, old.Menus...)
		domaintest.Unique(next)
		state, err := store.NewState(store.Revision{Number: 1}, rowsOf(t, old), nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := changed(rowsOf(t, old), rowsOf(t, next))
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		applied, err := state.Apply(&store.Changes{Since: 1, Revision: store.Revision{Number: 5}, Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ordered(next), applied.Editors()); diff != "" {
			t.Fatalf("applied (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(ordered(old), state.Editors()); diff != "" {
			t.Fatalf("the previous state (-want +got):\n%s", diff)
		}
	})
}

// TestHistoriesMergeAsLoaded checks that the served catalogue after a history of edits and observations
// is the merge of both layers, and that checking only its differences finds the errors of a whole check.
func TestHistoriesMergeAsLoaded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := domaintest.Valid(6).Draw(t, "catalogue")
		state, err := store.NewState(store.Revision{Number: 1}, rowsOf(t, c), drawObservations(t, c))
		if err != nil {
			t.Fatal(err)
		}
		for number := range int64(rapid.IntRange(1, 4).Draw(t, "revisions")) {
			before := c
			changes := &store.Changes{Since: number + 1, Revision: store.Revision{Number: number + 2}, Observed: drawObservations(t, c)}
			if rapid.Bool().Draw(t, "edits") {
				edited := domaintest.Edited(c).Draw(t, "edited")
				changes.Rows, c = changed(rowsOf(t, c), rowsOf(t, edited)), edited
			}
			next, err := state.Apply(changes)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(domain.Merge(next.Editors(), next.Observed()), next.Merged()); diff != "" {
				t.Fatalf("merged (-of both layers +since the last revision):\n%s", diff)
			}
			if diff := cmp.Diff(ordered(before), state.Editors()); diff != "" {
				t.Fatalf("editors' layer of the earlier revision (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(domain.Merge(ordered(before), state.Observed()), state.Merged()); diff != "" {
				t.Fatalf("merged catalogue of the earlier revision (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(domain.Diff(copied(t, state), copied(t, next)), domain.Diff(state.Merged(), next.Merged())); diff != "" {
				t.Fatalf("changes (-of copies +of catalogues that share records):\n%s", diff)
			}
			if diff := cmp.Diff(errorsOf(domain.CheckAgain(nil, next.Merged())), errorsOf(domain.CheckAgain(state.Merged(), next.Merged()))); diff != "" {
				t.Fatalf("errors (-of the whole +since the last revision):\n%s", diff)
			}
			state = next
		}
	})
}

// copied returns the served catalogue of a state, which shares nothing with it.
func copied(t *rapid.T, s *store.State) *domain.Catalog {
	loaded, err := store.NewState(s.Revision, rowsOf(t, s.Editors()), s.Observed())
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Merged()
}

// drawObservations generates observations of different figures and endpoints of some records.
func drawObservations(t *rapid.T, c *domain.Catalog) []domain.Observation {
	var all []domain.Observation
	add := func(o domain.Observation) {
		o.AsOf = rapid.SampledFrom([]domain.Date{"2020-01-01", "2025-01-01", "2030-01-01"}).Draw(t, "date")
		if rapid.IntRange(0, 3).Draw(t, "observed") == 0 {
			all = append(all, o)
		}
	}
	for _, d := range domain.Descriptions() {
		for i := range d.Size(c) {
			key := d.Key(d.Record(c, i))
			for _, f := range d.Shape.Figures() {
				add(domain.Observation{Kind: d.Kind, Key: strings.ToUpper(key), Figure: domain.FigureName(f.Name), Value: float64(rapid.IntRange(0, 9).Draw(t, "value")), Source: "s"})
			}
		}
	}
	for _, chain := range c.Chains {
		urls := map[string]bool{}
		for _, e := range chain.RPC {
			if !urls[e.URL] {
				add(domain.ObserveReach(domain.KindChain, chain.Slug, "rpc", e.URL, domain.Reached{Reach: domain.ReachDown}))
			}
			urls[e.URL] = true
		}
	}
	return all
}

func errorsOf(problems []domain.Problem) []domain.Problem {
	return slices.DeleteFunc(problems, func(p domain.Problem) bool { return p.Rule.Severity() != domain.Error })
}

func TestApplySharesUnchangedRecords(t *testing.T) {
	c := &domain.Catalog{Chains: []domain.Chain{{Slug: "a"}}, Menus: []domain.Menu{{PathSlug: "m"}}}
	state, err := store.NewState(store.Revision{Number: 1}, rowsOf(t, c), nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := state.Apply(&store.Changes{Since: 1, Rows: []store.Row{{Kind: domain.KindMenu, Key: "m"}}})
	if err != nil {
		t.Fatal(err)
	}
	if &next.Editors().Chains[0] != &state.Editors().Chains[0] {
		t.Error("the chains were copied")
	}
	if next.Editors().Menus != nil || len(state.Editors().Menus) != 1 {
		t.Error("the menu is not removed in the new state only")
	}
	if first, second := next.Merged(), next.Merged(); first != second {
		t.Error("the served catalogue is computed twice")
	}
}

func TestApplySharesAccounts(t *testing.T) {
	var c domain.Catalog
	for i := range 100 {
		c.Accounts = append(c.Accounts, &domain.Account{Handle: fmt.Sprintf("a%02d", i)})
	}
	observed := func(key string, followers float64) domain.Observation {
		return domain.Observation{Kind: domain.KindAccount, Key: key, Figure: domain.FigureFollowers, Value: followers, Source: "s", AsOf: "2026-01-01"}
	}
	rows := rowsOf(t, &c)
	state, err := store.NewState(store.Revision{Number: 1}, rows, []domain.Observation{observed("a10", 1), observed("a20", 1)})
	if err != nil {
		t.Fatal(err)
	}
	edited := rowsOf(t, &domain.Catalog{Accounts: []*domain.Account{{Handle: "a20", Name: "Changed"}, {Handle: "a300", Name: "New"}}})
	next, err := state.Apply(&store.Changes{Since: 1,
		Rows:     append(edited[1:], store.Row{Kind: domain.KindAccount, Key: "a40"}),
		Observed: []domain.Observation{observed("a50", 2)},
	})
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]*domain.Account{}
	for _, a := range state.Merged().Accounts {
		before[a.Handle] = a
	}
	var own []string
	for _, a := range next.Merged().Accounts {
		if before[a.Handle] != a {
			own = append(own, a.Handle)
		}
	}
	if diff := cmp.Diff([]string{"a20", "a300", "a50"}, own); diff != "" {
		t.Errorf("accounts that are not shared (-want +got):\n%s", diff)
	}
	if a := next.Merged().Accounts[20]; a.Name != "Changed" || a.Followers == nil || a.Followers.Value != 1 {
		t.Errorf("the edited account is %+v", a)
	}
}

func TestObservationsOfAState(t *testing.T) {
	tvl := func(key string, v float64) domain.Observation {
		return domain.Observation{Kind: domain.KindChain, Key: key, Figure: domain.FigureTVL, Value: v, Source: "s", AsOf: "2026-01-01"}
	}
	rows := rowsOf(t, &domain.Catalog{Chains: []domain.Chain{{Slug: "a"}, {Slug: "b"}}})
	state, err := store.NewState(store.Revision{Number: 1}, rows, []domain.Observation{tvl("b", 1), tvl("A", 2)})
	if err != nil {
		t.Fatal(err)
	}
	next, err := state.Apply(&store.Changes{Since: 1, Observed: []domain.Observation{tvl("c", 3), tvl("B", 4)}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]domain.Observation{tvl("a", 2), tvl("b", 1)}, state.Observed()); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]domain.Observation{tvl("a", 2), tvl("b", 4), tvl("c", 3)}, next.Observed()); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	if got := next.Merged().Chains[1].TVL; got == nil || got.Value != 4 {
		t.Errorf("served value %v, want 4", got)
	}
	if _, err := store.NewState(store.Revision{}, rows, []domain.Observation{tvl("a", 1), tvl("A", 1)}); err == nil {
		t.Error("two winning observations were accepted")
	}
}

func TestApplyRefusesOtherRevisions(t *testing.T) {
	state, err := store.NewState(store.Revision{Number: 7}, rowsOf(t, &domain.Catalog{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := state.Apply(&store.Changes{Since: 6}); err == nil || !strings.Contains(err.Error(), "start from revision 6, the state is of 7") {
		t.Errorf("error %v", err)
	}
}

func TestStateRefusesDamagedRows(t *testing.T) {
	row := func(kind domain.Kind, key, body string) store.Row {
		return store.Row{Kind: kind, Key: key, Body: []byte(body)}
	}
	head := row(domain.KindCatalog, "catalog", `{"default_locale":"en"}`)
	chain := row(domain.KindChain, "a", `{"slug":"a","chain_id":""}`)
	nav := func(key string, position int) store.Row {
		return store.Row{Kind: domain.KindNavGroup, Key: key, Position: position, Body: []byte(`{"key":"` + key + `","slug":""}`)}
	}
	for _, tt := range []struct {
		name string
		rows []store.Row
		want string
	}{
		{"no rows", nil, "there is no catalog row"},
		{"a second head", []store.Row{head, head}, "second catalog row"},
		{"a head with another key", []store.Row{row(domain.KindCatalog, "b", `{"default_locale":"en"}`)}, `it has the record of "catalog"`},
		{"a removed head", []store.Row{{Kind: domain.KindCatalog, Key: "catalog"}}, `decode catalog "catalog"`},
		{"an unknown kind", []store.Row{row("stamps", "a", `{}`)}, `no record is of the kind "stamps"`},
		{"not JSON", []store.Row{row(domain.KindChain, "a", `{"slug":`)}, `decode chains "a"`},
		{"another shape", []store.Row{row(domain.KindChain, "a", `{"slug":1}`)}, `decode chains "a"`},
		{"an unknown member", []store.Row{row(domain.KindMenu, "a", `{"colour":"red"}`)}, `decode menus "a"`},
		{"an empty body", []store.Row{row(domain.KindNavGroup, "a", "")}, `decode nav "a"`},
		{"the record of another key", []store.Row{head, row(domain.KindChain, "b", string(chain.Body))}, `it has the record of "a"`},
		{"a record twice", []store.Row{head, chain, chain}, `two rows of chains "a"`},
		{"a nav group twice", []store.Row{head, nav("a", 0), nav("a", 1)}, `two rows of nav "a"`},
		{"two nav groups in one place", []store.Row{head, nav("a", 0), nav("b", 0)}, `nav "b" stands at position 0, not 1`},
		{"a missing nav group", []store.Row{head, nav("a", 0), nav("b", 2)}, `nav "b" stands at position 2, not 1`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := store.NewState(store.Revision{}, tt.rows, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// FuzzState checks that decoding any rows returns an error, or a catalogue that can be encoded
// again.
func FuzzState(f *testing.F) {
	for row, err := range store.Rows(&domain.Catalog{
		DefaultLocale: "en", Chains: make([]domain.Chain, 1), Menus: make([]domain.Menu, 1),
		Groups: make([]domain.Group, 1), Categories: make([]domain.Category, 1), NavGroups: make([]domain.NavGroup, 1),
		Accounts: []*domain.Account{{}}, Channels: make([]domain.Channel, 1),
	}, nil) {
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(row.Kind), row.Key, row.Body)
	}
	f.Add("menus", "", []byte(`{"groups":[{"items":[{"cards":[{"title":{"en":""}}]}]}]}`))
	// Inputs that mutations of bytes do not find: many fields, many records, deep nesting.
	f.Add("chains", "x", []byte(`{"name":{"en":"X"}`+strings.Repeat(`,"y":{}`, 500)+`}`))
	f.Add("menus", "x", []byte(`{"groups":[{"items":[{"cards":[{}`+strings.Repeat(`,{"link":"/a"}`, 500)+`]}]}]}`))
	f.Add("menus", "x", []byte(strings.Repeat(`{"groups":[`, 4000)+strings.Repeat("]}", 4000)))
	f.Fuzz(func(t *testing.T, kind, key string, body []byte) {
		rows := []store.Row{{Kind: domain.Kind(kind), Key: key, Body: body}}
		if kind != string(domain.KindCatalog) {
			rows = append(rows, rowsOf(t, &domain.Catalog{})...)
		}
		state, err := store.NewState(store.Revision{}, rows, nil)
		if err != nil {
			return
		}
		again, err := rebuild(state.Editors())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(state.Editors(), again); diff != "" {
			t.Errorf("decoded twice (-first +second):\n%s", diff)
		}
	})
}

func TestKinds(t *testing.T) {
	c := new(domain.Catalog)
	for _, d := range domain.Descriptions() {
		d.Grow(c)
	}
	var got []domain.Kind
	for _, row := range rowsOf(t, c) {
		got = append(got, row.Kind)
	}
	if !slices.Equal(domain.Kinds(), got) {
		t.Errorf("domain.Kinds() = %v, rows are of %v", domain.Kinds(), got)
	}
}
