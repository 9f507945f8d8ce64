package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/domain"
	"vitrine/internal/store"
)

// keep is the maximum number of kept revisions: all of them are read after each step.
const keep = 6

// Play runs a random history against a store and a model, and compares them after each step. It
// returns the kept revisions as [Bytes]. The same seed and steps give the same on every engine.
func Play(t *testing.T, db Database, seed uint64, steps int) [][]byte {
	p := &player{t: t, db: db, random: rand.New(rand.NewPCG(seed, 1)), store: db.Open(t)}
	p.publish(Rich(), store.OpImport, "first import")
	for n := range steps {
		p.step(n)
		if t.Failed() {
			t.Fatalf("seed %d, step %d: %s", seed, n, p.did)
		}
	}
	if checked, ok := p.store.(*closing).Store.(interface{ Check(context.Context) error }); ok {
		if err := checked.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	var all [][]byte
	for _, w := range p.model.kept {
		all = append(all, Bytes(t, load(t, p.store, w.revision.Number)))
	}
	return all
}

type player struct {
	t      *testing.T
	db     Database
	random *rand.Rand
	store  store.Store
	model  model
	clock  int
	did    string // what the last step did
}

func (p *player) step(n int) {
	switch r := p.random.IntN(100); {
	case r < 40:
		p.publish(p.edited(p.model.head().editors), store.OpImport, "import")
	case r < 45:
		p.publish(p.model.head().editors, store.OpImport, "import without changes")
	case r < 65:
		p.observe()
	case r < 75:
		p.rollback()
	case r < 82:
		p.interrupt()
	case r < 87:
		p.conflict()
	case r < 92:
		p.reopen()
	default:
		p.prune(p.model.floor() + int64(p.random.IntN(4)))
	}
	if len(p.model.kept) > keep {
		p.prune(p.model.head().revision.Number - int64(p.random.IntN(keep)))
	}
	p.compare()
}

func (p *player) note(op store.Op, what string) store.Note {
	p.clock++
	p.did = what
	note := store.Note{
		At: time.Date(2026, 11, 21, 0, 0, p.clock, 0, time.UTC), Op: op, Actor: "player",
		Message: fmt.Sprintf("%s (%d)", what, p.clock), Digest: fmt.Sprintf("digest %d", p.random.IntN(3)),
		Commit: pick(p.random, "", "c0ffee", "f00d"), Publisher: pick(p.random, "", "serve web1:/srv/catalogue"),
	}
	note.Modified = note.Commit != "" && p.random.IntN(2) == 0
	return note
}

func (p *player) draft(c *domain.Catalog, op store.Op, what string) store.Draft {
	note := p.note(op, what)
	from := p.clock
	return store.Draft{Note: note, Catalog: c, Origin: func(kind domain.Kind, index int) string {
		return fmt.Sprintf("%s/%d.yaml:%d", kind, from, index+1)
	}}
}

func (p *player) publish(c *domain.Catalog, op store.Op, what string) {
	d := p.draft(c, op, what)
	if base := p.model.head().revision; base.Number > 0 && p.random.IntN(2) == 0 {
		d.Base, d.Delta = base, domain.DeltaOf(load(p.t, p.store, 0).Editors(), c)
	}
	for range p.random.IntN(3) {
		d.Releases = append(d.Releases, store.Release{Rollback: int64(1 + p.random.IntN(3)), Value: [32]byte{byte(p.random.IntN(4))}})
	}
	rev, err := p.store.Publish(p.t.Context(), p.model.head().revision.Number, d)
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	if rev.Number == 1 {
		equal(p.t, "StateOf()", Bytes(p.t, load(p.t, p.store, 1)), Bytes(p.t, store.StateOf(rev, c)))
	}
	p.model.publish(d)
}

func (p *player) observe() {
	note := p.note(store.OpSync, "observe")
	observations := p.observations()
	if _, err := p.store.Observe(p.t.Context(), p.model.head().revision.Number, observations, note); err != nil {
		p.t.Fatal(err)
	}
	p.model.observe(observations, note)
}

func (p *player) observations() []store.Observation {
	var all []store.Observation
	for range p.random.IntN(5) {
		o := tvl(pick(p.random, "ethereum", "base", "BASE", "gone"), float64(p.random.IntN(4))/3, p.day())
		switch p.random.IntN(3) {
		case 0:
			o.Figure = domain.FigurePlatforms
		case 1:
			o.Kind, o.Figure, o.Key = domain.KindAccount, domain.FigureFollowers, pick(p.random, "OpenAI", "held_back")
		}
		all = append(all, o)
	}
	return all
}

func (p *player) day() domain.Date {
	return domain.Date(fmt.Sprintf("2026-01-%02d", 1+p.random.IntN(9)))
}

func (p *player) rollback() {
	old := p.model.kept[p.random.IntN(len(p.model.kept))]
	p.publish(load(p.t, p.store, old.revision.Number).Editors(), store.OpRollback, "roll back")
}

// interrupt attempts a publish with a cancelled context and one that fails near its end. Neither
// leaves a trace, so a history depends only on the seed; [cutOff] tests other times.
func (p *player) interrupt() {
	d := p.draft(p.edited(p.model.head().editors), store.OpImport, "cancelled publish")
	ctx, cancel := context.WithCancel(p.t.Context())
	cancel()
	if _, err := p.store.Publish(ctx, p.model.head().revision.Number, d); !errors.Is(err, context.Canceled) {
		p.t.Errorf("a publish with a cancelled context: %v", err)
	}
	broken := *d.Catalog
	broken.Menus = append(slices.Clone(broken.Menus), domain.Menu{PathSlug: "zzz", OGImage: "\xff"})
	d.Catalog = &broken
	if _, err := p.store.Publish(p.t.Context(), p.model.head().revision.Number, d); err == nil {
		p.t.Error("a broken draft was published")
	}
}

func (p *player) conflict() {
	p.did = "publish on another base"
	head := p.model.head().revision.Number
	for _, base := range []int64{0, head - 1, head + 1} {
		if _, err := p.store.Publish(p.t.Context(), base, store.Draft{Catalog: Rich()}); !errors.Is(err, store.ErrConflict) {
			p.t.Errorf("base %d: error %v, want ErrConflict", base, err)
		}
	}
}

func (p *player) reopen() {
	p.did = "reopen"
	if p.random.IntN(2) == 0 { // else the old one stays open like a second process
		if err := p.store.Close(); err != nil {
			p.t.Error(err)
		}
	}
	p.store = p.db.Open(p.t)
}

func (p *player) prune(before int64) {
	p.did += fmt.Sprintf(", prune before %d", before)
	got, err := p.store.Prune(p.t.Context(), before)
	if err != nil {
		p.t.Fatal(err)
	}
	got.Freed = 0 // depends on the engine
	equal(p.t, fmt.Sprintf("Prune(%d)", before), p.model.prune(before), got)
}

// compare compares the results of the store and the model.
func (p *player) compare() {
	t := p.t
	head := p.model.head()
	rev, err := p.store.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Head()", head.revision, rev)
	var want []store.Revision
	for _, w := range slices.Backward(p.model.kept) {
		want = append(want, w.revision)
	}
	history, err := p.store.History(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "History()", want, history)
	var retracted []store.Retraction
	err = p.store.Retracted(t.Context(), func(r store.Retraction) error {
		retracted = append(retracted, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Retracted()", p.model.retracted(), retracted)
	released, err := p.store.Released(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Released()", p.model.released, sortedReleases(released))
	latest := Bytes(t, load(t, p.store, 0))
	for _, w := range p.model.kept {
		p.compareRevision(w, latest)
	}
	p.compareRecords()
	p.compareTouched()
}

func (p *player) compareRevision(want whole, latest []byte) {
	t := p.t
	number := want.revision.Number
	state := load(t, p.store, number)
	equal(t, fmt.Sprintf("revision %d", number), want.revision, state.Revision)
	equal(t, fmt.Sprintf("editors' layer of revision %d", number), want.editors, state.Editors())
	equal(t, fmt.Sprintf("winning observations of revision %d", number), want.observed, state.Observed())
	equal(t, fmt.Sprintf("merged catalogue of revision %d", number), domain.Merge(want.editors, want.observed), state.Merged())
	changes, err := p.store.Changes(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	applied, err := state.Apply(changes)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(latest, Bytes(t, applied)) {
		t.Errorf("the changes since revision %d do not lead to the head (-want +got):\n%s",
			number, cmp.Diff(p.model.head().editors, applied.Editors()))
	}
}

// compareRecords compares the versions and observations of some records, also of missing ones.
func (p *player) compareRecords() {
	t := p.t
	until := p.model.floor() + int64(p.random.IntN(len(p.model.kept)))
	for _, name := range []struct {
		kind domain.Kind
		key  string
	}{
		{domain.KindCatalog, "catalog"},
		{domain.KindChain, pick(p.random, chains()...)},
		{domain.KindAccount, strings.ToLower(pick(p.random, accounts()...))},
		{domain.KindNavGroup, pick(p.random, navGroups()...)},
		{domain.KindMenu, "never"},
	} {
		versions, err := p.store.Versions(t.Context(), name.kind, name.key, until)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("Versions(%s, %s, %d)", name.kind, name.key, until),
			p.model.versionsOf(name.kind, name.key, until), versions)
		observed, err := p.store.Observations(t.Context(), name.kind, name.key, until)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("Observations(%s, %s, %d)", name.kind, name.key, until),
			p.model.observationsOf(name.kind, name.key, until), observed)
	}
}
