package publish_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/bundle"
	"vitrine/internal/contain"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
)

// TestImportLooksAtTheContentNotAtTheDigest checks that an explicit import publishes a directory
// again after a rollback.
func TestImportLooksAtTheContentNotAtTheDigest(t *testing.T) {
	m := holding("a", "A")
	plan, err := publish.Import(t.Context(), &m, directory("a", "B"), publish.From{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(retitled("A", "B"), plan.Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if m.head().Revision.Number != 4 {
		t.Error("planning published a revision")
	}
	outcome, err := plan.Publish(t.Context(), &m, note)
	if err != nil || !outcome.Published || title(t, m.head()) != "B" {
		t.Errorf("%+v, %v", outcome, err)
	}
	again, err := publish.Import(t.Context(), &m, directory("a", "B"), publish.From{})
	if err != nil || again.Changes != nil {
		t.Errorf("the second import changes %v, %v", again.Changes, err)
	}
	outcome, err = again.Publish(t.Context(), &m, note)
	if want := (publish.Outcome{Revision: m.head().Revision}); err != nil || !cmp.Equal(want, outcome) || len(m.states) != 2 {
		t.Errorf("%+v, %v", outcome, err)
	}
}

func TestOriginsArePublished(t *testing.T) {
	var m memory
	plan, err := publish.Import(t.Context(), &m, directory("a", "A"), publish.From{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.Publish(t.Context(), &m, note); err != nil {
		t.Fatal(err)
	}
	if m.draft.Origin == nil {
		t.Error("the draft of an import has no origins")
	}
}

// account returns a catalogue of one account.
func account(followers *domain.Figure) *domain.Catalog {
	c := titled("A")
	c.Accounts = []*domain.Account{{Handle: "ann", Name: "Ann", Followers: followers}}
	return c
}

func observation(value float64, asOf domain.Date) domain.Observation {
	return domain.Observation{
		Kind: domain.KindAccount, Key: "ann", Figure: domain.FigureFollowers, Value: value, Source: "x", AsOf: asOf,
	}
}

func TestObservedFiguresAreCompared(t *testing.T) {
	observed := &domain.Figure{Value: 7, Source: "x", AsOf: "2026-11-20"}
	for _, tt := range []struct {
		name     string
		imported *domain.Figure
		want     int // changes
	}{
		{"no figure in the directory", nil, 0},
		{"the exported observation", observed, 0},
		{"older than the observation", &domain.Figure{Value: 3, Source: "y", AsOf: "2025-01-01"}, 0},
		{"newer", &domain.Figure{Value: 3, Source: "y", AsOf: "2026-11-21"}, 1},
		{"bare", &domain.Figure{Value: 7}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m memory
			m.add(revision(1, store.OpSync, "a"), account(nil), observation(7, "2026-11-20"))
			plan, err := publish.Import(t.Context(), &m, &bundle.Directory{Catalog: account(tt.imported), Digest: "b"}, publish.From{})
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Changes) != tt.want {
				t.Errorf("changes: %v", plan.Changes)
			}
			if held := plan.HeldBack(); held != nil {
				t.Errorf("held back: %v", held)
			}
		})
	}
	t.Run("no figure at all", func(t *testing.T) {
		var m memory
		plan, err := publish.Import(t.Context(), &m, &bundle.Directory{Catalog: account(nil)}, publish.From{})
		if err != nil || !cmp.Equal(plan.HeldBack(), []string{"ann"}) {
			t.Errorf("held back: %v, %v", plan.HeldBack(), err)
		}
	})
}

func TestConflict(t *testing.T) {
	for name, tt := range map[string]struct {
		head error // of reading the other revision
		want publish.ConflictError
	}{
		"the other revision is known":   {nil, publish.ConflictError{Base: revision(4, store.OpImport, "a"), Head: revision(5, store.OpImport, "c")}},
		"the other revision is unknown": {errors.New("gone"), publish.ConflictError{Base: revision(4, store.OpImport, "a")}},
	} {
		t.Run(name, func(t *testing.T) {
			m := holding("a", "A")
			plan, err := publish.Import(t.Context(), &m, directory("b", "B"), publish.From{})
			if err != nil {
				t.Fatal(err)
			}
			m.add(revision(5, store.OpImport, "c"), titled("C"))
			_, err = plan.Publish(t.Context(), failingHead{&m, tt.head}, note)
			var conflict *publish.ConflictError
			if !errors.As(err, &conflict) || !errors.Is(err, store.ErrConflict) {
				t.Fatalf("error %v, want a ConflictError", err)
			}
			if diff := cmp.Diff(&tt.want, conflict); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if title(t, m.head()) != "C" {
				t.Error("the other revision was replaced")
			}
		})
	}
}

func TestRollback(t *testing.T) {
	var m memory
	old := account(&domain.Figure{Value: 3, Source: "y", AsOf: "2025-01-01"})
	m.add(revision(1, store.OpImport, "a"), old)
	now := account(nil)
	now.Title[0].Value = "B"
	m.add(revision(2, store.OpImport, "b"), now, observation(7, "2026-11-20"))

	plan, err := publish.Rollback(t.Context(), &m, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(retitled("B", "A"), plan.Changes); diff != "" {
		t.Errorf("observed figures stay, so only the title changes (-want +got):\n%s", diff)
	}
	outcome, err := plan.Publish(t.Context(), &m, note)
	notes := []string{"figures that were observed after revision 1 stay: followers_count of twitter ann; to correct one, " +
		"write it as a plain number in the directory, or sync one with a newer date"}
	want := publish.Outcome{Revision: revision(3, store.OpRollback, "b"), Published: true, Changes: plan.Changes, Notes: notes}
	want.Serves = plan.Serves
	if diff := cmp.Diff(want, outcome); diff != "" || err != nil {
		t.Errorf("(-want +got):\n%s%v", diff, err)
	}
	if diff := cmp.Diff(old, m.head().Editors()); diff != "" {
		t.Errorf("the editors' layer (-want +got):\n%s", diff)
	}
	if figure := m.head().Merged().Accounts[0].Followers; figure == nil || figure.Value != 7 {
		t.Errorf("followers %v, want those that were observed", figure)
	}

	again, err := publish.Directory(t.Context(), &m, &bundle.Directory{Catalog: now, Digest: "b"}, publish.From{}, note)
	var held *publish.HeldError
	if !errors.As(err, &held) || held.Rules() != "rollback:3" || again.Published {
		t.Errorf("the last imported directory undid the rollback: %+v, %v", again, err)
	}
	same, err := publish.Rollback(t.Context(), &m, 3)
	if err != nil || same.Changes != nil {
		t.Errorf("a rollback to the served revision changes %v, %v", same.Changes, err)
	}
}

func TestRollbackFails(t *testing.T) {
	var m memory
	if _, err := publish.Rollback(t.Context(), &m, 1); !errors.Is(err, store.ErrEmpty) {
		t.Errorf("in an empty store: %v", err)
	}
	m = holding("a", "A")
	if _, err := publish.Rollback(t.Context(), &m, 3); !errors.Is(err, store.ErrNoRevision) {
		t.Errorf("to a missing revision: %v", err)
	}
	invalid := titled("A")
	invalid.Chains = []domain.Chain{{Slug: "Not A Slug"}}
	m.add(revision(5, store.OpImport, "b"), invalid)
	m.add(revision(6, store.OpImport, "c"), titled("C"))
	_, err := publish.Rollback(t.Context(), &m, 5)
	var refused *publish.InvalidError
	if !errors.As(err, &refused) || refused.Revision != 5 || !strings.Contains(err.Error(), "in chains Not A Slug: ") {
		t.Errorf("to a revision that breaks the rules: %v", err)
	}
}

// panicking is a store with a method that panics.
type panicking struct {
	memory
	in string
}

func (p *panicking) Load(ctx context.Context, number int64) (*store.State, error) {
	if p.in == "load" {
		panic("no such row")
	}
	return p.memory.Load(ctx, number)
}

func (p *panicking) Publish(ctx context.Context, base int64, d store.Draft) (store.Revision, error) {
	if p.in == "publish" {
		var rows []int
		_ = rows[len(rows)]
	}
	return p.memory.Publish(ctx, base, d)
}

func TestPanicsAreContained(t *testing.T) {
	for _, in := range []string{"load", "publish"} {
		s := &panicking{holding("a", "A"), in}
		_, err := publish.Directory(t.Context(), s, directory("b", "B"), publish.From{}, note)
		var panicked *contain.Error
		if !errors.As(err, &panicked) || !strings.Contains(panicked.Stack, "plan_test.go") || strings.Contains(err.Error(), ".go") {
			t.Errorf("%s: %v", in, err)
		}
		if len(s.states) != 1 {
			t.Errorf("%s: it was published", in)
		}
	}
	s := &panicking{holding("a", "A"), "load"}
	var panicked *contain.Error
	if _, err := publish.Rollback(t.Context(), s, 4); !errors.As(err, &panicked) {
		t.Errorf("Rollback: %v", err)
	}
	empty := &panicking{in: "publish"}
	if _, err := publish.Directory(t.Context(), empty, directory("b", "B"), publish.From{}, note); !errors.As(err, &panicked) {
		t.Errorf("Directory, into an empty store: %v", err)
	}
}
