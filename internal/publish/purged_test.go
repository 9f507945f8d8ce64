package publish_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"vitrine/internal/bundle"
	"vitrine/internal/domain"
	"vitrine/internal/publish"
	"vitrine/internal/store"
	"vitrine/internal/store/sqlite"
)

// TestPurgedRecordsAreHeld checks that a publish with a purged record is held under each of its names,
// until it is accepted once, also after a prune.
func TestPurgedRecordsAreHeld(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	const before = `{slug: old, name: Gone, chain_id: "7"}`
	const renamed = `{slug: gone, name: Gone, chain_id: "7", former: [old]}`
	importing := func(chains string) *publish.Plan {
		t.Helper()
		dir, err := bundle.Read(t.Context(), fstest.MapFS{
			"catalog.yaml": {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")},
			"chains.yaml":  {Data: []byte("[{slug: base, name: Base, chain_id: 8453}, " + chains + "]")},
		}, bundle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := publish.Import(t.Context(), s, dir, publish.From{})
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	published := func(p *publish.Plan) {
		t.Helper()
		if _, err := p.Publish(t.Context(), s, store.Note{At: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	published(importing(before))
	published(importing(renamed))
	counted, err := publish.CountPurge(t.Context(), s, domain.KindChain, "gone")
	if err != nil || counted.Versions != 2 {
		t.Errorf("a purge would remove %+v, %v, want the versions of both slugs", counted, err)
	}
	purged, err := publish.Purge(t.Context(), s, domain.KindChain, "gone", store.Note{At: time.Unix(2, 0), Actor: "ann", Message: "court order: 7"})
	if err != nil || purged.Versions != 2 {
		t.Fatalf("purged %+v, %v, want the versions of both slugs", purged, err)
	}
	held := func(chains string, want ...string) {
		t.Helper()
		plan := importing(chains)
		if len(plan.Holds) != 1 || plan.Holds[0].Rule != "purged:3" || plan.Held() == nil {
			t.Errorf("%s: holds %+v, want purged:3", chains, plan.Holds)
			return
		}
		for _, text := range append(want, `revision 3 (purge by ann, 1970-01-01 00:00 UTC, "court order: 7")`, "chains.yaml:1") {
			if !strings.Contains(plan.Holds[0].Message, text) {
				t.Errorf("the hold of %s is %q, want %q", chains, plan.Holds[0].Message, text)
			}
		}
	}
	held(renamed, "a record", "chains gone (chains.yaml:1)")
	held(before, "chains old (")
	held(`{slug: other, name: Other, chain_id: "8", former: [gone]}`, "chains other (")
	held(`{slug: other, name: Other, chain_id: "8", id: `+domain.Chain{Slug: "old"}.StableID()+`}`, "chains other (")
	held(renamed[:len(renamed)-len(", former: [old]}")]+`}, {slug: old, name: Gone, chain_id: "9"}`, "2 records", "publish them again")
	if plan := importing(`{slug: other, name: Other, chain_id: "8"}`); len(plan.Holds) > 0 {
		t.Errorf("another record is held: %+v", plan.Holds)
	}
	published(importing(`{slug: other, name: Other, chain_id: "8"}`))
	if _, err := s.Prune(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	held(renamed)
	plan := importing(renamed)
	if needless := plan.Accept([]string{"purged:3"}); len(needless) > 0 {
		t.Errorf("needless: %v", needless)
	}
	published(plan)
	if plan = importing(strings.Replace(renamed, "Gone", "Changed", 1)); len(plan.Holds) > 0 {
		t.Errorf("a later change of an accepted record is held: %+v", plan.Holds)
	}
}

// TestPurgedWrittenIDs checks that a record with the written id of a purged one is held, without its slug.
func TestPurgedWrittenIDs(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "vitrine.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	importing := func(chain string) *publish.Plan {
		t.Helper()
		dir, err := bundle.Read(t.Context(), fstest.MapFS{
			"catalog.yaml": {Data: []byte("title: T\ndefault_locale: en\nlocales: [en]\n")},
			"chains.yaml":  {Data: []byte("[{slug: base, name: Base, chain_id: 8453}, " + chain + "]")},
		}, bundle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := publish.Import(t.Context(), s, dir, publish.From{})
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	if _, err := importing(`{slug: gone, name: Gone, chain_id: "7", id: net-7}`).Publish(t.Context(), s, store.Note{At: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	if _, err := publish.Purge(t.Context(), s, domain.KindChain, "gone", store.Note{At: time.Unix(2, 0)}); err != nil {
		t.Fatal(err)
	}
	for chain, want := range map[string]int{
		`{slug: other, name: Other, chain_id: "8", id: net-7}`:                1,
		`{slug: other, name: Other, chain_id: "8", id: net-8}`:                0,
		`{slug: gone, name: Gone, chain_id: "7", id: net-8}`:                  1,
		`{slug: other, name: Other, chain_id: "8", aliases: [net-7, "Gone"]}`: 0,
	} {
		if plan := importing(chain); len(plan.Holds) != want {
			t.Errorf("%s: holds %+v, want %d", chain, plan.Holds, want)
		}
	}
}
